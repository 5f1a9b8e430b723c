# SPDX-License-Identifier: Apache-2.0
"""The program that a session debugs: started, started again, and its services now.

Owns the ways to start a VM (as a child process, in the client's terminal), how we meet its agent,
which connects to us, and that it ends with us: nothing listens in the program. Owns the restart,
and which services are the current ones. How a program runs and ends is `lifecycle`'s. Called by
`launch` and by the session. Imports little, since the VM comes up while the rest is imported.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from jvmdebug import acting
from jvmdebug.errors import ConnectionFailed, HandshakeFailed, LaunchError, StateError
from jvmdebug.launch.debuggee_process import DebuggeeProcess, ProcessPlan
from jvmdebug.launch.meeting_point import meeting_point
from jvmdebug.launch.process_guard import ProcessGuard
from jvmdebug.launch.project_command import ProjectCommand, program_command
from jvmdebug.launch.terminal_command import terminal_command
from jvmdebug.session.events import Ended, EndReason, EventFeed
from jvmdebug.session.state import Operation, SessionState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence
    from pathlib import Path

    from jvmdebug.breakpoints import BreakpointSet, Suspend
    from jvmdebug.jdk import Jdk
    from jvmdebug.jdwp import transport
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.launch.debuggee_process import StdinChoice
    from jvmdebug.observing import Observations
    from jvmdebug.projects import Project
    from jvmdebug.session.output import OutputLog
    from jvmdebug.session.services import Services
    from jvmdebug.session.stop import Stop


class DebuggedProgram:
    """The services of a session on the VM that it debugs now."""

    def __init__(self, services: Services, launching: Launching | None) -> None:
        self.services = services
        self.called = ""
        """What a program that has connected to us calls itself."""
        self._launching = launching

    @property
    def name(self) -> str:
        """See Session.name."""
        if self._launching is None:
            return self.called or self.services.vm.connection.peer
        return self._launching.program_name

    @property
    def jdk(self) -> Jdk | None:
        """The runtime that it was launched with; None if it was not launched here."""
        return None if self._launching is None else self._launching.jdk

    @property
    def project(self) -> Project | None:
        """The project that compiles it; None if it was not started through a project."""
        return None if self._launching is None else self._launching.project

    @property
    def observations(self) -> Observations:
        """The observations of the program that is debugged now. StateError once it has ended."""
        self.services.stops.require(Operation.ARM)
        return self.services.observations

    @property
    def is_stopped(self) -> bool:
        """Whether a thread has stopped and was not resumed."""
        return self.services.stops.state is SessionState.STOPPED

    @property
    def is_held(self) -> bool:
        """Whether nothing of it has run: the VM is held before its first instruction."""
        return self.services.stops.state is SessionState.HELD

    async def start(self) -> None:
        """See Session.start."""
        await self.services.life.start()

    async def suspend(self) -> Stop:
        """See Session.suspend."""
        self.services.stops.require(Operation.SUSPEND)
        return await self.services.stops.suspend_all()

    async def restart(self) -> None:
        """See Session.restart."""
        if self._launching is None:
            raise StateError("the program was not launched by this session: attach to it again")
        async with self._launching.turn:
            with acting.acting(acting.OWNER):  # whose tasks watch the new program from now on
                self.services = await self._launching.open_again(self.services)

    def breakpoints_to_change(self) -> BreakpointSet:
        """The breakpoints of the program that is debugged now, if they may change."""
        self.services.stops.require(Operation.ARM)
        return self.services.breakpoints


class Launching:
    """The program of one session, which may be started again."""

    def __init__(
        self,
        start: VmStart,
        command: JavaCommand,
        *,
        source_path: Sequence[str | Path],
        suspend: Suspend,
        stop_on_entry: bool,
    ) -> None:
        self._start = start
        self._command = command
        self._source_path = source_path
        self._suspend: Suspend = suspend
        self._entry = stop_on_entry
        self._stack = AsyncExitStack()
        self.turn = asyncio.Lock()
        """Held while the VM is started again."""

    @property
    def program_name(self) -> str:
        """What the user launched, as in `Session.name`."""
        return self._command.main_class or str(self._command.request.module)

    @property
    def jdk(self) -> Jdk:
        """The runtime of the program."""
        return self._command.jdk

    @property
    def project(self) -> Project | None:
        """The project that compiles the program; None if it was not started through a project."""
        return self._command.project if isinstance(self._command, ProjectCommand) else None

    async def open(self) -> Services:
        """Start the VM and open a session on it, held."""
        return await self._open(None, EventFeed(), asyncio.Event())

    async def open_again(self, old: Services) -> Services:
        """End what is left of the program, and open a session on a new one, with the same
        breakpoints, held. A `.java` program or a project is compiled again first: if that fails,
        the old program is as it was.

        Subscribers receive the events of the new program.
        """
        command = await program_command(self._command.request)
        feed, ended = old.feed.transfer(), asyncio.Event()
        if old.stops.state is not SessionState.ENDED:
            ended = old.life.transfer()
            await old.life.kill()
        await self.close()
        self._command = command
        try:
            services = await self._open(old, feed, ended)
            await services.breakpoints.set_again(old.breakpoints)
        except BaseException as error:
            feed.post(Ended(EndReason.CONNECTION_LOST, str(error)))
            ended.set()
            raise
        return services

    async def close(self) -> None:
        """Leave the program: end it unless it was let go on purpose; delete what was compiled."""
        await self._leave()
        self._command.remove_temporary_files()

    async def _leave(self) -> None:
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    async def _open(self, old: Services | None, feed: EventFeed, ended: asyncio.Event) -> Services:
        command = self._command
        tests = None
        if command.test_results is not None:
            from jvmdebug.session.test_results import TestResults  # noqa: PLC0415 - slow to import

            tests = TestResults(command.test_results, feed.post, command.source_roots)
            self._stack.callback(tests.close)
        started = await self._start(command, self._stack)
        from jvmdebug.session.causes import EntryReached  # noqa: PLC0415 - while the VM starts
        from jvmdebug.session.services import launched_services  # noqa: PLC0415
        from jvmdebug.sources import MethodSpec  # noqa: PLC0415

        services = await launched_services(
            started,
            self._stack,
            command,
            source_path=self._source_path,
            suspend=self._suspend,
            old=old,
            feed=feed,
            ended=ended,
            tests=tests,
        )
        if self._entry:
            spec = MethodSpec(command.main_class or "*", "main")
            await services.breakpoints.add_own(spec, EntryReached)
        return services


# The ways to start a VM


@dataclass(frozen=True, slots=True)
class LaunchedProgram:
    """The process that we started, and what it writes."""

    process: DebuggeeProcess
    output: OutputLog


@dataclass(frozen=True, slots=True)
class StartedVm:
    """A VM that we have started and are connected to."""

    connection: Connection
    guard: ProcessGuard
    program: LaunchedProgram | None = None
    """None in a terminal of the client."""


class VmStart(Protocol):
    """One way to start a VM; the stack owns what must be ended."""

    async def __call__(self, command: JavaCommand, stack: AsyncExitStack) -> StartedVm:
        """Start it and connect; LaunchError if it does not come up."""


@dataclass(frozen=True, slots=True)
class OwnProcess:
    """The VM is a child process."""

    log: OutputLog
    stdin: StdinChoice
    timeout_s: float

    async def __call__(self, command: JavaCommand, stack: AsyncExitStack) -> StartedVm:
        """See VmStart."""
        self.log.restart()
        guard = ProcessGuard.start(command.temporary_directory)
        stack.push_async_callback(guard.close)
        with meeting_point(command.library) as listening:
            plan = ProcessPlan(
                command.connecting_to(str(listening.address)),
                command.cwd,
                command.env,
                command.encoding,
                self.stdin,
            )
            process = await DebuggeeProcess.start(plan, self.log.write, guard)
            stack.push_async_callback(_close_unless_released, process)
            connection = await _meet(
                listening, process.wait(), self.timeout_s, process.startup_output
            )
        _watch(connection, guard)
        process.has_come_up()
        return StartedVm(connection, guard, LaunchedProgram(process, self.log))


class Begun:
    """A way that has begun already: the VM comes up while the caller makes ready for it."""

    def __init__(self, start: VmStart, command: JavaCommand) -> None:
        self._start = start
        self._stack = AsyncExitStack()
        self._first: asyncio.Task[StartedVm] | None = asyncio.create_task(
            start(command, self._stack), name="start of the VM"
        )

    async def __call__(self, command: JavaCommand, stack: AsyncExitStack) -> StartedVm:
        """The VM that has been begun; after it, as `start`."""
        first, self._first = self._first, None
        if first is None:
            return await self._start(command, stack)
        stack.push_async_exit(self._stack)
        try:
            return await first
        except BaseException:
            await _ended(first)
            raise

    async def close(self) -> None:
        """End a VM that nobody has asked for."""
        first, self._first = self._first, None
        if first is not None:
            await _ended(first)
            await self._stack.aclose()


async def _ended(task: asyncio.Task[StartedVm]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class InTerminal:
    """The client starts the VM with our command."""

    run: Callable[[list[str]], Awaitable[None]]
    timeout_s: float

    async def __call__(self, command: JavaCommand, stack: AsyncExitStack) -> StartedVm:
        """See VmStart."""
        guard = ProcessGuard.start(command.temporary_directory)
        stack.push_async_callback(guard.close)
        with meeting_point(command.library) as listening:
            words = command.connecting_to(str(listening.address))
            with terminal_command(words) as in_terminal:
                await self.run(in_terminal.words)
                connection = await _meet(
                    listening, in_terminal.ended(), self.timeout_s, lambda: "; the terminal has why"
                )
        _watch(connection, guard)
        return StartedVm(connection, guard)


async def accept(
    listening: transport.Listener, timeout_s: float, *, of_this_user: bool = False
) -> Connection:
    """The VM that connects to us; LaunchError if none does."""
    try:
        return await listening.accept(timeout_s, of_this_user=of_this_user)
    except (ConnectionFailed, HandshakeFailed) as error:
        raise LaunchError(str(error)) from error


async def _meet(
    listening: transport.Listener,
    end: Coroutine[object, object, int],
    timeout_s: float,
    last_words: Callable[[], str],
) -> Connection:
    """The connection from the VM of a program; its `end` is noticed at once."""
    meeting = asyncio.create_task(accept(listening, timeout_s, of_this_user=True), name="meeting")
    ended = asyncio.create_task(end, name="end before the start")
    try:
        await asyncio.wait((meeting, ended), return_when=asyncio.FIRST_COMPLETED)
        if not meeting.done():
            raise LaunchError(
                f"the program ended with exit code {ended.result()} before it could be debugged"
                + last_words()
            )
        try:
            return meeting.result()
        except LaunchError as error:
            raise LaunchError(f"the program did not come up: {error}{last_words()}") from error
    finally:
        for task in (meeting, ended):
            task.cancel()
        await asyncio.gather(meeting, ended, return_exceptions=True)


def _watch(connection: Connection, guard: ProcessGuard) -> None:
    """The VM is not the process that was started if `java` is a script, or in a terminal."""
    if (vm := connection.peer_process) is not None:
        guard.watch(vm)


async def _close_unless_released(process: DebuggeeProcess) -> None:
    if not process.is_released:
        await process.close()
