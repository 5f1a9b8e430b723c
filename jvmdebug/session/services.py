# SPDX-License-Identifier: Apache-2.0
"""The objects that do the work of a session, made and connected.

Owns the objects: each gets here the others that it needs. What the first moments of a program do
not need is imported and made when it is first used, since the program waits for the session then.
Owns the order in which they begin and are closed. Made by `program` and `launch`, once for each
program; used by the session and its stops.
"""

from __future__ import annotations

import asyncio
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug import breakpoints, evaluator, observing, stepping
from jvmdebug.events import Router
from jvmdebug.jdk import home_of_version
from jvmdebug.model.virtual_machine import VirtualMachine
from jvmdebug.session.class_paths import local_class_paths
from jvmdebug.session.events import EventFeed
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.lost_link import begin_watch
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.source_imports import SourceImports
from jvmdebug.session.state import SessionState
from jvmdebug.session.stop_registry import StopRegistry
from jvmdebug.session.threads import Threads
from jvmdebug.sources import SourceFinder

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from contextlib import AsyncExitStack

    from jvmdebug.breakpoints import BreakpointSet, BreakpointTable, Suspend
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.jdwp.link import LinkTerms
    from jvmdebug.launch.command_line import JavaCommand
    from jvmdebug.launch.process_guard import ProcessGuard
    from jvmdebug.observing import Observations
    from jvmdebug.session.breakpoint_hooks import SessionBreakpointHooks
    from jvmdebug.session.code import Code
    from jvmdebug.session.code_replacing import CodeReplacing
    from jvmdebug.session.program import LaunchedProgram, StartedVm
    from jvmdebug.session.stack_changes import StackChanges
    from jvmdebug.session.steps import Steps
    from jvmdebug.session.test_results import TestResults
    from jvmdebug.stepping import Libraries, Stepper

_GRACE_S: Final = 5.0
"""How long a program may take to end after SIGTERM."""


class Services:
    """The objects of one session on one program."""

    def __init__(
        self,
        router: Router,
        settings: SessionSettings,
        sources: SourceFinder,
        program: LaunchedProgram | None,
        *,
        guard: ProcessGuard | None = None,
        feed: EventFeed,
        ended: asyncio.Event,
        tests: TestResults | None = None,
    ) -> None:
        self.vm = router.vm
        self.router = router
        self.settings = settings
        self.sources = sources
        self.feed = feed
        self.tests = tests
        self._launched = None if program is None else time.time()
        self.stops = StopRegistry(self)
        self.threads = Threads(router, self.stops, feed)
        self.life = Lifecycle(self, program, guard, ended)
        router.set_stop_sink(self.stops.take)
        evaluator.use_imports(router.vm, SourceImports(sources))
        evaluator.use_suspensions(router.vm, router.others_running)

    @cached_property
    def code(self) -> Code:
        """The code of the program as the public API shows it."""
        from jvmdebug.session.code import Code  # noqa: PLC0415 - slow to import

        return Code(self.router, self.sources, self.feed)

    @cached_property
    def stepper(self) -> Stepper:
        """The steps that are under way."""
        return stepping.Stepper(self.router)

    @cached_property
    def libraries(self) -> Libraries:
        """Tells which classes are of libraries."""
        return stepping.Libraries(self.vm)

    @cached_property
    def hooks(self) -> SessionBreakpointHooks:
        """The functions of the session that breakpoints call."""
        from jvmdebug.session.breakpoint_hooks import (  # noqa: PLC0415 - slow to import
            SessionBreakpointHooks,
        )

        return SessionBreakpointHooks(self.settings, self.sources, self.threads, self.feed)

    @cached_property
    def table(self) -> BreakpointTable:
        """The breakpoints in the VM."""
        return breakpoints.BreakpointTable(self.vm, self.router, self.hooks)

    @cached_property
    def breakpoints(self) -> BreakpointSet:
        """The breakpoints that were asked for."""
        return breakpoints.BreakpointSet(self.table)

    @cached_property
    def steps(self) -> Steps:
        """Begins steps of stopped threads."""
        from jvmdebug.session.steps import Steps  # noqa: PLC0415 - slow to import

        return Steps(self)

    @cached_property
    def stack_changes(self) -> StackChanges:
        """Drops frames, forces returns."""
        from jvmdebug.session.stack_changes import StackChanges  # noqa: PLC0415 - slow to import

        return StackChanges(self)

    @cached_property
    def code_replacing(self) -> CodeReplacing:
        """Gives loaded classes new code."""
        from jvmdebug.session.code_replacing import CodeReplacing  # noqa: PLC0415 - slow to import

        return CodeReplacing(self, self._launched)

    @cached_property
    def observations(self) -> Observations:
        """Observes what happens in the program, without stopping it."""
        return observing.Observations(self.router, self.breakpoints, lambda: self.settings.style)

    @property
    def has_breakpoints(self) -> bool:
        """Whether a breakpoint was ever asked for."""
        return "breakpoints" in vars(self)

    async def disarm(self) -> None:
        """Take what users have set out of the VM."""
        if "observations" in vars(self):
            await self.observations.disarm_all()
        if "table" in vars(self):
            await self.table.disarm_all()

    async def close_observations(self) -> None:
        """End those that there are."""
        if "observations" in vars(self):
            await self.observations.close()


async def launched_services(  # noqa: PLR0913 - what one program has
    started: StartedVm,
    stack: AsyncExitStack,
    command: JavaCommand,
    *,
    source_path: Sequence[str | Path],
    suspend: Suspend,
    old: Services | None,
    feed: EventFeed,
    ended: asyncio.Event,
    tests: TestResults | None,
) -> Services:
    """The services of a session on a VM that we have started, which is held; the stack ends it.
    After a restart `old` are those of the program before.
    """
    stack.push_async_callback(started.connection.close)
    vm = VirtualMachine(started.connection)
    await vm.initialize()
    if old is not None:
        settings, sources = old.settings, old.sources
        await vm.describe_agent()
    else:
        settings = SessionSettings(suspend=suspend)
        roots = (*source_path, *command.source_roots)
        paths, home = command.class_paths, command.jdk.home
        release = vm.version.feature_release
        sources, _ = await asyncio.gather(
            asyncio.to_thread(SourceFinder, roots, paths, java_home=home, release=release),
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
    stack.push_async_callback(_close, services, ends_program=True)
    await _begin(services, is_held=True)
    return services


async def connected_services(
    connection: Connection,
    stack: AsyncExitStack,
    *,
    class_path: Sequence[str | Path] = (),
    source_path: Sequence[str | Path],
    suspend: Suspend,
    source_map: Mapping[str, str | Path] | None = None,
    link: tuple[Callable[[], Awaitable[socket.socket]], LinkTerms] | None = None,
) -> Services:
    """The services of a session on a VM that we did not start; the stack detaches from it. `link`
    says how its agent is reached once more, and what is done when the link is lost.
    """
    stack.push_async_callback(connection.close)
    vm = VirtualMachine(connection)
    await vm.initialize()
    local, _ = await asyncio.gather(local_class_paths(vm, source_map or {}), vm.describe_agent())
    if link is not None:
        begin_watch(vm, *link)
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
    for close in services.feed.closers:
        await close()
