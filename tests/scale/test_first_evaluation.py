# SPDX-License-Identifier: Apache-2.0
"""A first evaluation: no more commands with our agent than with the JDK's own.

The first call of a connection prepares with our agent, once, the error that stops a method which
does not return (four commands). It is counted where the stop was shown before, as in an editor, and
left out where nothing was read before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import evaluator
from tests.scale.test_collections import commands
from tests.support.sessions import DebuggeeSession, compiled, launched

if TYPE_CHECKING:
    from jvmdebug import Stop
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TEXT: Final = "chained.inner.link.times(3)"


async def shown(stop: Stop) -> None:
    """What an editor shows first."""
    for frame in await stop.frames(0, 20):
        for variable in await frame.variables():
            await variable.as_text()


async def cost_of_the_first(jdk: Jdk, agent: AgentKind, *, is_shown: bool) -> int:
    """Commands for a call on a field of a field, which nobody has asked for before."""
    program = compiled("many", "many.Many", jdk)
    async with launched(program, jdk, agent, args=["chain", "3"]) as session:
        run = DebuggeeSession(session, program)
        await run.break_at("chained")
        stop = await run.next_stop()
        frame = await stop.frame.frame()
        if is_shown:
            await shown(stop)
        else:
            await evaluator.evaluate(frame, "System.lineSeparator()")  # the first call
        before = commands(session)
        value = await evaluator.evaluate(frame, TEXT)
        spent = commands(session) - before
        assert str(value) == "21"
        await session.kill()
        return spent


@pytest.mark.agent
@pytest.mark.parametrize("is_shown", [False, True], ids=["nothing read", "shown"])
async def test_an_expression_costs_no_more_than_with_the_agent_of_the_jdk(
    jdk: Jdk, *, is_shown: bool
) -> None:
    if not jdk.has_jdwp:
        pytest.skip("this JDK has no agent to compare with")
    ours, stock = [
        await cost_of_the_first(jdk, agent, is_shown=is_shown) for agent in ("jvmdebug", "stock")
    ]
    assert ours <= stock
