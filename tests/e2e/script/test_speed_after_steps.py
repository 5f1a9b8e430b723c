# SPDX-License-Identifier: Apache-2.0
"""A thread runs compiled code again once its step has ended, before the stepped frame returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from tests.support.sessions import DebuggeeSession, compiled, launched, next_stop, stop_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import jvmdebug
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_SLOWER: Final = 3
"""In the interpreter it is twenty times and more."""


async def _over(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    await stop.step_over()
    await (await next_stop(session)).resume()


async def _out(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    await stop.step_into()
    await (await next_stop(session)).step_out()
    await (await next_stop(session)).resume()


async def _interrupted(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    """The step ends at a breakpoint in what it has called."""
    inside = await session.break_at("AfterStep#called", once=True)
    await stop.step_over()
    ended = await next_stop(session)
    assert ended.breakpoints == (inside,)
    await ended.resume()


@pytest.mark.parametrize("steps", [_over, _out, _interrupted])
async def test_the_same_work_after_a_step(
    jdk: Jdk, agent_kind: AgentKind, steps: Callable[..., Awaitable[None]]
) -> None:
    if jdk.version < 25:
        pytest.skip("before JDK 25 no agent can take a frame pop back, nor does the JDK's own")
    program = compiled("afterstep", "AfterStep", jdk)
    async with launched(program, jdk, agent_kind, mode="full") as session:
        debuggee = DebuggeeSession(session, program)
        stop = await stop_at(session, program, "step")
        await steps(session, stop)
        assert await session.wait() == 0
    found = re.search(r"times (\d+) (\d+) 42", debuggee.printed)
    assert found is not None, debuggee.printed
    before, after = map(int, found.groups())
    assert after < _SLOWER * before
