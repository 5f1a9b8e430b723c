# SPDX-License-Identifier: Apache-2.0
"""A class with a breakpoint that the program loads again and again: what each load costs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "loaded_again", "LoadedAgain"
FIRST, FEW, MANY = 60, 10, 50
"""The first fifty get probes."""
METHODS = 3
BESIDE = 20
"""What else the debugger may do meanwhile; fewer than one for each load."""
COMMANDS = {
    "jvmdebug": 1 + 1 + 1,  # the outline of the class, the breakpoint, the resume
    "stock": 3 + METHODS + 1 + 1,  # methods, source and its map; lines; the same two
}
PLACES = {"never": 1, "looped": 2}
"""The beginning of a loop, and what comes after each turn."""
MORE = {"jvmdebug": 1, "stock": 3}
"""The second breakpoint; code and constants of the class, which only our agent sends before."""
TASKS = {"jvmdebug": 4, "stock": 16}
"""One for each breakpoint in the file, two for the location; those that wait at the same time."""


class _Tasks:
    """Counts the tasks that the event loop is given."""

    def __init__(self) -> None:
        self.made = 0
        asyncio.get_running_loop().set_task_factory(self._make)

    def _make(self, loop: asyncio.AbstractEventLoop, work: Any, **named: Any) -> asyncio.Task[Any]:
        self.made += 1
        return asyncio.Task(work, loop=loop, **named)


@pytest.mark.parametrize("marker", ["never", "looped"])
async def test_a_load_costs_few_commands(
    launch: Launch, jdk: Jdk, agent_kind: AgentKind, marker: str
) -> None:
    """Also where the line is in its method several times, which its code must tell apart."""
    program = compiled(TOPIC, MAIN, jdk)
    path = program.marked("never")[0]
    args = [str(each) for each in (FIRST, FEW, MANY)]
    async with launch(TOPIC, MAIN, args=args) as session:
        tasks = _Tasks()
        never = await session.break_at(f"{path}:{program.marker(marker)}")
        between = await session.break_at(f"{path}:{program.marker('between')}")

        async def loads() -> tuple[int, int]:
            before = session.vm.connection.round_trips, tasks.made
            if session.current_stops:
                await session.resume()
            stop: jvmdebug.Stop = await next_stop(session)
            assert stop.breakpoints == (between,)
            return session.vm.connection.round_trips - before[0], tasks.made - before[1]

        await loads()
        few, many = await loads(), await loads()
        assert len(never.locations) == PLACES[marker] * (FIRST + FEW + MANY)
        more = MORE[agent_kind] if marker == "looped" else 0
        assert many[0] - few[0] <= (COMMANDS[agent_kind] + more) * (MANY - FEW) + BESIDE
        assert many[1] - few[1] <= (TASKS[agent_kind] + 2 * more) * (MANY - FEW) + BESIDE
