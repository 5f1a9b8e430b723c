# SPDX-License-Identifier: Apache-2.0
"""Exceptions that proxies throw on: a stop for each object, or for each throw if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

_EXCEPTION = "java.lang.IllegalArgumentException"


async def test_an_exception_stops_once(launch: Launch, jdk: Jdk) -> None:
    program = compiled("proxies", "Proxies", jdk)
    async with launch("proxies", "Proxies") as session:
        breakpoint_ = await session.break_on_exception(_EXCEPTION)
        seen = [(stop.frame.line, stop.first_thrown_at) async for stop in session.stops()]
    assert seen == [(program.marker("thrown"), None)] * 3, "each round makes a new one"
    assert breakpoint_.hits == 3


async def test_each_throw_if_that_is_asked(launch: Launch, jdk: Jdk) -> None:
    program = compiled("proxies", "Proxies", jdk)
    thrown, again = program.marker("thrown"), program.marker("again")
    async with launch("proxies", "Proxies", mode="full") as session:
        await session.break_on_exception(_EXCEPTION)
        session.settings.rethrows = True
        seen = [(stop.frame.line, stop.first_thrown_at) async for stop in session.stops()]
    first = f"Proxies$Plain.find(Proxies.java:{thrown})"
    lines = [line for line, _ in seen]
    assert (lines.count(thrown), lines.count(again)) == (3, 4)
    assert all(where == (None if line == thrown else first) for line, where in seen)


async def test_a_condition_that_holds_for_a_later_throw(launch: Launch, jdk: Jdk) -> None:
    program = compiled("proxies", "Proxies", jdk)
    async with launch("proxies", "Proxies", mode="full") as session:
        await session.break_on_exception(_EXCEPTION, condition="++Proxies.asked == 2")
        seen = [stop.frame.line async for stop in session.stops()]
    assert seen == [program.marker("again")]
