# SPDX-License-Identifier: Apache-2.0
"""Bound tree → value: reads the frame, computes, and invokes methods of the debuggee.

Owns the interpreter, method invocation (`invoker`), and binding by run-time types where static
types do not suffice (`late_binding`). Begin with `dispatch`, the table of node classes and their
functions, then `interpreter`.
"""
