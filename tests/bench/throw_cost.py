# SPDX-License-Identifier: Apache-2.0
"""What an exception breakpoint costs the program while exceptions are caught that nobody wants.

In the fast mode, beside libjdwp and our full mode, where the VM reports each exception to the
agent; and in the fast mode beside JaCoCo's agent, which rewrites classes as ours does. And what it
costs to set the first breakpoint, for which `Throwable` is transformed: during a session, and
before the program starts. The program (`java/ThrowCost.java`) times its exceptions itself.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.support.libraries import library, maven

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from jvmdebug.launch.agent_library import AgentChoice, ModeChoice
    from tests.bench.scenario import Program

TITLES: Final = {
    "through-frames": "exception through 8 frames, ns",
    "inlined-call": "exception from an inlined call, ns",
    "by-the-vm": "exception thrown by the VM itself, ns",
    "setting": "setting the breakpoint, ms",
    "start": "start to main's first line, ms",
}
_TIMEOUT_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Way:
    """How the program is debugged. `watches`: uncaught exceptions stop, from the start on."""

    name: str
    agent: AgentChoice
    mode: ModeChoice
    watches: bool
    jacoco: bool = False


_WAYS: Final = (
    Way("libjdwp", "stock", "full", watches=True),
    Way("ours, full", "jvmdebug", "full", watches=True),
    Way("fast, none set", "jvmdebug", "fast", watches=False),
    Way("fast", "jvmdebug", "fast", watches=True),
    Way("JaCoCo, none set", "jvmdebug", "fast", watches=False, jacoco=True),
    Way("JaCoCo, fast", "jvmdebug", "fast", watches=True, jacoco=True),
)


def ways() -> tuple[Way, ...]:
    """The ways that this machine has: JaCoCo's agent is fetched by Maven."""
    return tuple(each for each in _WAYS if maven() is not None or not each.jacoco)


async def _timed(work: Awaitable[object]) -> float:
    began = time.perf_counter()
    await work
    return (time.perf_counter() - began) * 1000


async def _run(program: Program, way: Way) -> dict[str, float]:
    found: dict[str, float] = {}
    lines: list[str] = []
    vm_args = [f"-javaagent:{library('org.jacoco.agent')}=output=none"] if way.jacoco else []
    async with asyncio.timeout(_TIMEOUT_S):
        began = time.perf_counter()
        async with jvmdebug.launch(
            "ThrowCost",
            class_path=[program.classes],
            java=program.jdk.java,
            vm_args=vm_args,
            agent=way.agent,
            mode=way.mode,
            on_output=lambda output: lines.append(output.text),
        ) as session:
            watch = await session.break_on_exception(caught=False) if way.watches else None
            await session.break_at(f"ThrowCost:{program.line('begun', 'ThrowCost')}")
            stop = await session.next_stop(timeout_s=120)
            assert stop is not None, "the debuggee ended"
            found["start"] = (time.perf_counter() - began) * 1000
            if watch is not None:
                await watch.remove()
                found["setting"] = await _timed(session.break_on_exception(caught=False))
            await stop.resume()
            await session.wait()
    words = [line.split() for line in "".join(lines).splitlines()]
    return found | {each[0]: float(each[1]) for each in words if each[0] in TITLES}


def measure(program: Program, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Way → what → its values, one for each round; by turns."""
    found: dict[str, dict[str, list[float]]] = {way.name: {} for way in ways()}
    for _ in range(rounds):
        for way in ways():
            for name, value in asyncio.run(_run(program, way)).items():
                found[way.name].setdefault(name, []).append(value)
    return found


def table(version: int, found: dict[str, dict[str, list[float]]]) -> str:
    """The results as text: medians."""
    lines = [f"JDK {version}, exceptions that are caught while uncaught ones are to stop"]
    lines.append(" " * 36 + "".join(f"{name:>18}" for name in found))
    for name, title in TITLES.items():
        cells = [
            f"{statistics.median(values[name]):,.0f}" if name in values else "-"
            for values in found.values()
        ]
        lines.append(f"{title:36}" + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)
