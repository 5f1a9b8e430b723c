# SPDX-License-Identifier: Apache-2.0
"""What a call of a traced method takes, with arguments, result and time: recorded by the program,
stopped by our debugger to show the fields of objects, and by the method entry and exit events of a
plain JDI client. And how many of the calls were told. As fast as the program can, and with some
time between two calls. `python -m tests.bench --only calls` prints the table.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import jvmdebug
from tests.bench.scenario import compiled

if TYPE_CHECKING:
    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

_MAIN: Final = "CallCost"
_BEFORE: Final = 20_000
"""Calls before those that are measured."""
_FEW_BEFORE: Final = 200
_ROWS: Final = ((0, 1_000_000), (10_000, 200_000), (100_000, 30_000))
"""Nanoseconds between two calls, and how many calls."""
_STOPS: Final = 1_000
_JDI_STOPS: Final = 200

_Way: TypeAlias = Literal["none", "recorded", "stopped"]


@dataclass(frozen=True, slots=True)
class CallCost:
    """Nanoseconds for a call, and of how many calls all was told, in percent."""

    ns: float
    told: float


async def cost(program: Program, way: _Way, apart_ns: int, calls: int) -> CallCost:
    """One run."""
    printed: list[str] = []
    told = 0
    before = _FEW_BEFORE if way == "stopped" else _BEFORE
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[str(calls), str(apart_ns), str(before)],
        agent="jvmdebug",
        on_output=lambda output: printed.append(output.text),
    ) as session:
        if way == "none":
            await session.start()
            await session.wait()
        else:
            async for each in session.trace(f"{_MAIN}#step", recorded=way == "recorded"):
                told += each.outcome == "returned" and each.result is not None
            await session.wait()
    return CallCost(float("".join(printed).split()[0]), 100 * told / (calls + before))


async def by_jdi(program: Program, apart_ns: int, calls: int) -> float:
    """Nanoseconds for a call, by `java/JdiCalls.java`."""
    client = await asyncio.create_subprocess_exec(
        *(str(program.jdk.java), "-cp", str(program.classes), "--add-modules", "jdk.jdi"),
        *("JdiCalls", str(program.classes), str(calls), str(apart_ns)),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await client.communicate()
    return float(printed.split()[0])


async def table(jdk: Jdk) -> str:
    """The rows, as text."""
    with compiled(jdk, "*Call*.java") as program:
        rows = [
            f"a call of a traced method, and the calls that were told (JDK {jdk.version})",
            _row("ns between calls", "none", "recorded", "told", "stopped", "plain JDI"),
        ]
        for apart, calls in _ROWS:
            none = await cost(program, "none", apart, calls)
            recorded = await cost(program, "recorded", apart, calls)
            stopped = await cost(program, "stopped", apart, _STOPS)
            rows.append(
                _row(
                    f"{apart:,}",
                    f"{none.ns:,.0f}",
                    f"{recorded.ns:,.0f}",
                    f"{recorded.told:.1f} %",
                    f"{stopped.ns:,.0f}",
                    f"{await by_jdi(program, apart, _JDI_STOPS):,.0f}",
                )
            )
    return "\n".join(rows)


def _row(first: str, *others: str) -> str:
    return f"{first:18}" + "".join(f"{each:>12}" for each in others)
