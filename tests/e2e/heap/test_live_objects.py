# SPDX-License-Identifier: Apache-2.0
"""Objects of a program that runs or is stopped: chosen by a condition, what refers to them, and
marks that tell when one has been collected.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.heap import HeapError
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind


@contextlib.asynccontextmanager
async def _stopped(
    jdk: Jdk, agent_kind: AgentInVm
) -> AsyncIterator[tuple[jvmdebug.Session, jvmdebug.Stop]]:
    program = debuggee("heap", "Orders")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx128m"]) as session:
        yield session, await stop_at(session, program, "serving")


async def test_objects_are_chosen_by_a_condition(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with _stopped(jdk, agent_kind) as (session, _):
        await _check_pages(session)
        await _check_conditions(session)
        page = await session.heap.instances("Orders$Order", where="price() == 7")
        assert await (await session.heap.variable(page.objects[0]).children())[0].as_text() == "7"
        # What the condition calls is dispatched.
        named = await session.heap.instances(
            "Orders$Priced", where='it.toString().startsWith("Orders$Express")'
        )
        assert {each.type_name for each in named} == {"Orders$Express"}
        await _check_referrers(session)


async def _check_pages(session: jvmdebug.Session) -> None:
    heap = session.heap
    whole = await heap.instances("Orders$Order", limit=1000)
    assert (whole.total, len(whole), whole.has_more) == (211, 211, False)
    assert (await heap.instances("Orders$Order", subclasses=False)).total == 201
    assert (await heap.instances("Orders$Priced")).total == 211
    paged = [
        each.id
        for offset in range(0, 220, 50)
        for each in await heap.instances("Orders$Order", limit=50, offset=offset)
    ]
    assert sorted(paged) == sorted(each.id for each in whole)
    first = await heap.instances("Orders$Order", limit=50)
    assert first.has_more
    with pytest.raises(jvmdebug.EvaluationError, match=r"no class shop\.None is loaded"):
        await heap.instances("shop.None")
    with pytest.raises(
        jvmdebug.ArgumentError, match="limit is 0: it must be a whole number from 1"
    ):
        await heap.instances("Orders$Order", limit=0)


async def _check_conditions(session: jvmdebug.Session) -> None:
    heap = session.heap
    page = await heap.instances("Orders$Order", where="total > 195 && total < 1003", limit=5)
    assert (len(page), page.has_more, page.total) == (5, True, 211)
    rest = await heap.instances(
        "Orders$Order", where="total > 195 && total < 1003", limit=5, offset=5
    )
    assert (len(rest), rest.has_more) == (2, False)
    # What has no value is left out, and told.
    named = await heap.instances("Orders$Order", where='customer.equals("customer 3")')
    assert (len(named), named.failed) == (20, 10)
    assert named.failure is not None
    assert "null" in named.failure
    arrays = await heap.instances("Orders$Order[]", where="it.length == 5")
    assert len(arrays) == 1
    with pytest.raises(jvmdebug.EvaluationError, match="totl"):
        await heap.instances("Orders$Order", where="totl > 1")
    with pytest.raises(jvmdebug.EvaluationError, match="boolean"):
        await heap.instances("Orders$Order", where="total")


async def _check_referrers(session: jvmdebug.Session) -> None:
    (second,) = await session.heap.instances("Orders$Order", where="total == 1")
    found = await session.heap.referrers(second)
    vias = {(each.object.type_name, each.via) for each in found}
    assert ("Orders$Order", (".next",)) in vias
    assert ("Orders$Order[]", ("[3]",)) in vias
    assert ("java.lang.Object[]", ("[1]",)) in vias
    (mortal,) = await session.heap.referrers("Orders.mortal")
    assert mortal.via == ("static Orders.mortal",)


async def test_a_program_that_runs(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("heap", "Orders")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx128m"]) as session:
        stop = await stop_at(session, program, "serving")
        await stop.resume()
        page = await session.heap.instances("Orders$Express", where="total == 1004")
        assert [each.type_name for each in page] == ["Orders$Express"]
        # A method that only reads is computed; another one would run code.
        page = await session.heap.instances("Orders$Express", where="price() == 1004")
        assert [each.type_name for each in page] == ["Orders$Express"]
        with pytest.raises(HeapError, match="takes a thread that is stopped at a breakpoint"):
            await session.heap.instances("Orders$Express", where="System.nanoTime() == total")
        assert await session.heap.instances("Orders.Express", where="this.total == 1004")
        for wrong in ("Orders.Nothing", "Orders;", "[", ""):
            with pytest.raises(jvmdebug.EvaluationError, match=r"no class .* is loaded: give its"):
                await session.heap.instances(wrong)


async def test_a_marked_object_that_dies_is_told(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with _stopped(jdk, agent_kind) as (session, stop):
        if agent_kind == "stock":
            with pytest.raises(jvmdebug.UnsupportedError, match="jvmdebug's own agent"):
                await session.heap.mark("Orders.mortal")
            return
        told: list[jvmdebug.SessionEvent] = []
        session.subscribe(told.append)
        heap = session.heap
        mark = await heap.mark("Orders.mortal")
        again = await heap.mark("Orders.mortal")
        living = await heap.mark("Orders.ALL")
        removed = await heap.mark("Orders.ARRAY")
        assert again.number == mark.number
        await removed.remove()
        await stop.frame.evaluate("mortal = null")
        await stop.resume()
        for _ in range(20):
            await heap.collect()
            if await mark.wait(0.5):
                break
        assert mark.is_collected
        assert again.is_collected
        assert not living.is_collected
        collected = [each for each in told if isinstance(each, jvmdebug.ObjectCollected)]
        assert [each.mark for each in collected] == [mark, again]
        assert "mortal" in mark.text
        # It has survived collections.
        assert not await living.wait(0)
