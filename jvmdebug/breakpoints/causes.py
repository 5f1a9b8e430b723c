# SPDX-License-Identifier: Apache-2.0
"""Why a breakpoint stops the program: the causes that a hit puts into a stop.

Made by `arming` when a hit stops; read by the session. One that the session set for itself
has a cause of the session's, derived from BreakpointHit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.events import Cause, ExceptionOccurrence, FieldOccurrence

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.events import LocatedOccurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakpointHit(Cause):
    """A breakpoint was reached, and its conditions hold."""

    breakpoint: Breakpoint
    occurrence: LocatedOccurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionThrown(BreakpointHit):
    """An exception was thrown that a breakpoint waits for."""

    occurrence: ExceptionOccurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAccessed(BreakpointHit):
    """A watched field is about to be read or written."""

    occurrence: FieldOccurrence


def cause_class(occurrence: LocatedOccurrence) -> type[BreakpointHit]:
    """The class of the cause of a stop at a breakpoint of the user."""
    match occurrence:
        case ExceptionOccurrence():
            return ExceptionThrown
        case FieldOccurrence():
            return FieldAccessed
        case _:
            return BreakpointHit
