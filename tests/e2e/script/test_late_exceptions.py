# SPDX-License-Identifier: Apache-2.0
"""Exception breakpoints in a program that was started without any flag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug import SessionState
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug import Session, Stop
    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

THROWER: Final = debuggee("late", "Thrower")
LINES: Final = {
    THROWER.marker(name): name
    for name in ("direct", "kept", "made", "parse", "prepared", "raised", "implicit", "uncaught")
}
WAYS: Final = {
    "direct": "direct",
    "kept": "kept",
    "made": "made",
    "parse": 'For input string: "no number"',
    "prepared": "prepared",
    "raised": "raised",
    "uncaught": "uncaught",
}
"""The messages, by where it is thrown; of an implicit one only newer releases make one."""


@pytest.fixture(params=["platform", "virtual"])
async def program(request: pytest.FixtureRequest, jdk: Jdk) -> AsyncIterator[BareProgram]:
    if request.param == "virtual" and jdk.version < 21:
        pytest.skip("no virtual threads")
    args = ("virtual",) if request.param == "virtual" else ()
    async with bare_program(jdk, program=THROWER, args=args) as running:
        yield running


async def _go_on(session: Session) -> Stop:
    if session.state is not SessionState.RUNNING:
        await session.resume()
    return await next_stop(session)


async def _thrown(session: Session) -> tuple[str, str | None]:
    """The place in the program, and the message."""
    stop = await _go_on(session)
    thrown = await stop.thrown()
    assert thrown is not None
    places = [LINES.get(each.line or 0) for each in await stop.frames()]
    return next(each for each in places if each is not None), thrown.message


async def test_what_the_program_throws(program: BareProgram) -> None:
    """Exceptions by the program, the JDK and the VM; caught or not; again by the next debugger."""
    for is_last in (False, True):
        async with jvmdebug.attach(pid=program.pid) as session:
            assert session.mode == "late"
            all_ = await session.break_on_exception("java.lang.RuntimeException")
            assert (all_.verified, all_.message) == (True, None)
            seen = [await _thrown(session) for _ in range(2 * len(LINES))]
            for round_ in (seen[: len(LINES)], seen[len(LINES) :]):  # each once in a round
                assert sorted(where for where, _ in round_) == sorted(LINES.values())
                assert {where: dict(round_)[where] for where in WAYS} == WAYS
            await all_.remove()
            uncaught = await session.break_on_exception(caught=False)
            assert [await _thrown(session) for _ in range(2)] == [("uncaught", "uncaught")] * 2
            await uncaught.remove()
            by_type = await session.break_on_exception(
                "Thrower$Wrong", condition='$exception.getMessage().equals("made")'
            )
            assert await _thrown(session) == ("made", "made")
            (stop,) = session.current_stops
            assert await (await stop.frame.evaluate('made("q").getMessage()')).as_text() == '"q"'
            with pytest.raises(jvmdebug.UnsupportedError, match="loaded into a program that ran"):
                await stop.frame.locals()
            await by_type.remove()
            if is_last:
                await stop.frame.evaluate("goOn = false")
    assert await program.running.wait() == 0  # it has gone on without the debugger


async def test_one_made_in_advance_that_nobody_catches(jdk: Jdk) -> None:
    """Stops where it is thrown by classes that are loaded while the breakpoint is there; else when
    it has left all frames, as no class is changed for uncaught exceptions alone.
    """
    loads = debuggee("late", "Loads")
    async with bare_program(jdk, program=loads) as program:
        async with jvmdebug.attach(pid=program.pid) as session:
            uncaught = await session.break_on_exception(caught=False)
            stop = await _go_on(session)
            seen = set()
            for _ in range(4):
                thrown = await stop.thrown()
                assert thrown is not None
                assert thrown.message == "prepared"
                where = stop.frame.location.partition("(")[0]
                seen.add((stop.ends_thread, where, stop.frame.line))
                stop = await _go_on(session)
            at_end = next(each for each in seen if each[0])
            assert at_end[1] == "java.lang.ThreadGroup.uncaughtException"
            times = await stop.frame.evaluate("Thread.class.classRedefinedCount")
            assert await times.as_text() == "0", "the lines of Thread.run stay in stack traces"
            assert seen == {at_end, (False, "Loads$New.run", loads.marker("new"))}
            times = await stop.frame.evaluate("Loads.Old.class.classRedefinedCount")
            assert await times.as_text() == "0"
            caught = await session.break_on_exception("java.lang.IllegalStateException")
            while (stop := await _go_on(session)).frame.location.startswith("Loads$New"):
                assert not stop.ends_thread
            assert stop.frame.location == f"Loads$Old.run(Loads.java:{loads.marker('old')})"
            await caught.remove()
            await uncaught.remove()
            await stop.frame.evaluate("Loads.goOn = false")
        assert await program.running.wait() == 0
