# SPDX-License-Identifier: Apache-2.0
"""How many commands a stop, showing it and a step take: each is a round trip over a slow network,
and counts do not depend on the machine.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated.virtual_machine import Version
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_FIRST_SHOWN = {"jvmdebug": 0, "stock": 16}
_NEXT_SHOWN = {"jvmdebug": 0, "stock": 4}
_STEP = {"jvmdebug": 1, "stock": 3}
_CODE = {"jvmdebug": 0, "stock": 1}
"""Of the method, at the first step in it."""
_STEP_INTO = {"jvmdebug": 1, "stock": 7}
"""Into a method of a class that is known."""

_MOST_BYTES = 64_000


class _Commands:
    """Counts the commands of a session."""

    def __init__(self, session: jvmdebug.Session) -> None:
        self._connection = session.vm.connection
        self._before = self._connection.round_trips

    async def since(self) -> int:
        """How many have been answered since the last call."""
        await self._connection.request(Version())  # all that were sent before are answered
        before, self._before = self._before, self._connection.round_trips
        return self._before - before - 1


async def _show(stop: jvmdebug.Stop) -> dict[str, str]:
    await stop.thread.frames(0, 20)
    return {each.name: await each.as_text() for each in await stop.frame.variables()}


async def test_a_stop_is_shown_and_stepped_from(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("script", "Changes")
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Changes.java:{program.marker('number')}")
        stop = await next_stop(session)
        commands = _Commands(session)
        assert await _show(stop) == {"start": "1"}
        assert await commands.since() <= _FIRST_SHOWN[agent_kind]
        for _ in range(2):
            await stop.step_over()
            stop = await next_stop(session)
            assert await commands.since() <= _STEP[agent_kind] + _CODE[agent_kind]
            assert await _show(stop)
            assert await commands.since() <= _NEXT_SHOWN[agent_kind]
        assert stop.frame.line == program.marker("call-inner")
        await stop.step_into()
        stop = await next_stop(session)
        assert await commands.since() <= _STEP_INTO[agent_kind]
        assert stop.frame.line == program.marker("inner")
        assert await _show(stop) == {"value": "2"}
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.returned is not None
        assert stop.frame.line == program.marker("call-inner")


async def test_a_breakpoint_is_hit_again(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("script", "Dies")
    async with launched(program, jdk, agent_kind, args=["on"]) as session:
        await session.break_at(f"Dies.java:{program.marker('sleeps')}")
        await _show(await next_stop(session))
        commands = _Commands(session)
        for _ in range(3):
            await session.resume()
            stop = await next_stop(session)
            assert set(await _show(stop)) == {"round", "next"}
            assert await commands.since() <= 1 + _NEXT_SHOWN[agent_kind]


async def test_a_deep_stack_of_large_values_comes_in_few_bytes(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = debuggee("far", "Far")
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Far.java:{program.marker('bottom')}")
        await session.start()
        before = session.vm.connection.bytes_received
        stop = await next_stop(session)
        assert len(await stop.thread.frames(0, 20)) == 20
        shown = await _show(stop)
        assert shown["text"].startswith('"text text')
        received = session.vm.connection.bytes_received - before
        assert received < _MOST_BYTES


async def test_what_is_read_again_is_given_back_once(jdk: Jdk, agent_kind: AgentKind) -> None:
    """An agent counts how often it has sent an id; the JDK's ends the VM if it gets back more."""
    program = debuggee("script", "Changes")
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Changes.java:{program.marker('printed')}")
        stop = await next_stop(session)
        held = [await stop.frame.evaluate("text") for _ in range(3)]
        assert [await each.as_text() for each in held] == ['"text"'] * 3
        del held
        gc.collect()
        await stop.resume()
        assert await session.wait() == 0
