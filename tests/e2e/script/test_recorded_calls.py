# SPDX-License-Identifier: Apache-2.0
"""Calls that the program records itself: the same as those that stop, of many threads too."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.breakpoints import log_drain
from jvmdebug.breakpoints.log_drain import LogDrain
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_CHANGED_BEFORE: Final = (
    "the class was changed before, and a VM before JDK 17 would crash (JDK-8266497)"
)


def shown(calls: list[jvmdebug.Call]) -> list[str]:
    """The calls without times, hash codes, and what objects have in them."""
    texts = (re.sub(r" \([^()]* [µm]?s\)$", "", str(each)) for each in calls)
    texts = (re.sub(r"([\w\]])@[0-9a-f]+( \{[^}]*\}| \"[^\"]*\")?", r"\1", each) for each in texts)
    return [re.sub(r"(\[\d\]) \{[^}]*\}", r"\1", each) for each in texts]


@pytest.mark.parametrize(
    ("topic", "main", "pattern"),
    [("observed", "Observed", "Observed#*"), ("traced", "Traced", "Traced*#*")],
)
async def test_recorded_calls_are_those_that_stop(
    launch_ours: Launch, topic: str, main: str, pattern: str
) -> None:
    found: dict[bool, list[jvmdebug.Call]] = {}
    for recorded in (False, True):
        async with launch_ours(topic, main) as session:
            trace = session.trace(pattern, recorded=recorded)
            found[recorded] = await trace.collect()
            assert trace.missed == 0
            why = set(trace.why_stopped) - {"Observed#loops"}
            assert why == (set() if recorded else {pattern})
    stopped, by_program = found[False], found[True]
    assert shown(by_program) == shown(stopped)
    for each, other in zip(by_program, stopped, strict=True):
        assert (each.number, each.parent, each.outcome) == (
            other.number,
            other.parent,
            other.outcome,
        )
        assert abs(each.time - other.time) < 600
        assert (each.result is None) == (other.result is None)
        assert (each.this is None) == (other.this is None)
        for value, same in zip(each.arguments, other.arguments, strict=True):
            assert value.name == same.name
            assert value.value.type_name == same.value.type_name
            assert value.value.value == same.value.value


@pytest.mark.parametrize("pattern", ["Traced#step", "Traced#*"])
async def test_methods_that_threads_always_are_in(
    launch_ours: Launch, jdk: Jdk, pattern: str
) -> None:
    """`spin` is never left: of it there is no call."""
    program = compiled("traced", "Traced", jdk)
    async with launch_ours("traced", "Traced", args=["hot", "2"]) as session:
        await session.break_at(f"Traced.java:{program.marker('hot')}")
        stop = await next_stop(session)
        await stop.resume()
        trace = session.trace(pattern, limit=500)
        calls = await trace.collect()
        assert trace.why_stopped == {}
    of_threads: dict[str, list[int]] = {}
    for each in calls:
        assert (each.method, each.outcome) in {
            ("Traced#step", "returned"),
            ("Traced#step", "unknown"),
        }
        at = each.argument("at").value
        assert isinstance(at, int)
        of_threads.setdefault(each.thread, []).append(at)
        if each.result is not None:
            assert each.result.value == at + 1
    assert set(of_threads) <= {"hot-0", "hot-1"}
    for numbers in of_threads.values():
        assert numbers == sorted(set(numbers))  # in order, each once


async def test_each_call_of_many_threads_is_recorded(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("loglines", "LogLines", jdk)
    async with launch_ours("loglines", "LogLines", args=["200000", "4"]) as session:
        await session.break_at(f"LogLines.java:{program.marker('ready')}")
        stop = await next_stop(session)
        trace = session.trace("LogLines#hot", capacity=100_000)
        async with trace:
            await stop.resume()
            calls = await trace.collect()
    # One for each thousand, by the main thread and four others.
    assert (len(calls), trace.missed) == (1_000, 0)
    by_thread: dict[str, list[jvmdebug.Call]] = {}
    for each in calls:
        by_thread.setdefault(each.thread, []).append(each)
    assert set(by_thread) == {"main", *(f"writer-{number}" for number in range(4))}
    for own in by_thread.values():
        starts = [each.argument("from").value for each in own]
        assert starts == list(range(0, 200_000, 1000))
        for each in own:
            start = each.argument("from").value
            assert isinstance(start, int)
            total = sum(range(start, start + 1000))
            wrapped = (total + 2**31) % 2**32 - 2**31
            assert each.result is not None
            assert each.result.value == wrapped
            assert each.duration_s >= 0
    assert Counter(each.outcome for each in calls) == {"returned": 1_000}


async def test_what_is_not_read_at_the_end_is_counted(
    launch_ours: Launch, jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a program does not wait until all of its calls are read."""

    async def not_yet(*_: object) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(LogDrain, "_run", not_yet)
    monkeypatch.setitem(log_drain._MOST_READ_S, "end", 0.0)
    program = compiled("loglines", "LogLines", jdk)
    async with launch_ours("loglines", "LogLines", args=["1000000", "4"]) as session:
        await session.break_at(f"LogLines.java:{program.marker('ready')}")
        stop = await next_stop(session)
        trace = session.trace("LogLines#hot", capacity=100_000)
        async with trace:
            await stop.resume()
            calls = await trace.collect()
    read = len(calls) + sum(each.outcome == "returned" for each in calls)
    assert 0 < read < 10_000
    assert trace.missed == 10_000 - read  # 5,000 entries and as many returns


