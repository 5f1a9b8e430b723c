# SPDX-License-Identifier: Apache-2.0
"""Resuming a stop by a step or by running to a line. Owns the filters of a step (from the
settings), and which stops end with it. The steps themselves are `jvmdebug.stepping`'s, resuming is
the stop registry's. Called by Stop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError
from jvmdebug.session.causes import RanTo, StopReason
from jvmdebug.sources import parse_spec

if TYPE_CHECKING:
    from jvmdebug.jdwp.generated.constants import StepDepth
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.services import Services
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.stepping import CallSite, Granularity, LibraryFilter, StepFilters


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A step as the user wants it."""

    thread: ThreadHandle
    depth: StepDepth
    granularity: Granularity
    alone: bool
    """Whether the other threads stay suspended."""
    target: CallSite | None = None
    """The call to enter; None: the first one."""


class Steps:
    """The steps of one session."""

    def __init__(self, services: Services) -> None:
        self._stepper = services.stepper
        self._stops = services.stops
        self._breakpoints = services.breakpoints
        self._settings = services.settings
        self._libraries = services.libraries

    async def begin(self, stop: Stop, request: StepRequest) -> None:
        """Resume `stop` by a step of a thread that it holds."""
        thread = request.thread.thread
        holding_all = [each for each in self._stops.current if each.all_threads]
        suspends_all = bool(holding_all) and not request.alone
        if request.target is not None:
            await self._stepper.begin_into(thread, request.target, suspends_all=suspends_all)
        else:
            origin = await _origin(stop, request)
            filters, libraries = await self._filters(thread, origin)
            await self._stepper.begin(
                thread,
                request.depth,
                request.granularity,
                filters,
                libraries,
                suspends_all=suspends_all,
                origin=origin,
            )
        try:
            await self._resume(stop, request, holding_all)
        except BaseException:
            self._stepper.cancel(thread)
            raise

    async def _resume(self, stop: Stop, request: StepRequest, holding_all: list[Stop]) -> None:
        if request.alone:
            await self._stops.resume_thread(request.thread)
            return
        await self._stops.resume(stop, "it was stepped from")
        for other in holding_all:
            if other.is_current:  # this thread had been resumed from it alone
                await self._stops.resume(other, "a thread of it was stepped with all others")

    async def run_to(self, stop: Stop, spec: str) -> None:
        """Resume `stop`; the next stop is where `spec` is reached, unless another comes first."""
        made = await self._breakpoints.add_own(parse_spec(spec), RanTo)
        if not (made.verified or made.is_pending):
            await made.remove()
            raise BreakpointError(f"cannot run to {spec}: {made.message}")
        self._stops.until_next_stop.add(made)
        await self._stops.resume(stop)

    async def _filters(
        self, thread: Thread, origin: Frame | None
    ) -> tuple[StepFilters, LibraryFilter | None]:
        """The filters of the settings, and what `$Libraries` means for a step from here."""
        filters = self._settings.step_filters
        if not filters.skips_libraries:
            return filters, None
        top = await thread.frames(0, 1) if origin is None else [origin]
        start = top[0].location.type if top else None
        # None: who stopped inside of a library wants to step there; in the JDK not for that.
        return filters, await self._libraries.for_step(start, thread)


async def _origin(stop: Stop, request: StepRequest) -> Frame | None:
    """The frame of the user's own code that a step by lines is meant to begin in: where a thread
    was paused, or an exception was thrown, it may be in code of others above that.
    """
    is_by_chance = stop.reason in (StopReason.PAUSE, StopReason.EXCEPTION)
    if not is_by_chance or request.granularity != "line" or request.thread != stop.thread:
        return None
    own = await stop.own_frame()
    return None if own is None or own.depth == 0 else await own.frame()
