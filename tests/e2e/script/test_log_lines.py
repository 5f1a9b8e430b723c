# SPDX-License-Identifier: Apache-2.0
"""Log points whose lines the program writes itself: the text that the debugger would write, all of
them or a count of what is missing, and the speed of the program.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from tests.support.jdwp_session import wait_until
from tests.support.matrix import has_all_sets
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmdebug.breakpoints.probe_uses import ProbeUse
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "loglines", "LogLines"

WRITTEN = (
    "no value",
    "{{i}} {i}",
    "{tiny} {middle} {wide} {-wide} {even} {!even}",
    "[{letter}] [{boxedLetter}]",
    "{real} {small} {boxedReal} {boxedSmall}",
    "{text}",
    "{text}|{text}|{i}",
    "{boxed} {boxedEven} {boxedWide} {boxedTiny} {boxedMiddle}",
    "{i + wide} {real * 3} {small / 3} {i / 7.0f} {letter + 1} {(char) (i + 60)} {(byte) (i * 9)}",
    "{limit} {this.limit + i} {LogLines.LETTERS.length}",
    "{order == null ? -1 : order.number} {order == null ? null : order.name}",
    "{order == null ? i : order.number} {Thread.currentThread()}",
    "{order.number} after",  # throws where it is null
    "{order.name()} by a method",
    '{"<" + text + ">"} {text == null} {text.length()}',
    "{String.valueOf(i)} {Integer.toString(i)} {boxed == null ? 0 : boxed + 1}",
    "{TEXTS[i % 3]} {DOUBLES[i % 20]} {LETTERS[i]}",  # past the end of the letters
    "{i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i}",
)
WRITTEN_HERE = WRITTEN if has_all_sets() else WRITTEN[::2]
BY_DEBUGGER = (
    "{any}",
    "{new int[2]}",
    "{LETTERS}",
    "{i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i} {i}",
)


async def logged_by(
    launch: Launch, jdk: Jdk, probes: ProbeChoice, length: int
) -> tuple[dict[str, list[tuple[str, str, int | None]]], list[ProbeUse]]:
    """Message → what it wrote, the thread and the line; and who checks."""
    program = compiled(TOPIC, MAIN, jdk)
    found: dict[str, list[tuple[str, str, int | None]]] = {}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            line = (event.text, event.thread.name, event.line)
            found.setdefault(str(event.breakpoint.log_message), []).append(line)

    async with launch(TOPIC, MAIN, args=["0"]) as session:
        session.settings.probes = probes
        session.settings.max_log_value_length = length
        session.settings.condition_deadline_s = 30
        session.subscribe(note)
        loaded = await session.break_at(f"LogLines.java:{program.marker('loaded')}")
        await next_stop(session)
        await loaded.remove()
        for each in (*WRITTEN_HERE, *BY_DEBUGGER):
            await session.break_at(f"LogLines.java:{program.marker('look')}", log_message=each)
        await session.break_at(f"LogLines.java:{program.marker('ready')}")
        await session.resume()
        await next_stop(session)
        uses = await session.probes()
        await session.resume()
        assert await session.wait() == 0
    return found, uses


@pytest.mark.parametrize("length", [1000, 4])
async def test_the_program_writes_what_the_debugger_would_write(
    launch_ours: Launch, jdk: Jdk, length: int
) -> None:
    by_debugger, uses = await logged_by(launch_ours, jdk, "off", length)
    assert all(each.why_not_written is None for each in uses)  # nobody has asked the program
    by_program, uses = await logged_by(launch_ours, jdk, "auto", length)
    assert {each: len(lines) for each, lines in by_program.items()} == dict.fromkeys(
        (*WRITTEN_HERE, *BY_DEBUGGER), 44
    )
    for message in WRITTEN_HERE:
        assert by_program[message] == by_debugger[message], message
    why = {str(each.breakpoint.log_message): each.why_not_written for each in uses}
    assert {each: why[each] for each in WRITTEN_HERE} == dict.fromkeys(WRITTEN_HERE)
    assert all(why[each] for each in BY_DEBUGGER), why
    assert why["{any}"] == "values of type java.lang.Object are shown by the debugger"
    assert [each.hits for each in uses] == [44] * len(uses)


async def lines_of(
    session: jvmdebug.Session, put: Callable[[BreakpointLogged], object], **options: bool
) -> None:
    session.subscribe(
        lambda event: put(event) if isinstance(event, BreakpointLogged) else None, **options
    )


LEFT_OUT = re.compile(r"\[([\d,]+) log messages left out\]")


def written_and_lost(texts: list[str]) -> tuple[list[str], int]:
    """The lines of a log point, and how many it says are missing."""
    lines = "\n".join(texts).splitlines()
    told = [LEFT_OUT.fullmatch(each) for each in lines]
    lost = sum(int(each[1].replace(",", "")) for each in told if each is not None)
    return [each for each in lines if not LEFT_OUT.fullmatch(each)], lost


@pytest.mark.parametrize("batches", [False, True])
async def test_each_hit_of_many_threads_is_written_or_counted(
    launch_ours: Launch,
    jdk: Jdk,
    batches: bool,  # noqa: FBT001
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    logged: list[BreakpointLogged] = []
    async with launch_ours(TOPIC, MAIN, args=["50000", "4"]) as session:
        await lines_of(session, logged.append, batches=batches)
        point = await session.break_at(
            f"LogLines.java:{program.marker('hot')}",
            log_message="{Thread.currentThread().getName()} {i}",
        )
        await session.start()
        assert await session.wait() == 0
        assert point.hits == 250_000
    lines, lost = written_and_lost([each.text for each in logged])
    assert len(lines) + lost == 250_000
    assert len(lines) > 10_000
    if not batches:
        assert all(
            each.text.startswith(f"{each.thread.name} ")
            for each in logged
            if not LEFT_OUT.fullmatch(each.text)
        )
    numbers: dict[str, list[int]] = {}
    for line in lines:
        name, _, number = line.partition(" ")
        numbers.setdefault(name, []).append(int(number))
    # One that was soon done may have found no room at all.
    assert {"main"} < set(numbers) <= {"main", "writer-0", "writer-1", "writer-2", "writer-3"}
    assert all(each == sorted(set(each)) for each in numbers.values())


async def test_two_log_points_of_a_loop_alternate(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN, args=["0"]) as session:
        await lines_of(session, lambda event: texts.append(event.text))
        await session.break_at(f"LogLines.java:{program.marker('first')}", log_message="first {i}")
        await session.break_at(
            f"LogLines.java:{program.marker('second')}", log_message="second {10 / (i - 25)}"
        )
        await session.start()
        assert await session.wait() == 0
    assert texts[::2] == [f"first {i}" for i in range(50)]
    expected = [f"second {int(10 / (i - 25))}" if i != 25 else texts[51] for i in range(50)]
    assert texts[1::2] == expected
    # The debugger has written the one that throws, in its place.
    assert texts[51].startswith("second <10 / (i - 25): ")


async def test_condition_hit_condition_and_message_together(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN, args=["1000"]) as session:
        await lines_of(session, lambda event: texts.append(event.text))
        point = await session.break_at(
            f"LogLines.java:{program.marker('hot')}",
            condition="i % 2 == 0",
            hit_condition="% 100",
            log_message="at {i}",
        )
        await session.start()
        assert await session.wait() == 0
    assert texts == ["at 198", "at 398", "at 598", "at 798", "at 998"]
    assert point.hits == 500


async def test_a_slow_reader_does_not_slow_the_program(launch_ours: Launch, jdk: Jdk) -> None:
    """What nobody reads is dropped and counted; each hit takes no longer."""
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    printed: list[str] = []
    times = 20_000_000

    def note(event: jvmdebug.SessionEvent) -> object:
        if isinstance(event, jvmdebug.Output):
            printed.append(event.text)
        if isinstance(event, BreakpointLogged):
            texts.append(event.text)
            return ended.wait()  # takes the first batch, and no further one
        return None

    ended = asyncio.Event()
    async with launch_ours(TOPIC, MAIN, args=[str(times)]) as session:
        session.subscribe(note, batches=True)
        point = await session.break_at(
            f"LogLines.java:{program.marker('hot')}", log_message="{i} of {to}"
        )
        done = await session.break_at(f"LogLines.java:{program.marker('end')}")
        await session.start()
        await next_stop(session)
        assert point.hits == times
        await done.remove()
        await session.resume()
        ended.set()
        assert await session.wait() == 0
    lines, lost = written_and_lost(texts)
    assert len(lines) + lost == times
    assert lost > times / 2
    (took,) = re.findall(r"took (\d+)", "".join(printed))
    assert int(took) / times < 2_000


async def test_the_lines_before_a_stop_come_before_it(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    seen: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            seen.append(event.text)
        elif isinstance(event, jvmdebug.Stopped):
            seen.append("stopped")

    async with launch_ours(TOPIC, MAIN, args=["0"]) as session:
        session.subscribe(note)
        first = f"LogLines.java:{program.marker('first')}"
        point = await session.break_at(first, log_message="{i}")
        await session.break_at(f"LogLines.java:{program.marker('second')}", condition="i == 20")
        await session.start()
        stop = await next_stop(session)
        assert (seen, point.hits) == ([*map(str, range(21)), "stopped"], 21)
        await point.set_log_message("now {i}")  # in the same check
        await stop.resume()
        assert await session.wait() == 0
        assert seen[22:] == [f"now {i}" for i in range(21, 50)]


async def test_a_breakpoint_that_waits_for_a_log_point(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN, args=["0"]) as session:
        point = await session.break_at(
            f"LogLines.java:{program.marker('first')}", condition="i == 30", log_message="{i}"
        )
        await session.break_at(f"LogLines.java:{program.marker('second')}", after=point)
        await session.start()
        stop = await next_stop(session)
        assert await (await stop.frame.get("i")).as_text() == "30"


async def test_the_program_goes_on_alone_after_detach(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """Threads in the methods, one of them in one frame all the time, write nothing any more."""
    program = compiled(TOPIC, MAIN, jdk)
    hot, stays = (f"LogLines.java:{program.marker(each)}" for each in ("hot", "stays"))
    seen: dict[str, asyncio.Event] = {each: asyncio.Event() for each in ("hot", "stays", "again")}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            for word, is_seen in seen.items():
                if word in event.text:
                    is_seen.set()

    async with launch_ours(TOPIC, MAIN, args=["0", "0", str(tmp_path)]) as session:
        session.subscribe(note, batches=True)
        point = await session.break_at(hot, log_message="hot {i}")
        await session.break_at(stays, log_message="stays {i}")
        await session.start()
        await asyncio.wait_for(seen["hot"].wait(), 60)
        await asyncio.wait_for(seen["stays"].wait(), 60)
        await point.remove()
        seen["hot"].clear()
        await session.break_at(hot, condition="i > 5", log_message="again {i}")
        await asyncio.wait_for(seen["again"].wait(), 60)
        assert not seen["hot"].is_set()
        await session.detach()
        for each in seen.values():
            each.clear()
        (tmp_path / "left").touch()
        await asyncio.to_thread(wait_until, (tmp_path / "done").exists, "the program went on")
        assert not any(each.is_set() for each in seen.values())


async def test_a_class_that_the_message_names_is_loaded_later(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN, args=["0"]) as session:
        await lines_of(session, lambda event: texts.append(event.text))
        before = await session.break_at(f"LogLines.java:{program.marker('before')}")
        stop = await next_stop(session)
        look = f"LogLines.java:{program.marker('look')}"
        await session.break_at(look, condition="i < 40", log_message="{order.plain}")
        (use,) = [each for each in await session.probes() if each.breakpoint.log_message]
        assert use.why_not_written is not None
        paused = await session.break_at(look, condition="i == 20")
        await before.remove()
        await stop.resume()
        stop = await next_stop(session)
        (use,) = [each for each in await session.probes() if each.breakpoint.log_message]
        assert use.why_not_written is None
        await paused.remove()
        await stop.resume()
        assert await session.wait() == 0
    assert [each for each in texts if "<" not in each] == [str(i) for i in range(40) if i % 6 != 5]


async def test_a_hot_swap_in_the_middle(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN, args=["1000"]) as session:
        await lines_of(session, lambda event: texts.append(event.text))
        await session.break_at(f"LogLines.java:{program.marker('hot')}", log_message="{i}")
        ready = await session.break_at(f"LogLines.java:{program.marker('ready')}")
        await next_stop(session)
        await session.redefine(program.class_path[0] / "LogLines.class")
        await ready.remove()
        await session.resume()
        assert await session.wait() == 0
    lines, left_out = written_and_lost([each for each in texts if "more than" not in each])
    assert len(lines) + left_out == 1000


async def test_what_checks_and_the_debugger_call_is_no_hit(launch_ours: Launch, jdk: Jdk) -> None:
    """Neither of a log point nor of a count, in the same thread."""
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    async with launch_ours(TOPIC, MAIN, args=["3000", "2"]) as session:
        await lines_of(session, lambda event: texts.append(event.text))
        loaded = await session.break_at(f"LogLines.java:{program.marker('loaded')}")
        stop = await next_stop(session)
        inner = f"LogLines.java:{program.marker('first')}"
        points = [
            await session.break_at(inner, log_message="{i}"),
            await session.break_at(inner, log_message="{Integer.toString(i)} {pair(2)}"),
        ]
        counted = await session.break_at(inner, hit_condition=">= 1000000")
        # It calls what has them, 3,000 times in each of three threads, and itself.
        hot = f"LogLines.java:{program.marker('hot')}"
        calling = await session.break_at(hot, condition="pair(3) == 0", hit_condition=">= 1000000")
        logging = await session.break_at(hot, condition="i % 1000 == 0", log_message="{pair(4)}")
        ready = await session.break_at(f"LogLines.java:{program.marker('ready')}")
        await loaded.remove()
        assert {each.location.how for each in await session.probes()} == {"probe"}
        assert await (await stop.frame.evaluate("pair(30)")).as_text() == "0"
        await stop.resume()
        await next_stop(session)
        await ready.remove()
        await session.resume()
        assert await session.wait() == 0
        hits = [each.hits for each in (*points, counted, calling, logging)]
    assert hits == [50, 50, 50, 9000, 9]
    assert len(texts) == 109
    assert texts[:4] == ["0", "0 0", "1", "1 0"]


async def test_a_method_that_checks_call_themselves(launch_ours: Launch, jdk: Jdk) -> None:
    """The log point would come to its own line for ever."""
    program = compiled(TOPIC, MAIN, jdk)
    texts: list[str] = []
    why: set[str | None] = set()

    def note(event: BreakpointLogged) -> None:
        texts.append(event.text)
        why.update(each.why_event for each in event.breakpoint.locations)

    async with launch_ours(TOPIC, MAIN, args=["0"]) as session:
        await session.break_at(f"LogLines.java:{program.marker('ready')}")
        stop = await next_stop(session)
        await lines_of(session, note)
        await session.break_at(
            "java.util.concurrent.atomic.AtomicLong#incrementAndGet",
            condition='Thread.currentThread().getName().equals("main")',
            log_message="{get()}",
        )
        await stop.resume()
        assert await session.wait() == 0
    assert texts == ["0", "1", "2", "3", "4"]
    assert why == {"checks call methods of java.util.concurrent.atomic.AtomicLong themselves"}
