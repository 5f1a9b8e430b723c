# SPDX-License-Identifier: Apache-2.0
"""Session: the façade over one debugged VM, for scripts and front ends.

Owns running and stopping. The rest are its parts (`breakpoints`, `observe`, `profiling`,
`covering`, `hot_swap`, `code`, `heap`, `classes`, `jvmti`), of which the methods used most are its
own too. Checks what the state allows and delegates to the session services. Made by `launch`;
nothing below imports it.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

from jvmdebug import acting, jvmti, stepping
from jvmdebug.errors import ReadOnlyError
from jvmdebug.session.breakpoints import SessionBreakpoints
from jvmdebug.session.code_notes import CodeNotes
from jvmdebug.session.covering import SessionCoverage
from jvmdebug.session.hot_swap import SessionHotSwap
from jvmdebug.session.jvmti import ProgramForJvmti
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.notebook import session_html
from jvmdebug.session.observing import SessionObserving
from jvmdebug.session.parts import of_part
from jvmdebug.session.profiling import SessionProfiling
from jvmdebug.session.program import DebuggedProgram
from jvmdebug.session.recorded import SessionRecorded
from jvmdebug.session.state import Operation, SessionState

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from types import TracebackType

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.jvmti import Jvmti, LoadedClasses
    from jvmdebug.launch.agent_library import AgentKind, Mode
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.code import Code
    from jvmdebug.session.events import Output
    from jvmdebug.session.heap import SessionHeap
    from jvmdebug.session.past import SessionPast
    from jvmdebug.session.program import Launching
    from jvmdebug.session.services import Services
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.sources import SourceFile, SourceFinder


class Session:
    """One debugged VM."""

    def __init__(
        self,
        services: Services,
        launching: Launching | None = None,
        *,
        close: Callable[[], Awaitable[None]],
        name: str = "",
    ) -> None:
        """`name` is what a program calls itself that was not launched here."""
        self._program = program = DebuggedProgram(services, launching)
        program.called = name
        self._close = close
        self._closing = asyncio.Lock()
        self.breakpoints = SessionBreakpoints(program)
        """All breakpoints that are not removed; replaces groups of them too."""
        self.observe = SessionObserving(program)
        """Traces, samples and snapshots."""
        self.profiling = SessionProfiling(program, self.observe)
        """Where the program spends its time, waits and allocates."""
        notes = CodeNotes()
        self.covering = SessionCoverage(program, notes)
        """Which lines of the program run."""
        self.recorded = SessionRecorded(program, lambda: self.exit_code, notes)
        """What the program does, as a file."""
        self.hot_swap = SessionHotSwap(program)
        """New code for the program, and which code it has."""
        self.past: SessionPast | None = None
        """The ways back, if the program is a recording that `replay` has opened."""

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
    def _life(self) -> Lifecycle:
        return self._services.life

    @property
    def state(self) -> SessionState:
        """What the debuggee is doing."""
        return self._services.stops.state

    @property
    def owner(self) -> str | None:
        """The owner, if `jvmdebug.join` has joined this session: `editor (process 4712)`. None
        for one's own.
        """
        return None

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
        """The agent that the VM was started with."""
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
        return self._services.stops.current

    async def stops(self) -> AsyncIterator[Stop]:
        """Iterate over the stops until the program ends.

        The first step of the iteration starts the VM if it is held; each further one resumes what
        the body left stopped. Leaving the loop early resumes nothing.
        """
        while True:
            await self._life.start()
            await self._services.stops.resume_delivered()
            stop = await self._services.stops.next(None)
            if stop is None:
                return
            yield stop

    async def next_stop(self, timeout_s: float | None = None) -> Stop | None:
        """The next stop that was not returned yet; None once the program has ended.

        Starts the VM if it is held, resumes nothing else. Raises StateError if all threads are
        stopped already and nothing new can come, TimeoutError after `timeout_s` seconds.
        """
        if not acting.is_read_only():
            await self._life.start()
        return await self._services.stops.next(timeout_s)

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction; otherwise do nothing."""
        await self._life.start()

    async def resume(self) -> None:
        """Resume all current stops (and start a held VM)."""
        self._program.services.stops.require(Operation.RESUME)
        await self._life.start()
        await self._services.stops.resume_all()

    async def suspend(self) -> Stop:
        """Suspend all threads now; the stop has reason PAUSE.

        If all threads are suspended already, the stop that holds them. `stops` and `next_stop` do
        not give it a second time. StateError while the VM is held before its start.
        """
        return await self._program.suspend()

    async def threads(self) -> list[ThreadHandle]:
        """The live threads, with their names, in few round trips."""
        self._program.services.stops.require(Operation.INSPECT)
        return await self._services.threads.live(stop.thread for stop in self.current_stops)

    async def report_virtual_threads(self, *, on: bool = True) -> None:
        """Have subscribers told of virtual threads too: ThreadStarted and ThreadEnded, for each one
        that starts or ends from now on. Programs may start millions, which is why it is off.

        `session.jvmti.events("VirtualThreadStart")` costs less for very many. Does nothing in a VM
        without virtual threads, before JDK 21.
        """
        self._program.services.stops.require(Operation.INSPECT)
        await self._services.threads.report_virtual(on=on)

    # What is a part's

    break_at = of_part("breakpoints", SessionBreakpoints.break_at)
    break_on_exception = of_part("breakpoints", SessionBreakpoints.break_on_exception)
    break_on_allocation = of_part("breakpoints", SessionBreakpoints.break_on_allocation)
    watch = of_part("breakpoints", SessionBreakpoints.watch)
    probes = of_part("breakpoints", SessionBreakpoints.probes)

    trace = of_part("observe", SessionObserving.trace)
    who_sets = of_part("observe", SessionObserving.who_sets)
    who_reads = of_part("observe", SessionObserving.who_reads)
    exceptions = of_part("observe", SessionObserving.exceptions)
    steps_of = of_part("observe", SessionObserving.steps_of)
    count = of_part("observe", SessionObserving.count)
    time_between = of_part("observe", SessionObserving.time_between)
    sample = of_part("observe", SessionObserving.sample)
    contention = of_part("observe", SessionObserving.contention)
    gc_events = of_part("observe", SessionObserving.gc_events)
    allocations = of_part("observe", SessionObserving.allocations)
    evaluate = of_part("observe", SessionObserving.evaluate)
    snapshot = of_part("observe", SessionObserving.snapshot)
    thread_dump = of_part("observe", SessionObserving.thread_dump)
    origins = of_part("observe", SessionObserving.origins)
    instance_counts = of_part("observe", SessionObserving.instance_counts)

    coverage = of_part("covering", SessionCoverage.coverage)

    record = of_part("recorded", SessionRecorded.record)

    profile = of_part("profiling", SessionProfiling.profile)
    profile_locks = of_part("profiling", SessionProfiling.profile_locks)
    profile_allocations = of_part("profiling", SessionProfiling.profile_allocations)

    redefine = of_part("hot_swap", SessionHotSwap.redefine)
    transform_classes = of_part("hot_swap", SessionHotSwap.transform_classes)
    replace_sources = of_part("hot_swap", SessionHotSwap.replace_sources)
    compare_code = of_part("hot_swap", SessionHotSwap.compare_code)

    subscribe = of_part("_life", Lifecycle.subscribe)
    write_stdin = of_part("_life", Lifecycle.write_stdin)
    terminate = of_part("_life", Lifecycle.terminate)
    kill = of_part("_life", Lifecycle.kill)
    detach = of_part("_life", Lifecycle.detach)

    # Breakpoints

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """The same as `breakpoint.remove()`."""
        await breakpoint_.remove()

    # What most sessions do not need: imported when it is first asked for

    @cached_property
    def heap(self) -> SessionHeap:
        """The objects of the program: how many, how large, why they are alive."""
        from jvmdebug.session.heap import SessionHeap  # noqa: PLC0415 - slow to import

        return SessionHeap(self._program)

    @cached_property
    def classes(self) -> LoadedClasses:
        """The loaded classes: from where, in which version; their bytes, loaders, modules."""
        return jvmti.LoadedClasses(ProgramForJvmti(self._program))

    @cached_property
    def jvmti(self) -> Jvmti:
        """Functions and events of JVM TI that have no better place."""
        return jvmti.Jvmti(ProgramForJvmti(self._program))

    # The debuggee

    @property
    def output(self) -> AsyncIterator[Output]:
        """What the launched debuggee writes, from its start to the end of both streams."""
        return self._life.follow_output()

    @property
    def takes_input(self) -> bool:
        """Whether `write_stdin` has somewhere to write to."""
        return self._life.takes_input

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
            why = self.vm.connection.why_read_only
            raise ReadOnlyError(f"cannot restart the program: {why}")
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

    # Sources

    async def find_source(self, source_path: str, line: int | None = None) -> SourceFile | None:
        """The text of `shop/Cart.java` from source path, sources jars or src.zip; with a `line`
        only one that has so many.
        """
        return await asyncio.to_thread(self.sources.find_path, source_path, line)


def program_of(session: Session) -> DebuggedProgram:
    """The program of a session, for the layers above that serve it to others."""
    return session._program  # noqa: SLF001 - of this module
