# SPDX-License-Identifier: Apache-2.0
"""Opening sessions on debuggees with the JDK and the agent of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from jvmdebug import BreakpointOptions, BreakpointRequest, LineSpec
from tests.support.sessions import compiled, launched

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from jvmdebug import Session
    from tests.support.debuggees import DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


class Launch(Protocol):
    """What the fixture `launch` gives."""

    def __call__(
        self,
        topic: str,
        main_class: str,
        *,
        debug_tables: DebugTables = "all",
        **options: Any,
    ) -> AbstractAsyncContextManager[Session]:
        """`jvmdebug.launch` of a debuggee, with the JDK and agent of the matrix."""


@pytest.fixture
def launch(jdk: Jdk, agent_kind: AgentKind) -> Launch:
    """Launches debuggees."""
    return _launch(jdk, agent_kind)


@pytest.fixture
def launch_ours(jdk: Jdk) -> Launch:
    """Launches debuggees with our agent, for what no other has."""
    return _launch(jdk, "jvmdebug")


def _launch(jdk: Jdk, agent_kind: AgentKind) -> Launch:
    def open_session(
        topic: str, main_class: str, *, debug_tables: DebugTables = "all", **options: Any
    ) -> AbstractAsyncContextManager[Session]:
        program = compiled(topic, main_class, jdk, debug_tables)
        return launched(program, jdk, agent_kind, **options)

    return open_session


def at_line(source: str | Path, line: int, **options: Any) -> BreakpointRequest:
    """A breakpoint of a source file, for `session.breakpoints.replace`."""
    return BreakpointRequest(LineSpec(line, path=str(source)), BreakpointOptions(**options))


def at_method(text: str, **options: Any) -> BreakpointRequest:
    """A function breakpoint, for `session.breakpoints.replace`."""
    return BreakpointRequest.of_method(text, BreakpointOptions(**options))
