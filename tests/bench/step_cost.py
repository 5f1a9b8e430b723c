# SPDX-License-Identifier: Apache-2.0
"""What it costs to step over a call in which very many methods return.

With libjdwp, and with our agent in both modes; in the full one also without asking what methods
return, to see what that costs. All by turns in one run, median of the rounds after the first.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unittest import mock

import jvmdebug
from jvmdebug.stepping.returned import ReturnWatch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.launch.agent_library import AgentChoice, ModeChoice
    from tests.bench.scenario import Program

_RUN_TIMEOUT_S: Final = 300.0
LINES: Final = {"recursion": "fib(20): 21,891 returns", "long": "a loop: 1,000,000 returns"}


@dataclass(frozen=True, slots=True)
class Way:
    """How the program is debugged."""

    name: str
    agent: AgentChoice
    mode: ModeChoice
    asks_values: bool = True


WAYS: Final = (
    Way("libjdwp", "stock", "full"),
    Way("full, no values", "jvmdebug", "full", asks_values=False),
    Way("full, values", "jvmdebug", "full"),
    Way("fast", "jvmdebug", "fast"),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """The steps over one line."""

    times_ms: list[float]
    returned: str

    @property
    def median_ms(self) -> float:
        return statistics.median(self.times_ms[1:])


async def _next(session: jvmdebug.Session) -> jvmdebug.Stop:
    stop = await session.next_stop(timeout_s=120)
    assert stop is not None, "the debuggee ended"
    return stop


@contextlib.asynccontextmanager
async def _session(program: Program, way: Way, rounds: int) -> AsyncIterator[jvmdebug.Session]:
    async with jvmdebug.launch(
        "StepCost",
        args=[str(rounds)],
        class_path=[program.classes],
        java=program.jdk.java,
        agent=way.agent,
        mode=way.mode,
    ) as session:
        yield session


async def _run(program: Program, way: Way, rounds: int) -> dict[str, Cost]:
    costs = {name: Cost([], "") for name in LINES}
    async with asyncio.timeout(_RUN_TIMEOUT_S), _session(program, way, rounds) as session:
        point = await session.break_at(f"StepCost:{program.line('recursion', 'StepCost')}")
        for _ in range(rounds):
            stop = await _next(session)
            for name, cost in costs.items():
                await stop.frames()
                began = time.perf_counter()
                await stop.step_over()
                stop = await _next(session)
                cost.times_ms.append((time.perf_counter() - began) * 1000)
                returned = "-" if stop.returned is None else await stop.returned.as_text()
                costs[name] = Cost(cost.times_ms, returned)
            await stop.resume()
        await point.remove()
    return costs


async def measure(program: Program, rounds: int) -> dict[str, dict[str, Cost]]:
    """Way → line → cost."""
    found = {}
    for way in WAYS:
        with contextlib.ExitStack() as stack:
            if not way.asks_values:
                stack.enter_context(mock.patch.object(ReturnWatch, "arm", mock.AsyncMock()))
            found[way.name] = await _run(program, way, rounds)
    return found


def table(version: int, found: dict[str, dict[str, Cost]]) -> str:
    """The results as text."""
    lines = [f"JDK {version}, one step over; ms, and what it says was returned"]
    lines.append(" " * 28 + "".join(f"{way:>26}" for way in found))
    for name, title in LINES.items():
        cells = [f"{costs[name].median_ms:.1f} {costs[name].returned}" for costs in found.values()]
        lines.append(f"{title:28}" + "".join(f"{cell:>26}" for cell in cells))
    return "\n".join(lines)
