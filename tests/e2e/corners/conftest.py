# SPDX-License-Identifier: Apache-2.0
"""`debugging(topic, main, …)`: a launched debuggee of the test's JDK and agent."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from tests.support.debuggees import Debuggee, DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

STOP_TIMEOUT_S = 40.0


class Debugging:
    """A session with the debuggee's markers at hand."""

    def __init__(self, session: jvmdebug.Session, program: Debuggee) -> None:
        self.session = session
        self.program = program
        self.printed = ""
        session.subscribe(self._collect)

    def _collect(self, event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output) and event.stream == "stdout":
            self.printed += event.text

    async def break_at(
        self, marker: str, *, condition: str | None = None, once: bool = False
    ) -> jvmdebug.Breakpoint:
        """Set a breakpoint at the marked line."""
        source, line = self.program.marked(marker)
        return await self.session.break_at(f"{source.name}:{line}", condition=condition, once=once)

    async def stop(self) -> jvmdebug.Stop:
        """The next stop."""
        stop = await self.session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None, (
            f"the program ended instead of stopping; it printed:\n{self.printed}"
        )
        return stop

    async def stop_at(self, marker: str) -> jvmdebug.Stop:
        """The next stop, which is at the marked line."""
        stop = await self.stop()
        assert stop.frame.line == self.program.marker(marker), stop.frame.location
        return stop

    async def end(self) -> int | None:
        """Remove the breakpoints and run to the end; the exit code."""
        for each in self.session.breakpoints:
            await each.remove()
        await self.session.resume()
        return await self.session.wait()


async def texts(frame: jvmdebug.FrameHandle) -> dict[str, str]:
    """The variables of a frame as text."""
    return {each.name: await each.text() for each in await frame.variables()}


class StartDebugging(Protocol):
    """Launches a debuggee."""

    def __call__(
        self,
        topic: str,
        main_class: str,
        *args: str,
        debug_tables: DebugTables = "all",
        vm_args: Sequence[str] = (),
    ) -> AbstractAsyncContextManager[Debugging]:
        """Launch it, held before its first instruction."""


@pytest.fixture
def debugging(jdk: Jdk, agent_kind: AgentKind) -> StartDebugging:
    """Launches debuggees with the JDK and the agent of the test."""

    @contextlib.asynccontextmanager
    async def start(
        topic: str,
        main_class: str,
        *args: str,
        debug_tables: DebugTables = "all",
        vm_args: Sequence[str] = (),
    ) -> AsyncIterator[Debugging]:
        program = debuggee(topic, main_class, debug_tables=debug_tables)
        if jdk.version < program.release:
            pytest.skip(f"debuggee {topic} needs Java {program.release}")
        async with jvmdebug.launch(
            program.main_class,
            class_path=program.class_path,
            source_path=[program.source_dir],
            args=args,
            vm_args=vm_args,
            java=jdk.home,
            **process.launch_options(agent_kind),
            encoding="UTF-8",
        ) as session:
            yield Debugging(session, program)

    return start
