# SPDX-License-Identifier: Apache-2.0
"""The ways to start the VM of a launched program: as a child process, or in the client's terminal.

Owns how we meet its agent, which connects to us, and that it ends with us: nothing listens in the
program. What is done with the connection is `starting`'s; processes are `jvmdebug.launch`'s.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from jvmdebug.errors import ConnectionFailed, HandshakeFailed, LaunchError
from jvmdebug.launch.debuggee_process import DebuggeeProcess, ProcessPlan
from jvmdebug.launch.meeting_point import meeting_point
from jvmdebug.launch.process_guard import ProcessGuard
from jvmdebug.launch.terminal_command import terminal_command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from jvmdebug.jdwp import transport
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.launch.debuggee_process import StdinChoice
    from jvmdebug.session.output import OutputLog


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
        with meeting_point(command.agent) as listening:
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
        with meeting_point(command.agent) as listening:
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
