# SPDX-License-Identifier: Apache-2.0
"""Steps in a program that was started without any flag: to the lines that have probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop, texts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug import Session, Stop
    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

STEPS = debuggee("late", "Steps")
ODD = "number % 6 == 3 && number > 0"
"""Only in the main thread, where `check` throws."""


def at(marker: str) -> str:
    return f"Steps.java:{STEPS.marker(marker)}"


def lines(*markers: str) -> list[int]:
    return [STEPS.marker(each) for each in markers]


@pytest.fixture
async def program(jdk: Jdk) -> AsyncIterator[BareProgram]:
    async with bare_program(jdk, program=STEPS) as running:
        yield running


async def line_of(stop: Stop) -> int | None:
    return (await stop.frames())[0].line


async def over(session: Session, stop: Stop) -> Stop:
    await stop.step_over()
    after = await next_stop(session)
    assert after.thread.name == "main"
    return after


async def test_steps_go_the_way_of_the_vms_own(program: BareProgram, jdk: Jdk) -> None:
    """Steps from line to line, through branches, a loop, and an exception that is caught."""
    # At an exception HotSpot reports no step for the first instruction of the handler.
    caught = lines("catch")
    way = lines("branch", "odd", "shape", "area", "check", "catch", "caught")
    way += lines("loop", "inLoop", "loop", "inLoop", "loop", "return")
    held = jvmdebug.launch(STEPS.main_class, class_path=STEPS.class_path, java=jdk.home)
    async with held as own, jvmdebug.attach(pid=program.pid) as late:
        for session in (own, late):
            line = await session.break_at(at("first"), condition=ODD)
            if session is own:
                await session.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (line,)
            await line.remove()
            expected = [each for each in way if session is late or each not in caught]
            taken: list[int | None] = []
            for _ in expected:
                stop = await over(session, stop)
                taken.append(await line_of(stop))
            assert taken == expected, session.mode
            values = await texts(stop.frame)
            assert values["area"] == "27"


async def test_steps_from_a_condition_that_the_debugger_checks(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        lambda_ = "java.util.stream.Stream.of(number).anyMatch(each -> each % 6 == 3)"
        line = await session.break_at(at("first"), condition=lambda_)
        assert line.locations[0].how == "event"
        stop = await next_stop(session)
        await line.remove()
        stop = await over(session, stop)
        assert await line_of(stop) == STEPS.marker("branch")


async def test_into_out_and_where_none_can_end(program: BareProgram) -> None:
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        line = await session.break_at(at("area"), condition=ODD)
        stop = await next_stop(session)
        number = int((await texts(stop.frame))["number"])
        await stop.step_into()
        stop = await next_stop(session)
        assert await line_of(stop) == STEPS.marker("circle")
        assert stop.why_not_returned is not None
        assert "approximate" in stop.why_not_returned
        await stop.step_out()
        stop = await next_stop(session)
        assert await line_of(stop) == STEPS.marker("check")
        assert int((await texts(stop.frame))["number"]) == number
        # Its caller began before it had probes: the last place is where it is about to return.
        await stop.step_out()
        stop = await next_stop(session)
        assert await line_of(stop) == STEPS.marker("return")
        assert "is about to return; its caller" in str(stop.why_not_returned)
        with pytest.raises(jvmdebug.UnsupportedError, match="a step is not possible here: its ca"):
            await stop.step_over()
        assert stop.is_current
        end = await session.break_at(at("roundEnd"), condition=ODD)
        await stop.resume()
        # Now it has them, and this breakpoint.
        stop = await next_stop(session)
        assert stop.breakpoints == (line,)
        await stop.step_out()
        stop = await next_stop(session)
        assert await line_of(stop) == STEPS.marker("called")
        # A breakpoint where a step ends: one stop, which has both.
        stop = await over(session, stop)
        assert stop.breakpoints == (end,)
        await stop.resume()
        assert (await next_stop(session)).breakpoints == (line,)


async def test_two_breakpoints_at_one_line_stop_together(program: BareProgram) -> None:
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.BreakpointLogged):
            logged.append(event.text)

    async with jvmdebug.attach(pid=program.pid) as session:
        session.subscribe(note)
        first = await session.break_at(at("first"), condition=ODD)
        second = await session.break_at(at("first"), condition="number % 12 == 3 && number > 0")
        log = await session.break_at(at("first"), condition=ODD, log_message="at {number}")
        for _ in range(2):  # what came before all were set
            await (await next_stop(session)).resume()
        logged.clear()
        numbers: list[int] = []
        for _ in range(4):
            stop = await next_stop(session)
            number = int((await texts(stop.frame))["number"])
            numbers.append(number)
            expected = {first, second} if number % 12 == 3 else {first}
            assert set(stop.breakpoints) == expected
            await stop.resume()
        assert numbers == list(range(numbers[0], numbers[0] + 24, 6))
        assert log.hits >= len(numbers)
        assert logged[: len(numbers)] == [f"at {number}" for number in numbers]


@pytest.mark.parametrize("depth", ["over", "out"])
async def test_a_step_ends_where_the_method_throws_to_old_code(jdk: Jdk, depth: str) -> None:
    """The method that catches it began before it could have probes: no step ends in its handler."""
    throws = debuggee("late", "Throws")
    async with bare_program(jdk, program=throws) as running:
        async with jvmdebug.attach(pid=running.pid) as session:
            await session.break_at(f"Throws.java:{throws.marker('doubled')}", once=True)
            stop = await next_stop(session)
            for _ in range(3):  # over the condition too
                await (stop.step_over() if depth == "over" else stop.step_out())
                stop = await next_stop(session)
                if stop.why_not_returned and "about to throw" in stop.why_not_returned:
                    break
            assert await line_of(stop) == throws.marker("failing")
            assert "what may catch it has no probes" in str(stop.why_not_returned)
            with pytest.raises(jvmdebug.UnsupportedError, match="what may catch it has no probes"):
                await stop.step_over()
            assert stop.is_current
            await stop.frame.evaluate("goOn = false")
        assert await running.running.wait() == 0
