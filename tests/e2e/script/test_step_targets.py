# SPDX-License-Identifier: Apache-2.0
"""Stepping into one of several calls of a line, and what a step over costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import EvaluationError, FullModeNeeded, StopReason
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


async def session_stops(session: Session) -> list[Stop]:
    return list(session.current_stops)


async def labels(stop: Stop) -> list[str]:
    return [call.label for call in await stop.step_in_targets()]


async def into(session: Session, stop: Stop, name: str) -> Stop:
    """Step into the first call of that name that is ahead."""
    chosen = [call for call in await stop.step_in_targets() if call.name.startswith(name)]
    await stop.step_into(target=chosen[0])
    stop = await next_stop(session)
    assert stop.reason is StopReason.STEP
    assert stop.all_threads
    return stop


async def back(session: Session, stop: Stop) -> Stop:
    await stop.step_out()
    return await next_stop(session)


async def at(session: Session, stop: Stop, program: Debuggee, marker: str) -> Stop:
    await stop.run_to(f"Calls:{program.marker(marker)}")
    stop = await next_stop(session)
    assert (stop.reason, stop.frame.line) == (StopReason.RUN_TO, program.marker(marker))
    return stop


async def test_step_into_one_of_the_calls_ahead(launch: Launch, jdk: Jdk) -> None:
    program = compiled("calls", "Calls", jdk)
    line = program.marker
    async with launch("calls", "Calls") as session:
        await session.break_at(f"Calls:{line('nested')}", once=True)
        stop = await next_stop(session)
        every = ["Calls.one(int)", "Calls.two(int)", "Calls.sum(int, int)", "new Part(String)"]
        assert await labels(stop) == [*every, "Part.size()"]
        stop = await into(session, stop, "two")
        assert stop.frame.line == line("two")
        assert await labels(stop) == []
        stop = await back(session, stop)
        assert await labels(stop) == [*every[2:], "Part.size()"], "one and two are done"
        stop = await into(session, stop, "<init>")
        assert stop.frame.function == "new Part(String)"
        stop = await back(session, stop)
        assert await labels(stop) == ["Part.size()"]
        stop = await into(session, stop, "size")
        assert stop.frame.line == line("size")

        stop = await at(session, stop, program, "chained")
        stop = await into(session, stop, "third")
        assert stop.frame.line == line("third"), "first and second are run through"

        stop = await at(session, stop, program, "proxy")
        assert await labels(stop) == ["IntUnaryOperator.applyAsInt(int)", "Calls.one(int)"]
        stop = await into(session, stop, "applyAsInt")
        assert (stop.frame.line, stop.frame.is_synthetic) == (line("made"), True)
        stop = await at(session, stop, program, "lambda")
        assert await labels(stop) == ["Calls.apply(IntUnaryOperator)", "lambda (int)"]
        stop = await into(session, stop, "lambda$")
        assert stop.frame.line == line("lambda")
        assert stop.frame.method_name.startswith("lambda$main$")

        stop = await at(session, stop, program, "late")
        stop = await into(session, stop, "number")
        assert stop.frame.line == line("late-number"), "its class was initialised on the way"


async def test_a_target_that_is_never_reached_ends_with_the_line(launch: Launch, jdk: Jdk) -> None:
    program = compiled("calls", "Calls", jdk)
    line = program.marker
    async with launch("calls", "Calls") as session:
        await session.break_at(f"Calls:{line('fails')}", once=True)
        stop = await into(session, await next_stop(session), "sum")
        assert stop.frame.line in (line("caught") - 1, line("caught"))
        stop = await at(session, stop, program, "down-call")
        stop = await into(session, stop, "down")
        assert (stop.frame.line, await stop.frame_count()) == (line("down"), 2)
        assert await labels(stop) == ["Calls.one(int)", "Calls.down(int)", "Calls.two(int)"]
        stop = await into(session, stop, "two")
        assert (await (await stop.frame.get("n")).as_text(), await stop.frame_count()) == ("3", 3)
        stop = await at(session, stop, program, "bridge")
        assert await labels(stop) == ["Source.get(Object)", "Math.abs(int)", "String.isEmpty()"]
        stop = await into(session, stop, "get")
        assert (stop.frame.line, stop.frame.is_synthetic) == (line("text"), False)
        stop = await at(session, stop, program, "native")
        stop = await into(session, stop, "identityHashCode")
        assert stop.frame.line == line("native"), "a native method cannot be entered"
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None


async def test_a_step_over_a_recursion_stops_at_nothing_inside(launch: Launch, jdk: Jdk) -> None:
    """21,891 calls: no event and no command for any of them."""
    program = compiled("recursion", "Recursion", jdk)
    async with launch("recursion", "Recursion", args=["20"]) as session:
        await session.break_at(f"Recursion:{program.marker('fib-call')}", once=True)
        stop = await next_stop(session)
        await stop.frames()
        connection = session.vm.connection
        sent, received = connection.bytes_sent, connection.bytes_received
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("even-call")
        assert await (await stop.frame.get("value")).as_text() == "6765"
        assert connection.bytes_sent - sent < 400
        assert connection.bytes_received - received < 600


async def test_a_step_of_one_thread_alone(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop", args=["3"]) as session:
        await session.break_at(f"Loop:{program.marker('call')}", once=True)
        everything = await next_stop(session)
        await everything.step_over(alone=True)
        alone = await next_stop(session)
        assert (alone.all_threads, alone.frame.line) == (False, program.marker("add"))
        assert await session_stops(session) == [everything, alone], "the others are suspended"
        others = [each for each in await session.threads() if each != alone.thread]
        assert all([await each.thread.suspend_count() == 1 for each in others])
        await alone.step_over(alone=True)
        alone = await next_stop(session)
        await alone.step_over()
        stop = await next_stop(session)
        assert await session_stops(session) == [stop]
        assert stop.all_threads
        assert all([await each.thread.suspend_count() == 1 for each in others])


async def returned(stop: Stop) -> tuple[str, str] | None:
    value = stop.returned
    return None if value is None else (value.name, await value.as_text())


@pytest.mark.full_mode_too
async def test_a_step_out_reports_the_returned_value(launch: Launch, jdk: Jdk) -> None:
    program = compiled("calls", "Calls", jdk)
    line = program.marker
    async with launch("calls", "Calls") as session:
        assert session.why_no_return_values is None
        await session.break_at(f"Calls:{line('two')}", once=True)
        stop = await next_stop(session)
        await stop.frames()
        stop = await back(session, stop)
        assert await returned(stop) == ("Calls.two(int)", "4")
        assert await (await stop.frame.evaluate("$return + 1")).as_text() == "5"
        await session.break_at(f"Calls:{line('second')}", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.returned is None
        stop = await back(session, stop)
        assert stop.returned is not None
        assert await stop.returned.type_name() == "Calls"


async def test_a_step_over_reports_returned_values_with_our_agent(
    launch_ours: Launch, jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled("recursion", "Recursion", jdk)
    async with launch_ours("recursion", "Recursion", args=["20"], mode="full") as session:
        await session.break_at(f"Recursion:{program.marker('fib-call')}", once=True)
        stop = await next_stop(session)
        await stop.frames()
        received = session.vm.connection.bytes_received
        await stop.step_over()
        stop = await next_stop(session)
        assert await returned(stop) == ("Recursion.fib(int)", "6765"), "the outermost of 21,891"
        assert session.vm.connection.bytes_received - received < 800
        with monkeypatch.context() as patch:
            patch.setattr("jvmdebug.stepping.returned.RETURN_BUDGET", 3)
            await stop.step_over()
            stop = await next_stop(session)
        assert stop.frame.line == program.marker("done")
        assert stop.returned is None, "six methods have returned inside isEven(6)"
        assert "more than 3 methods returned inside" in str(stop.why_not_returned)
        with pytest.raises(EvaluationError, match="more than 3 methods returned inside"):
            await stop.frame.evaluate("$return")


async def test_values_returned_inside_a_recursion_are_reported(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """The frame's own method returns everywhere above it; only the depth distinguishes them."""
    program = compiled("recursion", "Recursion", jdk)
    async with launch_ours("recursion", "Recursion", args=["20"], mode="full") as session:
        await session.break_at(f"Recursion:{program.marker('left')}", once=True)
        stop = await next_stop(session)
        fib = "Recursion.fib(int)"
        for marker, value in (("right", "4181"), ("sum", "2584")):
            await stop.step_over()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker(marker)
            assert await returned(stop) == (fib, value)
        stop = await back(session, stop)
        assert (stop.frame.line, await returned(stop)) == (
            program.marker("fib-call"),
            (fib, "6765"),
        )
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.returned, stop.why_not_returned) == (None, None), "it had returned before"
        await stop.step_over()
        stop = await next_stop(session)
        assert await returned(stop) == ("Recursion.isEven(int)", "true")


async def test_the_fast_mode_offers_the_full_one_where_no_call_is_known(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled("calls", "Calls", jdk)
    async with launch_ours("calls", "Calls", mode="fast") as session:
        await session.break_at(f"Calls:{program.marker('one')}", once=True)
        stop = await back(session, await next_stop(session))
        assert await returned(stop) == ("Calls.one(int)", "1")
        await stop.step_over()
        stop = await next_stop(session)
        assert await returned(stop) == ("Part.size()", "1")
        await stop.run_to(f"Calls:{program.marker('made')}")
        stop = await next_stop(session)
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.returned, stop.why_not_returned) == (None, None)
        with pytest.raises(FullModeNeeded, match="no call is known to have returned"):
            await stop.frame.evaluate("$return")
