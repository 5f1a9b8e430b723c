# SPDX-License-Identifier: Apache-2.0
"""Threads that end by an exception whose throw was not reported: they stop before they are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_AT_END = "Thread.dispatchUncaughtException"


async def test_each_thread_that_dies_stops_once(
    launch: Launch, jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = compiled("script", "Ends", jdk)
    fails, keeps = program.marker("fails"), program.marker("keeps")
    seen = []
    async with launch("script", "Ends") as session:
        await session.breakpoints.stop_at_uncaught()
        async for stop in session.stops():
            thrown = await stop.thrown(with_stacks=True)
            assert thrown is not None
            if stop.ends_thread:
                assert _AT_END in stop.frame.location
                assert thrown.stack is not None
                where = thrown.stack[0]
            else:
                where = stop.frame.location
            seen.append((thrown.type_name.rpartition(".")[2], stop.ends_thread, where))
            assert stop.exception_caught is False
    is_fast = agent_kind == "jvmdebug"
    deep = [each for each in seen if each[0] == "StackOverflowError"]
    assert [each[1] for each in deep] == [is_fast]
    assert deep[0][2].startswith("Ends.deep(")
    kept = [each[1:] for each in seen if each[0] == "IllegalStateException"]
    assert kept == [(False, f"Ends.keeps(Ends.java:{keeps})")] * 2, "made in advance"
    at = f"Ends.fails(Ends.java:{fails})"
    failed = [(True, at), (False, at)] if jdk.version >= 21 else [(False, at)]
    assert [each[1:] for each in seen[3:]] == failed, "of a virtual thread: the JDK catches it"


async def test_conditions_and_types_are_asked(launch_ours: Launch) -> None:
    async with launch_ours("script", "Ends") as session:
        deep = await session.break_on_exception(
            "java.lang.StackOverflowError", caught=False, condition="$exception == null"
        )
        kept = await session.break_on_exception(
            "java.lang.IllegalStateException", caught=False, hit_condition="2"
        )
        stops = [stop.breakpoints async for stop in session.stops()]
    assert deep.message is None
    assert stops == [(kept,)]
    assert kept.hits == 2


async def test_a_breakpoint_that_is_gone_stops_no_thread(launch_ours: Launch) -> None:
    async with launch_ours("script", "Ends") as session:
        gone = await session.break_on_exception("java.lang.Throwable", caught=False)
        off = await session.break_on_exception("java.lang.Error", caught=False)
        assert gone.kind is jvmdebug.BreakpointKind.EXCEPTION
        await gone.remove()
        await off.disable()
        assert [stop async for stop in session.stops()] == []


async def test_a_thread_that_runs_is_ended(launch: Launch, agent_kind: AgentKind) -> None:
    """The JDK's agent cannot make what it throws: only a thread that is stopped could."""
    async with launch("script", "Dies", args=["on"]) as session:
        await session.breakpoints.stop_at_uncaught()
        sleeps = await session.break_at("Dies#waits", once=True)
        stop = await next_stop(session)
        while stop.breakpoints != (sleeps,):
            await stop.resume()
            stop = await next_stop(session)
        await stop.resume()
        (main,) = [each for each in await session.threads() if each.name == "main"]
        if agent_kind == "stock":
            with pytest.raises(jvmdebug.StateError, match="can only be ended while it or another"):
                await main.terminate()
            return
        await main.terminate()
        assert await session.next_stop() is None
        assert await session.wait() == 1
