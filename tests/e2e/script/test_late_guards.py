# SPDX-License-Identifier: Apache-2.0
"""What keeps a debugger from slowing down or changing a program that was attached to as it ran."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TILL = debuggee("late", "Till")
SELL = f"Till.java:{TILL.marker('sell')}"


@pytest.fixture
async def program(jdk: Jdk, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BareProgram]:
    monkeypatch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
    async with bare_program(jdk, program=TILL) as running:
        yield running


async def test_a_condition_that_the_debugger_checks_too_often_is_disabled(
    program: BareProgram,
) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.checks_per_second = 20
        changed = asyncio.Event()

        def note(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, jvmdebug.BreakpointChanged):
                changed.set()

        session.subscribe(note)
        # A lambda cannot be checked by the program.
        costly = await session.break_at(SELL, condition="items.stream().anyMatch(x -> x == null)")
        async with asyncio.timeout(30):
            await changed.wait()
        assert not costly.enabled
        assert "settings.checks_per_second" in str(costly.message)
        assert not costly.is_removed
        # It is there still, and what the program checks itself costs no such budget.
        await costly.set_condition("count > 0")
        await costly.enable()
        assert (await next_stop(session)).breakpoints == (costly,)


async def test_a_read_only_session_changes_no_code(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid, read_only=True) as session:
        refused = await session.break_at(SELL)
        assert not refused.verified
        assert "the session is read-only" in str(refused.message)
        names = [each.name for each in await session.threads()]
        assert "seller" in names
