# SPDX-License-Identifier: Apache-2.0
"""What a recording costs a program: none, its lines, all, by turns.

The cost is processor time of the program's thread when all is compiled: for a pass of a hot loop,
six records of primitive values, for a request of business code, and for a text that is read
character by character. The program is `java/RecordingCost.java`; it pauses, so that what it records
can be read. Also the bytes of a record in the file.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from tests.bench.scenario import Program

_PARTS: Final = ("hot", "request", "parsing")
_RECORDS_OF_PASS: Final = 6
_Times = dict[str, float]


def _times(output: str) -> _Times:
    rows = (line.split() for line in output.splitlines())
    return {row[0]: float(row[1]) for row in rows if row[0] in _PARTS}


def _bare(program: Program) -> _Times:
    command = [program.jdk.java, "-cp", program.classes, "RecordingCost"]
    ran = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)
    return _times(ran.stdout)


async def _recorded(program: Program, what: str, path: Path) -> _Times:
    texts: list[str] = []
    async with jvmdebug.launch(
        "RecordingCost",
        class_path=[program.classes],
        java=program.jdk.java,
        on_output=lambda output: texts.append(output.text),
    ) as session:
        recorder = session.record(
            path, what=what, only=["RecordingCost*", "CoverageCost*", "Orders*"]
        )
        async with recorder:
            await session.start()
            await session.wait()
        recorded = await recorder.stop()
    times = _times("".join(texts))
    times["bytes"] = recorded.size / recorded.records
    times["lost"] = recorded.lost
    return times


def table(program: Program, runs: int) -> str:
    """The medians of so many runs, and what they are in proportion to those without a recording."""
    found: dict[str, list[_Times]] = {"none": [], "lines": [], "all": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            found["none"].append(_bare(program))
            for what in ("lines", "all"):
                path = Path(folder) / f"{what}.jvmrec"
                found[what].append(asyncio.run(_recorded(program, what, path)))
    rows = [f"recording, JDK {program.jdk.version}: processor time, median of {runs}"]
    for part in _PARTS:
        base = statistics.median(each[part] for each in found["none"])
        cells = []
        for name, times in found.items():
            median = statistics.median(each[part] for each in times)
            cells.append(f"{name} {median:.1f} ns ({median / base:.2f})")
        rows.append(f"  {part:8} {', '.join(cells)}")
    everything = found["all"]
    cost = statistics.median(
        (each["hot"] - none["hot"]) / _RECORDS_OF_PASS
        for each, none in zip(everything, found["none"], strict=True)
    )
    size = statistics.median(each["bytes"] for each in everything)
    lost = sum(each["lost"] for each in everything)
    rows.append(f"  a record: {cost:.1f} ns, {size:.2f} bytes in the file; lost: {lost:.0f}")
    return "\n".join(rows)