async def test_calls_by_the_debugger_are_not_traced(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("loglines", "LogLines", jdk)
    async with launch_ours("loglines", "LogLines", args=["1000"]) as session:
        await session.break_at(f"LogLines.java:{program.marker('ready')}")
        stop = await next_stop(session)
        trace = session.trace("LogLines#pair")
        async with trace:
            text = await (
                await stop.frame.evaluate("pair(3)")
            ).as_text()  # is no call of the program
            assert text == "0"
            await stop.resume()
            calls = await trace.collect()
    assert [str(each.argument("n")) for each in calls] == ["50"]


async def test_what_recording_calls_itself_stops(launch_ours: Launch) -> None:
    async with launch_ours("traced", "Traced") as session:
        trace = session.trace("java.lang.ref.Reference#*")
        await trace.collect()
        assert trace.missed == 0
        reasons = set(trace.why_stopped.values()) - {"the method is native"}
        assert reasons == {"what records calls uses this class itself"}
        assert await session.wait() == 0


async def test_new_code_is_recorded_too(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("traced", "Traced", jdk)
    async with launch_ours("traced", "Traced", args=["hot", "1"]) as session:
        trace = session.trace("Traced#step")
        async with trace:
            await session.start()
            first = await trace.next(timeout_s=20)
            (done,) = await session.redefine(program.class_path[0] / "Traced.class")
            assert done.outcome.value == "redefined"
            trace.take()
            later = await trace.next(timeout_s=20)
            assert first is not None
            assert later is not None
            assert later.number > first.number
            if jdk.version < 17:  # each call goes on stopping the thread
                assert trace.why_stopped == {"Traced#step": _CHANGED_BEFORE}
                return
            # A thread that stood at the first instruction during the swap is in the way, and the
            # program records its calls itself once it has gone on.
            async with asyncio.timeout(20):
                while trace.why_stopped:
                    assert await trace.next(timeout_s=20) is not None


async def test_what_recording_calls_for_the_first_time_is_not_told(launch_ours: Launch) -> None:
    """A class loader, which is asked for the classes that record, calls what is traced as well."""
    async with launch_ours("traced", "Traced") as session:
        others = await session.trace("java.util.List#size")
        await session.trace("java.lang.Math#max")
        (made,) = await session.trace("Traced#<clinit>").collect()
        assert (made.outcome, others.missed) == ("returned", 0)
        assert others.count > 0
