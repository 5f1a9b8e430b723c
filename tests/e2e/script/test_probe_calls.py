# SPDX-License-Identifier: Apache-2.0
"""What conditions that the program checks itself call: with a guard, or without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sessions import compiled, next_stop
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "probed", "Probed"


async def _calls_methods(session: jvmdebug.Session) -> dict[str, bool]:
    """Whether it calls methods, by condition."""
    uses = await session.probes()
    assert [each.location.why_event for each in uses] == [None] * len(uses)
    return {str(each.breakpoint.condition): each.calls_methods for each in uses}


async def test_what_only_computes_is_called_without_a_guard(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        only_computes = (
            "order != null && order.isOdd() && order.number > 30",
            'order != null && order.name().equals("never")',
            "Order.made() == 100",
            'getClass().getName().equals("never")',
            'Thread.currentThread().getName().equals("never")',
        )
        calls = ("slow(i)", "times(i) < 0", "String.valueOf(order) == text")
        look = f"Probed.java:{program.marker('look')}"
        for each in (*only_computes, *calls):
            await session.break_at(look, condition=f"i < 0 && ({each})")
        stop_at = await session.break_at(look, condition="i == 3")
        stop = await next_stop(session)
        found = await _calls_methods(session)
        assert {f"i < 0 && ({each})" for each in calls} == {e for e, does in found.items() if does}
        # With a breakpoint in what it calls it is guarded, and may ask what it would come to.
        odd = f"Probed.java:{program.marker('odd')}"
        inside = await session.break_at(odd, condition="isOdd() && number == 31")
        found = await _calls_methods(session)
        assert found["isOdd() && number == 31"]
        assert found[f"i < 0 && ({only_computes[0]})"]
        assert not found[f"i < 0 && ({only_computes[1]})"]
        await stop_at.set_condition("order != null && order.isOdd() && order.number > 30")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (stop_at,)
        assert await (await stop.frame.get("i")).as_text() == "31"
        await inside.remove()


async def test_what_a_check_calls_is_looked_at_again_when_it_is_hot_swapped(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    source = program.source_dir / "Probed.java"
    changed = source.read_text().replace("return number % 2 == 1;", "return name().length() > 5;")
    (tmp_path / "Probed.java").write_text(changed)
    options = ("-g", "--release", str(jdk.version))
    javac([tmp_path / "Probed.java"], tmp_path / "classes", *options)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        look = f"Probed.java:{program.marker('look')}"
        hot = await session.break_at(look, condition="i == 3 || order != null && order.isOdd()")
        stop = await next_stop(session)
        assert not any((await _calls_methods(session)).values())
        await session.redefine(tmp_path / "classes" / "Probed$Order.class")
        assert all((await _calls_methods(session)).values())
        await hot.set_condition("i > 30 || order != null && order.isOdd()")
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "31"


async def test_a_check_in_front_of_the_constructor_of_the_superclass(launch_ours: Launch) -> None:
    """There nothing may take `this`."""
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        made = await session.break_at("Probed.Order#<init>", condition="number == 8")
        other = await session.break_at("Probed.Order#<init>", condition="this.number == 7")
        stop = await next_stop(session)
        assert stop.breakpoints == (made,)
        assert await (await stop.frame.get("number")).as_text() == "8"
        assert [(each.how, each.why_event) for each in (*made.locations, *other.locations)] == [
            ("probe", None),
            (
                "event",
                "it needs the object, whose constructor has not called that of the superclass",
            ),
        ]
