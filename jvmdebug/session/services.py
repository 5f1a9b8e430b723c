# SPDX-License-Identifier: Apache-2.0
"""The objects that do the work of a session, made and connected.

Owns the objects and the order of their creation: each gets here the others that it needs. Made by
`starting`, once for each program; used by the session and its stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import display, evaluator
from jvmdebug.breakpoints import BreakpointSet, BreakpointTable
from jvmdebug.observing import Observations
from jvmdebug.session.breakpoint_hooks import SessionBreakpointHooks
from jvmdebug.session.code import Code
from jvmdebug.session.code_replacing import CodeReplacing
from jvmdebug.session.collection_calls import CollectionCalls
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.source_imports import SourceImports
from jvmdebug.session.stack_changes import StackChanges
from jvmdebug.session.steps import Steps
from jvmdebug.session.stop_registry import StopRegistry
from jvmdebug.session.threads import Threads
from jvmdebug.stepping import Libraries, Stepper

if TYPE_CHECKING:
    import asyncio

    from jvmdebug.events import Router
    from jvmdebug.launch.process_guard import ProcessGuard
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.test_results import TestResults
    from jvmdebug.session.vm_start import LaunchedProgram
    from jvmdebug.sources import SourceFinder


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
        self.code = Code(router, sources, feed)
        self.stepper = Stepper(router)
        self.stops = StopRegistry(self)
        self.threads = Threads(router, self.stops, feed)
        self.hooks = SessionBreakpointHooks(settings, sources, self.threads, feed)
        self.table = BreakpointTable(router.vm, router, self.hooks)
        self.breakpoints = BreakpointSet(self.table)
        self.libraries = Libraries(router.vm)
        self.steps = Steps(self)
        self.stack_changes = StackChanges(self)
        self.code_replacing = CodeReplacing(self, is_launched=program is not None)
        self.observations = Observations(router, self.breakpoints, lambda: settings.style)
        self.life = Lifecycle(self, program, guard, ended)
        router.set_stop_sink(self.stops.take)
        evaluator.use_imports(router.vm, SourceImports(sources))
        evaluator.use_suspensions(router.vm, router.others_running)
        display.use_calls(router.vm, CollectionCalls(self.stops))
