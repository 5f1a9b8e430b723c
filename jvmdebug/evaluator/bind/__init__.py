# SPDX-License-Identifier: Apache-2.0
"""Syntax tree → bound tree: the meaning and static type of each node (JLS 5, 6, 14, 15).

Owns name resolution, overload resolution, conversions and constant folding. Runs nothing in the
debuggee, and reads classes only through `symbols.declarations.TypeSource`. Begin with `dispatch`,
the table of node classes and their functions, then `binder`; the result is in `bound`.
"""
