# SPDX-License-Identifier: Apache-2.0
"""Frames that threads never leave, of a class that changes again and again around them.

The agent reads the stacks of threads that run, and a method that is in use keeps its code: else the
threads would go on in code that no breakpoint reaches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_ROUNDS: Final = 2


async def test_a_breakpoint_in_a_loop_is_hit_whatever_has_come_and_gone(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled("kept_values", "Kept", jdk)
    made, passes = (f"Kept.java:{program.marker(each)}" for each in ("made", "passes"))
    async with launch_ours("kept_values", "Kept") as session:
        await session.start()
        at = await session.break_at(passes)
        stop = await next_stop(session)
        await at.remove()
        await stop.resume()
        for _ in range(_ROUNDS):
            condition = await session.break_at(made, condition="n == -5")
            watch = await session.watch("Kept$Held.value", condition="$new == -5")
            await condition.remove()
            await watch.remove()
            at = await session.break_at(passes)
            stop = await next_stop(session)
            await at.remove()
            await stop.resume()
        at = await session.break_at(passes)
        stop = await next_stop(session)
        await at.remove()
        await stop.frame.evaluate("over = true")
        await session.resume()
        assert await session.wait() == 0
