# SPDX-License-Identifier: Apache-2.0
"""From a stop set of the router to the reason that a Stop shows, and who is to be told.

Pure reading: which breakpoints and which step asked for the stop, and what that makes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import Breakpoint, BreakpointKind
from jvmdebug.events import ExceptionOccurrence, FieldOccurrence, LocatedOccurrence, StepOccurrence
from jvmdebug.session.stop import StopReason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.breakpoints.arming import BreakpointTable
    from jvmdebug.events import StopSet
    from jvmdebug.stepping import Stepper

_REASONS = {
    BreakpointKind.LINE: StopReason.BREAKPOINT,
    BreakpointKind.METHOD: StopReason.FUNCTION_BREAKPOINT,
    BreakpointKind.EXCEPTION: StopReason.EXCEPTION,
    BreakpointKind.FIELD: StopReason.WATCHPOINT,
    BreakpointKind.INSTRUCTION: StopReason.INSTRUCTION_BREAKPOINT,
}

_MOST_TELLING_FIRST = (
    StopReason.ENTRY,
    StopReason.EXCEPTION,
    StopReason.WATCHPOINT,
    StopReason.BREAKPOINT,
    StopReason.INSTRUCTION_BREAKPOINT,
    StopReason.FUNCTION_BREAKPOINT,
    StopReason.RUN_TO,
    StopReason.STEP,
    StopReason.PAUSE,
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a stop set stands still."""

    reason: StopReason
    breakpoints: tuple[Breakpoint, ...]
    """The user's."""
    own_breakpoints: tuple[Breakpoint, ...]
    """Those that the session set for itself."""
    exception: ExceptionOccurrence | None
    access: FieldOccurrence | None
    """To a watched field."""


def cause_of(
    stop_set: StopSet,
    table: BreakpointTable,
    own: Mapping[Breakpoint, StopReason],
    stepper: Stepper,
) -> Cause:
    """Read `stop_set`. `own`: the session's own breakpoints (entry, run to) and their reasons."""
    reasons: set[StopReason] = set()
    breakpoints: dict[Breakpoint, None] = {}
    exception: ExceptionOccurrence | None = None
    access: FieldOccurrence | None = None
    own_hit: list[Breakpoint] = []
    for occurrence in stop_set.stopping:
        if isinstance(occurrence, StepOccurrence) or (
            isinstance(occurrence, LocatedOccurrence) and stepper.is_end(occurrence)
        ):
            reasons.add(StopReason.STEP)
            continue
        found = table.breakpoint_of(occurrence)
        if found is None:
            continue
        if found in own:
            reasons.add(own[found])
            own_hit.append(found)
            continue
        breakpoints[found] = None
        reasons.add(_REASONS[found.kind])
        if isinstance(occurrence, ExceptionOccurrence):
            exception = occurrence
        elif isinstance(occurrence, FieldOccurrence):
            access = occurrence
    reason = next((each for each in _MOST_TELLING_FIRST if each in reasons), StopReason.PAUSE)
    ordered = sorted(breakpoints, key=lambda each: each.id)
    return Cause(reason, tuple(ordered), tuple(own_hit), exception, access)
