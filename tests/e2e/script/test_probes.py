# SPDX-License-Identifier: Apache-2.0
"""Conditions that the program checks itself: the same hits as by the debugger, and what is left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointChanged, BreakpointLogged
from jvmdebug.jdwp.generated import probes as probes_wire
from tests.support.matrix import has_all_sets
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "probed", "Probed"

COMPILED = (
    "i == 3",
    "i > 30 && i % 2 == 1",
    "!(i < 38) || i == 0",
    "wide >= 300000000000L",
    "wide == i * 10_000_000_000L && i > 35",
    "real > 9.5",
    "real != real || real <= 0.25",
    "small < 0.5f || small * 8 == i && i < 2",
    "0.0 / (real - real) < 1",
    "!(0.0 / (real - real) >= 1) && i == 7",
    "letter == 'c'",
    "(int) letter > 120",
    "even && i > 36",
    "even ^ (i > 20)",
    "tiny == 12",
    "middle < 0",
    "(byte) (i * 10) < 0 && i < 20",
    "i << 3 == 64",
    "(i >>> 1) + (i >> 1) == 6",
    "(i & 12) == 12 | (i ^ 3) == 5",
    "~i == -9 || -i == -11",
    "1L << i == 1024",
    'text.equals("text3")',
    'text == "never"',
    "text.length() == 5 && text.charAt(4) == '6'",
    '("at " + i + letter + even).startsWith("at 2")',
    "numbers[1] == 22",
    "numbers.length == 3 && numbers[2] - numbers[0] == 50",
    "order == null",
    "order != null && order.number == 8",
    "order != null && order.total > 50",
    'order != null && order.name.endsWith("5")',
    "order != null && order.isOdd() && order.number > 30",
    'order != null && order.name().equals("text1")',
    "Order.made == 9",
    "Order.made() == 10 && order == null",
    "count == 12",
    "this.count % 10 == 0",
    "sum > 7_000_000_000_000L",
    "Probed.sum == 0",
    "orders.size() == 7",
    "orders.get(0).number == 0 && orders.size() > 30",
    "boxed == 17",
    "boxed > 38",
    "boxed.equals(5)",
    "any instanceof String",
    'any instanceof String s && s.endsWith("2")',
    "any instanceof Integer n && n > 35",
    "((Integer) (Object) boxed).intValue() == 21",
    "last == any && last instanceof Integer",
    "(even ? i : -i) == -13",
    '(order == null ? "none" : order.name).equals("none")',
    'Integer.toString(i).equals("33")',
    "Math.max(i, 37) == i",
    "Boolean.valueOf(i == 9)",
    "(last = any) == null || i == 8",
    "i == 4 && new Object() != null",
    'i > 36 && new Order(i, "new").isOdd()',
    "i > 36 && new int[] {i, 7, 9}[0] == 38",
    "i > 36 && new long[2][3].length + i == 39",
    "(numbers[2] += 0) == 90 || (Order.made += 0) == 12",
    'i > 30 && switch (text) { case "text3" -> i > 33; default -> i == 39; }',
    "i == 3 && super.equals(this)",
    "numbers.clone()[1] == 24",
    'String.format("%d", i).equals("33")',
)
SINCE_15 = '"%s".formatted(text).equals("text2") && i > 30'
BY_JAVAC = (
    "orders.stream().filter(each -> each.total > wide).count() == 0 && i > 30",
    'java.util.Optional.of(text).filter("text3"::equals).isPresent()',
)
INTERPRETED = ("((Object) text).length() > 5 && i > 35", "(i = i) == 3")
IN_USE = "a thread runs the method now, and may come there again"
FAILING = ("order.number == 100", "numbers[i] > 1000", "10 / (i - 5) > 100")


async def hits_of(
    launch: Launch, jdk: Jdk, probes: ProbeChoice, conditions: tuple[str, ...]
) -> tuple[dict[str, list[str]], list[jvmdebug.Breakpoint]]:
    """Condition → what `i` was where it held; all conditions in one run, at one line."""
    program = compiled(TOPIC, MAIN, jdk)
    line = program.marker("look")
    found: dict[str, list[str]] = {each: [] for each in conditions}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            found[str(event.breakpoint.condition)].append(event.text)

    async with launch(TOPIC, MAIN) as session:
        session.settings.probes = probes
        session.settings.log_messages_per_second = 100_000
        session.settings.condition_deadline_s = 30
        session.subscribe(note)
        spec = f"Probed.java:{line}"
        set_ = [
            await session.break_at(spec, condition=each, log_message="{i}") for each in conditions
        ]
        ready = await session.break_at(f"Probed.java:{program.marker('ready')}")
        assert await session.next_stop(timeout_s=200) is not None
        await ready.remove()
        await session.resume()
        assert await session.wait() == 0
    return found, set_


@pytest.mark.timeout(240)  # the debugger finds it slowly
async def test_the_program_finds_what_the_debugger_finds(launch_ours: Launch, jdk: Jdk) -> None:
    compiled_here = COMPILED if has_all_sets() else COMPILED[::2]
    checked = (*compiled_here, *((*BY_JAVAC, SINCE_15) if jdk.version >= 15 else ()))
    conditions = (*checked, *INTERPRETED)
    by_debugger, _ = await hits_of(launch_ours, jdk, "off", conditions)
    by_program, breakpoints = await hits_of(launch_ours, jdk, "auto", conditions)
    assert by_program == by_debugger
    at = {str(each.condition): each.locations[0] for each in breakpoints}
    how = {each: (at[each].how, at[each].why_event) for each in conditions}
    # Before JDK 17 no class is changed for a class that was not loaded yet, as long as `main` runs.
    known = [each for each in checked if jdk.version >= 17 or "rder" not in each]
    assert {each: how[each] for each in known} == dict.fromkeys(known, ("probe", None))
    assert all(how[each] in {("probe", None), ("event", IN_USE)} for each in checked), how
    assert all(how[each][0] == "event" and how[each][1] for each in INTERPRETED), how


async def test_a_check_that_fails_stops_with_the_message_of_the_debugger(
    launch_ours: Launch, jdk: Jdk
) -> None:
    line = compiled(TOPIC, MAIN, jdk).marker("look")
    for condition in FAILING:
        stopped: dict[str, tuple[str, str | None]] = {}
        for probes in ("off", "auto"):
            async with launch_ours(TOPIC, MAIN) as session:
                session.settings.probes = probes
                at = await session.break_at(f"Probed.java:{line}", condition=condition)
                stop = await next_stop(session)
                stopped[probes] = (await (await stop.frame.get("i")).as_text(), at.message)
        assert stopped["off"] == stopped["auto"]
        assert str(stopped["auto"][1]).startswith("condition")


async def test_a_condition_is_changed_while_the_thread_stands_there(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        hot = await session.break_at(f"Probed.java:{program.marker('hot')}", condition="i == 5")
        seen = []
        for condition in (
            "i == 9",
            "total == 45",
            'i == 20 && "a".equals("a")',
            "i == 30 && total > 3",
            None,
        ):
            stop = await next_stop(session)
            assert hot.locations[0].how == "probe"
            seen.append(await (await stop.frame.get("i")).as_text())
            await hot.set_condition(condition)
            await stop.resume()
        stop = await next_stop(session)
        seen.append(await (await stop.frame.get("i")).as_text())
        assert seen == ["5", "9", "10", "20", "30", "31"]


async def test_a_stop_at_a_probe_is_like_any_other(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    line = program.marker("look")
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        look = await session.break_at(f"Probed.java:{line}", condition="i == 11")
        stop = await next_stop(session)
        assert look.locations[0].how == "probe"
        assert (stop.reason, [each.id for each in stop.breakpoints]) == ("breakpoint", [look.id])
        frames = await stop.frames()
        assert [each.method_name for each in frames] == ["look", "main"]
        assert frames[0].line == line
        await stop.frame.set("i", "111")
        assert await (await stop.frame.evaluate("i + boxed + count")).as_text() == "134"
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.method_name == "main"
        await look.set_condition("i == 20")
        await stop.resume()
        stop = await next_stop(session)
        assert await stop.frame.evaluate("i") is not None
        await stop.restart_frame()
        stop = await next_stop(session)
        assert stop.frame.method_name == "look"


async def test_steps_over_a_probe_stop_once_on_each_line(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        markers = ("first", "second", "caught", "third")
        probes = [
            await session.break_at(
                f"Probed.java:{program.marker(each)}", condition="i == 27 && found > 1000"
            )
            for each in markers
        ]
        start = await session.break_at(f"Probed.java:{program.marker('first')}", condition="i == 3")
        stop = await next_stop(session)
        assert {each.locations[0].how for each in (*probes, start)} == {"probe"}
        lines = []
        for _ in range(8):
            lines.append(stop.frame.line)
            await stop.step_over()
            stop = await next_stop(session)
        await start.remove()
        async with launch_ours(TOPIC, MAIN) as plain:
            await plain.break_at(f"Probed.java:{program.marker('first')}", condition="i == 3")
            stop = await next_stop(plain)
            expected = []
            for _ in range(8):
                expected.append(stop.frame.line)
                await stop.step_over()
                stop = await next_stop(plain)
        assert lines == expected


async def test_a_frame_stays_when_its_code_is_changed_after_a_hot_swap(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        spec = f"Probed.java:{program.marker('look')}"
        first = await session.break_at(spec)
        stop = await next_stop(session)
        await session.redefine(program.class_path[0] / "Probed$Order.class")
        # The thread is in the method, and does not come to the line again.
        again = await session.break_at(spec, condition="i == 7")
        assert again.locations[0].how == "probe"
        assert await (await stop.frame.evaluate("i + count")).as_text() == "1"
        assert stop.frame.line == program.marker("look")
        await first.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "7"


async def test_a_frame_stays_when_its_class_is_changed_twice(launch_ours: Launch, jdk: Jdk) -> None:
    """First for another method, which leaves its own as it was: then its own waits for it."""
    program = compiled(TOPIC, MAIN, jdk)
    line = program.marker("look")
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        first = await session.break_at(f"Probed.java:{line}")
        stop = await next_stop(session)
        other = await session.break_at(f"Probed.java:{program.marker('deep')}", condition="n == 3")
        assert other.locations[0].how == "probe"
        before = await session.break_at(f"Probed.java:{line - 1}", condition="i >= 0")
        if jdk.version >= 17:  # else the first has changed all methods
            why = "a thread runs the method now, and may come there again"
            assert before.locations[0].why_event == why
        for removed in (None, other, before):
            if removed is not None:
                await removed.remove()
            # The call gives the frame a new id, so it is asked for again.
            total = await stop.frame.evaluate("tiny + String.valueOf(i).length()")
            assert await total.as_text() == "1"
        assert (await stop.frames())[0].line == line
        # Another frame of the method comes there: now it may be changed.
        await first.remove()
        before = await session.break_at(f"Probed.java:{line - 1}", condition="i == 20")
        await stop.resume()
        await next_stop(session)
        assert before.locations[0].how == "probe"


async def test_what_the_vm_reports_is_not_taken_for_the_last_hit_of_the_check(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        spec = f"Probed.java:{program.marker('hot')}"
        hot = await session.break_at(spec, condition="i == 5 || i == 9")
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "5"
        # As while another check takes the place of this one: the breakpoint is the VM's.
        request = hot.locations[0].request
        assert request is not None
        await session.vm.request(probes_wire.Remove(int(request.request_id)))
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "9"


async def test_a_check_that_does_not_return_is_told_and_given_up(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 0.4
        changed: asyncio.Queue[jvmdebug.Breakpoint] = asyncio.Queue()
        session.subscribe(
            lambda event: (
                changed.put_nowait(event.breakpoint)
                if isinstance(event, BreakpointChanged)
                else None
            )
        )
        start = await session.break_at(f"Probed.java:{program.marker('ready')}")
        stop = await next_stop(session)
        hot = await session.break_at(f"Probed.java:{program.marker('hot')}", condition="slow(i)")
        assert hot.locations[0].how == "probe"
        await stop.resume()
        while hot.message is None:
            await asyncio.wait_for(changed.get(), 30)
        assert hot.message.startswith(
            "the program's own check did not return for 0.4 s: thread main is still in it, in "
        )
        use = next(each for each in await session.probes() if each.breakpoint is hot)
        assert (use.location.how, use.hits) == ("event", None)
        assert str(use.location.why_event).endswith("did not return for 0.4 s")
        stop = await session.suspend()
        await stop.frame.evaluate("Probed.waits = false")
        await stop.resume()
        stop = await next_stop(session)  # by the debugger
        assert (stop.breakpoints, await (await stop.frame.get("i")).as_text()) == ((hot,), "9")
        await start.remove()


async def test_a_check_that_calls_its_own_line_is_not_entered_twice(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    choices: tuple[ProbeChoice, ...] = ("off", "auto")
    for probes in choices:
        async with launch_ours(TOPIC, MAIN) as session:
            session.settings.probes = probes
            hot = await session.break_at(
                f"Probed.java:{program.marker('hot')}", condition="i < 9 && times(i) == 3"
            )
            stop = await next_stop(session)
            assert await (await stop.frame.get("i")).as_text() == "3"
            assert (hot.locations[0].how, hot.hits) == (
                "probe" if probes == "auto" else "event",
                1,
            )


async def test_the_session_tells_who_checks_what(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        spec = f"Probed.java:{program.marker('look')}"
        plain = await session.break_at(spec, condition="i == 4")
        calls = await session.break_at(
            spec, condition='text.length() > 3 && String.valueOf(order) == ""'
        )
        assigns = await session.break_at(spec, condition="(i = i) == 99")
        await next_stop(session)
        uses = {each.breakpoint: each for each in await session.probes()}
        assert set(uses) == {plain, calls, assigns}
        assert (uses[plain].hits, uses[plain].calls_methods) == (1, False)
        assert (uses[calls].hits, uses[calls].calls_methods) == (0, True)
        assert 0 < (uses[plain].install_ms or 0) < 10_000
        assert (uses[assigns].hits, uses[assigns].install_ms) == (None, None)
        assert "an assignment to a local variable" in str(uses[assigns].location.why_event)


async def test_a_read_only_session_puts_nothing_into_the_program(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        session.settings.probes = "auto"
        session.forbid_changes()
        hot = await session.break_at(f"Probed.java:{program.marker('hot')}", condition="i == 5")
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "5"
        location = hot.locations[0]
        assert (location.how, location.why_event) == ("event", "the session is read-only")
