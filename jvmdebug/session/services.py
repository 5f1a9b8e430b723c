# SPDX-License-Identifier: Apache-2.0
"""The services of a session, made and connected: stops, steps, breakpoints, threads, life.

Owns them, and is what stops, thread handles and breakpoints ask back (`StopOwner`, `ThreadOwner`,
`BreakpointHooks`), so that the façade has none of that. Called by the session.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug import evaluator
from jvmdebug.breakpoints import BreakpointOptions, BreakpointSet, BreakpointTable, HitLimits
from jvmdebug.errors import BreakpointError, SourceError
from jvmdebug.session.causes import RanTo
from jvmdebug.session.code import Code
from jvmdebug.session.code_replacing import CodeReplacing
from jvmdebug.session.events import BreakpointChanged, BreakpointLogged
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.source_imports import SourceImports
from jvmdebug.session.stack_changes import StackChanges
from jvmdebug.session.state import Operation, SessionState, require
from jvmdebug.session.stop_registry import StopRegistry
from jvmdebug.session.threads import Threads, end_thread
from jvmdebug.sources import SourceFile, parse_spec, source_line
from jvmdebug.stepping import LIBRARIES, Stepper, library_patterns

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint, BreakpointHit, BreakpointSpec
    from jvmdebug.events import LocatedOccurrence, Router
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.lifecycle import LaunchedProgram
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stop import AskedStep, Stop
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.sources import LineSpec, SourceFinder
    from jvmdebug.stepping import StepFilters


class Services:
    """Everything that a session is made of."""

    def __init__(
        self,
        router: Router,
        settings: SessionSettings,
        sources: SourceFinder,
        program: LaunchedProgram | None,
        *,
        feed: EventFeed,
        ended: asyncio.Event,
    ) -> None:
        self.router = router
        self.settings = settings
        self.sources = sources
        self.feed = feed
        self.stepper = Stepper(router)
        self._thrown_by_us: set[ObjectReference] = set()
        self._libraries: tuple[str, ...] | None = None
        self.stops = StopRegistry(
            router, self, stepper=self.stepper, settings=settings, feed=self.feed
        )
        self.code = Code(router, sources, feed)
        self.code_replacing = CodeReplacing(self, is_launched=program is not None)
        self.threads = Threads(router, self, self.feed)
        self.table = BreakpointTable(router.vm, router, self)
        self.breakpoints = BreakpointSet(self.table)
        self.stops.threads = self.threads
        self.stack_changes = StackChanges(router, self.stops, self)
        self.life = Lifecycle(router, self.stops, self.feed, program, ended)
        router.set_stop_sink(self.stops.take)
        evaluator.use_imports(router.vm, SourceImports(sources))
        evaluator.use_suspensions(router.vm, router.others_running)

    @property
    def vm(self) -> VirtualMachine:
        """The mirror of the VM."""
        return self.router.vm

    async def set_own_breakpoint(
        self, spec: BreakpointSpec, cause: type[BreakpointHit]
    ) -> Breakpoint:
        """A breakpoint for once that the user does not see; its stop has this cause."""
        return await self.breakpoints.add(spec, BreakpointOptions(once=True), own_cause=cause)

    async def let_go(self) -> None:
        """No breakpoint and no step may stop the end of the program."""
        if self.stops.state in (SessionState.RUNNING, SessionState.STOPPED):
            await self.table.let_go()
            self.stepper.call_off()
            await self.stops.let_go()

    # StopOwner

    async def resume_stop(self, stop: Stop) -> None:
        """Called by `Stop.resume`."""
        await self.stops.resume(stop)

    async def find_source(self, source_path: str) -> SourceFile | None:
        """Called by `Stop.find_source`."""
        return await asyncio.to_thread(self.sources.find_path, source_path)

    async def step(self, stop: Stop, asked: AskedStep) -> None:
        """Called by the step methods of `Stop`."""
        thread = asked.thread.thread
        holding_all = [each for each in self.stops.current if each.all_threads]
        suspends_all = bool(holding_all) and not asked.alone
        if asked.target is not None:
            await self.stepper.begin_into(thread, asked.target, suspends_all=suspends_all)
        else:
            await self.stepper.begin(
                thread,
                asked.depth,
                asked.granularity,
                await self._step_filters(),
                suspends_all=suspends_all,
            )
        if asked.alone:
            await self.stops.resume_thread(asked.thread)
            return
        await self.stops.resume(stop, "it was stepped from")
        for other in holding_all:
            if other.is_current:  # it had let this thread go alone
                await self.stops.resume(other, "a thread of it was stepped with all others")

    async def _step_filters(self) -> StepFilters:
        """What the settings say, with the libraries looked up; once, when they are wanted."""
        filters = self.settings.step_filters
        if LIBRARIES not in filters.skip_classes:
            return filters
        if self._libraries is None:
            paths = await self.vm.class_paths()
            self._libraries = await asyncio.to_thread(
                library_patterns, paths.class_paths, paths.base_directory
            )
        return filters.with_libraries(self._libraries)

    async def run_to(self, stop: Stop, spec: str) -> None:
        """Called by `Stop.run_to`."""
        made = await self.set_own_breakpoint(parse_spec(spec), RanTo)
        if not (made.verified or made.is_pending):
            await made.remove()
            raise BreakpointError(f"cannot run to {spec}: {made.message}")
        self.stops.until_next_stop.add(made)
        await self.stops.resume(stop)

    async def pop_frame(self, stop: Stop, frame: FrameHandle) -> Stop:
        """Called by `Stop.pop_frame`."""
        return await self.stack_changes.pop_frame(stop, frame)

    async def force_return(self, stop: Stop, value_text: str | None) -> Stop | None:
        """Called by `Stop.force_return`."""
        return await self.stack_changes.force_return(stop, value_text)

    # ThreadOwner

    def stop_of(self, thread: ThreadHandle) -> Stop | None:
        """Called by `ThreadHandle.stop`."""
        return self.stops.stop_of(thread)

    async def suspend_thread(self, thread: ThreadHandle) -> Stop:
        """Called by `ThreadHandle.suspend`."""
        require(Operation.SUSPEND, self.stops.state)
        return await self.stops.suspend_thread(thread)

    async def resume_thread(self, thread: ThreadHandle) -> None:
        """Called by `ThreadHandle.resume`."""
        require(Operation.RESUME, self.stops.state)
        await self.stops.resume_thread(thread)

    async def end_thread(self, thread: ThreadHandle) -> None:
        """Called by `ThreadHandle.terminate`."""
        require(Operation.INSPECT, self.stops.state)
        self._thrown_by_us.add(await end_thread(thread, self.stops.current))

    # BreakpointHooks

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Called by the breakpoints."""
        return self.stops.suspends_all(breakpoint_)

    async def source_text(self, spec: LineSpec) -> str | None:
        """Called by the breakpoints."""
        return await asyncio.to_thread(_source_text, self.sources, spec)

    def is_ours(self, exception: ObjectReference) -> bool:
        """Called by the breakpoints."""
        return exception in self._thrown_by_us

    def hit_limits(self) -> HitLimits:
        """Called by the breakpoints."""
        return HitLimits(self.settings.condition_deadline_s, self.settings.max_log_value_length)

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Called by the breakpoints."""
        if breakpoint_.own_cause is None:
            removed = breakpoint_.is_removed
            self.feed.post(BreakpointChanged(breakpoint_, "removed" if removed else "changed"))

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """Called by the breakpoints."""
        place = await source_line(occurrence.location)
        thread = self.threads.handle(occurrence.thread)
        path, line = (None, None) if place is None else (place.path, place.line)
        self.feed.post(BreakpointLogged(breakpoint_, text, thread, path, line))


def _source_text(sources: SourceFinder, spec: LineSpec) -> str | None:
    """Reads the disk: the very file for an absolute path, else what the source path has."""
    file: SourceFile | None = None
    if spec.path is not None and spec.path.startswith("/"):
        file = SourceFile(Path(spec.path))
    elif spec.path is not None:
        file = sources.find_path(spec.path)
    elif spec.type_name is not None:
        file = sources.find(spec.type_name)
    if file is None:
        return None
    try:
        return file.text()
    except SourceError:
        return None  # a path of another machine, say: the breakpoint works without the text
