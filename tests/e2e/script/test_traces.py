# SPDX-License-Identifier: Apache-2.0
"""Traces of calls in real VMs, of both agents in all modes."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import UnsupportedError
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "observed", "Observed"
_LONG_S = 25

# In the order of their ends.
CALLS = [
    '    Observed.add("cup", 2) = 6',
    "    Observed.total() = 6",
    "        Observed.factorial(1) = 1",
    "      Observed.factorial(2) = 2",
    "    Observed.factorial(3) = 6",
    '      Observed.inner(true) threw IllegalStateException@1f "no luck"',
    '    Observed.outer(true) threw IllegalStateException@1f "no luck"',
    '      Observed.inner(false) = "fine"',
    '    Observed.outer(false) = "fine"',
    "    Observed.empty()",
    "    Observed.loops(3) = 0",
    "    Observed.choice(true) = 1",
    "    Observed.computed(20) = 42",
    '    Observed.text() = "a\\u001b[31mred"',
    "  Observed.calls()",
    'Observed.main(String[1] {"calls"})',
]


def seen(calls: list[jvmdebug.Call]) -> list[str]:
    """The texts without times and ids."""
    texts = (re.sub(r" \([^()]* [µm]?s\)$", "", str(each)) for each in calls)
    return [re.sub(r"@[0-9a-f]+", "@1f", each) for each in texts]


@pytest.mark.full_mode_too
async def test_the_calls_of_a_class(launch: Launch) -> None:
    async with launch(TOPIC, MAIN, args=["calls"]) as session:
        is_fast = session.mode == "fast"
        native = await session.trace("java.lang.Runtime#availableProcessors")
        calls = await session.trace("Observed#*", stack=1).collect()
        for each in await native.collect():
            if is_fast:
                assert each.outcome == "unknown"
                assert "native method" in str(each.why_no_result)
            else:
                assert each.result is not None
                assert int(each.result.text) > 0
        assert native.count > 0
        assert session.exit_code in (0, None)
        assert seen(calls) == CALLS
        by_number = {each.number: each for each in calls}
        inner = next(each for each in calls if each.method_name == "inner")
        assert inner.parent is not None
        assert by_number[inner.parent].method == "Observed#outer"
        assert inner.argument("fails").value is True
        assert inner.outcome == "threw"
        assert str(inner.stack[0]).startswith("Observed.outer(Observed.java:")
        assert all(each.why_no_result is None for each in calls)


async def test_many_threads_that_call_themselves_and_throw(
    launch: Launch, jdk: Jdk, agent_kind: AgentKind
) -> None:
    has_virtual = jdk.version >= 21 and agent_kind != "stock"
    args = ["threads", "virtual"] if has_virtual else ["threads"]
    async with launch(TOPIC, MAIN, args=args) as session:
        calls = await session.trace("Observed#descend(int,boolean)").collect()
    threads = {each.thread_id for each in calls}
    assert len(threads) == 8
    for thread in threads:
        own = [each for each in calls if each.thread_id == thread]
        assert len(own) == 2 + 3 + 4 + 5 + 6
        for each in own:
            fails = each.argument("fails").value
            assert each.outcome == ("threw" if fails else "returned"), each
            if fails:
                assert "IllegalArgumentException" in str(each.exception)
            else:
                assert each.result is not None
                assert each.result.value == each.argument("n").value


async def test_methods_whose_locks_the_agent_may_need(launch: Launch) -> None:
    """A thread that is held in `Thread` has its lock, and JDK 17 makes a thread for the agent."""
    async with launch("stores", "Stores") as session:
        trace = await session.trace("java.lang.Thread#*", recorded=False)
        calls = await asyncio.wait_for(trace.collect(), _LONG_S)
        assert session.exit_code in (0, None)
    assert [each.method_name for each in calls].count("start") >= 6


@pytest.mark.agent
async def test_what_needs_a_lock_that_a_held_thread_has(launch_ours: Launch, jdk: Jdk) -> None:
    """What reads the result is not loaded then, since that would wait for the lock."""
    if jdk.version > 17:
        pytest.skip("from JDK 19 on no such method of Thread is synchronized")
    program = compiled("stores", "Stores", jdk)
    async with launch_ours("stores", "Stores") as session:
        ready = await session.break_at(f"Stores.java:{program.marker('ready')}")
        stop = await next_stop(session)
        await ready.remove()
        prices = await stop.frame.data_target("prices[*]")
        held = await session.break_at("java.lang.Thread#nextThreadID")
        await stop.resume()
        stop = await next_stop(session)
        await held.remove()
        with pytest.raises(UnsupportedError, match="held in a static synchronized method"):
            await session.watch(prices)
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.location.startswith("java.lang.Thread.<init>")
        assert stop.returned is None
        await stop.step_out()  # the lock is free again
        stop = await next_stop(session)
        await stop.resume()
        assert await session.wait() == 0
