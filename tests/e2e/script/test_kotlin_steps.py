# SPDX-License-Identifier: Apache-2.0
"""Steps in Kotlin's suspending functions, which go on in whichever thread resumes the coroutine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.kotlin import kotlin_debuggee
from tests.support.libraries import kotlin_coroutines, maven
from tests.support.sessions import launched, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
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
    """Its first line; those of the others run meanwhile."""
    stop = await stop_at(session, ferries(), "begin")
    return await walked(session, stop, "gate", "sail")


@pytest.mark.parametrize("filters", FILTERS)
async def test_next_goes_to_the_next_line_of_the_same_coroutine(
    jdk: Jdk, agent_kind: AgentKind, filters: str
) -> None:
    async with launched(ferries(), jdk, agent_kind) as session:
        session.settings.step_filters = FILTERS[filters]
        stop = await in_our_coroutine(session)
        stop = await walked(session, stop, "sailed")
        assert await (await stop.frame.evaluate("sum")).text() == "1128"
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
        assert await (await stop.frame.evaluate("sum")).text() == "4", "not of another coroutine"
        while stop.frame.line != program.marker("once"):
            await stop.step_over()
            stop = await next_stop(session)
            assert stop.frame.method_name == "sail", stop.frame
        assert await (await stop.frame.evaluate("sum")).text() == "12"
        stop = await walked(session, stop, "context", "try", "sinks", "caught", "measured", "two")
        stop = await walked(session, stop, "return")
        assert await (await stop.frame.evaluate("sum")).text() == "1128"
        await stop.resume()
        assert await session.wait() == 0
