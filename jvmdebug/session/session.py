# SPDX-License-Identifier: Apache-2.0
"""Session: the façade over one debugged VM, for scripts and front ends.

Checks what the state allows and delegates to the session services. Made by `opening`; nothing below
imports it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal, Self

from jvmdebug import breakpoints, sources, stepping
from jvmdebug.errors import ReadOnlyError
from jvmdebug.session.breakpoints import SessionBreakpoints
from jvmdebug.session.doors import SessionDoors
from jvmdebug.session.hit_filters import only_hits_of
from jvmdebug.session.notebook import session_html
from jvmdebug.session.program import DebuggedProgram
from jvmdebug.session.state import Operation, SessionState, require

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from types import TracebackType

    from jvmdebug.breakpoints import Breakpoint, BreakpointSpec, Suspend
    from jvmdebug.launch.agent_library import AgentKind, Mode
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.code import Code
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.events import Output, SessionEvent
    from jvmdebug.session.lifecycle import Lifecycle
    from jvmdebug.session.services import Services
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.starting import Launching
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stop_registry import StopRegistry
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.session.variable import Variable
    from jvmdebug.sources import SourceFile, SourceFinder


class Session(SessionDoors):
    """One debugged VM."""

    def __init__(
        self,
        services: Services,
        launching: Launching | None = None,
        *,
        close: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(DebuggedProgram(services, launching))
        self._close = close
        self._closing = asyncio.Lock()
        self.breakpoints = SessionBreakpoints(self._program)
        """All breakpoints that are not removed; replaces groups of them too."""

    async def close(self) -> None:
        """Leave the program, as leaving the context of `launch` or `attach` does: a launched one
        ends, one that was attached to goes on. May be repeated.
        """
        async with self._closing:
            await self._close()

    def close_by(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have `close` leave the context around the session, too."""
        self._close = close

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def _services(self) -> Services:
        return self._program.services

    @property
    def _stops(self) -> StopRegistry:
        return self._services.stops

    @property
    def _life(self) -> Lifecycle:
        return self._services.life

    @property
    def state(self) -> SessionState:
        """What the debuggee is doing."""
        return self._stops.state

    @property
    def is_disconnected(self) -> bool:
        """Whether the VM is gone, which `state` says once output and exit code are there too."""
        return not self.vm.connection.is_open

    @property
    def vm(self) -> VirtualMachine:
        """The mirror of the VM, for operations that this class does not have."""
        return self._services.vm

    @property
    def settings(self) -> SessionSettings:
        """May be changed at any time (step filters, default suspend policy, deadlines)."""
        return self._services.settings

    @property
    def sources(self) -> SourceFinder:
        """Finds the sources of classes."""
        return self._services.sources

    @property
    def code(self) -> Code:
        """The program's code: classes as text, instructions by address."""
        return self._services.code

    @property
    def agent(self) -> AgentKind:
        """Which agent the VM was started with."""
        return "stock" if self.vm.agent is None else "jvmdebug"

    @property
    def mode(self) -> Mode | Literal["late"]:
        """Whether the agent has all events, lacks those that slow the program's exceptions, or was
        loaded into a program that ran already ("late"), which is why it lacks most.
        """
        agent = self.vm.agent
        if agent is not None and agent.is_late:
            return "late"
        return "fast" if agent is not None and agent.mode == "fast" else "full"

    @property
    def why_no_return_values(self) -> str | None:
        """Why `stop.returned` is never known in this VM, and a remedy; None if it is."""
        return stepping.why_unknown(self._services.router)

    @property
    def pid(self) -> int | None:
        """The debuggee's process id if we launched it."""
        return self._life.pid

    @property
    def exit_code(self) -> int | None:
        """The real exit code (negative: the signal) once the launched process has exited."""
        return self._life.exit_code

    @property
    def name(self) -> str:
        """The program: its main class, module or file; of an attached VM its address."""
        return self._program.name

    def __repr__(self) -> str:
        what = self.state if self.exit_code is None else f"{self.state}, exit code {self.exit_code}"
        pid = "" if self.pid is None else f", pid {self.pid}"
        return f"Session({self.name}, {what}{pid})"

    _repr_html_ = session_html

    # Running and stopping

    @property
    def current_stops(self) -> tuple[Stop, ...]:
        """The stops that hold threads now, oldest first."""
        return self._stops.current

    async def stops(self) -> AsyncIterator[Stop]:
        """Iterate over the stops until the program ends.

        The first step of the iteration starts the VM if it is held; each further one resumes what
        the body left stopped. Leaving the loop early resumes nothing.
        """
        while True:
            await self._life.start()
            await self._stops.resume_delivered()
            stop = await self._stops.next(None)
            if stop is None:
                return
            yield stop

    async def next_stop(self, timeout_s: float | None = None) -> Stop | None:
        """The next stop that was not returned yet; None once the program has ended.

        Starts the VM if it is held, resumes nothing else. Raises StateError if all threads are
        stopped already and nothing new can come, TimeoutError after `timeout_s` seconds.
        """
        await self._life.start()
        return await self._stops.next(timeout_s)

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction; otherwise do nothing."""
        await self._life.start()

    async def resume(self) -> None:
        """Resume all current stops (and start a held VM)."""
        require(Operation.RESUME, self.state)
        await self._life.start()
        await self._stops.resume_all()

    async def suspend(self) -> Stop:
        """Suspend all threads now; the stop has reason PAUSE.

        If all threads are suspended already, the stop that holds them. `stops` and `next_stop` do
        not give it a second time. StateError while the VM is held before its start.
        """
        require(Operation.SUSPEND, self.state)
        return await self._stops.suspend_all()

    async def threads(self) -> list[ThreadHandle]:
        """The live threads, with their names, in few round trips."""
        require(Operation.INSPECT, self.state)
        return await self._services.threads.live(stop.thread for stop in self.current_stops)

    # Breakpoints

    async def break_at(  # noqa: PLR0913 - the options of a breakpoint
        self,
        spec: str | BreakpointSpec,
        *,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        once: bool = False,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Set a breakpoint at `shop/Cart.java:42`, `shop.Cart:42`, `shop.Cart#add(int)`, or at the
        instruction `shop.Cart#add#12`.

        If no class matches yet, it stays unverified and resolves when one is loaded, before any of
        its code runs. With `after` it counts only once that breakpoint has stopped or logged; one
        that is removed is waited for no longer. `thread`, `instance`: only hits of that thread, and
        those whose `this` is that object, count. Raises BreakpointError for a text that is none, an
        ill-formed hit condition or a condition that does not parse.
        """
        require(Operation.ARM, self.state)
        asked = sources.parse_spec(spec) if isinstance(spec, str) else spec
        options = breakpoints.BreakpointOptions(
            condition, hit_condition, log_message, once, suspend, after
        )
        return await self.breakpoints.add(asked, only_hits_of(thread, instance, options))

    async def break_on_exception(  # noqa: PLR0913 - the options of a breakpoint
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Stop where an exception of the type or of a subtype is thrown.

        `type_name` may be a pattern or several: `com.acme.*, !com.acme.Expected`. A condition may
        name the exception: `$exception`. `thread`, `instance`: as for `break_at`.
        """
        require(Operation.ARM, self.state)
        options = breakpoints.BreakpointOptions(
            condition, hit_condition, log_message, suspend=suspend, after=after
        )
        spec = breakpoints.ExceptionSpec(type_name, caught, uncaught)
        return await self.breakpoints.add(spec, only_hits_of(thread, instance, options))

    async def break_on_allocation(
        self, type_name: str, at: str, *, condition: str | None = None
    ) -> Breakpoint:
        """Stop where the code of methods, `at="shop.Main#load"` or `"shop.Main#*"`, allocates an
        object of exactly that class: `shop.Cart`, `byte[]`. `break_at("shop.Cart#<init>")` is for
        all places; more options, by `break_at` of an AllocationSpec.
        """
        return await self.break_at(
            breakpoints.AllocationSpec(type_name, sources.parse_method(at)), condition=condition
        )

    async def watch(  # noqa: PLR0913 - the same
        self,
        field: str | DataTarget,
        *,
        read: bool = False,
        write: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        suspend: Suspend | None = None,
        after: Breakpoint | None = None,
        thread: ThreadHandle | None = None,
        instance: Variable | None = None,
    ) -> Breakpoint:
        """Stop when the field `shop.Cart.total` is written (or read), in any instance, or when the
        method `shop.Cart#add` has written its local variable `shop.Cart#add.sum`.

        `await frame.data_target("cart.total")` gives the field of one object. Conditions and log
        messages may name the values, `$old != $new`. `thread`, `instance`: as for `break_at`.
        """
        require(Operation.ARM, self.state)
        options = breakpoints.BreakpointOptions(
            condition, hit_condition, log_message, suspend=suspend, after=after
        )
        from jvmdebug.session.data_target import watch_spec  # noqa: PLC0415 - slow to import

        spec = watch_spec(field, read=read, write=write)
        return await self.breakpoints.add(spec, only_hits_of(thread, instance, options))

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """The same as `breakpoint.remove()`."""
        await breakpoint_.remove()

    # The debuggee

    def subscribe(
        self, subscriber: Callable[[SessionEvent], object], *, batches: bool = False
    ) -> Callable[[], None]:
        """Call `subscriber` for each event from now on; the returned function ends that.

        Output that was written before the first subscriber came is delivered to that one first.
        With `batches` many lines of a log point come as one BreakpointLogged, and a coroutine that
        is returned for it is awaited before more lines are read.
        """
        return self._life.subscribe(subscriber, batches=batches)

    @property
    def output(self) -> AsyncIterator[Output]:
        """What the launched debuggee writes, from its start to the end of both streams."""
        return self._life.follow_output()

    @property
    def takes_input(self) -> bool:
        """Whether `write_stdin` has somewhere to write to."""
        return self._life.takes_input

    async def write_stdin(self, text: str | None) -> None:
        """Write to the debuggee's standard input (launched with `stdin="pipe"`); None closes it."""
        await self._life.write_stdin(text)

    async def wait(self) -> int | None:
        """Wait for the end; the exit code, None if the process is not ours or goes on.

        Starts and resumes nothing: a warning says so if the program is held meanwhile.
        """
        await self._life.wait()
        return self.exit_code

    async def restart(self) -> None:
        """Restart the launched program, held, with the same breakpoints, not hit so far.

        A `.java` program is compiled again first; if that fails (LaunchError), nothing has changed.
        Then one that still runs is killed. Subscribers stay; `vm` and `pid` are those of the new
        program. What was watched in one object is watched no more. Raises StateError for a program
        that was not launched here, LaunchError if it does not come up: then the session has ended.
        """
        if self.is_read_only:
            raise ReadOnlyError("cannot restart the program: this session is read-only")
        await self._program.restart()

    @property
    def is_read_only(self) -> bool:
        """Whether nothing of the program is run or changed: no method for an expression, a
        condition or a `toString()`, no value set, no code replaced, no frame popped.
        """
        return self.vm.connection.is_read_only

    def forbid_changes(self) -> None:
        """Make the session read-only, to its end. What would run or change something raises
        ReadOnlyError; no command for it is sent. A launched program can still be ended.
        """
        self.vm.connection.is_read_only = True

    async def terminate(self, grace_s: float = 5.0) -> None:
        """End the program: SIGTERM, so that shutdown hooks run, then SIGKILL after `grace_s`.

        Of an attached VM: `System.exit(143)` through the agent. Stopped threads are resumed, after
        the signal, so that the program does as little as may be before it ends.
        """
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
