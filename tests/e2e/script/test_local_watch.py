# SPDX-License-Identifier: Apache-2.0
"""Watched local variables: each write by the method, and no other passage of the code behind it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointError, BreakpointLogged, StopReason
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "probed", "Probed"


async def test_each_write_is_seen_with_both_values(launch: Launch, jdk: Jdk) -> None:
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.append(event.text)

    async with launch(TOPIC, MAIN) as session:
        session.subscribe(note)
        session.settings.log_messages_per_second = 100_000
        watch = await session.watch("Probed#several.found", log_message="{i}: {$old} -> {$new}")
        changed = await session.watch(
            "Probed#several(int).found", condition="$new - $old == 2", hit_condition="% 5"
        )
        end = await session.break_at(f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('end')}")
        stops = []
        while True:
            stop = await next_stop(session)
            if end in stop.breakpoints:
                break
            assert stop.change is not None
            stops.append((stop.reason, stop.frame.method_name, await stop.change.as_text()))
            assert await (await stop.frame.get("found")).as_text() == (
                await stop.change.new.as_text()
            ), "the thread is behind the write"
            await stop.resume()
        assert not any(each.message for each in (watch, changed))
    # Each pass adds 1, 2 (the number has a letter), or 1 for an odd number.
    found, expected = 0, []
    for i in range(30):
        new = found + (1, 2, i % 2)[i % 3]
        expected.append(f"{i}: {found} -> {new}")
        found = new
    assert logged[1:] == expected
    assert "$old" not in logged[0]
    assert stops == [
        (StopReason.WATCHPOINT, "several", "Probed#several.found: 15 -> 17"),
        (StopReason.WATCHPOINT, "several", "Probed#several.found: 32 -> 34"),
    ]


async def test_the_first_value_is_no_change(launch: Launch) -> None:
    """A variable that is declared has no value before."""
    async with launch(TOPIC, MAIN) as session:
        await session.watch("Probed#several.found")
        texts = []
        for _ in range(2):
            stop = await next_stop(session)
            assert stop.change is not None
            texts.append((stop.change.is_first, await stop.change.as_text()))
            await stop.resume()
    assert texts == [
        (True, "Probed#several.found: 0 (first value)"),
        (False, "Probed#several.found: 0 -> 1"),
    ]


async def test_a_variable_of_many_threads(launch: Launch, jdk: Jdk) -> None:
    sums: defaultdict[str, list[int]] = defaultdict(list)

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            name, _, total = event.text.partition(":")
            sums[name].append(int(total))

    program = compiled(TOPIC, MAIN, jdk)
    async with launch(TOPIC, MAIN) as session:
        session.subscribe(note)
        session.settings.log_messages_per_second = 100_000
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        stop = await next_stop(session)
        await session.watch(
            "Probed#times.total",
            condition="i > 900 && $old != $new",
            log_message="{Thread.currentThread().getName()}:{$new}",
        )
        gone = await stop.frame.data_target("i")  # of a loop that is over
        assert str(gone) == "Probed#main(java.lang.String[]).i"
        end = await session.break_at(f"Probed.java:{program.marker('deep')}")
        await stop.resume()
        stop = await next_stop(session)
        assert end in stop.breakpoints
        assert sums == {"main": [sum(range(i + 1)) for i in range(901, 1000)]}


async def test_what_cannot_be_watched_says_why(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        await session.break_at(f"Probed.java:{program.marker('hot')}", once=True)
        stop = await next_stop(session)
        target = await stop.frame.data_target("total")
        assert str(target) == "Probed#times(int).total"
        with pytest.raises(BreakpointError, match="neither a local variable of Probed#times nor a"):
            await stop.frame.data_target("nothing")
        with pytest.raises(BreakpointError, match="only its writing"):
            await session.watch(target, read=True)
        for text, why in (
            ("Probed#times.nothing", "nothing is no local variable in Probed#times"),
            ("Probed#times.n", "n is never written in Probed#times"),
            ("Probed#none.total", "has no method none"),
            ("Absent#none.total", "class Absent is not loaded"),
        ):
            assert why in str((await session.watch(text)).message)
        wrong = await session.watch(target, condition="nothing > $new")
        assert "no variable or class nothing" in str(wrong.message)
        # The loop's variable is not there yet where the other is declared.
        looping = await session.watch(target, condition="i >= 0 && $new < $old")
        assert len(looping.locations) == 1
        watch = await session.watch(target)
        assert [each.method_name for each in watch.locations] == ["times", "times"]
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.reason, watch in stop.breakpoints) == (StopReason.WATCHPOINT, True)
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.reason is StopReason.STEP


CONDITIONS = {
    "Probed#look.order": "order != null && i > 30 && $old == order",
    "Probed#look.tiny": "tiny == 7 && $new == 7 && wide > 0 && this.count > 0",
    "Probed#look.any": 'any instanceof String s && s.equals("text3") && $new == any',
    "Probed#times.total": "total == 4950 && $old == 4851 && i == 99",
    "Probed#times.i": "i == 500 && $old < $new",  # by iinc
}


@pytest.mark.agent
async def test_the_program_looks_at_what_is_written(launch_ours: Launch, jdk: Jdk) -> None:
    """Only where the condition holds the thread stops for the debugger."""
    found: dict[str, dict[str, list[str]]] = {}
    for probes in ("off", "auto"):
        logged = found[probes] = {each: [] for each in CONDITIONS.values()}

        def note(event: jvmdebug.SessionEvent, logged: dict[str, list[str]] = logged) -> None:
            if isinstance(event, BreakpointLogged):
                logged[str(event.breakpoint.condition)].append(f"{event.line} {event.text}")

        async with launch_ours(TOPIC, MAIN) as session:
            session.settings.probes = probes
            session.settings.log_messages_per_second = 100_000
            session.subscribe(note)
            for spec, condition in CONDITIONS.items():
                await session.watch(spec, condition=condition, log_message="{i}")
            await session.break_at(f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('deep')}")
            await next_stop(session)
            uses = [each for each in await session.probes() if each.breakpoint.condition]
            how = {f"{each.location}": each.location.why_event for each in uses}
            assert how == dict.fromkeys(how, None if probes == "auto" else "probes are off")
    assert found["auto"] == found["off"]
    assert all(found["off"].values()), found["off"]
