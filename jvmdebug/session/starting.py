# SPDX-License-Identifier: Apache-2.0
"""How the VM of a session is started, and started again in the full mode while it is still held.

Owns the ways to start a VM (a child process, the client's terminal), the order in which the
services of a session are opened and closed, and the change of the agent's mode: until the program's
first instruction, the VM can be restarted in the full mode. Called by `opening` and the session;
processes are `jvmdebug.launch`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jvmdebug.errors import ConnectionFailed, HandshakeFailed, LaunchError, WireError
from jvmdebug.events import Router
from jvmdebug.jdk import home_of_version
from jvmdebug.jdwp import transport
from jvmdebug.launch.debuggee_process import DebuggeeProcess, ProcessPlan
from jvmdebug.model.virtual_machine import VirtualMachine
from jvmdebug.session.causes import EntryReached
from jvmdebug.session.events import Ended, EndReason, EventFeed
from jvmdebug.session.lifecycle import LaunchedProgram
from jvmdebug.session.services import Services
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.state import SessionState
from jvmdebug.sources import MethodSpec, SourceFinder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.launch.debuggee_process import StdinChoice
    from jvmdebug.session.output import OutputLog

LOOPBACK = "127.0.0.1"
_GRACE_S = 5.0
"""How long a program may take to end after SIGTERM."""


class VmStart(Protocol):
    """One way to start a VM; the stack owns what must be ended."""

    async def __call__(
        self, command: JavaCommand, stack: AsyncExitStack
    ) -> tuple[Connection, LaunchedProgram | None]:
        """Start it and connect; LaunchError if it does not come up."""


@dataclass(frozen=True, slots=True)
class OwnProcess:
    """The VM is a child process, and its agent listens."""

    log: OutputLog
    stdin: StdinChoice
    timeout_s: float

    async def __call__(
        self, command: JavaCommand, stack: AsyncExitStack
    ) -> tuple[Connection, LaunchedProgram | None]:
        """See VmStart."""
        self.log.restart()
        plan = ProcessPlan(command.command, command.cwd, command.env, command.encoding, self.stdin)
        process = await DebuggeeProcess.start(plan, self.log.write)
        stack.push_async_callback(_close_unless_released, process)
        connection = await _connect_to(process, self.timeout_s)
        return connection, LaunchedProgram(process, self.log)


@dataclass(frozen=True, slots=True)
class InTerminal:
    """The client starts the VM with our command, and its agent connects to us."""

    listening: transport.Listener
    run: Callable[[list[str]], Awaitable[None]]
    timeout_s: float

    async def __call__(
        self, command: JavaCommand, stack: AsyncExitStack
    ) -> tuple[Connection, LaunchedProgram | None]:
        """See VmStart."""
        del stack
        await self.run(list(command.command))
        return await accept(self.listening, self.timeout_s), None


@contextlib.contextmanager
def _ended_on_failure(feed: EventFeed, ended: asyncio.Event) -> Iterator[None]:
    """Post the end of the session if the new VM does not start."""
    try:
        yield
    except BaseException as error:
        feed.post(Ended(EndReason.CONNECTION_LOST, str(error)))
        ended.set()
        raise


class Launching:
    """The program of one session, started once, or again in the full mode if that is needed before
    it runs.
    """

    def __init__(
        self,
        start: VmStart,
        command: JavaCommand,
        *,
        may_change_mode: bool,
        source_path: Sequence[str | Path],
        suspend: Suspend,
        stop_on_entry: bool,
    ) -> None:
        self._start = start
        self._command = command
        self._may_change_mode = may_change_mode
        self._source_path = source_path
        self._suspend: Suspend = suspend
        self._entry = stop_on_entry
        self._stack = AsyncExitStack()
        self.turn = asyncio.Lock()
        """Held while breakpoints change, since that may restart the VM."""

    def may_change_mode(self, services: Services) -> bool:
        """Whether the VM can be started again in the full mode."""
        return (
            self._may_change_mode
            and self._command.mode == "fast"
            and services.stops.state is SessionState.HELD
            and not services.life.has_received_input
        )

    async def open(self) -> Services:
        """Start the VM and open a session on it, held."""
        return await self._open(None, EventFeed(), asyncio.Event())

    async def open_in_full_mode(self, old: Services) -> Services:
        """End the held VM and open another one in its place, with the same breakpoints.

        Subscribers are not notified. If the new VM does not start, the session ends.
        """
        feed, ended = old.feed.transfer(), old.life.transfer()
        with _ended_on_failure(feed, ended):
            await old.life.kill()
            await self.close()
            self._stack = AsyncExitStack()
            self._command = self._command.in_mode("full")
            services = await self._open(old, feed, ended)
            await services.breakpoints.set_again(old.breakpoints)
        return services

    async def open_again(self, old: Services) -> Services:
        """End what is left of the program, and open a session on a new one, with the same
        breakpoints, held.

        Subscribers receive the events of the new program.
        """
        feed, ended = old.feed.transfer(), asyncio.Event()
        if old.stops.state is not SessionState.ENDED:
            ended = old.life.transfer()
            await old.life.kill()
        await self.close()
        self._stack = AsyncExitStack()
        with _ended_on_failure(feed, ended):
            services = await self._open(old, feed, ended)
            await services.breakpoints.set_again(old.breakpoints)
        return services

    async def close(self) -> None:
        """Leave the program: end it, or resume everything and detach."""
        await self._stack.aclose()

    async def _open(self, old: Services | None, feed: EventFeed, ended: asyncio.Event) -> Services:
        command = self._command
        connection, program = await self._start(command, self._stack)
        self._stack.push_async_callback(connection.close)
        vm = VirtualMachine(connection)
        await vm.initialize()
        if old is not None:
            settings, sources = old.settings, old.sources
            await vm.describe_agent()
        else:
            settings = SessionSettings(suspend=self._suspend)
            roots = (*self._source_path, *command.source_roots)
            paths, home = command.class_paths, command.jdk.home
            sources, _ = await asyncio.gather(
                asyncio.to_thread(SourceFinder, roots, paths, java_home=home), vm.describe_agent()
            )
        services = Services(Router(vm), settings, sources, program, feed=feed, ended=ended)
        self._stack.push_async_callback(_close, services, ends_program=program is not None)
        await _begin(services, is_held=True)
        if self._entry:
            spec = MethodSpec(command.main_class or "*", "main")
            await services.breakpoints.add_own(spec, EntryReached)
        return services


async def connected_services(
    connection: Connection,
    stack: AsyncExitStack,
    *,
    source_path: Sequence[str | Path],
    suspend: Suspend,
) -> Services:
    """The services of a session on a VM that we did not start; the stack detaches from it."""
    stack.push_async_callback(connection.close)
    vm = VirtualMachine(connection)
    await vm.initialize()
    class_paths, _ = await asyncio.gather(_local_class_paths(vm), vm.describe_agent())
    java_home = await asyncio.to_thread(home_of_version, vm.version.feature_release)
    sources = await asyncio.to_thread(
        SourceFinder, tuple(source_path), class_paths, java_home=java_home
    )
    settings = SessionSettings(suspend=suspend)
    services = Services(
        Router(vm), settings, sources, None, feed=EventFeed(), ended=asyncio.Event()
    )
    stack.push_async_callback(_close, services, ends_program=False)
    await _begin(services, is_held=False)
    return services


async def accept(listening: transport.Listener, timeout_s: float) -> Connection:
    """The VM that connects to us; LaunchError if none does."""
    try:
        return await listening.accept(timeout_s)
    except (ConnectionFailed, HandshakeFailed) as error:
        raise LaunchError(str(error)) from error


async def _begin(services: Services, *, is_held: bool) -> None:
    """Begin to process events; `is_held`: wait until the VM has reported that it is held."""
    services.life.watch()
    services.router.start()
    await services.threads.watch()
    if is_held:
        await services.life.wait_held()
    else:
        services.life.assume_running()


async def _close(services: Services, *, ends_program: bool) -> None:
    if ends_program and services.stops.state is not SessionState.ENDED:
        await services.life.terminate(_GRACE_S)
    await services.life.close()


async def _local_class_paths(vm: VirtualMachine) -> tuple[Path, ...]:
    """The class path of a VM that we did not start, as far as it is on this machine too."""
    reply = await vm.class_paths()
    paths = [Path(reply.base_directory) / path for path in reply.class_paths if path]
    return tuple(await asyncio.to_thread(lambda: [path for path in paths if path.exists()]))


async def _connect_to(process: DebuggeeProcess, timeout_s: float) -> Connection:
    port = await process.port(timeout_s)
    try:
        return await transport.connect(LOOPBACK, port, timeout_s=timeout_s, retry=False)
    except WireError as error:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await process.wait()
        raise LaunchError(
            f"the program did not come up: {error}{process.startup_output()}"
        ) from error


async def _close_unless_released(process: DebuggeeProcess) -> None:
    if not process.is_released:
        await process.close()
