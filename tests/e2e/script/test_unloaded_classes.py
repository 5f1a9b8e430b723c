# SPDX-License-Identifier: Apache-2.0
"""Probes in classes that the VM unloads: they do not keep a class, and wait for the next loader."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "unloaded", "Unloaded"
_LOADERS = 4
_SOON_S = 20


async def _until_pending(stop: jvmdebug.Stop, *breakpoints: jvmdebug.Breakpoint) -> None:
    """The VM tells of an unloaded class a moment later, or at the next collection only (21)."""
    async with asyncio.timeout(_SOON_S):
        while any(each.locations for each in breakpoints):
            await stop.frame.evaluate("System.gc()")
    assert all(each.is_pending for each in breakpoints)


async def test_a_class_with_probes_is_unloaded(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    part, between = (f"Unloaded.java:{program.marker(each)}" for each in ("part", "between"))
    async with launch_ours(TOPIC, MAIN) as session:
        asking = await session.break_at(part, condition="i == 2")
        counted = await session.break_at(part, condition="i >= 0", hit_condition="5")
        logging = await session.break_at(part, condition="i >= 0", log_message="{i}")
        ready = await session.break_at(between)
        for number in range(1, _LOADERS + 1):
            stop = await next_stop(session)
            if counted in stop.breakpoints:  # the fifth, counted over all loaders
                assert (number, await (await stop.frame.get("i")).as_text()) == (2, "1")
                await stop.resume()
                stop = await next_stop(session)
            assert stop.breakpoints == (asking,)
            for each in (asking, counted, logging):
                assert [(at.how, at.why_event) for at in each.locations] == [("probe", None)]
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (ready,)
            assert await (await stop.frame.get("unloaded")).as_text() == "true"
            await _until_pending(stop, asking, counted, logging)
            assert (asking.hits, counted.hits, logging.hits) == (number, 3 * number, 3 * number)
            await stop.resume()
        assert await session.wait() == 0


async def test_a_class_whose_probes_were_removed_is_unloaded(launch_ours: Launch, jdk: Jdk) -> None:
    """The calls are still in it: a thread runs it."""
    program = compiled(TOPIC, MAIN, jdk)
    part, last, between = (
        f"Unloaded.java:{program.marker(each)}" for each in ("part", "last", "between")
    )
    async with launch_ours(TOPIC, MAIN) as session:
        ready = await session.break_at(between)
        asking = await session.break_at(part, condition="i == 2")
        stop = await next_stop(session)
        assert [(at.how, at.why_event) for at in asking.locations] == [("probe", None)]
        await asking.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (ready,)
        assert await (await stop.frame.get("unloaded")).as_text() == "true"
        again = await session.break_at(last, condition="passed == 3")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (again,)
        await again.remove()
        await ready.remove()
        await stop.resume()
        assert await session.wait() == 0


async def test_a_class_of_many_loaders(launch_ours: Launch, jdk: Jdk) -> None:
    """Each class gets the probe before it runs; hits are counted over all of them."""
    program = compiled(TOPIC, MAIN, jdk)
    part, kept = (f"Unloaded.java:{program.marker(each)}" for each in ("part", "kept"))
    async with launch_ours(TOPIC, MAIN, args=["25"]) as session:
        asking = await session.break_at(part, condition="i == 1 && passed == 0")
        counted = await session.break_at(part, condition="i < 9", hit_condition="% 50")
        await session.break_at(kept)
        seen = []
        while kept not in map(str, (stop := await next_stop(session)).breakpoints):
            seen += [each.condition for each in stop.breakpoints]
            await stop.resume()
        assert seen.count(asking.condition) == asking.hits == 25
        assert seen.count(counted.condition) == 1
        assert counted.hits == 75
        for each in (asking, counted):
            assert [(at.how, at.why_event) for at in each.locations] == [("probe", None)] * 25
        await asking.remove()
        await counted.remove()
        await stop.resume()
        assert await session.wait() == 0


async def test_a_check_in_the_jdk_that_was_removed_keeps_no_class_of_the_program(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """The class of the check stays for as long as the JDK's."""
    program = compiled(TOPIC, MAIN, jdk)
    part, between = (f"Unloaded.java:{program.marker(each)}" for each in ("part", "between"))
    async with launch_ours(TOPIC, MAIN) as session:
        asking = await session.break_at(part, condition="i == 2")
        await session.break_at(between)
        stop = await next_stop(session)
        named = await session.break_at(
            "java.util.ArrayList#add(java.lang.Object)",
            condition="size > 0 && elementData[0] instanceof Unloaded.Part p && p.passed == 0",
        )
        assert [(at.how, at.why_event) for at in named.locations] == [("probe", None)]
        await named.remove()
        await asking.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("unloaded")).as_text() == "true"
