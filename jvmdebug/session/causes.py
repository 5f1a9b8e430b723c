# SPDX-License-Identifier: Apache-2.0
"""The session's own causes of a stop, and the reason that a user is shown for each cause.

The causes of a breakpoint hit and of a step are in their packages; here are those of operations of
the session. Made by the object that carries out the operation, read by the stop registry and Stop.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints import BreakpointHit, BreakpointKind
from jvmdebug.events import Cause
from jvmdebug.stepping import StepEnded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmdebug.events import StopSet


class StopReason(StrEnum):
    """Why the debuggee stopped; the most specific reason if there are several."""

    ENTRY = "entry"
    BREAKPOINT = "breakpoint"
    FUNCTION_BREAKPOINT = "function breakpoint"
    INSTRUCTION_BREAKPOINT = "instruction breakpoint"
    STEP = "step"
    EXCEPTION = "exception"
    WATCHPOINT = "watchpoint"
    PAUSE = "pause"
    RUN_TO = "run to"
    POP_FRAME = "pop frame"
    FORCE_RETURN = "force return"


class Paused(Cause):
    """The user suspended threads."""

    __slots__ = ()


class FrameDropped(Cause):
    """The user popped frames of the stopped thread."""

    __slots__ = ()


class EntryReached(BreakpointHit):
    """The program's main method was reached, and the session was to stop there."""

    __slots__ = ()


class RanTo(BreakpointHit):
    """The location was reached that the user ran to."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedCause(Cause):
    """A cause whose stop set is claimed by a waiting operation of the session."""

    claim: Callable[[StopSet], bool]
    """Claims the set. False if the operation no longer waits: the cause is then ignored."""


class VmHeld(ClaimedCause):
    """The VM is suspended before the first instruction of the program."""

    __slots__ = ()


class ReturnForced(ClaimedCause):
    """A method was forced to return; the stop is in its caller."""

    __slots__ = ()


_MOST_SPECIFIC_FIRST: Final = (
    StopReason.FORCE_RETURN,
    StopReason.POP_FRAME,
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

_OF_CAUSES: Final[dict[type[Cause], StopReason]] = {
    EntryReached: StopReason.ENTRY,
    RanTo: StopReason.RUN_TO,
    StepEnded: StopReason.STEP,
    Paused: StopReason.PAUSE,
    FrameDropped: StopReason.POP_FRAME,
    ReturnForced: StopReason.FORCE_RETURN,
}

_OF_BREAKPOINTS: Final = {
    BreakpointKind.LINE: StopReason.BREAKPOINT,
    BreakpointKind.METHOD: StopReason.FUNCTION_BREAKPOINT,
    BreakpointKind.EXCEPTION: StopReason.EXCEPTION,
    BreakpointKind.FIELD: StopReason.WATCHPOINT,
    BreakpointKind.INSTRUCTION: StopReason.INSTRUCTION_BREAKPOINT,
}


def reasons_of(causes: Iterable[Cause]) -> tuple[StopReason, ...]:
    """The reasons of these causes, the most specific first."""
    found = {_reason_of(cause) for cause in causes}
    return tuple(sorted(found, key=_MOST_SPECIFIC_FIRST.index))


def _reason_of(cause: Cause) -> StopReason:
    reason = _OF_CAUSES.get(type(cause))
    if reason is None and isinstance(cause, BreakpointHit):
        reason = _OF_BREAKPOINTS[cause.breakpoint.kind]
    return reason or StopReason.PAUSE
