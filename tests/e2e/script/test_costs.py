# SPDX-License-Identifier: Apache-2.0
"""What concerns no breakpoint and no step costs nothing, and a statement is stopped at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def going_on(session: Session, stop: Stop, line: int) -> tuple[Stop, int]:
    """The next stop, at the line, and the bytes that came from the VM on the way."""
    before = session.vm.connection.bytes_received
    await stop.resume()
    stop = await next_stop(session)
    assert stop.frame.line == line
    return stop, session.vm.connection.bytes_received - before


async def test_a_statement_of_several_lines_is_stopped_at_once(launch: Launch, jdk: Jdk) -> None:
    """The first line begins again behind the arguments: that is the same statement still."""
    line = compiled("cases", "cases.Cases", jdk).marker
    async with launch("cases", "cases.Cases") as session:
        statement = await session.break_at(f"cases.Cases:{line('several')}", hit_condition="% 4")
        argument = await session.break_at(f"cases.Cases:{line('behind')}", condition="i == 3")
        seen = []
        async for stop in session.stops():
            seen.append((stop.breakpoints, await (await stop.frame.get("i")).as_text()))
            if len(seen) == 3:
                break
        assert seen == [((statement,), "3"), ((argument,), "3"), ((statement,), "7")]
        assert len(statement.locations) == 1


async def test_unused_features_cause_no_events(launch_ours: Launch, jdk: Jdk) -> None:
    """A method that is never called, the depth of the stack, calls inside of a step."""
    line = compiled("cases", "cases.Cases", jdk).marker
    async with launch_ours("cases", "cases.Cases", mode="full") as session:
        for marker in ("many", "shallow", "deeper", "fib"):
            await session.break_at(f"cases.Cases:{line(marker)}", once=True)
        stop = await next_stop(session)
        function = await session.break_at("cases.Cases#never")
        assert function.verified
        stop, received = await going_on(session, stop, line("shallow"))
        assert received < 600, "2,000 calls of another method of the class"

        condition = await session.break_at(f"cases.Cases:{line('deep')}", condition="i < 0")
        stop, shallow = await going_on(session, stop, line("deeper"))
        stop, deep = await going_on(session, stop, line("fib"))
        assert deep - shallow < 100, "only the topmost of 500 frames is asked for"
        assert (condition.hits, condition.message) == (0, None)

        before = session.vm.connection.bytes_received
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == line("each")
        assert session.vm.connection.bytes_received - before < 800, "2,000 calls on `this`"
        assert stop.returned is not None
        assert await stop.returned.as_text() == "610"
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == line("call-sly"), "not into the lambda"
