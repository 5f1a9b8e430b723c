# SPDX-License-Identifier: Apache-2.0
"""The session's own causes of a stop, and the reason that a user is shown for each cause.

The causes of a breakpoint hit and of a step are in their packages; here are those of operations of
the session. Made by the object that carries out the operation, read by the stop registry and Stop.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug import breakpoints, stepping
from jvmdebug.breakpoints import BreakpointHit
from jvmdebug.events import Cause

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
    GOTO = "goto"
    RECORDING_END = "end of the recording"
    RECORDING_BEGINNING = "beginning of the recording"


class Paused(Cause):
    """The user suspended threads."""

    __slots__ = ()


class FrameDropped(Cause):
    """The user popped frames of the stopped thread."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Jumped(Cause):
    """The user made the stopped thread go on at another line."""

    unassigned: tuple[str, ...] = ()
    """Names of variables that the code there may read before it assigns them: they are 0, false or
    null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnd(Cause):
    """A recording has no more in the direction in which it was looked at."""

    is_beginning: bool = False


class MovedInPast(Cause):
    """The user has gone to another moment of a recording."""

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
    StopReason.GOTO,
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
    StopReason.RECORDING_END,
    StopReason.RECORDING_BEGINNING,
    StopReason.PAUSE,
)

_OF_CAUSES: Final[dict[type[Cause], StopReason]] = {
    EntryReached: StopReason.ENTRY,
    RanTo: StopReason.RUN_TO,
    Paused: StopReason.PAUSE,
    FrameDropped: StopReason.POP_FRAME,
    Jumped: StopReason.GOTO,
    MovedInPast: StopReason.GOTO,
    ReturnForced: StopReason.FORCE_RETURN,
}


def reasons_of(causes: Iterable[Cause]) -> tuple[StopReason, ...]:
    """The reasons of these causes, the most specific first."""
    found = {_reason_of(cause) for cause in causes}
    return tuple(sorted(found, key=_MOST_SPECIFIC_FIRST.index))


def _reason_of(cause: Cause) -> StopReason:
    if (reason := _OF_CAUSES.get(type(cause))) is not None:
        return reason
    if isinstance(cause, RecordingEnd):
        is_first = cause.is_beginning
        return StopReason.RECORDING_BEGINNING if is_first else StopReason.RECORDING_END
    if isinstance(cause, BreakpointHit):
        return _of_breakpoint(cause.breakpoint.kind)
    return StopReason.STEP if isinstance(cause, stepping.StepEnded) else StopReason.PAUSE


def _of_breakpoint(kind: breakpoints.BreakpointKind) -> StopReason:
    match kind:
        case breakpoints.BreakpointKind.LINE:
            return StopReason.BREAKPOINT
        case breakpoints.BreakpointKind.METHOD:
            return StopReason.FUNCTION_BREAKPOINT
        case breakpoints.BreakpointKind.EXCEPTION:
            return StopReason.EXCEPTION
        case (
            breakpoints.BreakpointKind.FIELD
            | breakpoints.BreakpointKind.LOCAL
            | breakpoints.BreakpointKind.ELEMENT
        ):
            return StopReason.WATCHPOINT
        case breakpoints.BreakpointKind.INSTRUCTION:
            return StopReason.INSTRUCTION_BREAKPOINT
