# SPDX-License-Identifier: Apache-2.0
"""`debugging(topic, main, …)`: a launched debuggee of the test's JDK and agent."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.support.sessions import DebuggeeSession, compiled, launched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from tests.support.debuggees import DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


class StartDebugging(Protocol):
    """Launches a debuggee."""

    def __call__(
        self,
        topic: str,
        main_class: str,
        *args: str,
        debug_tables: DebugTables = "all",
        vm_args: Sequence[str] = (),
    ) -> AbstractAsyncContextManager[DebuggeeSession]:
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
    ) -> AsyncIterator[DebuggeeSession]:
        program = compiled(topic, main_class, jdk, debug_tables)
        async with launched(
            program, jdk, agent_kind, args=args, vm_args=vm_args, encoding="UTF-8"
        ) as session:
            yield DebuggeeSession(session, program)

    return start
