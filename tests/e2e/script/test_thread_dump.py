# SPDX-License-Identifier: Apache-2.0
"""Thread dumps: planted deadlocks, virtual threads that nobody has met, what is held meanwhile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import compiled, launched, next_stop, stop_at

if TYPE_CHECKING:
    from typing import Literal

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

MANY = 600
"""More than the agent reads together."""


async def deadlocked(session: jvmdebug.Session) -> jvmdebug.Snapshot:
    """The first thread dump with a deadlock, of a program that runs."""
    await session.start()
    while not (dump := await session.thread_dump()).deadlocks:
        assert session.exit_code is None
    assert not session.current_stops
    return dump


async def test_a_monitor_and_a_lock_in_one_circle(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with launched(compiled("threads", "MixedDeadlock", jdk), jdk, agent_kind) as session:
        dump = await deadlocked(session)
        assert [sorted(each) for each in dump.deadlocks] == [["one", "two"]]
        one, two = dump.thread("one"), dump.thread("two")
        assert (one.status, two.status) == ("waiting", "blocked")
        assert one.waits_for is not None
        assert one.waits_for.is_lock
        assert one.waits_for.owner == "two"
        assert re.fullmatch(r"ReentrantLock@[0-9a-f]+", one.waits_for.text)
        assert one.waits_for.text in [each.text for each in two.holds]
        assert two.waits_for is not None
        assert (two.waits_for.is_lock, two.waits_for.owner) == (False, "one")
        assert dump.monitors_unknown is None
        if agent_kind == "jvmdebug":
            assert two.waits_for.text.startswith("MixedDeadlock.class@")
            (held,) = one.holds
            assert held.text == two.waits_for.text
            assert held.depth is not None
            assert one.frames[held.depth].at.method_name == "locksMonitorFirst"
            assert one.cpu_s is not None
            assert one.number is not None


@pytest.mark.agent
async def test_what_a_thread_waits_on(jdk: Jdk) -> None:
    """JDK 23 and later do not tell it as a contended monitor."""
    program = compiled("threads", "MixedDeadlock", jdk)
    async with launched(program, jdk, "jvmdebug") as session:
        await stop_at(session, program, "mixed")
        dump = await session.thread_dump()
        three = dump.thread("three")
        assert three.status == "waiting"
        assert three.waits_for is not None
        assert three.waits_for.text.startswith("Object@")
        assert not three.waits_for.is_lock
        assert dump.held_s == 0.0  # all were suspended already


@pytest.mark.agent
@pytest.mark.parametrize("consistency", ["all", "stacks", "none"])
async def test_how_consistent_it_is(
    jdk: Jdk, consistency: Literal["all", "stacks", "none"]
) -> None:
    async with launched(compiled("threads", "MixedDeadlock", jdk), jdk, "jvmdebug") as session:
        await deadlocked(session)
        dump = await session.thread_dump(frames=2, consistency=consistency)
        assert [sorted(each) for each in dump.deadlocks] == [["one", "two"]]
        assert dump.held_s is not None
        assert (dump.held_s > 0) == (consistency != "none")
        two = dump.thread("two")
        assert len(two.frames) == 2
        assert two.frame_count > 2
        assert not any("JDWP" in each.name for each in dump.threads)
        await session.suspend()  # it went on, and can be stopped


async def test_another_agent_reads_no_running_threads(jdk: Jdk) -> None:
    if not jdk.has_jdwp:
        pytest.skip("this runtime has no agent of its own")
    async with launched(compiled("threads", "MixedDeadlock", jdk), jdk, "stock") as session:
        await session.start()
        with pytest.raises(jvmdebug.UnsupportedError, match=r"not suspended needs jvmdebug's own"):
            await session.thread_dump(consistency="none")


@pytest.mark.agent
async def test_virtual_threads_that_nobody_has_met(jdk: Jdk) -> None:
    if jdk.version < 21:
        pytest.skip("virtual threads: since Java 21")
    program = compiled("many", "many.Many", jdk)
    options = ["virtual threads", str(MANY)]
    async with launched(program, jdk, "jvmdebug", args=options) as session:
        source, line = program.marked("shown")
        await session.break_at(f"{source}:{line}")
        await session.start()
        await next_stop(session)
        for consistency in ("all", "stacks", "none"):
            dump = await session.thread_dump(consistency=consistency)
            virtual = [each for each in dump.threads if each.is_virtual]
            assert len(virtual) == dump.virtual_thread_count == MANY
            assert dump.left_out == 0
            assert len({each.number for each in virtual}) == MANY
            assert {each.status for each in virtual} == {"waiting"}
            for each in virtual:
                assert "Many.await" in str([str(frame) for frame in each.frames])
        few = await session.thread_dump(virtual_threads=10)
        assert sum(each.is_virtual for each in few.threads) == 10
        assert few.left_out == MANY - 10
        none = await session.thread_dump(virtual_threads=0)
        assert not any(each.is_virtual for each in none.threads)
