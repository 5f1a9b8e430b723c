# SPDX-License-Identifier: Apache-2.0
"""Many threads, and deep stacks: what an editor asks at a stop grows in proportion at most."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import ThreadStarted
from tests.scale.adapter import adapter, launch_attributes
from tests.scale.test_collections import commands, showing
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from jvmdebug import SessionEvent
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

FEW: Final = 250
FACTOR: Final = 4
STEEPEST: Final = 2 * FACTOR
"""What costs its square costs sixteen times."""
IGNORED_S: Final = 0.2
MOST_MIB: Final = 150
VERY_MANY: Final = 5000


async def cost_of_a_step(jdk: Jdk, agent: AgentKind, count: int) -> float:
    """Seconds of the adapter for a step, and what an editor asks then."""
    program = debuggee("many", "many.Many")
    async with adapter() as running:
        client = running.client
        started = launch_attributes(program, jdk, agent, "threads", str(count))
        frame = await client.run_to(program, "shown", started)
        assert len((await client.request("threads"))["threads"]) >= count
        before = running.cpu_s()
        for _ in range(2):
            await client.request("next", {"threadId": frame["threadId"]})
            await client.event("stopped", reason="step")
            assert len((await client.request("threads"))["threads"]) >= count
            await client.top_frames(frame["threadId"])
        spent = running.cpu_s() - before
        assert running.most_memory_mib() < MOST_MIB
        await client.request("disconnect", {"terminateDebuggee": True})
        return spent


async def test_a_step_among_many_threads(jdk: Jdk, agent_kind: AgentKind) -> None:
    few = await cost_of_a_step(jdk, agent_kind, FEW)
    many = await cost_of_a_step(jdk, agent_kind, FACTOR * FEW)
    assert many < max(IGNORED_S, STEEPEST * few)


@pytest.mark.agent
@pytest.mark.parametrize("kind", ["threads", "virtual threads"])
async def test_the_names_of_all_threads_are_one_command(jdk: Jdk, kind: str) -> None:
    if kind.startswith("virtual") and jdk.version < 21:
        pytest.skip("virtual threads: since Java 21")
    started: set[int] = set()
    all_told = asyncio.Event()
    expected = 0

    def note(event: SessionEvent) -> None:
        if isinstance(event, ThreadStarted) and event.thread.name.startswith("waiting "):
            started.add(event.thread.id)
            if len(started) >= expected:
                all_told.set()

    async with showing(jdk, "jvmdebug", (kind,), (FEW, FACTOR * FEW)) as run:
        run.session.subscribe(note)
        for size in (FEW, FACTOR * FEW):
            if run.session.current_stops:
                await run.session.resume()
            expected += 0 if kind.startswith("virtual") else size
            await run.next_stop()
            if len(started) < expected:  # their names are asked beside the stop
                all_told.clear()
                await asyncio.wait_for(all_told.wait(), 20)
            before = commands(run.session)
            listed = await run.session.threads()
            # None if all names have come with the stop.
            assert commands(run.session) - before <= 1
            assert kind.startswith("virtual") or len(listed) >= size


@pytest.mark.slow
async def test_a_program_of_very_many_threads_ends_at_a_stop_when_it_is_told_to(jdk: Jdk) -> None:
    """The probe is taken out, for which the stacks of all threads are read, before it can end."""
    async with showing(jdk, "jvmdebug", ("threads",), (VERY_MANY,)) as run:
        await run.next_stop()
        await run.session.terminate()
        assert run.session.exit_code in (0, 143), "it was killed"


async def test_the_first_frames_cost_the_same_in_any_depth(jdk: Jdk, agent_kind: AgentKind) -> None:
    asked = {}
    async with showing(jdk, agent_kind, ("frames",), (FEW, FEW, FACTOR * FEW)) as run:
        for size in (FEW, FEW, FACTOR * FEW):  # the first one asks for the methods, too
            if run.session.current_stops:
                await run.session.resume()
            stop = await run.next_stop()
            before = commands(run.session)
            assert len(await stop.frames(0, 20)) == 20
            assert await stop.frame_count() > size
            asked[size] = commands(run.session) - before
            await run.session.resume()
            await run.next_stop()  # the same once more, not deep
    assert asked[FACTOR * FEW] <= asked[FEW]
