# SPDX-License-Identifier: Apache-2.0
"""Virtual threads that stop in a program without flags, which has one carrier for all of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

FAILING: Final = debuggee("late", "Failing")
_SCHEDULER: Final = "-Djdk.virtualThreadScheduler"
ONE_CARRIER: Final = (f"{_SCHEDULER}.parallelism=1", f"{_SCHEDULER}.maxPoolSize=1")


@pytest.fixture(autouse=True)
def _virtual_threads(jdk: Jdk) -> None:
    if jdk.version < 21:
        pytest.skip("no virtual threads")


async def _stop_all(session: Session, count: int) -> list[Stop]:
    """One stop of each thread: of many, sooner than half a second for each."""
    stops: list[Stop] = []
    async with asyncio.timeout(max(5, 0.2 * count)):
        while len(stops) < count:
            stops.append(await next_stop(session))
    assert len({stop.thread.id for stop in stops}) == count
    return stops


async def test_threads_that_stop_in_exceptions_hold_no_carrier(jdk: Jdk) -> None:
    async with (
        bare_program(jdk, *ONE_CARRIER, program=FAILING, args=("40",)) as program,
        jvmdebug.attach(pid=program.pid) as session,
    ):
        session.settings.suspend = "thread"
        failing = await session.break_on_exception("Failing$Wrong")
        stops = await _stop_all(session, 40)
        for stop in (stops[0], stops[20]):
            frames = await stop.frames()
            assert (frames[0].method.name, frames[0].line) == ("fail", FAILING.marker("fail"))
            assert frames[1].method.name == "loop"
            assert await (await stop.frame.evaluate("twice(21)")).as_text() == "42"
            thrown = await stop.thrown()
            assert thrown is not None
            assert thrown.message == "no"
        await stops[0].resume()
        again = await next_stop(session)
        assert again.thread.id == stops[0].thread.id
        await failing.remove()
        await again.frame.evaluate("goOn = false")
        await session.resume()
        async with asyncio.timeout(10):
            assert await program.running.wait() == 0


@pytest.mark.parametrize("kind", ["exception", "line"])
async def test_a_permit_that_comes_while_a_thread_has_stopped_is_left(jdk: Jdk, kind: str) -> None:
    """The thread itself parks afterwards, and would wait for ever without it."""
    async with (
        bare_program(jdk, *ONE_CARRIER, program=FAILING, args=("2",)) as program,
        jvmdebug.attach(pid=program.pid) as session,
    ):
        session.settings.suspend = "thread"
        if kind == "exception":
            await session.break_on_exception("Failing$Wrong")
        else:
            await session.break_at(f"Failing.java:{FAILING.marker('fail')}")
        stops = await _stop_all(session, 2)  # the first has left its carrier to the second
        await stops[1].frame.evaluate("parks = true")
        for given in (1, 2):
            await stops[1].frame.evaluate(f"permits = {given}")
            await _reaches(session, "Failing.given", given)
            for stop in stops:
                await stop.resume()
            stops = [await next_stop(session) for _ in stops]
            assert len({stop.thread.id for stop in stops}) == 2


async def _reaches(session: Session, expression: str, value: int) -> None:
    for _ in range(2_000):
        if (await session.evaluate(expression)).text == str(value):
            return
        await asyncio.sleep(0.005)
    pytest.fail(f"{expression} is never {value}")


async def test_threads_that_wait_in_exceptions_go_on_without_the_debugger(jdk: Jdk) -> None:
    async with bare_program(jdk, *ONE_CARRIER, program=FAILING, args=("3",)) as program:
        for _ in range(2):
            async with jvmdebug.attach(pid=program.pid) as session:
                session.settings.suspend = "thread"
                await session.break_on_exception("Failing$Wrong")
                await _stop_all(session, 3)
