# SPDX-License-Identifier: Apache-2.0
"""Generates the class of a check: bytecode from the bound tree of a condition or a log message.

Owns the code of expressions (`code` and the modules of its nodes), of counters, filters and the
guard, and which members the code of another package may reach (`members`, `accessible`). Installs
nothing and knows no probe: it gets a question and returns a `Check`. Called by `probes`. Begin with
`check`, then `code`.
"""
