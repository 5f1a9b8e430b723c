# SPDX-License-Identifier: Apache-2.0
"""A check in place of one that holds each time, while threads stand in that: they are no hits of
the new one.
"""

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

TILL = debuggee("late", "Till")
SELL = f"Till.java:{TILL.marker('sell')}"
_THREADS = "40"


async def test_a_counted_condition_replaces_none(jdk: Jdk) -> None:
    if jdk.version < 21:
        pytest.skip("no virtual threads")
    async with (
        bare_program(jdk, program=TILL, args=["virtual", _THREADS]) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        point = await session.break_at(SELL)
        for _ in range(5):
            stop = await next_stop(session)
            assert point in stop.breakpoints
            await point.set_hit_condition("1000000")
            end = await session.break_at(SELL, hit_condition="== 100")
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (end,)
            assert point.hits < 1_000_000
            await end.remove()
            await point.set_hit_condition(None)
            await stop.resume()
