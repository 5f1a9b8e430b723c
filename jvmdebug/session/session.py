# SPDX-License-Identifier: Apache-2.0
"""Session: the façade over one debugged VM, and what scripts and front ends hold on to.

Checks what the state allows and delegates to the parts. It is made by `opening`; nothing below
imports it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import (
    BreakpointOptions,
    ExceptionSpec,
    FieldSpec,
    Wanted,
    parse_field,
    parse_method,
)
from jvmdebug.breakpoints.placing import Place
from jvmdebug.errors import BreakpointError
from jvmdebug.session.state import Operation, SessionState, require
from jvmdebug.sources import LineSpec, MethodSpec, parse_spec

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
    from jvmdebug.breakpoints.arming import BreakpointTable
    from jvmdebug.launch.agent_library import AgentKind, Mode
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.code import Code
    from jvmdebug.session.events import Output, SessionEvent
    from jvmdebug.session.lifecycle import Lifecycle
    from jvmdebug.session.parts import Parts
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.starting import Launching
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stop_keeper import StopKeeper
    from jvmdebug.session.thread_handle import ThreadHandle
    from jvmdebug.sources import SourceFile, SourceFinder


class Session:
    """One debugged VM."""

    def __init__(self, parts: Parts, launching: Launching | None = None) -> None:
        self._parts = parts
        self._launching = launching

    @property
    def _keeper(self) -> StopKeeper:
        return self._parts.keeper

    @property
    def _table(self) -> BreakpointTable:
        return self._parts.table

    @property
    def _life(self) -> Lifecycle:
        return self._parts.life

    @property
    def vm(self) -> VirtualMachine:
        """The mirror of the VM, for what this class does not offer."""
        return self._parts.vm

    @property
    def settings(self) -> SessionSettings:
        """May be changed at any time (step filters, default suspend policy, deadlines)."""
        return self._parts.settings

    @property
    def sources(self) -> SourceFinder:
        """Where the texts of classes are looked for."""
        return self._parts.sources

    @property
    def code(self) -> Code:
        """The program's code: classes as text, instructions by address."""
        return self._parts.code

    @property
    def state(self) -> SessionState:
        """What the debuggee is doing."""
        return self._keeper.state

    @property
    def agent(self) -> AgentKind:
        """Which agent the VM was started with."""
        return "stock" if self.vm.agent is None else "jvmdebug"

    @property
    def mode(self) -> Mode:
        """Whether the agent has all events, or lacks those that slow the program's exceptions."""
        agent = self.vm.agent
        return "fast" if agent is not None and agent.mode == "fast" else "full"

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
        async with self._arming():
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

        A condition may name the exception: `$exception`. Raises UnsupportedError if the program
        runs already and was started in the fast mode.
        """
        require(Operation.ARM, self.state)
        options = BreakpointOptions(condition=condition, suspend=suspend)
        async with self._arming(needs_full_mode=True):
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
        async with self._arming():
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
        async with self._arming():
            return await self._parts.groups.replace(path, wanted)

    async def set_function_breakpoints(
        self, requests: Sequence[MethodRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the function breakpoints; as `set_source_breakpoints`."""
        require(Operation.ARM, self.state)
        wanted = [_wanted_method(request) for request in requests]
        async with self._arming():
            return await self._parts.groups.replace("functions", wanted)

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
        async with self._arming(needs_full_mode=bool(wanted)):
            return await self._parts.groups.replace("exceptions", wanted)

    async def breakable_lines(
        self, source: str | PathLike[str], first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        """The lines of `source` from `first` to `last` (included) that hold code, ascending.

        Told by the loaded types of that file; empty if none is loaded yet.
        """
        require(Operation.INSPECT, self.state)
        spec = LineSpec(first, path=str(source))
        place = Place(self.vm, spec, self._parts.source_text)
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
        return await self._parts.threads.live(stop.thread for stop in self.current_stops)

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
        await self._life.wait()
        return self.exit_code

    async def terminate(self, grace_s: float = 5.0) -> None:
        """End the program: SIGTERM, so that shutdown hooks run, then SIGKILL after `grace_s`.

        Of an attached VM: `System.exit(143)` through the agent. Stopped threads are resumed first.
        """
        await self._parts.let_go()
        await self._life.terminate(grace_s)

    async def kill(self) -> None:
        """End the program at once: SIGKILL; of an attached VM: exit through the agent."""
        await self._life.kill()

    async def detach(self) -> None:
        """Remove all breakpoints, resume everything and let the program go on without us."""
        await self._life.detach()

    @contextlib.asynccontextmanager
    async def _arming(self, *, needs_full_mode: bool = False) -> AsyncIterator[None]:
        """Held while breakpoints change; in the full mode from now on, if needed and possible."""
        launching = self._launching
        if launching is None or not launching.may_change_mode(self._parts):
            yield
            return
        async with launching.turn:
            if needs_full_mode and launching.may_change_mode(self._parts):
                self._parts = await launching.open_in_full_mode(self._parts)
            yield

    # Sources

    async def find_source(self, source_path: str) -> SourceFile | None:
        """The text of `shop/Cart.java` from source path, sources jars or src.zip."""
        return await self._parts.find_source(source_path)


def _wanted_method(request: MethodRequest) -> Wanted:
    options = BreakpointOptions(request.condition, request.hit_condition, suspend=request.suspend)
    try:
        return Wanted(parse_method(request.method), options)
    except BreakpointError as error:
        return Wanted(MethodSpec("", request.method), options, str(error))
