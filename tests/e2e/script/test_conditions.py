# SPDX-License-Identifier: Apache-2.0
"""Conditions, hit conditions and log messages: what they count, how they fail, how they change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointChanged, BreakpointLogged, EvaluationError
from tests.e2e.script.conftest import at_line
from tests.e2e.script.test_breakpoints import places
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def test_conditions_and_hit_conditions_count_only_hits_that_hold(
    launch: Launch, jdk: Jdk
) -> None:
    line = compiled("basics", "Loop", jdk).marker("add")
    async with launch("basics", "Loop", args=["30"]) as session:
        spec = f"Loop.java:{line}"
        third_of_five = await session.break_at(spec, condition="i % 5 == 0", hit_condition="3")
        every_tenth = await session.break_at(spec, hit_condition="% 10")
        late = await session.break_at(spec, condition="i > 27")
        seen: list[tuple[int, list[int]]] = []
        async for stop in session.stops():
            number = await stop.frame.get("i")
            seen.append((int(str(number.value)), [b.id for b in stop.breakpoints]))
        a, b, c = third_of_five.id, every_tenth.id, late.id
        assert seen == [(9, [b]), (10, [a]), (19, [b]), (28, [c]), (29, [b, c])]
        assert (third_of_five.hits, every_tenth.hits, late.hits) == (6, 30, 2)


async def test_a_condition_that_fails_stops_and_is_reported_once(launch: Launch, jdk: Jdk) -> None:
    line = compiled("basics", "Loop", jdk).marker("add")
    async with launch("basics", "Loop", args=["3"]) as session:
        breakpoint_ = await session.break_at(f"Loop.java:{line}", condition="1 / (i - i) > 3")
        reports: list[str | None] = []
        stop = await session.next_stop(timeout_s=20)
        session.subscribe(
            lambda event: (
                reports.append(event.breakpoint.message)
                if isinstance(event, BreakpointChanged)
                else None
            )
        )
        assert stop is not None
        assert "by zero" in str(breakpoint_.message)
        await stop.resume()
        assert (await session.next_stop(timeout_s=20)) is not None
        assert reports == [], "the second failure is the same"
        await breakpoint_.set_condition("i == 2")
        assert breakpoint_.message is None
        assert len(await places(session)) == 1


async def test_a_condition_without_meaning_is_reported_when_it_is_set(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("basics", "Loop", jdk)
    spec = f"Loop.java:{program.marker('add')}"
    async with launch("basics", "Loop", args=["3"]) as session:
        pending = await session.break_at(spec, condition="nowhere > 3")
        assert pending.is_pending
        await session.break_at(f"Loop.java:{program.marker('call')}", once=True)
        assert await session.next_stop(timeout_s=20) is not None
        assert (pending.verified, pending.is_pending) == (False, False)
        assert "there is no variable or class nowhere here" in str(pending.message)
        number = await session.break_at(spec, condition="i + 1")
        assert "expected a boolean, found int" in str(number.message)
        late = await session.break_at(spec, condition="i == 0 || other.Thing.x > 3")
        assert late.verified, "the class may be loaded by then"
        await late.remove()
        await pending.set_condition("i == 1")
        assert pending.verified
        assert len(await places(session)) == 1


async def test_changing_one_breakpoint_disturbs_no_other(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    source, line = program.source("Loop.java"), program.marker("add")
    call = program.marker("call")
    async with launch("basics", "Loop", args=["8"]) as session:
        every_third = at_line(source, line, hit_condition="% 3")
        changed = at_line(source, call, condition="i == 1")
        first, second = await session.breakpoints.replace(source, [every_third, changed])
        seen: list[tuple[str, tuple[int, ...]]] = []
        async for stop in session.stops():
            number = await (await stop.frame.get("i")).as_text()
            seen.append((number, tuple(each.id for each in stop.breakpoints)))
            if number == "1":
                changed = at_line(source, call, hit_condition=">= 3", condition="i > 2")
            elif number == "2":
                changed = at_line(source, call, hit_condition="== 1")
            same = await session.breakpoints.replace(source, [every_third, changed])
            assert same == (first, second)
        assert seen == [("1", (2,)), ("2", (1,)), ("3", (2,)), ("5", (1,))]
        assert (first.hits, second.hits) == (8, 5)


async def test_log_messages_over_the_budget_are_counted_and_told(launch: Launch, jdk: Jdk) -> None:
    line = compiled("basics", "Loop", jdk).marker("add")
    async with launch("basics", "Loop", args=["40"]) as session:
        session.settings.log_messages_per_second = 3
        session.settings.probes = "off"  # else the program leaves them out itself
        logged: list[str] = []
        session.subscribe(
            lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
        )
        logpoint = await session.break_at(f"Loop.java:{line}", log_message="i {i}")
        assert await places(session) == []
        assert logpoint.hits == 40
        budget = (
            "[more than 3 log messages in a second: the next ones are counted and left out until"
            " the second is over]"
        )
        assert logged[:4] == [
            *(f"i {number}" for number in range(3)),
            budget,
        ]
        # A slow machine needs more than one second. What was left out last is told at the end.
        texts = "\n".join(logged).splitlines()
        left_out = [re.fullmatch(r"\[(\d+) log messages left out\]", each) for each in texts]
        counted = sum(int(each[1]) for each in left_out if each is not None)
        assert counted + sum(each.startswith("i ") for each in texts) == 40


async def test_logpoints_log_with_condition_and_never_stop(launch: Launch, jdk: Jdk) -> None:
    line = compiled("basics", "Loop", jdk).marker("add")
    async with launch("basics", "Loop", args=["6"]) as session:
        logged: list[BreakpointLogged] = []
        session.subscribe(
            lambda event: logged.append(event) if isinstance(event, BreakpointLogged) else None
        )
        logpoint = await session.break_at(
            f"Loop.java:{line}",
            condition="i >= 4",
            log_message="100% {{of}} {i} is {square}, {loop.name}: {missing}",
        )
        assert await places(session) == []
        assert logpoint.message is not None
        assert logpoint.message.startswith("{missing} in the log message is wrong here: there is")
        assert [event.text.partition(": <")[0] for event in logged] == [
            "100% {of} 4 is 16, summing",
            "100% {of} 5 is 25, summing",
        ]
        assert "missing" in logged[0].text.partition(": <")[2]
        assert (logged[0].source_path, logged[0].line) == ("Loop.java", line)
        assert logged[0].thread.name == "main"


async def test_names_of_a_class_without_them(launch: Launch) -> None:
    async with launch("basics", "Loop", debug_tables="lines", args=["3"]) as session:
        function = await session.break_at("Loop#square")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None, function.message
        with pytest.raises(EvaluationError, match=r"compiled without .*: its arguments are arg0"):
            await stop.frame.evaluate("nothingLikeThat")
        await stop.frame.evaluate("arg0")
