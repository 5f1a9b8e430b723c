# SPDX-License-Identifier: Apache-2.0
"""Writes to fields, samples, snapshots, and the limits of observations, in real VMs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointError, EvaluationError, StateError
from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import TypeAlias

    from jvmdebug import Session
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

    Launch: TypeAlias = Callable[..., AbstractAsyncContextManager[Session]]

TOPIC, MAIN = "observed", "Observed"


@pytest.fixture
def launch(jdk: Jdk, agent_kind: AgentKind) -> Launch:
    """Launches the debuggee with these arguments."""

    def open_session(*args: str) -> AbstractAsyncContextManager[Session]:
        return launched(compiled(TOPIC, MAIN, jdk), jdk, agent_kind, args=args)

    return open_session


def seen(calls: list[jvmdebug.Call]) -> list[str]:
    """The texts without times and ids."""
    texts = (re.sub(r" \([^()]* [µm]?s\)$", "", str(each)) for each in calls)
    return [re.sub(r"@[0-9a-f]+", "@1f", each) for each in texts]


def requests(session: Session) -> int:
    """How many event requests the core has in the VM."""
    return len(session._services.router._requests._handles)


async def test_who_sets_a_field(launch: Launch) -> None:
    async with launch("fields") as session:
        writes = session.who_sets("Observed.owner")
        nulls = session.who_sets("Observed.owner", to="null", stack=2)
        zeros = session.who_sets("Observed.counter", to="0")
        async with writes, nulls, zeros:
            found = await writes.collect()
            assert [(each.old.value, each.new.value, each.at.method_name) for each in found] == [
                (None, "Ann", "<init>"),
                ("Ann", "Bob", "fields"),
                ("Bob", None, "clear"),
            ]
            assert found[0].instance is not None
            assert len({each.instance.object_id for each in found if each.instance}) == 1
            (null,) = await nulls.collect()
            assert [each.function for each in null.stack] == ["Observed.clear", "Observed.fields"]
            assert null.new.is_null
            (zero,) = await zeros.collect()
            assert (zero.old.value, zero.new.value, zero.instance) == (7, 0, None)
            assert str(zero).startswith("Observed.counter: 7 -> 0 at Observed.fields(")


async def test_samples_of_a_running_program(launch: Launch, jdk: Jdk) -> None:
    line = compiled(TOPIC, MAIN, jdk).marker("tick")
    async with launch("spin") as session:
        before = requests(session)
        first = await session.sample("n + 1", at=f"Observed.java:{line}", limit=1).collect()
        assert first[0].number == 1
        assert str(first[0].at) == f"Observed.tick(Observed.java:{line})"
        counts = [
            each.number or 0.0
            for each in await session.sample("Observed.counter", every=0.02, limit=4).collect()
        ]
        assert counts == sorted(counts)
        assert len(set(counts)) > 1
        for expression in (
            "Observed.ORDERS.size()",
            "Observed.PRICES.size",
            "Observed.name.length()",
        ):
            (sample,) = await session.sample(expression, every=0.02, limit=1).collect()
            assert sample.number is not None, sample
        with pytest.raises(EvaluationError, match="Observed has no static field or class nothing"):
            await session.sample("Observed.nothing", every=0.02, limit=1).collect()
        with pytest.raises(EvaluationError, match="at intervals nothing is run"):
            await session.sample('Observed.ORDERS.add("cup")').collect()
        with pytest.raises(EvaluationError, match="expected an expression"):
            session.sample("1 +")
        timed = session.sample("counter", at="Observed#tick", every=0.1, duration_s=0.35)
        assert 1 <= len(await timed.collect()) <= 4
        assert requests(session) == before


async def test_samples_wait_for_the_class(launch: Launch) -> None:
    """Samples say so once; before, each was an error."""
    async with launch("spin") as session, session.sample("Observed.counter", limit=2) as samples:
        waits_for = samples.message
        assert "names no class that is loaded" in str(waits_for)
        assert [each.error for each in await samples.collect()] == [None, None]
        assert not samples.message
        waiting = session.sample("shop.Nothing.counter", every=0.02, duration_s=0.2)
        assert await waiting.collect() == []
        assert "'shop.Nothing.counter' names no class" in str(waiting.message)


async def test_a_trace_takes_only_what_it_can_keep_and_leaves_nothing(launch: Launch) -> None:
    async with launch("spin") as session:
        await session.start()
        before = requests(session)
        async with session.trace("Observed#tick", capacity=4) as trace:
            await session.sample("n", at="Observed#tick", limit=8).collect()
            assert requests(session) > before
            assert trace.missed > 0
            assert len(trace.take()) == 2  # their beginnings are in the queue too
            call = await trace.next(timeout_s=20)
            assert call is not None
        assert requests(session) == before
        events = [event async for event in session.trace("Observed#tick", limit=2).events()]
        assert [type(each).__name__ for each in events] == ["CallEntered", "Call"] * 2
        assert requests(session) == before
        with pytest.raises(BreakpointError, match="has no method nothing"):
            await session.trace("Observed#nothing").collect()
        with pytest.raises(BreakpointError, match="has no field nothing"):
            await session.who_sets("Observed.nothing")
        assert requests(session) == before


async def test_calls_that_do_not_end_are_not_waited_for(launch: Launch) -> None:
    async with launch("spin") as session:
        trace = session.trace("Observed#*", limit=2)
        assert {call.method_name for call in await trace.collect()} <= {"tick", "<clinit>"}
        assert {call.method_name for call in trace.open_calls} >= {"main", "spin"}


async def test_what_a_step_calls(launch: Launch) -> None:
    async with launch("calls") as session:
        await session.break_at("Observed#calls")
        stop = await next_stop(session)
        async with session.trace("Observed#<init>") as trace:
            await stop.step_over()
            stop = await next_stop(session)
            assert seen(trace.take()) == ['Observed.<init>("Ann")']
        snapshot = await session.snapshot(variables=1)
        top = snapshot.thread("main").frames[0]
        assert [each.name for each in top.variables] == ["it"]
        await stop.step_over()
        await next_stop(session)
        (difference,) = snapshot.differences(await session.snapshot())
        assert difference.startswith('"main" was at Observed.calls(')


async def test_a_snapshot_shows_a_deadlock(launch: Launch) -> None:
    async with launch("deadlock") as session:
        await session.start()
        while not (snapshot := await session.snapshot()).deadlocks:
            assert session.exit_code is None
        assert [sorted(each) for each in snapshot.deadlocks] == [["lefty", "righty"]]
        lefty = snapshot.thread("lefty")
        assert lefty.status == "blocked"
        assert lefty.waits_for is not None
        assert lefty.waits_for.owner == "righty"
        assert "Deadlock: " in str(snapshot)
        with pytest.raises(KeyError):
            snapshot.thread("nobody")


async def test_a_snapshot_shows_a_deadlock_of_locks(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Locks of java.util.concurrent: the threads are parked, and no monitor is held."""
    async with launched(compiled("threads", "Locks", jdk), jdk, agent_kind) as session:
        await session.start()
        while not (snapshot := await session.snapshot()).deadlocks:
            assert session.exit_code is None
        assert [sorted(each) for each in snapshot.deadlocks] == [["one", "two"]]
        one, two = snapshot.thread("one"), snapshot.thread("two")
        assert one.waits_for is not None
        assert one.waits_for.is_lock
        assert one.waits_for.owner == "two"
        assert re.fullmatch(r"ReentrantLock@[0-9a-f]+", one.waits_for.text)
        assert one.waits_for.text in [each.text for each in two.holds]


async def test_nothing_is_observed_after_the_end(launch: Launch) -> None:
    async with launch("calls") as session:
        trace = await session.trace("Nothing#*")
        assert await trace.next() is None
        assert trace.message == "class Nothing is not loaded"
        await session.wait()
        with pytest.raises(StateError):
            await session.trace("Observed#*")
