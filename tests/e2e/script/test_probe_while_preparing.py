# SPDX-License-Identifier: Apache-2.0
"""A first condition while a thread is held in the class prepare event of a class that class loaders
need: the agent must not wait for that thread.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.events import Occurrence, Verdict
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

_LONG_S = 20


@pytest.mark.agent
async def test_a_condition_while_a_thread_prepares_the_exception_of_loaders(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled("missing", "Missing", jdk)
    is_held, may_go_on = asyncio.Event(), asyncio.Event()

    async def hold(_: Occurrence) -> Verdict:
        is_held.set()
        await may_go_on.wait()
        return RESUME

    async with launch_ours("missing", "Missing") as session:
        ready = await session.break_at(f"Missing.java:{program.marker('ready')}")
        stop = await next_stop(session)
        await ready.remove()
        router = session._services.router
        await router.arm(
            EventKind.CLASS_PREPARE,
            (ClassMatchModifier("java.lang.ClassNotFoundException"),),
            SuspendPolicy.EVENT_THREAD,
            hold,
        )
        await stop.resume()
        await asyncio.wait_for(is_held.wait(), _LONG_S)
        place = f"Missing.java:{program.marker('pass')}"
        try:
            asked = session.break_at(place, condition="n < 0")
            added = await asyncio.wait_for(asked, _LONG_S)
        finally:
            may_go_on.set()
        assert [each.how for each in added.locations] == ["probe"]
        assert await session.wait() == 0
