# SPDX-License-Identifier: Apache-2.0
"""Text → syntax tree, through tree-sitter's Java grammar.

Owns the tree (`syntax`), where errors of syntax are reported (`errors`), and what follows from
syntax alone (`flow`). Resolves no name and knows no type of the debuggee. Begin with `parser`;
callers use `parser`, `syntax`, `flow` and, for texts that javac compiles, `grammar`.
"""
