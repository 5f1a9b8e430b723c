# SPDX-License-Identifier: Apache-2.0
"""Tests where a breakpoint slides, and what it tells about its code when it is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import BreakpointLogged
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from jvmdebug import Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def lines(session: Session) -> list[int | None]:
    """The lines of all stops until the end."""
    return [stop.frame.line async for stop in session.stops()]


async def test_a_line_before_a_class_waits_for_that_class(launch: Launch, jdk: Jdk) -> None:
    program = compiled("sliding", "Sliding", jdk)
    async with launch("sliding", "Sliding") as session:
        await session.break_at(f"Sliding.java:{program.marker('call')}", once=True)
        assert await session.next_stop(timeout_s=20) is not None
        source = program.source("Sliding.java")
        middle = await session.break_at(f"{source}:{program.marker('before-middle')}")
        empty = await session.break_at(f"{source}:{program.marker('before-empty')}")
        last = await session.break_at(f"{source}:{program.marker('before-last')}")
        for waiting in (middle, empty, last):
            assert (waiting.locations, waiting.is_pending) == ((), True)
            assert "waits for class " in str(waiting.message)
        assert await lines(session) == [program.marker("last")]
        first_of_middle = program.marker("before-middle") + 2
        assert (middle.line, middle.hits) == (first_of_middle, 0), "its constructor"
        assert (empty.line, empty.hits) == (first_of_middle, 0), "past an interface without code"


async def test_a_line_that_makes_an_anonymous_class_stops_once(launch: Launch, jdk: Jdk) -> None:
    program = compiled("sliding", "Sliding", jdk)
    line = program.marker("anonymous")
    async with launch("sliding", "Sliding") as session:
        await session.break_at(f"Sliding.java:{line}")
        assert await lines(session) == [line]


async def test_a_condition_with_a_member_that_no_class_has(launch: Launch, jdk: Jdk) -> None:
    program = compiled("sliding", "Sliding", jdk)
    spec = f"Sliding.java:{program.marker('work')}"
    async with launch("sliding", "Sliding") as session:
        await session.break_at(spec, once=True)
        assert await session.next_stop(timeout_s=20) is not None
        misspelt = await session.break_at(spec, condition="item.stok > 2")
        reason = "Item has no field stok; did you mean stock?"
        assert (misspelt.verified, misspelt.is_pending) == (False, False)
        assert misspelt.message == f"condition 'item.stok > 2' is wrong here: {reason}"
        compared = await session.break_at(spec, condition="item > 2")
        assert not compared.verified
        for wrong in ("itme.stock > 2", "Sliding.nope > 2"):
            assert not (await session.break_at(spec, condition=wrong)).verified
        call = await session.break_at(spec, condition="item.count() > 2")
        assert "Item has no method count" in str(call.message)
        logged = await session.break_at(spec, log_message="{item.stok}")
        assert logged.message == f"{{item.stok}} in the log message is wrong here: {reason}"
        later = await session.break_at(spec, condition="item.day == 3")
        assert not later.verified, "no class with it is loaded"
        for each in (compared, call, logged):
            await each.remove()
        assert await lines(session) == [program.marker("work")]
        assert (later.hits, misspelt.hits) == (1, 0), "a class that is loaded later brings it"


async def test_characters_are_logged_without_quotes(launch: Launch, jdk: Jdk) -> None:
    program = compiled("sliding", "Sliding", jdk)
    logged: list[str] = []
    async with launch("sliding", "Sliding") as session:
        session.subscribe(
            lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
        )
        await session.break_at(
            f"Sliding.java:{program.marker('work')}",
            log_message="{letter} {boxed} {builder} {item.stock}",
        )
        assert await lines(session) == []
    assert logged == ["q z so far 1", "q z so far 5"]


async def test_a_line_without_code_stays_in_its_statement_and_says_where(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("continued", "Continued", jdk)
    source = program.source("Continued.java")
    wanted = {
        "throw-end": "throw",
        "refused-end": "throw",
        "parameter": "sum",
        "method-end": "return",
        "element": "array",
        "head-end": "head",
    }
    async with launch("continued", "Continued") as session:
        for asked, armed in wanted.items():
            line = program.marker(armed)
            made = await session.break_at(f"{source}:{program.marker(asked)}")
            if session.current_stops:
                await session.resume()
            stop = await session.next_stop(timeout_s=20)
            assert stop is not None, asked
            assert (stop.frame.line, made.line) == (line, line), asked
            assert made.message == f"moved to line {line}"
            await made.remove()
        await session.resume()
        assert await lines(session) == []
