# SPDX-License-Identifier: Apache-2.0
"""Stepping: one step as an object with a life, step filters, and step-in targets.

Owns the event requests of a step (`step`, `targeted_step`), which code a step leaves out
(`filters`, `libraries`, `class_path`, `code_origin`), and the calls on a line that it may step into
(`call_sites`). Does not resume: the stop that a step starts from does. Called by the session. Begin
with `stepper`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.stepping.call_sites import CallSite, call_at, calls_ahead
    from jvmdebug.stepping.filters import (
        JDK_PATTERNS,
        JUST_MY_CODE,
        LIBRARIES,
        NO_FILTERS,
        StepFilters,
    )
    from jvmdebug.stepping.libraries import Libraries, LibraryFilter
    from jvmdebug.stepping.returned import why_unknown
    from jvmdebug.stepping.step import StepEnded
    from jvmdebug.stepping.stepper import Granularity, Stepper

_HOMES: Final = {
    "call_sites": ("CallSite", "call_at", "calls_ahead"),
    "filters": ("JDK_PATTERNS", "JUST_MY_CODE", "LIBRARIES", "NO_FILTERS", "StepFilters"),
    "libraries": ("Libraries", "LibraryFilter"),
    "returned": ("why_unknown",),
    "step": ("StepEnded",),
    "stepper": ("Granularity", "Stepper"),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "JDK_PATTERNS",
    "JUST_MY_CODE",
    "LIBRARIES",
    "NO_FILTERS",
    "CallSite",
    "Granularity",
    "Libraries",
    "LibraryFilter",
    "StepEnded",
    "StepFilters",
    "Stepper",
    "call_at",
    "calls_ahead",
    "why_unknown",
]
