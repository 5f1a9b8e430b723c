# SPDX-License-Identifier: Apache-2.0
"""The tests, a package so that `tests.support` has one name everywhere.

Begin with `tests/conftest.py` (the matrix and the check for VMs left behind) and `tests/support`.
`unit/` needs no VM; `conformance/` holds both agents to one expectation and the DAP adapter to its
protocol; `e2e/` debugs programs; `fuzz/`, `stress/`, `scale/`, `bench/` and `house/` say what they
are for in their modules. `debuggees/` has the Java programs.
"""
