# SPDX-License-Identifier: Apache-2.0
"""Conditions that javac compiles: the debugger evaluates them once, and the program from then on,
in the loop that the thread is in already, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator import COMPILED_LATER
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "probed", "Probed"


def is_(number: int) -> str:
    return f"java.util.stream.IntStream.of(i).anyMatch(each -> each == {number})"


async def test_a_loop_that_runs_already(launch_ours: Launch, jdk: Jdk) -> None:
    """Each step: the condition, then what `i` is where the thread stops next."""
    hot = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    steps = (
        (is_(20), "20", "probe"),
        (is_(200), "200", "probe"),
        ("i == 250", "250", "probe"),
        (f"i > 260 && {is_(300)}", "300", "probe"),
        (None, "301", None),
        (is_(600), "600", "probe"),
        ("java.util.Optional.of(i).map(each -> each == 700).get()", "700", "probe"),
    )
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 30
        at = await session.break_at(hot, condition="i == 10")
        stop = await next_stop(session)
        for condition, expected, how in steps:
            await at.set_condition(condition)
            if condition is not None and "->" in condition:
                assert at.locations[0].how == "event"
                if jdk.version >= 17:  # before, a thread that stands there is a reason as well
                    assert at.locations[0].why_event == COMPILED_LATER
            await stop.resume()
            stop = await next_stop(session)
            assert await (await stop.frame.get("i")).as_text() == expected
            if how is not None and jdk.version >= 17:
                assert at.locations[0].how == how
            assert at.message is None


async def test_one_that_throws_stops_once_and_tells(launch_ours: Launch, jdk: Jdk) -> None:
    """The debugger's first evaluation gave a value, and the program's check throws later."""
    hot = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    throws = "java.util.stream.IntStream.of(i).map(each -> 100 / (each - 30)).sum() > 1000"
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 60
        at = await session.break_at(hot, condition=throws)
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "30"
        assert at.message is not None
        assert at.message.startswith(f"condition {throws!r} failed: ")
        assert "/ by zero" in at.message
        assert at.locations[0].how == "probe"
        end = await session.break_at(f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('first')}")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (end,)


async def test_one_that_throws_only_in_the_program(launch_ours: Launch, jdk: Jdk) -> None:
    """It throws where it is asked first, and not again: the debugger looks from then on."""
    hot = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    throws = (
        "i == 40 || java.util.stream.IntStream.of(i)"
        ".map(each -> each == 30 ? 1 / (int) (sum++ & 1) : each).sum() < 0"
    )
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 60
        at = await session.break_at(hot, condition="i == 10")
        stop = await next_stop(session)
        await stop.frame.evaluate("sum = 0")
        await at.set_condition(throws)
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "40"
        why = "the check failed where the debugger's evaluation did not"
        assert (at.locations[0].how, at.locations[0].why_event) == ("event", why)
        assert at.message is None


async def test_each_passage_asks_once(launch_ours: Launch, jdk: Jdk) -> None:
    """Includes one where the condition holds: the debugger does not ask again."""
    hot = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    counts = (
        "java.util.stream.IntStream.of(i).peek(each -> { sum++; }).anyMatch(e -> e % 100 == 20)"
    )
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 30
        at = await session.break_at(hot, condition="i == 10")
        stop = await next_stop(session)
        before = int(await (await stop.frame.evaluate("sum")).as_text())
        await at.set_condition(counts)
        for expected in (20, 120, 220, 320):
            await stop.resume()
            stop = await next_stop(session)
            assert await (await stop.frame.get("i")).as_text() == str(expected)
            asked = int(await (await stop.frame.evaluate("sum")).as_text()) - before
            assert asked == expected - 10
        assert at.locations[0].how == "probe"
        assert at.message is None


async def test_passages_that_the_debugger_looks_at_are_no_hits(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """Passages until javac has compiled the condition."""
    hot = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    condition = "java.util.stream.IntStream.of(i).anyMatch(each -> each % 100 == 20)"
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 30
        await session.break_at(hot, condition=condition)
        for expected in (1, 2, 3):
            stop = await next_stop(session)
            (use,) = await session.probes()
            how_often = use.breakpoint.hits if use.hits is None else use.hits
            assert (use.breakpoint.hits, how_often) == (expected, expected)
            await stop.resume()
