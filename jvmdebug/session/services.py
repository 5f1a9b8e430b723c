# SPDX-License-Identifier: Apache-2.0
"""The objects that do the work of a session, made and connected.

Owns the objects: each gets here the others that it needs. What the first moments of a program do
not need is imported and made when it is first used, since the program waits for the session then.
Made by `starting`, once for each program; used by the session and its stops.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from jvmdebug import breakpoints, evaluator, observing, stepping
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.source_imports import SourceImports
from jvmdebug.session.stop_registry import StopRegistry
from jvmdebug.session.threads import Threads

if TYPE_CHECKING:
    import asyncio

    from jvmdebug.breakpoints import BreakpointSet, BreakpointTable
    from jvmdebug.events import Router
    from jvmdebug.launch.process_guard import ProcessGuard
    from jvmdebug.observing import Observations
    from jvmdebug.session.breakpoint_hooks import SessionBreakpointHooks
    from jvmdebug.session.code import Code
    from jvmdebug.session.code_replacing import CodeReplacing
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stack_changes import StackChanges
    from jvmdebug.session.steps import Steps
    from jvmdebug.session.test_results import TestResults
    from jvmdebug.session.vm_start import LaunchedProgram
    from jvmdebug.sources import SourceFinder
    from jvmdebug.stepping import Libraries, Stepper


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
        """Which classes are of libraries."""
        return stepping.Libraries(self.vm)

    @cached_property
    def hooks(self) -> SessionBreakpointHooks:
        """Of breakpoints into the session."""
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
        """What happens, without stopping."""
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
