# SPDX-License-Identifier: Apache-2.0
"""Session: the façade over one debugged VM, and what scripts and front ends hold on to.

Owns the parts (breakpoints, stops, stepping, threads) and delegates to them; the running of the
program itself is `lifecycle`'s. It is made by `opening`; nothing below imports it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import (
    BreakpointGroups,
    BreakpointOptions,
    BreakpointTable,
    ExceptionSpec,
    FieldSpec,
    HitLimits,
    Wanted,
    parse_field,
    parse_method,
)
from jvmdebug.breakpoints.placing import Place
from jvmdebug.errors import BreakpointError
from jvmdebug.session.events import BreakpointChanged, BreakpointLogged, EventFeed
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.stack_changes import StackChanges
from jvmdebug.session.state import Operation, SessionState, require
from jvmdebug.session.stop import StopReason
from jvmdebug.session.stop_keeper import StopKeeper
from jvmdebug.session.threads import Threads
from jvmdebug.sources import LineSpec, MethodSpec, parse_spec, source_line
from jvmdebug.stepping import Stepper

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from os import PathLike

    from jvmdebug.breakpoints import (
        Breakpoint,
        BreakpointSpec,
        ExceptionRequest,
        LineRequest,
        MethodRequest,
        Suspend,
    )
    from jvmdebug.events import LocatedOccurrence, Router, StopSet
    from jvmdebug.jdwp.generated.constants import StepDepth
    from jvmdebug.launch.agent_library import AgentKind
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.events import Output, SessionEvent
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.lifecycle import LaunchedProgram
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.thread_handle import ThreadHandle
    from jvmdebug.sources import SourceFile, SourceFinder
    from jvmdebug.stepping import Granularity


class Session:
    """One debugged VM."""

    def __init__(
        self,
        router: Router,
        settings: SessionSettings,
        sources: SourceFinder,
        program: LaunchedProgram | None,
    ) -> None:
        self.vm: VirtualMachine = router.vm
        """The mirror of the VM, for what this class does not offer."""
        self.settings = settings
        """May be changed at any time (step filters, default suspend policy, deadlines)."""
        self.sources = sources
        """Where the texts of classes are looked for."""
        self._router = router
        self._feed = EventFeed()
        self._stepper = Stepper(router)
        self._keeper = StopKeeper(
            router, self, stepper=self._stepper, settings=settings, feed=self._feed
        )
        self._threads = Threads(router, self, self._feed)
        self._table = BreakpointTable(self.vm, router, self)
        self._groups = BreakpointGroups(self._table)
        self._keeper.table, self._keeper.threads = self._table, self._threads
        self._stack_changes = StackChanges(router, self._keeper, self)
        self._life = Lifecycle(router, self._keeper, self._feed, program)
        router.set_stop_sink(self._take)

    async def open(self, *, is_held: bool) -> None:
        """Begin to take events; `is_held`: wait until the VM has said that it is held."""
        self._life.watch()
        self._router.start()
        await self._threads.watch()
        await self._life.wait_held() if is_held else self._life.assume_running()

    @property
    def state(self) -> SessionState:
        """What the debuggee is doing."""
        return self._keeper.state

    @property
    def agent(self) -> AgentKind:
        """Which agent the VM was started with, told by its own version text."""
        return "jvmdebug" if "jvmdebug" in self.vm.version.description.lower() else "stock"

    @property
    def pid(self) -> int | None:
        """The debuggee's process id if we launched it."""
        return self._life.pid

    @property
    def exit_code(self) -> int | None:
        """The real exit code (negative: the signal) once the launched process has exited."""
        return self._life.exit_code

    # Breakpoints

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints that are not removed, in the order of their ids."""
        return self._table.breakpoints

    async def break_at(
        self,
        spec: str | BreakpointSpec,
        *,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        once: bool = False,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Set a breakpoint at `shop/Cart.java:42`, `shop.Cart:42`, `shop.Cart#add` (`(int)`).

        If no class matches yet, it stays unverified and resolves when one is loaded, before any of
        its code runs. Raises BreakpointError for a text that is none, an ill-formed hit condition
        or a condition that does not parse.
        """
        require(Operation.ARM, self.state)
        asked = parse_spec(spec) if isinstance(spec, str) else spec
        options = BreakpointOptions(condition, hit_condition, log_message, once, suspend)
        return await self._table.add(asked, options)

    async def break_on_exception(
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop where an exception of the type or of a subtype is thrown.

        A condition may name the exception: `$exception`.
        """
        require(Operation.ARM, self.state)
        options = BreakpointOptions(condition=condition, suspend=suspend)
        return await self._table.add(ExceptionSpec(type_name, caught, uncaught), options)

    async def watch(
        self,
        field: str,
        *,
        read: bool = False,
        write: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop when the field `shop.Cart.total` is written (or read), in any instance."""
        require(Operation.ARM, self.state)
        type_name, field_name = parse_field(field)
        if not (read or write):
            raise BreakpointError(f"watching {field}: choose read, write or both")
        options = BreakpointOptions(condition, hit_condition, suspend=suspend)
        return await self._table.add(FieldSpec(type_name, field_name, read, write), options)

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """The same as `breakpoint.remove()`."""
        await breakpoint_.remove()

    async def set_source_breakpoints(
        self, source: str | PathLike[str], requests: Sequence[LineRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `source`; those that stay the same are untouched.

        One Breakpoint per request, in order. A changed condition keeps the breakpoint. A request
        that cannot work (an ill-formed hit condition) gives an unverified one with a message.
        Concerns only what earlier calls with the same `source` set.
        """
        require(Operation.ARM, self.state)
        path = str(source)
        wanted = [
            Wanted(
                LineSpec(each.line, path=path),
                BreakpointOptions(
                    each.condition, each.hit_condition, each.log_message, suspend=each.suspend
                ),
            )
            for each in requests
        ]
        return await self._groups.replace(path, wanted)

    async def set_function_breakpoints(
        self, requests: Sequence[MethodRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the function breakpoints; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        return await self._groups.replace("functions", [_wanted_method(r) for r in requests])

    async def set_exception_breakpoints(
        self, requests: Sequence[ExceptionRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the exception breakpoints; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [
            Wanted(
                ExceptionSpec(each.type_name, each.caught, each.uncaught),
                BreakpointOptions(condition=each.condition, suspend=each.suspend),
            )
            for each in requests
        ]
        return await self._groups.replace("exceptions", wanted)

    async def breakable_lines(
        self, source: str | PathLike[str], first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        """The lines of `source` from `first` to `last` (included) that hold code, ascending.

        Told by the loaded types of that file; empty if none is loaded yet.
        """
        require(Operation.INSPECT, self.state)
        place = Place(self.vm, LineSpec(first, path=str(source)))
        await place.add_loaded_types()
        lines = await place.lines()
        return tuple(line for line in lines if first <= line and (last is None or line <= last))

    # Running and stopping

    @property
    def current_stops(self) -> tuple[Stop, ...]:
        """The stops that hold threads now, oldest first."""
        return self._keeper.current

    async def stops(self) -> AsyncIterator[Stop]:
        """Iterate over the stops until the program ends.

        The first step of the iteration starts the VM if it is held; each further one resumes what
        the body left stopped. Leaving the loop early resumes nothing.
        """
        while True:
            await self._life.start()
            await self._keeper.resume_handed_out()
            stop = await self._keeper.next(None)
            if stop is None:
                return
            yield stop

    async def next_stop(self, timeout_s: float | None = None) -> Stop | None:
        """The next stop that was not handed out yet; None once the program has ended.

        Starts the VM if it is held, resumes nothing else. Raises StateError if all threads are
        stopped already and nothing new can come, TimeoutError after `timeout_s` seconds.
        """
        await self._life.start()
        return await self._keeper.next(timeout_s)

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction; otherwise do nothing."""
        await self._life.start()

    async def resume(self) -> None:
        """Resume all current stops (and start a held VM)."""
        require(Operation.RESUME, self.state)
        await self._life.start()
        await self._keeper.resume_all()

    async def suspend(self) -> Stop:
        """Suspend all threads now; the stop has reason PAUSE.

        If all threads are suspended already, the stop that holds them. `stops` and `next_stop` do
        not give it a second time. StateError while the VM is held before its start.
        """
        require(Operation.SUSPEND, self.state)
        return await self._keeper.suspend_all()

    async def threads(self) -> list[ThreadHandle]:
        """The live threads, with their names, in few round trips."""
        require(Operation.INSPECT, self.state)
        return await self._threads.live(stop.thread for stop in self.current_stops)

    # The debuggee

    def subscribe(self, subscriber: Callable[[SessionEvent], None]) -> Callable[[], None]:
        """Call `subscriber` for each event from now on; the returned function ends that.

        Output that was written before the first subscriber came is delivered to that one first.
        """
        return self._life.subscribe(subscriber)

    @property
    def output(self) -> AsyncIterator[Output]:
        """What the launched debuggee writes, from its start to the end of both streams."""
        return self._life.follow_output()

    async def write_stdin(self, text: str | None) -> None:
        """Write to the debuggee's standard input (launched with `stdin="pipe"`); None closes it."""
        await self._life.write_stdin(text)

    async def wait(self) -> int | None:
        """Wait for the end; the exit code, None if the process is not ours or goes on.

        Starts nothing: a VM that is held or stopped must be let go by someone.
        """
        return await self._life.wait()

    async def terminate(self, grace_s: float = 5.0) -> None:
        """End the program: SIGTERM, so that shutdown hooks run, then SIGKILL after `grace_s`.

        Of an attached VM: `System.exit(143)` through the agent. Stopped threads are resumed first.
        """
        await self._let_go()
        await self._life.terminate(grace_s)

    async def kill(self) -> None:
        """End the program at once: SIGKILL; of an attached VM: exit through the agent."""
        await self._life.kill()

    async def detach(self) -> None:
        """Remove all breakpoints, resume everything and let the program go on without us."""
        await self._life.detach()

    # Sources

    async def find_source(self, source_path: str) -> SourceFile | None:
        """The text of `shop/Cart.java` from source path, sources jars or src.zip."""
        return await asyncio.to_thread(self.sources.find_path, source_path)

    # What the parts ask of the session: StopOwner, ThreadOwner, BreakpointHooks

    async def resume_stop(self, stop: Stop) -> None:
        """Called by `Stop.resume`."""
        await self._keeper.resume(stop)

    async def step(self, stop: Stop, depth: StepDepth, granularity: Granularity) -> None:
        """Called by the step methods of `Stop`."""
        await self._stepper.begin(
            stop.thread.thread,
            depth,
            granularity,
            self.settings.step_filters,
            suspends_all=stop.all_threads,
        )
        await self._keeper.resume(stop, "it was stepped from")

    async def run_to(self, stop: Stop, spec: str) -> None:
        """Called by `Stop.run_to`."""
        await self.set_own_breakpoint(parse_spec(spec), StopReason.RUN_TO)
        await self._keeper.resume(stop)

    async def pop_frame(self, stop: Stop, frame: FrameHandle) -> Stop:
        """Called by `Stop.pop_frame`."""
        return await self._stack_changes.pop_frame(stop, frame)

    async def force_return(self, stop: Stop, value_text: str | None) -> Stop | None:
        """Called by `Stop.force_return`."""
        return await self._stack_changes.force_return(stop, value_text)

    def stop_of(self, thread: ThreadHandle) -> Stop | None:
        """Called by `ThreadHandle.stop`."""
        return self._keeper.stop_of(thread)

    async def suspend_thread(self, thread: ThreadHandle) -> Stop:
        """Called by `ThreadHandle.suspend`."""
        require(Operation.SUSPEND, self.state)
        return await self._keeper.suspend_thread(thread)

    async def resume_thread(self, thread: ThreadHandle) -> None:
        """Called by `ThreadHandle.resume`."""
        require(Operation.RESUME, self.state)
        await self._keeper.resume_thread(thread)

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Called by the breakpoints."""
        return self._keeper.suspends_all(breakpoint_)

    def hit_limits(self) -> HitLimits:
        """Called by the breakpoints."""
        return HitLimits(self.settings.condition_deadline_s, self.settings.max_log_value_length)

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Called by the breakpoints."""
        if breakpoint_ not in self._keeper.own_breakpoints:
            removed = breakpoint_.is_removed
            self._feed.post(BreakpointChanged(breakpoint_, "removed" if removed else "changed"))

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """Called by the breakpoints."""
        place = await source_line(occurrence.location)
        thread = self._threads.handle(occurrence.thread)
        path, line = (None, None) if place is None else (place.path, place.line)
        self._feed.post(BreakpointLogged(breakpoint_, text, thread, path, line))

    # What `opening` needs

    async def set_own_breakpoint(self, spec: BreakpointSpec, reason: StopReason) -> None:
        """A breakpoint for once that the user does not see; its stop has `reason`."""
        made = await self._table.add(spec, BreakpointOptions(once=True), is_listed=False)
        self._keeper.own_breakpoints[made] = reason

    async def close(self, *, ends_program: bool) -> None:
        """Leave the program: end it, or resume everything and detach."""
        if ends_program and self.state is not SessionState.ENDED:
            await self.terminate()
        await self._life.close()

    async def _take(self, stop_set: StopSet) -> None:
        if self._life.takes(stop_set) or self._stack_changes.takes(stop_set):
            return
        await self._keeper.take(stop_set)

    async def _let_go(self) -> None:
        """No breakpoint may stop the end of the program."""
        if self.state in (SessionState.RUNNING, SessionState.STOPPED):
            await self._table.remove_all()
            await self._stepper.call_off()
            await self._keeper.let_go()


def _wanted_method(request: MethodRequest) -> Wanted:
    options = BreakpointOptions(request.condition, request.hit_condition, suspend=request.suspend)
    try:
        return Wanted(parse_method(request.method), options)
    except BreakpointError as error:
        return Wanted(MethodSpec("", request.method), options, str(error))
