# SPDX-License-Identifier: Apache-2.0
"""Generates everything that follows from the declarations in native/protocol/*.toml.

declarations.py reads and checks them into model.py; one emit_*.py for each output: the Python
types, the C++ types, the agent's dispatch table, the Markdown reference. cli.py writes the files.
Standard library only: building the project never needs it, its output is committed.
"""
