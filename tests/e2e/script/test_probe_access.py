# SPDX-License-Identifier: Apache-2.0
"""Conditions that the program checks itself, about what its own code may not name or not find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.e2e.script.test_probes import hits_of
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Breakpoint
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "probed", "Probed"

NOT_PUBLIC = (
    "text.value.length == 5 && text.hash != 1 && i > 37",
    "String.valueOf(i).coder() == 0 && i == 6",
    "Thread.currentThread().tid > 0 && i == 35",
    "((java.util.ArrayList<Order>) orders).elementData.length > 30",
    "((java.util.ArrayList<Order>) orders).size == 7",
    "(((java.util.ArrayList<Order>) orders).modCount += 0) == 9",
    "new java.util.HashMap<>(java.util.Map.of(i, text)).table.clone()[1] != null",
    "new java.util.HashMap<>(java.util.Map.of(3, text)).table[1].key.equals(i)",
    'new java.util.HashMap<Integer, String>().newNode(1, i, text, null).value.equals("text4")',
    "new java.util.HashMap.Node<Integer, String>(i, i, text, null).hash == 34",
    "orders.iterator() instanceof java.util.ArrayList.Itr itr && itr.cursor == 0 && i > 38",
    "((java.util.ArrayList.Itr) (Object) orders.iterator()).expectedModCount == 12",
    "(even ? new java.util.HashMap<>().table : null) == null && int.class != null && i < 2",
)
"""Members and classes of the JDK, whose module opens nothing to the program."""


@pytest.mark.timeout(120)  # the debugger finds it slowly
async def test_what_is_not_public_in_the_jdk(launch_ours: Launch, jdk: Jdk) -> None:
    by_debugger, _ = await hits_of(launch_ours, jdk, "off", NOT_PUBLIC)
    by_program, breakpoints = await hits_of(launch_ours, jdk, "auto", NOT_PUBLIC)
    assert all(by_program.values())
    assert by_program == by_debugger
    if jdk.version >= 17:  # before, those that are set later wait for the thread in the method
        how = {str(each.condition): each.locations[0].why_event for each in breakpoints}
        assert how == dict.fromkeys(NOT_PUBLIC)


async def test_a_check_in_the_jdk_asks_objects_of_the_program(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """The classes are of another loader, which a class of the JDK cannot find."""
    look = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('look')}"
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        first = await session.break_at(look)
        stop = await next_stop(session)
        await first.remove()
        add = "java.util.ArrayList#add(java.lang.Object)"
        last = "size > 0 && elementData[size - 1]"
        added = await session.break_at(
            add, condition=f"{last} instanceof Probed.Order o && o.number == 22 && !o.isOdd()"
        )
        counted = await session.break_at(
            add,
            condition=f"size == 20 && {last} instanceof Probed.Order"
            " && ((Probed.Order) elementData[19]).total > 30",
        )
        await stop.resume()
        for expected in (added, counted):
            stop = await next_stop(session)
            assert stop.breakpoints == (expected,)
            await stop.resume()
        how = [(at.how, at.why_event) for each in (added, counted) for at in each.locations]
        assert how == [("probe", None)] * 2


@pytest.mark.parametrize("probes", ["off", "auto"])
async def test_only_objects_of_an_interface_that_the_class_of_the_method_is_not_of(
    launch_ours: Launch, jdk: Jdk, probes: ProbeChoice
) -> None:
    """Hits are those of books and cups, which inherit the method; pens do, too."""
    begin, done = (compiled("received", "Received", jdk).marker(each) for each in ("begin", "done"))
    async with launch_ours("received", "Received", args=["50"]) as session:
        session.settings.probes = probes
        at_begin = await session.break_at(f"Received.java:{begin}")
        stop = await next_stop(session)
        priced = "Received.Priced#price"
        plain = await session.break_at(priced, once=True)
        late = await session.break_at(priced, condition="calls == 40")
        counted = await session.break_at(priced, hit_condition="% 100")
        logged = await session.break_at(priced, condition="calls > 48", log_message="{calls}")
        await at_begin.remove()
        await session.break_at(f"Received.java:{done}")
        seen: list[Breakpoint] = []
        while stop.frame.line != done:
            await stop.resume()
            stop = await next_stop(session)
            seen += stop.breakpoints
            if stop.frame.line != done:
                this = await stop.frame.get("this")
                assert await this.type_name() in {"Received$Book", "Received$Cup"}
        assert [seen.count(each) for each in (plain, late, counted)] == [1, 8, 4]
        assert [each.hits for each in (late, counted, logged)] == [8, 400, 8]
        how = "event" if probes == "off" else "probe"
        assert {at.how for each in (late, counted, logged) for at in each.locations} == {how}


@pytest.mark.parametrize("probes", ["off", "auto"])
async def test_only_hits_of_one_thread_and_of_one_object(
    launch_ours: Launch, jdk: Jdk, probes: ProbeChoice
) -> None:
    """Four threads call the method 50 times on each of three objects of their own."""
    line = compiled("received", "Received", jdk).marker
    async with launch_ours("received", "Received", args=["50"]) as session:
        session.settings.probes = probes
        first = await session.break_at(f"Received.java:{line('priced')}", condition="times == 50")
        stop = await next_stop(session)
        thread, pen = stop.thread, await stop.frame.evaluate("each[1]")
        spec = f"Received.java:{line('price')}"
        counted = await session.break_at(spec, thread=thread, hit_condition="% 50")
        late = await session.break_at(spec, instance=pen, condition="calls == 7")
        logged = await session.break_at(spec, instance=pen, thread=thread, log_message="{calls}")
        with pytest.raises(jvmdebug.BreakpointError, match="is no object"):
            await session.break_at(spec, instance=await stop.frame.get("times"))
        await first.remove()
        await session.break_at(f"Received.java:{line('done')}")
        seen: list[Breakpoint] = []
        while stop.frame.line != line("done"):
            await stop.resume()
            stop = await next_stop(session)
            seen += stop.breakpoints
            assert stop.frame.line == line("done") or stop.thread == thread
        assert [seen.count(each) for each in (counted, late)] == [3, 1]
        assert [each.hits for each in (counted, late, logged)] == [150, 1, 50]
        how = "event" if probes == "off" else "probe"
        assert {at.how for each in (counted, late, logged) for at in each.locations} == {how}
