# SPDX-License-Identifier: Apache-2.0
"""Probes: checks of breakpoint conditions, compiled to bytecode and run by the program itself.

Owns what a condition becomes (`check`, `code`, `members`, `handles`), its installation through our
agent (`probe`), and notices checks that do not return (`check_watch`). Decides neither which
breakpoints get one nor what a hit does. Called by `breakpoints`. Begin with `probe`, then `check`.
"""

from jvmdebug.probes.check import FAILED, HOLDS, CountTest
from jvmdebug.probes.check_watch import CheckWatch, StuckCheck
from jvmdebug.probes.members import NotCompiledError
from jvmdebug.probes.probe import Probe, ProbeHit, ProbeQuestion

__all__ = [
    "FAILED",
    "HOLDS",
    "CheckWatch",
    "CountTest",
    "NotCompiledError",
    "Probe",
    "ProbeHit",
    "ProbeQuestion",
    "StuckCheck",
]
