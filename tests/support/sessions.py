# SPDX-License-Identifier: Apache-2.0
"""Sessions of `jvmdebug` on debuggees: launched with a JDK and an agent, stopped at markers.

Owns launching a debuggee and waiting for its stops, so that each test says only what it is about.
Used by the end-to-end tests of the Python API (tests/e2e/{edge_cases,evaluate,libraries,script});
those of DAP have `dap_client`, those of the wire `jdwp_session`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import DebugTables, debuggee

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.model.frame import Frame
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

STOP_TIMEOUT_S = 40.0


def compiled(topic: str, main_class: str, jdk: Jdk, debug_tables: DebugTables = "all") -> Debuggee:
    """The debuggee; skips the test if the JDK is too old for it."""
    program = debuggee(topic, main_class, debug_tables=debug_tables)
    if jdk.version < program.release:
        pytest.skip(f"debuggee {topic} needs Java {program.release}")
    return program


def launched(
    program: Debuggee, jdk: Jdk, agent_kind: AgentInVm, **options: Any
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    """`jvmdebug.launch` of the debuggee; held before its first instruction."""
    return jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
        **options,
    )


async def next_stop(session: jvmdebug.Session) -> jvmdebug.Stop:
    """The next stop, which must come."""
    stop = await session.next_stop(timeout_s=STOP_TIMEOUT_S)
    assert stop is not None, "the program ended instead of stopping"
    return stop


async def stop_at(session: jvmdebug.Session, program: Debuggee, marker: str) -> jvmdebug.Stop:
    """Run to the marked line; the stop there. The breakpoint is gone afterwards."""
    source, line = program.marked(marker)
    breakpoint_ = await session.break_at(f"{source}:{line}")
    if session.current_stops:
        await session.resume()
    stop = await next_stop(session)
    assert stop.frame.line == line, f"{stop.frame} is not {marker}"
    await breakpoint_.remove()
    return stop


async def texts(frame: jvmdebug.FrameHandle) -> dict[str, str]:
    """The variables of a frame as text."""
    return {each.name: await each.as_text() for each in await frame.variables()}


class DebuggeeSession:
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
        self, marker: str, *, part: str = "", condition: str | None = None, once: bool = False
    ) -> jvmdebug.Breakpoint:
        """Set a breakpoint at the marked line, or a part of it (`:all`)."""
        source, line = self.program.marked(marker)
        at = f"{source.name}:{line}{part}"
        return await self.session.break_at(at, condition=condition, once=once)

    async def next_stop(self) -> jvmdebug.Stop:
        """The next stop, which must come; what was printed when it does not."""
        stop = await self.session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None, f"the program ended instead of stopping; printed:\n{self.printed}"
        return stop

    async def expect_stop(self, marker: str) -> jvmdebug.Stop:
        """The next stop, which is at the marked line."""
        stop = await self.next_stop()
        assert stop.frame.line == self.program.marker(marker), stop.frame.location
        return stop

    async def frame_at(self, marker: str) -> Frame:
        """Run to the marked line; the frame there, as the evaluator takes it."""
        stop = await stop_at(self.session, self.program, marker)
        return await stop.frame.frame()

    async def end(self) -> int | None:
        """Remove the breakpoints and run to the end; the exit code."""
        for each in self.session.breakpoints:
            await each.remove()
        await self.session.resume()
        return await self.session.wait()
