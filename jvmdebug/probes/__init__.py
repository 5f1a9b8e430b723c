# SPDX-License-Identifier: Apache-2.0
"""Probes: checks of breakpoint conditions, compiled to bytecode and run by the program itself.

Owns the life of a probe: its question (`question`), its installation by our agent (`probe`), checks
that do not return (`check_watch`), and the places where a step can end without the VM's steps
(`step_points`). The bytecode of a check is written by `codegen`. Decides neither which breakpoints
get a probe nor what a hit does. Called by `breakpoints` and `stepping`. Begin with `probe`, then
`codegen.check`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.probes.check_watch import CheckWatch, StuckCheck
    from jvmdebug.probes.codegen.check import FAILED, HOLDS, NEVER
    from jvmdebug.probes.codegen.log_code import LogFormat
    from jvmdebug.probes.codegen.members import NotCompiledError
    from jvmdebug.probes.codegen.timing_code import Range, ranges_of
    from jvmdebug.probes.codegen.written_local import WrittenLocal
    from jvmdebug.probes.count_test import CountTest
    from jvmdebug.probes.deferring import put_in_together, silence
    from jvmdebug.probes.leaf_callers import LeafCallers
    from jvmdebug.probes.probe import Probe, stop_always
    from jvmdebug.probes.question import (
        EVERY_HIT,
        HitFilter,
        ProbeHit,
        ProbeQuestion,
        SharedCounts,
        Timing,
        TimingEnd,
    )
    from jvmdebug.probes.step_points import StepPoint, StepPoints, ask_all

_HOMES: Final = {
    "codegen.check": ("FAILED", "HOLDS", "NEVER"),
    "check_watch": ("CheckWatch", "StuckCheck"),
    "count_test": ("CountTest",),
    "deferring": ("put_in_together", "silence"),
    "leaf_callers": ("LeafCallers",),
    "codegen.log_code": ("LogFormat",),
    "codegen.members": ("NotCompiledError",),
    "probe": ("Probe", "stop_always"),
    "question": (
        "EVERY_HIT",
        "HitFilter",
        "ProbeHit",
        "ProbeQuestion",
        "SharedCounts",
        "Timing",
        "TimingEnd",
    ),
    "step_points": ("StepPoint", "StepPoints", "ask_all"),
    "codegen.timing_code": ("Range", "ranges_of"),
    "codegen.written_local": ("WrittenLocal",),
}

if not TYPE_CHECKING:  # the type checker reports names that do not exist
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "EVERY_HIT",
    "FAILED",
    "HOLDS",
    "NEVER",
    "CheckWatch",
    "CountTest",
    "HitFilter",
    "LeafCallers",
    "LogFormat",
    "NotCompiledError",
    "Probe",
    "ProbeHit",
    "ProbeQuestion",
    "Range",
    "SharedCounts",
    "StepPoint",
    "StepPoints",
    "StuckCheck",
    "Timing",
    "TimingEnd",
    "WrittenLocal",
    "ask_all",
    "put_in_together",
    "ranges_of",
    "silence",
    "stop_always",
]
