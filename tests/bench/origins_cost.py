# SPDX-License-Identifier: Apache-2.0
"""What it costs to remember where tasks are submitted: no debugger, one, and one that does.

The cost is processor time of the threads that submit and run tasks, 10,000 in a second. The program
is `java/OriginsCost.java`.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from tests.bench.scenario import Program

_SECONDS: Final = "3"
_TASKS_A_SECOND: Final = 10_000
_PARTS: Final = ("depth-10", "depth-40")
_Times = dict[str, float]


def _times(output: str) -> _Times:
    rows = (line.split() for line in output.splitlines())
    return {row[0]: float(row[1]) for row in rows if row and row[0] in _PARTS}


def _run(program: Program) -> _Times:
    command = [program.jdk.java, "-cp", program.classes, "OriginsCost", _SECONDS]
    ran = subprocess.run(
        list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, input=""
    )
    return _times(ran.stdout)


async def _debugged(program: Program, *, is_on: bool) -> tuple[_Times, int]:
    texts: list[str] = []
    has_all = asyncio.Event()

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output):
            texts.append(event.text)
        if len(_times("".join(texts))) == len(_PARTS):
            has_all.set()

    thinned = 0
    async with jvmdebug.launch(
        "OriginsCost",
        class_path=[program.classes],
        java=program.jdk.java,
        args=[_SECONDS],
        stdin="pipe",
    ) as session:
        session.subscribe(note)
        tracking = session.origins()
        if is_on:
            await tracking.start()
        await session.start()
        await has_all.wait()
        if is_on:
            thinned = (await tracking.status()).thinned
        await session.write_stdin("\n")
        await session.wait()
    return _times("".join(texts)), thinned


def table(program: Program, runs: int) -> str:
    """The medians of so many runs, and what a task costs more than without a debugger."""
    found: dict[str, list[_Times]] = {"none": [], "debugged": [], "origins": []}
    thinned = 0
    for _ in range(runs):
        found["none"].append(_run(program))
        found["debugged"].append(asyncio.run(_debugged(program, is_on=False))[0])
        times, left_out = asyncio.run(_debugged(program, is_on=True))
        found["origins"].append(times)
        thinned += left_out
    about = f"median of {runs}; {thinned} tasks without a stack"
    rows = [f"origins, JDK {program.jdk.version}: processor time of a task, {about}"]
    for part in _PARTS:
        base = statistics.median(each[part] for each in found["none"])
        cells = []
        for name, all_times in found.items():
            median = statistics.median(each[part] for each in all_times)
            more = (median - base) / 1000
            of_core = more * _TASKS_A_SECOND / 1e6
            cells.append(f"{name} {median / 1000:.1f} µs (+{more:.1f} µs, {of_core:.1%} of a core)")
        rows.append(f"  {part:9} {', '.join(cells)}")
    return "\n".join(rows)
