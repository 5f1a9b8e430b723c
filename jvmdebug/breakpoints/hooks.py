# SPDX-License-Identifier: Apache-2.0
"""What breakpoints need of the session, which is above them. Implemented by the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.breakpoints.log_drain import LogBatch, LogLines
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.sources import LineSpec


class BreakpointHooks(Protocol):
    """What breakpoints need of the session."""

    def breakpoint_asked(
        self, breakpoint_: Breakpoint, change: Literal["new", "changed", "removed"]
    ) -> None:
        """Called when a breakpoint was set, changed or removed because somebody wanted it."""

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Called when locations or message have changed after it was set."""

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """Called when a logpoint was reached."""

    async def breakpoints_logged(
        self, batch: LogBatch, lines: Sequence[LogLines]
    ) -> Sequence[Coroutine[object, object, object]]:
        """Called when log points have written lines. `lines` are those of the batch, not one by
        one. The coroutines that it returns end when the lines are shown; each must be awaited or
        closed.
        """

    def tell_left_out(self, breakpoint_: Breakpoint | None = None) -> None:
        """Report how many log messages were left out, if any: of one breakpoint, or of all at the
        end.
        """

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Whether a stop at it suspends all threads."""

    async def source_text(self, spec: LineSpec) -> str | None:
        """The text of the source that the line is in; None if it is not available."""

    async def stopped_at(self, location: Location) -> Sequence[Thread]:
        """The threads that have stopped in front of this instruction."""

    def is_ours(self, exception: ObjectReference) -> bool:
        """Whether the session threw this exception to end a thread; no breakpoint stops for it."""

    def stops_at_rethrows(self) -> bool:
        """Whether an exception breakpoint stops each time that the exception is thrown again."""

    def control_exceptions(self) -> Sequence[str]:
        """The exceptions that the user has added to those that are thrown on purpose."""

    def hit_limits(self) -> HitLimits:
        """The limits of evaluation at a hit."""

    def uses_probes(self) -> bool:
        """Whether the program may check conditions itself."""
