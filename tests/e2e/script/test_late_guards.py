# SPDX-License-Identifier: Apache-2.0
"""What keeps a debugger from slowing down or changing a program that was attached to as it ran."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TILL = debuggee("late", "Till")
SELL = f"Till.java:{TILL.marker('sell')}"


@pytest.fixture
async def program(jdk: Jdk) -> AsyncIterator[BareProgram]:
    async with bare_program(jdk, program=TILL) as running:
        yield running


@contextmanager
def watched(session: jvmdebug.Session) -> Iterator[asyncio.Queue[jvmdebug.Breakpoint]]:
    """The breakpoints that have changed."""
    changed: asyncio.Queue[jvmdebug.Breakpoint] = asyncio.Queue()

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.BreakpointChanged):
            changed.put_nowait(event.breakpoint)

    unsubscribe = session.subscribe(note)
    yield changed
    unsubscribe()


async def disabled(changed: asyncio.Queue[jvmdebug.Breakpoint]) -> jvmdebug.Breakpoint:
    async with asyncio.timeout(30):
        while (breakpoint_ := await changed.get()).enabled:
            pass
    return breakpoint_


COSTLY: dict[str, Callable[[jvmdebug.Session], Awaitable[jvmdebug.Breakpoint]]] = {
    # What is known only when it runs cannot be checked by the program, nor an object be written.
    "by the debugger": lambda it: it.break_at(SELL, condition="((Object) item).length() < 0"),
    "by the program": lambda it: it.break_at(SELL, condition="slowly(count) < 0"),
    "lines by the debugger": lambda it: it.break_at(SELL, log_message="{(Object) items} {count}"),
}


@pytest.mark.parametrize("what", COSTLY)
async def test_a_breakpoint_that_takes_too_much_is_disabled(
    program: BareProgram, what: str
) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.budget_ms = 100
        with watched(session) as changed:
            costly = await COSTLY[what](session)
            assert costly.verified, costly.message
            assert await disabled(changed) is costly
        assert "kept threads of the program for more than 100 ms" in str(costly.message)
        assert not costly.is_removed
        (use,) = await session.probes()
        assert use.breakpoint is costly
        assert use.location.line == TILL.marker("sell")
        assert use.location.why_event == costly.message
        # What costs nothing has no budget, and what was disabled can be enabled again.
        await costly.set_options(jvmdebug.BreakpointOptions(condition="count > 0"))
        await costly.enable()
        assert costly.message is None
        assert (await next_stop(session)).breakpoints == (costly,)


async def test_a_check_that_does_not_return_is_told(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.condition_deadline_s = 0.5
        session.settings.budget_ms = session.settings.total_budget_ms = 0
        with watched(session) as changed:
            stays = await session.break_at(SELL, condition="stay()")
            async with asyncio.timeout(30):
                assert await changed.get() is stays
        assert "did not return for 0.5 s: thread seller is still in it" in str(stays.message)
        assert stays.locations[0].how == "event"


async def test_all_breakpoints_together_have_a_budget(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.budget_ms, session.settings.total_budget_ms = 0, 150
        with watched(session) as changed:
            cheap = await session.break_at(SELL, condition="slowly(count) < 0")
            await cheap.set_condition("count < 0")
            several = [
                await session.break_at(SELL, condition=f"slowly(count + {each}) < 0")
                for each in range(3)
            ]
            first = await disabled(changed)
        assert first in several
        assert "the breakpoints together kept threads" in str(first.message)
        assert cheap.enabled


async def test_a_breakpoint_whose_stops_nobody_resumes_is_disabled(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.stop_watchdog_s = 0.2
        with watched(session) as changed:
            left = await session.break_at(SELL)
            assert await disabled(changed) is left
        assert "nobody has resumed its stops" in str(left.message)
        await left.enable()
        # One that somebody resumes in time stays.
        session.settings.stop_watchdog_s = 20.0
        for _ in range(3):
            await (await next_stop(session)).resume()
        assert left.enabled


async def test_a_read_only_session_changes_no_code(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid, read_only=True) as session:
        refused = await session.break_at(SELL)
        assert not refused.verified
        assert "the session is read-only" in str(refused.message)
        names = [each.name for each in await session.threads()]
        assert "seller" in names


async def test_what_cannot_be_is_said_in_words(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        await session.break_at(SELL)
        stop = await next_stop(session)
        caller = (await stop.frames())[1]
        with pytest.raises(jvmdebug.UnsupportedError, match=r"^reading .* of this frame is not po"):
            await caller.evaluate("round")
        with pytest.raises(jvmdebug.UnsupportedError, match=r"^popping frames is not possible: "):
            await stop.pop_frame()
        with pytest.raises(jvmdebug.UnsupportedError, match=r"^forcing a method to return is not"):
            await stop.force_return("1")
        with pytest.raises(jvmdebug.UnsupportedError, match=r"^watching a local variable is not p"):
            await session.watch("Till#sell.sum", condition="sum > 0")
