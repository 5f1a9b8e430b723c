# SPDX-License-Identifier: Apache-2.0
"""Observations that are made of one breakpoint which stops nothing: each hit is an event.

The base of `writes`, `reads` and `exceptions`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, TypeVar

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.observing.observation import Limits, Observation, require_possible
from jvmdebug.observing.observed import ObservedEvent

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint, BreakpointLocation, BreakpointSpec
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.observing.observation import ObservedProgram

EventT = TypeVar("EventT", bound=ObservedEvent)


class HitObservation(Observation[EventT]):
    """The hits of a breakpoint, as they are observed."""

    def __init__(
        self,
        program: ObservedProgram,
        what: str,
        events: type[EventT],
        spec: BreakpointSpec,
        condition: str | None,
        *,
        frames: int,
        limits: Limits,
    ) -> None:
        super().__init__(program, what, events, limits)
        self._spec = spec
        self._condition = condition
        self._frames = max(frames, 1)
        self._breakpoint: Breakpoint | None = None

    @property
    def message(self) -> str | None:
        return None if self._breakpoint is None else self._breakpoint.message

    @property
    def locations(self) -> tuple[BreakpointLocation, ...]:
        """The observed places, with who looks at them (`how`) and why (`why_event`)."""
        return () if self._breakpoint is None else self._breakpoint.locations

    @abstractmethod
    async def _read(self, occurrence: LocatedOccurrence) -> EventT | None:
        """Make the event while the thread is held; None for what is none."""

    async def _arm(self) -> None:
        options = BreakpointOptions(condition=self._condition)
        breakpoints = self.observations.breakpoints
        self._breakpoint = await breakpoints.add_observed(self._spec, options, self)
        require_possible(self._breakpoint)

    async def _disarm(self) -> None:
        if self._breakpoint is not None:
            await self._breakpoint.remove()

    async def reached(self, _breakpoint: Breakpoint, occurrence: LocatedOccurrence) -> None:
        """Take a hit of the breakpoint."""
        event = await self._read(occurrence) if self.is_open else None
        if event is None:
            return
        self._put(event)
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()

    def changed(self, breakpoint_: Breakpoint) -> None:
        """Fail if a class was loaded that has no such field, or the condition means nothing."""
        try:
            require_possible(breakpoint_)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            self._fail(error)
