# SPDX-License-Identifier: Apache-2.0
"""Why a breakpoint stops the program: the causes that a hit puts into a stop.

Made by `breakpoint_table` when a hit stops; read by the session. One that the session set for
itself has a cause of the session's, derived from BreakpointHit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.events import Cause, ExceptionOccurrence, FieldOccurrence

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.rethrows import Throw
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadDeath(ExceptionOccurrence):
    """An exception that has left all frames of its thread and ends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakpointHit(Cause):
    """A stop because a breakpoint was reached and its conditions hold."""

    breakpoint: Breakpoint
    occurrence: LocatedOccurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionThrown(BreakpointHit):
    """A stop because an exception was thrown for which a breakpoint waits."""

    occurrence: ExceptionOccurrence
    first_thrown_at: Location | None = None
    """The place of the first throw, if this is not the first one."""

    @property
    def ends_thread(self) -> bool:
        """Whether it has left all frames of the thread already."""
        return isinstance(self.occurrence, ThreadDeath)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAccessed(BreakpointHit):
    """A stop because a watched field is about to be read or written."""

    occurrence: FieldOccurrence


def cause_of(
    breakpoint_: Breakpoint,
    occurrence: LocatedOccurrence,
    throw: Throw | None,
    *,
    suspends_all: bool,
) -> BreakpointHit:
    """The cause of a stop at a breakpoint. `throw`: that of the exception, at an exception
    breakpoint.
    """
    if breakpoint_.own_cause is not None:
        return breakpoint_.own_cause(
            breakpoint=breakpoint_, occurrence=occurrence, suspends_all=suspends_all
        )
    match occurrence:
        case ExceptionOccurrence():
            return ExceptionThrown(
                breakpoint=breakpoint_,
                occurrence=occurrence,
                suspends_all=suspends_all,
                first_thrown_at=throw.first if throw is not None and throw.is_rethrown else None,
            )
        case FieldOccurrence():
            return FieldAccessed(
                breakpoint=breakpoint_, occurrence=occurrence, suspends_all=suspends_all
            )
        case _:
            return BreakpointHit(
                breakpoint=breakpoint_, occurrence=occurrence, suspends_all=suspends_all
            )
