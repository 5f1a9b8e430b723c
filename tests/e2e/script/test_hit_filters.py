# SPDX-License-Identifier: Apache-2.0
"""Only hits of one thread, and of one object's methods: of watches and exceptions as of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.model.agent import AgentCapability
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Breakpoint, Session, Stop, ThreadHandle, Variable
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "filtered", "Filtered"
BY_THREAD = {"line": 20, "field": 30, "local": 20, "element": 20, "caught": 20, "uncaught": 1}
BY_OBJECT = {"line": 10, "field": 10, "local": 10, "element": 10, "caught": 10, "uncaught": 1}


async def set_all(session: Session, stop: Stop, **only: Any) -> dict[str, Breakpoint]:
    """A log point of each kind."""
    add = "Filtered$Account#add"
    thrown = session.break_on_exception
    found = {
        "line": await session.break_at(add, log_message="reached", **only),
        "field": await session.watch("Filtered$Account.balance", log_message="{$new}", **only),
        "local": await session.watch(f"{add}.after", log_message="{$new}", **only),
        "caught": await thrown(
            "java.lang.IllegalStateException", uncaught=False, log_message="caught", **only
        ),
        "uncaught": await thrown(
            "java.lang.IllegalArgumentException", caught=False, log_message="not caught", **only
        ),
    }
    if session.vm.agent_can(AgentCapability.ELEMENT_STORES):
        array = await stop.frame.data_target("latest[0]")
        found["element"] = await session.watch(array, log_message="{$new}", **only)
    return found


async def at_ready(session: Session, jdk: Jdk) -> tuple[Stop, ThreadHandle, Variable]:
    """Waits for both threads; gives one of them, and one of its accounts."""
    line = compiled(TOPIC, MAIN, jdk).marker("ready")
    await session.break_at(f"Filtered.java:{line}", once=True)
    stop = await next_stop(session)
    (thread,) = [each for each in await session.threads() if each.name == "the second"]
    return stop, thread, await stop.frame.evaluate("second")


async def hits_of_each(
    session: Session, jdk: Jdk, by: str
) -> tuple[dict[str, int], dict[str, object]]:
    """The hits by kind, with who has checked: `by` the thread or the object."""
    stop, thread, account = await at_ready(session, jdk)
    only = {"thread": thread} if by == "thread" else {"instance": account}
    every = await set_all(session, stop, **only)
    done = compiled(TOPIC, MAIN, jdk).marker("done")
    await session.break_at(f"Filtered.java:{done}")
    await stop.resume()
    assert (await next_stop(session)).frame.line == done
    how: dict[str, object] = {
        name: {at.how for at in each.locations} for name, each in every.items()
    }
    return {name: each.hits for name, each in every.items()}, how


@pytest.mark.parametrize(("by", "expected"), [("thread", BY_THREAD), ("instance", BY_OBJECT)])
async def test_each_kind(
    launch: Launch, jdk: Jdk, agent_kind: AgentKind, by: str, expected: dict[str, int]
) -> None:
    mode: Any = {"mode": "full"} if agent_kind == "jvmdebug" else {}
    async with launch(TOPIC, MAIN, **mode) as session:
        hits, _ = await hits_of_each(session, jdk, by)
    assert hits == {kind: expected[kind] for kind in hits}


@pytest.mark.parametrize(("by", "expected"), [("thread", BY_THREAD), ("instance", BY_OBJECT)])
async def test_each_kind_in_the_fast_mode(
    launch_ours: Launch, jdk: Jdk, by: str, expected: dict[str, int]
) -> None:
    async with launch_ours(TOPIC, MAIN, mode="fast") as session:
        hits, how = await hits_of_each(session, jdk, by)
    assert hits == expected
    assert how["line"] == how["field"] == how["element"] == {"probe"}


async def test_a_thread_that_ends_by_what_no_event_has_reported(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """The frames are gone by then: no method of an object has thrown."""
    async with launch_ours(TOPIC, MAIN, mode="fast") as session:
        stop, thread, account = await at_ready(session, jdk)
        await stop.frame.evaluate("isDeep = true")
        type_name = "java.lang.StackOverflowError"
        by_thread = await session.break_on_exception(type_name, caught=False, thread=thread)
        by_object = await session.break_on_exception(type_name, caught=False, instance=account)
        found = [(each.ends_thread, each.breakpoints) async for each in session.stops()]
    assert found == [(True, (by_thread,))]
    assert (by_thread.hits, by_object.hits) == (1, 0)


@pytest.mark.parametrize("by", ["thread", "instance"])
async def test_a_watch_that_asks_nothing_else_is_checked_by_the_program(
    launch_ours: Launch, jdk: Jdk, by: str
) -> None:
    async with launch_ours(TOPIC, MAIN) as session:
        stop, thread, account = await at_ready(session, jdk)
        only: Any = {"thread": thread} if by == "thread" else {"instance": account}
        watched = await session.watch("Filtered$Account.balance", **only)
        assert {at.how for at in watched.locations} == {"probe"}
        await stop.resume()
        found = [each.thread.name async for each in session.stops()]
    expected = BY_THREAD if by == "thread" else BY_OBJECT
    assert found == ["the second"] * expected["field"]
