# SPDX-License-Identifier: Apache-2.0
"""How the VM of a session is started, and started again.

Owns the order in which the services of a session are opened and closed. The ways to start a VM are
in `vm_start`. Called by `opening` and the session.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug import evaluator
from jvmdebug.events import Router
from jvmdebug.jdk import home_of_version
from jvmdebug.model.virtual_machine import VirtualMachine
from jvmdebug.session.causes import EntryReached
from jvmdebug.session.events import Ended, EndReason, EventFeed
from jvmdebug.session.project_program import ProjectCommand, program_command
from jvmdebug.session.services import Services
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.state import SessionState
from jvmdebug.sources import MethodSpec, SourceFinder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.jdk import Jdk
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.projects import Project
    from jvmdebug.session.vm_start import VmStart

_GRACE_S = 5.0
"""How long a program may take to end after SIGTERM."""


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
        """What compiles the program; None if it was not started through a project."""
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
        with _ended_on_failure(feed, ended):
            services = await self._open(old, feed, ended)
            await services.breakpoints.set_again(old.breakpoints)
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
        self._stack.push_async_callback(started.connection.close)
        vm = VirtualMachine(started.connection)
        await vm.initialize()
        if old is not None:
            settings, sources = old.settings, old.sources
            await vm.describe_agent()
        else:
            settings = SessionSettings(suspend=self._suspend)
            roots = (*self._source_path, *command.source_roots)
            paths, home = command.class_paths, command.jdk.home
            sources, _ = await asyncio.gather(
                asyncio.to_thread(
                    SourceFinder,
                    roots,
                    paths,
                    java_home=home,
                    release=vm.version.feature_release,
                ),
                vm.describe_agent(),
            )
        services = Services(
            Router(vm),
            settings,
            sources,
            started.program,
            guard=started.guard,
            feed=feed,
            ended=ended,
            tests=tests,
        )
        self._stack.push_async_callback(_close, services, ends_program=True)
        await _begin(services, is_held=True)
        if self._entry:
            spec = MethodSpec(command.main_class or "*", "main")
            await services.breakpoints.add_own(spec, EntryReached)
        return services


async def connected_services(
    connection: Connection,
    stack: AsyncExitStack,
    *,
    class_path: Sequence[str | Path] = (),
    source_path: Sequence[str | Path],
    suspend: Suspend,
) -> Services:
    """The services of a session on a VM that we did not start; the stack detaches from it."""
    stack.push_async_callback(connection.close)
    vm = VirtualMachine(connection)
    await vm.initialize()
    local, _ = await asyncio.gather(_local_class_paths(vm), vm.describe_agent())
    named = tuple(Path(each) for each in class_path)
    evaluator.use_class_path(vm, named)
    class_paths = (*named, *local)
    java_home = await asyncio.to_thread(home_of_version, vm.version.feature_release)
    sources = await asyncio.to_thread(
        SourceFinder,
        tuple(source_path),
        class_paths,
        java_home=java_home,
        release=vm.version.feature_release,
    )
    settings = SessionSettings(suspend=suspend)
    services = Services(
        Router(vm), settings, sources, None, feed=EventFeed(), ended=asyncio.Event()
    )
    stack.push_async_callback(_close, services, ends_program=False)
    await _begin(services, is_held=False)
    return services


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
