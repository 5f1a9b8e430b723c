# SPDX-License-Identifier: Apache-2.0
"""Steps in Kotlin's suspending functions, which go on in whichever thread resumes the coroutine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.libraries import kotlin_coroutines, maven
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session, Stop, Suspend
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the compiler is fetched by Maven; no mvn here"),
]

FILTERS: Final = {"standard": jvmdebug.StepFilters(), "own code": jvmdebug.JUST_MY_CODE}


def ferries() -> Debuggee:
    return kotlin_debuggee("coroutines", "ferries.FerriesKt", libraries=(kotlin_coroutines(),))


async def walked(session: Session, stop: Stop, *markers: str) -> Stop:
    """Step over from line to line of the one coroutine: exactly these lines, in this order."""
    program = ferries()
    for marker in markers:
        assert stop.frame.line is not None
        before = stop.frame.line
        await stop.step_over()
        stop = await next_stop(session)
        found = f"{stop.frame} after line {before}"
        assert stop.frame.line == program.marker(marker), f"{marker} is not {found}"
        assert stop.reason is jvmdebug.StopReason.STEP
    return stop


async def in_our_coroutine(session: Session) -> Stop:
    """Go to the line that calls `sail`; other coroutines run it meanwhile."""
    stop = await stop_at(session, ferries(), "begin")
    return await walked(session, stop, "gate", "sail")


@pytest.mark.parametrize("suspend", ["all", "thread"])
@pytest.mark.parametrize("filters", FILTERS)
async def test_next_goes_to_the_next_line_of_the_same_coroutine(
    jdk: Jdk, agent_kind: AgentKind, filters: str, suspend: Suspend
) -> None:
    """Other threads run meanwhile, or are held at each stop."""
    async with launched(ferries(), jdk, agent_kind) as session:
        session.settings.step_filters = FILTERS[filters]
        session.settings.suspend = suspend
        stop = await in_our_coroutine(session)
        stop = await walked(session, stop, "twice", "sailed")
        assert await (await stop.frame.evaluate("sum")).as_text() == "1132"
        await stop.resume()
        assert await session.wait() == 0


async def test_next_inside_of_a_suspending_function(jdk: Jdk, agent_kind: AgentKind) -> None:
    """What suspends in a loop, in an inlined function, by an exception, and twice on a line."""
    async with launched(ferries(), jdk, agent_kind) as session:
        stop = await in_our_coroutine(session)
        program = ferries()
        await stop.step_into()
        stop = await next_stop(session)
        while stop.frame.line != program.marker("call"):
            await stop.step_over()
            stop = await next_stop(session)
            assert stop.frame.method_name == "sail", stop.frame
        stop = await walked(session, stop, "behind")
        assert await (await stop.frame.evaluate("sum")).as_text() == "8", "not of another coroutine"
        while stop.frame.line != program.marker("once"):
            await stop.step_over()
            stop = await next_stop(session)
            assert stop.frame.method_name == "sail", stop.frame
        assert await (await stop.frame.evaluate("sum")).as_text() == "16"
        stop = await walked(session, stop, "context", "try", "sinks", "caught", "measured", "two")
        stop = await walked(session, stop, "return")
        assert await (await stop.frame.evaluate("sum")).as_text() == "1132"
        await stop.resume()
        assert await session.wait() == 0


async def test_a_step_that_leaves_a_resumed_function_ends_where_it_is_awaited(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    """Step over its last line, step out of it, and step over the last line of the coroutine."""
    program = ferries()
    async with launched(program, jdk, agent_kind) as session:
        stop = await in_our_coroutine(session)
        line = f"Ferries.kt:{program.marker('load')}"
        await session.break_at(line, condition="cars == 3", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.method_name == "load"
        stop = await walked(session, stop, "delay", "loaded")
        await stop.step_out()
        stop = await next_stop(session)
        assert (stop.frame.method_name, stop.frame.line) == ("sail", program.marker("call"))
        stop = await walked(session, stop, "behind")
        line = f"Ferries.kt:{program.marker('return')}"
        await session.break_at(line, condition="sum == 1132", once=True)
        await stop.resume()
        stop = await next_stop(session)
        stop = await walked(session, stop, "sail", "twice")
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("doubled")
        stop = await walked(session, stop, "twice", "sailed")
        assert await (await stop.frame.evaluate("sum")).as_text() == "1132"
        await stop.step_over()
        assert await session.wait() == 0, "nothing of the user's follows in that thread"


async def test_a_step_out_ends_on_the_one_line_of_a_lambda(jdk: Jdk, agent_kind: AgentKind) -> None:
    """The code of such a lambda has one line all over, also where it is resumed."""
    program = ferries()
    async with launched(program, jdk, agent_kind) as session:
        line = f"Ferries.kt:{program.marker('return')}"
        await session.break_at(line, condition="sum != 1132", once=True)
        stop = await next_stop(session)
        await stop.step_out()
        stop = await next_stop(session)
        assert (stop.frame.method_name, stop.frame.line) == (
            "invokeSuspend",
            program.marker("others"),
        )
        await stop.step_over()
        assert await session.wait() == 0


async def test_a_step_into_passes_what_suspends_in_a_library(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = ferries()
    async with launched(program, jdk, agent_kind) as session:
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        stop = await in_our_coroutine(session)
        for marker in ("sum", "for", "call", "load", "delay", "loaded"):
            await stop.step_into()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker(marker), f"{marker}: {stop.frame}"
        await stop.resume()
        assert await session.wait() == 0


async def test_a_function_breakpoint_is_hit_once_and_not_when_it_is_resumed(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = ferries()
    async with launched(program, jdk, agent_kind) as session:
        made = await session.break_at("ferries.Ferry#sail")
        lines = [stop.frame.line async for stop in session.stops()]
        assert lines == [program.marker("sum")] * 4
        assert made.hits == 4
