# SPDX-License-Identifier: Apache-2.0
"""Breakpoints that wait for another one, in a program that was started without any flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_one_stops_only_after_another_in_the_same_call(jdk: Jdk) -> None:
    till = debuggee("late", "Till")
    first_at, then_at = (f"Till.java:{till.marker(each)}" for each in ("sell", "after"))
    async with (
        bare_program(jdk, program=till) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        first = await session.break_at(first_at, condition="count < 0")
        then = await session.break_at(then_at, condition="count > 0", after=first)
        (where,) = then.locations
        assert (where.how, where.why_event) == ("event", "it counts only after another breakpoint")
        # A call that had begun before knows nothing of them; this one has begun behind.
        ready = await session.break_at(first_at, once=True)
        stop = await next_stop(session)
        assert stop.breakpoints == (ready,)
        await first.set_condition("count % 50 == 7")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (first,)
        assert {each.how for each in (*first.locations, *then.locations)} == {"probe"}
        count = await (await stop.frame.evaluate("count")).as_text()
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (then,)
        assert await (await stop.frame.evaluate("count")).as_text() == count
