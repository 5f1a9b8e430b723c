# SPDX-License-Identifier: Apache-2.0
"""Sampled allocations by site with what is alive of them, collections, and a heap that is full."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.heap import HeapError
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_WAIT_S = 30.0


async def _sampled(allocations: jvmdebug.heap.Allocations, name: str, samples: int) -> None:
    """Wait until there are so many samples of a class."""
    async with asyncio.timeout(_WAIT_S):
        while True:
            sites = (await allocations.profile()).sites
            if sum(each.samples for each in sites if each.type_name == name) >= samples:
                return
            await asyncio.sleep(0.05)


async def _when_most_are_dead(
    allocations: jvmdebug.heap.Allocations,
) -> jvmdebug.heap.AllocationProfile:
    """Waits: from 17 on the VM tells of dead objects some time after the collection."""
    async with asyncio.timeout(_WAIT_S):
        while True:
            profile = await allocations.profile()
            sites = [each for each in profile.sites if each.type_name == "byte[]"]
            kept, dropped = (
                max((each for each in sites if text in str(each.at)), key=lambda site: site.samples)
                for text in ("Kept", "Dropped")
            )
            if dropped.live_bytes <= dropped.bytes / 2 and kept.samples > 20:
                return profile
            await asyncio.sleep(0.05)


async def test_sites_and_what_is_alive_of_them(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("heap", "Orders")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx256m"]) as session:
        await session.start()
        if agent_kind == "stock":
            with pytest.raises(jvmdebug.UnsupportedError, match="jvmdebug's own agent"):
                await session.allocations().open()
            return
        async with session.allocations(every=64 * 1024, stack=4) as allocations:
            with pytest.raises(HeapError, match="2 GB"):
                session.allocations(every=-1)
            await _sampled(allocations, "byte[]", 200)
            await session.heap.collect()
            profile = await _when_most_are_dead(allocations)
        assert profile.samples == sum(each.samples for each in profile.sites)
        sites = [each for each in profile.sites if each.type_name == "byte[]" and each.samples > 20]
        kept = next(each for each in sites if "Kept" in str(each.at))
        dropped = next(each for each in sites if "Dropped" in str(each.at))
        assert kept.live_bytes == kept.bytes
        assert dropped.live_bytes <= dropped.bytes / 2
        assert str(kept.stack[1]) == f"Orders.keep(Orders.java:{program.marker('kept')})"
        assert 0.5 < kept.bytes / dropped.bytes < 2
        # It has ended: the program allocates on, and nothing is counted.
        after = await allocations.profile()
        assert after.samples == (await allocations.profile()).samples


async def test_collections_are_told(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_sites_and_what_is_alive_of_them")
    program = debuggee("heap", "Orders")
    vm_args = ["-Xmx256m", "-XX:+UseSerialGC"]
    async with launched(program, jdk, agent_kind, vm_args=vm_args) as session:
        await session.start()
        async with session.gc_events() as events:
            await session.heap.collect()
            pause = await events.next(_WAIT_S)
            assert isinstance(pause, jvmdebug.GcPause)
            assert 0 < pause.duration_s < 10
            assert events.longest_s >= pause.duration_s
        async with session.gc_events(break_after_s=0.0):
            stopped = asyncio.get_running_loop().create_future()
            session.subscribe(
                lambda event: (
                    stopped.set_result(event.stop) if isinstance(event, jvmdebug.Stopped) else None
                )
            )
            await session.heap.collect()
            stop = await asyncio.wait_for(stopped, _WAIT_S)
            assert stop.reason is jvmdebug.StopReason.PAUSE


async def test_who_asked_when_the_heap_was_full(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("heap", "Full")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx32m"]) as session:
        await session.break_on_exception("java.lang.OutOfMemoryError")
        stop = await next_stop(session)
        assert stop.reason is jvmdebug.StopReason.EXCEPTION
        assert stop.frame.line == program.marker("asked")
        assert (await stop.frame.get("hoard")).declared_type == "java.util.List"
        # In the fast mode another error stands for it: the thread does not stop again as it ends.
        await stop.resume()
        assert await session.next_stop(_WAIT_S) is None


async def test_who_asked_is_told_without_a_stop(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_sites_and_what_is_alive_of_them")
    program = debuggee("heap", "Full")
    async with (
        launched(program, jdk, agent_kind, vm_args=["-Xmx32m"]) as session,
        session.gc_events(longer_than_s=1000) as events,
    ):
        await session.start()
        told = await events.next(_WAIT_S)
        assert isinstance(told, jvmdebug.ResourceExhausted)
        assert (told.resource, told.thread) == ("heap", "main")
        assert str(told.stack[0]) == f"Full.fill(Full.java:{program.marker('asked')})"


async def test_a_stop_where_a_class_is_allocated(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("heap", "Orders")
    async with launched(program, jdk, agent_kind) as session:
        arrays = await session.break_on_allocation("Orders$Order[]", "Orders#<clinit>")
        kept = await session.break_on_allocation("Orders$Kept", "Orders#keep")
        express = await session.break_on_allocation(
            "Orders.Express", "Orders#main", condition="number == 5"
        )
        nothing = await session.break_on_allocation("Orders$Order", "Orders#drop")
        stop = await next_stop(session)
        assert (stop.frame.function, stop.breakpoints) == ("static {...} of Orders", (arrays,))
        await arrays.remove()
        for expected, line in ((express, None), (kept, program.marker("kept"))):
            await session.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (expected,)
            assert line is None or stop.frame.line == line
        assert nothing.message == "Orders: drop allocates no Orders$Order"
        assert str(kept.spec) == "new Orders$Kept in Orders#keep"
