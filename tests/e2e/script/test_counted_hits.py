# SPDX-License-Identifier: Apache-2.0
"""Hits that the program counts itself: hit conditions, and log messages over the budget."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "probed", "Probed"


async def test_hits_are_counted_exactly_by_many_threads(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN, args=["1000"]) as session:
        session.settings.probes = "auto"
        hot = f"Probed.java:{program.marker('hot')}"
        logged: list[str] = []
        session.subscribe(
            lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
        )
        # 1000 in `times` of main, 5000 in each of four threads, and 10 at the end.
        await session.break_at(
            hot, condition="i % 2 == 0", hit_condition="10500", log_message="last even"
        )
        await session.break_at(hot, hit_condition="% 7000", log_message="seventh")
        await session.break_at(hot, hit_condition="> 21005", log_message="last")
        await session.break_at(hot, condition="i < 0", hit_condition=">= 1", log_message="never")
        await session.resume()
        assert await session.wait() == 0
        found = {each: logged.count(each) for each in logged}
        assert found == {"last even": 1, "seventh": 3, "last": 5}


def written_and_left_out(texts: list[str]) -> tuple[list[str], int]:
    """The messages of a log point, and how many it says were left out."""
    lines = "\n".join(texts).splitlines()
    told = [re.fullmatch(r"\[([\d,]+) log messages left out\]", each) for each in lines]
    left_out = sum(int(each[1].replace(",", "")) for each in told if each is not None)
    return [each for each in lines if not each.startswith("[")], left_out


async def test_log_messages_over_the_budget_are_counted_by_the_program(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN, args=["200000"]) as session:
        session.settings.probes = "auto"
        session.settings.log_messages_per_second = 5
        hot = f"Probed.java:{program.marker('hot')}"
        all_ = await session.break_at(hot, log_message="{i}")
        some = await session.break_at(
            hot, condition="i % 2 == 0", hit_condition="% 10", log_message="tenth {i}"
        )
        logged: dict[jvmdebug.Breakpoint, list[str]] = {all_: [], some: []}

        def note(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, BreakpointLogged):
                logged[event.breakpoint].append(event.text)

        session.subscribe(note)
        await session.resume()
        assert await session.wait() == 0
    assert [each.locations[0].how for each in (all_, some)] == ["probe", "probe"]
    # 200,000 in `times` of main, 5,000 in each of four threads, and 10 at the end.
    assert [all_.hits, some.hits] == [220_010, 110_005]
    first, left_out = written_and_left_out(logged[all_])
    assert first[:5] == ["0", "1", "2", "3", "4"]
    assert len(first) + left_out == 220_010
    first, left_out = written_and_left_out(logged[some])
    assert first[:2] == ["tenth 18", "tenth 38"]
    assert len(first) + left_out == 11_000


async def test_another_limit_of_log_messages_holds_at_once(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.log_messages_per_second = 1

        def note(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, BreakpointLogged):
                texts.append(event.text)
                session.settings.log_messages_per_second = 1_000

        session.subscribe(note)
        point = await session.break_at(
            f"Probed.java:{program.marker('first')}",
            log_message="at {i} {(Object) Thread.currentThread()}",
        )
        await session.resume()
        assert await session.wait() == 0
    written, left_out = written_and_left_out(texts)
    assert point.hits == len(written) + left_out == 10
    assert len(written) >= 8


async def test_another_hit_condition_counts_from_zero(launch_ours: Launch, jdk: Jdk) -> None:
    line = compiled(TOPIC, MAIN, jdk).marker("look")
    seen: dict[str, list[object]] = {"off": [], "auto": []}
    for probes in ("off", "auto"):
        async with launch_ours(TOPIC, MAIN) as session:
            session.settings.probes = probes
            at = await session.break_at(f"Probed.java:{line}", hit_condition="5")
            for change in ("3", "% 10"):
                stop = await next_stop(session)
                seen[probes] += [await (await stop.frame.get("i")).as_text(), at.hits]
                await at.set_hit_condition(change)
                seen[probes].append(at.hits)
                if change != "3":
                    await at.set_condition("i % 2 == 0")  # the 10th is 26
                await session.resume()
            stop = await next_stop(session)
            seen[probes] += [await (await stop.frame.get("i")).as_text(), at.hits]
            assert at.locations[0].how == ("probe" if probes == "auto" else "event")
    assert seen["auto"] == seen["off"] == ["4", 5, 0, "7", 3, 0, "26", 10]


@pytest.mark.parametrize("probes", ["auto", "off"])
async def test_hits_of_several_locations_are_counted_together(
    launch_ours: Launch, jdk: Jdk, probes: ProbeChoice
) -> None:
    program = compiled("unhit", "Copied", jdk)
    at = f"Copied.java:{program.marker('copied')}"
    logged: dict[jvmdebug.Breakpoint, list[str]] = {}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.setdefault(event.breakpoint, []).append(event.text)

    async with launch_ours("unhit", "Copied", probes=probes) as session:
        session.settings.log_messages_per_second = 500
        session.subscribe(note)
        every = await session.break_at(at, hit_condition="% 500", log_message="500")
        odd = await session.break_at(
            at, condition="i % 2 == 1", hit_condition="== 900", log_message="odd"
        )
        some = await session.break_at(at, log_message="{i} {Thread.currentThread()}")
        part = f"Copied.java:{program.marker('part')}"
        parts = await session.break_at(part, hit_condition="% 700", log_message="{i} {passed}")
        await session.resume()
        assert await session.wait() == 0
        how = {at.how for each in (every, odd, some, parts) for at in each.locations}
        assert how == {"probe" if probes == "auto" else "event"}
    assert len(every.locations) > 2
    assert len(parts.locations) == 3
    # Four threads, 500 times each; and three classes, 500 times each.
    assert [each.hits for each in (every, odd, some, parts)] == [2_000, 1_000, 2_000, 1_500]
    assert [len(logged[each]) for each in (every, odd)] == [4, 1]
    assert logged[parts] == ["199 199", "399 399"]
    first, left_out = written_and_left_out(logged[some])
    assert len(first) + left_out == 2_000
