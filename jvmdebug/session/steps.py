# SPDX-License-Identifier: Apache-2.0
"""Resuming a stop by a step or by running to a line. Owns the filters of a step (from the
settings), and which stops end with it. The steps themselves are `jvmdebug.stepping`'s, resuming is
the stop registry's. Called by Stop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError
from jvmdebug.session.causes import RanTo
from jvmdebug.sources import parse_spec
from jvmdebug.stepping import Libraries

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from jvmdebug.jdwp.generated.constants import StepDepth
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stop_registry import StopRegistry
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.stepping import CallSite, Granularity, LibraryFilter, StepFilters, Stepper


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

    def __init__(
        self,
        vm: VirtualMachine,
        stepper: Stepper,
        stops: StopRegistry,
        breakpoints: BreakpointSet,
        settings: SessionSettings,
    ) -> None:
        self._stepper = stepper
        self._stops = stops
        self._breakpoints = breakpoints
        self._settings = settings
        self._libraries = Libraries(vm)

    async def begin(self, stop: Stop, request: StepRequest) -> None:
        """Resume `stop` by a step of a thread that it holds."""
        thread = request.thread.thread
        holding_all = [each for each in self._stops.current if each.all_threads]
        suspends_all = bool(holding_all) and not request.alone
        if request.target is not None:
            await self._stepper.begin_into(thread, request.target, suspends_all=suspends_all)
        else:
            filters, libraries = await self._filters(thread)
            await self._stepper.begin(
                thread,
                request.depth,
                request.granularity,
                filters,
                libraries,
                suspends_all=suspends_all,
            )
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

    async def _filters(self, thread: Thread) -> tuple[StepFilters, LibraryFilter | None]:
        """The filters of the settings, and what `$Libraries` means for a step from here."""
        filters = self._settings.step_filters
        if not filters.skips_libraries:
            return filters, None
        top = await thread.frames(0, 1)
        start = top[0].location.type if top else None
        libraries = await self._libraries.for_step(start, thread)
        if libraries is None:  # who stopped inside of a library wants to step there
            return replace(filters, skip_classes=()), None
        return filters, libraries
