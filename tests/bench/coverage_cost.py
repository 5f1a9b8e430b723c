# SPDX-License-Identifier: Apache-2.0
"""What coverage costs a program: none, JaCoCo's agent, ours, by turns.

The cost is processor time of the program's thread for the same work: in the first tenth, which has
the start of compilers and our stores put in, and in the last tenth, when all is compiled. The
program is `java/CoverageCost.java`.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.support.libraries import jacoco

if TYPE_CHECKING:
    from tests.bench.scenario import Program

_ROUNDS_OF_WORK: Final = "300000"
_PARTS: Final = ("first", "later")
_Times = dict[str, float]


def _times(output: str) -> _Times:
    rows = (line.split() for line in output.splitlines())
    return {row[0]: float(row[1]) for row in rows if row[0] in _PARTS}


def _run(program: Program, *options: str) -> _Times:
    command = [program.jdk.java, *options, "-cp", program.classes]
    ran = subprocess.run(
        [*map(str, command), "CoverageCost", _ROUNDS_OF_WORK],
        check=True,
        capture_output=True,
        text=True,
    )
    return _times(ran.stdout)


async def _ours(program: Program) -> _Times:
    texts: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output):
            texts.append(event.text)

    async with jvmdebug.launch(
        "CoverageCost",
        class_path=[program.classes],
        java=program.jdk.java,
        args=[_ROUNDS_OF_WORK],
    ) as session:
        session.subscribe(note)
        async with session.coverage(include=["CoverageCost*"]):
            await session.start()
            await session.wait()
    return _times("".join(texts))


def table(program: Program, runs: int) -> str:
    """The medians of so many runs, and what they are in proportion to those without coverage."""
    agent, _ = jacoco()
    found: dict[str, list[_Times]] = {"none": [], "JaCoCo": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        option = f"-javaagent:{agent}=destfile={Path(folder) / 'jacoco.exec'}"
        for _ in range(runs):
            found["none"].append(_run(program))
            found["JaCoCo"].append(_run(program, option))
            found["ours"].append(asyncio.run(_ours(program)))
    rows = [
        f"coverage, JDK {program.jdk.version}: processor time of a round of work, median of {runs}"
    ]
    for part in _PARTS:
        base = statistics.median(each[part] for each in found["none"])
        cells = []
        for name, times in found.items():
            median = statistics.median(each[part] for each in times)
            cells.append(f"{name} {median / 1000:.1f} µs ({median / base:.2f})")
        rows.append(f"  {part:6} {', '.join(cells)}")
    return "\n".join(rows)
