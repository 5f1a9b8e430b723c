# SPDX-License-Identifier: Apache-2.0
"""What is asked of a heap of very many objects, beside the JDK's own tools on the same program.

Histogram beside `jmap -histo`, heap dump beside `jcmd GC.heap_dump`: ours over a session that is
attached already, theirs as a user starts them. Then our reader on the dump that jcmd has written:
histogram, dominator tree with all retained sizes, paths; beside it VisualVM's, asked the same
(Eclipse MAT's is not on Maven Central). Each reads in a process of its own, whose memory is told.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.bench.scenario import compiled
from tests.support.jdks import newest_compiler
from tests.support.libraries import heap_reader, maven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.jdks import Jdk

OBJECTS: Final = 20_000_000
_BYTES_OF_OBJECT: Final = 40
"""Room in the heap for each: a node or a number, and the collector's own."""
_PEER: Final = Path(__file__).parent / "peer" / "BiggestObjects.java"
_PEER_BYTES_OF_OBJECT: Final = 200
_PATIENCE_S: Final = 900.0


@dataclass(frozen=True, slots=True)
class Row:
    """Medians of the rounds."""

    what: str
    seconds: float
    held_s: float | None = None
    """For how long the program was held; None if it is not known."""
    memory_mb: float | None = None
    """The most that the reader's process used."""


def measure(jdk: Jdk, rounds: int, objects: int) -> list[Row]:
    """Measures a running program, then its dump."""
    return asyncio.run(_measure(jdk, rounds, objects))


def table(jdk: Jdk, objects: int, rows: list[Row]) -> str:
    """The results as text."""
    title = f"JDK {jdk.version}, heap of {objects:,} objects"
    lines = [f"{title:60}{'s':>8}{'program held, s':>18}{'memory, MB':>12}"]
    for each in rows:
        held = "" if each.held_s is None else f"{each.held_s:.2f}"
        memory = "" if each.memory_mb is None else f"{each.memory_mb:,.0f}"
        lines.append(f"{each.what:60}{each.seconds:>8.2f}{held:>18}{memory:>12}")
    return "\n".join(lines)


async def _measure(jdk: Jdk, rounds: int, objects: int) -> list[Row]:
    heap_mb = max(256, objects * _BYTES_OF_OBJECT >> 20)
    with (
        compiled(jdk, only="HeapCost.java") as program,
        tempfile.TemporaryDirectory(prefix="jvmdebug-bench-") as folder,
    ):
        async with jvmdebug.launch(
            "HeapCost",
            class_path=[program.classes],
            java=jdk.home,
            args=[str(objects)],
            vm_args=[f"-Xmx{heap_mb}m", f"-Xms{heap_mb}m"],
            stdin="pipe",
        ) as session:
            await session.start()
            async for output in session.output:
                if "ready" in output.text:
                    break
            await session.heap.collect()
            rows = await _histograms(session, jdk, rounds)
            rows += await _dumps(session, jdk, rounds, Path(folder))
        rows += await asyncio.to_thread(_readers, Path(folder) / "theirs.hprof", rounds, objects)
    return rows


async def _histograms(session: jvmdebug.Session, jdk: Jdk, rounds: int) -> list[Row]:
    ours = []
    for _ in range(rounds):
        begin = time.perf_counter()
        await session.heap.histogram()
        ours.append(time.perf_counter() - begin)
    tools, pid = jdk.home / "bin", str(session.pid)
    jmap = [str(tools / "jmap"), "-histo", pid]
    jcmd = [str(tools / "jcmd"), pid, "GC.class_histogram", "-all"]
    return [
        Row("histogram: session.heap.histogram()", statistics.median(ours)),
        Row("histogram: jmap -histo", await _median(jmap, rounds)),
        Row("histogram: jcmd GC.class_histogram -all", await _median(jcmd, rounds)),
    ]


async def _dumps(session: jvmdebug.Session, jdk: Jdk, rounds: int, folder: Path) -> list[Row]:
    ours, held = [], []
    file = folder / "ours.hprof"
    for _ in range(rounds):
        begin = time.perf_counter()
        written = await session.heap.dump(file)
        ours.append(time.perf_counter() - begin)
        held.append(written.standstill_s)
    size = f"{file.stat().st_size / 2**20:,.0f} MB"
    file.unlink()
    theirs = folder / "theirs.hprof"
    jcmd = [str(jdk.home / "bin" / "jcmd"), str(session.pid), "GC.heap_dump", str(theirs)]
    spent = []
    for _ in range(rounds):
        theirs.unlink(missing_ok=True)
        spent.append(await asyncio.to_thread(_time, jcmd))
    return [
        Row(f"dump, {size}: session.heap.dump()", statistics.median(ours), statistics.median(held)),
        Row("dump: jcmd GC.heap_dump", statistics.median(spent)),
    ]


async def _median(command: Sequence[str], rounds: int) -> float:
    return statistics.median([await asyncio.to_thread(_time, command) for _ in range(rounds)])


def _time(command: Sequence[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def _readers(file: Path, rounds: int, objects: int) -> list[Row]:
    """Each round in a process of its own, which prints what it took."""
    ours = [sys.executable, "-m", "tests.bench.heap_cost", str(file)]
    rows = _reader("reader", ours, rounds)
    if maven() is not None:
        class_path = ":".join(map(str, heap_reader()))
        memory = f"-Xmx{max(1024, objects * _PEER_BYTES_OF_OBJECT >> 20)}m"
        java = str(newest_compiler().java)
        theirs = [java, memory, "-cp", class_path, str(_PEER), str(file)]
        rows += _reader("VisualVM's reader", theirs, 1)
    return rows


def _reader(name: str, command: Sequence[str], rounds: int) -> list[Row]:
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        try:
            ran = subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=_PATIENCE_S
            )
        except subprocess.TimeoutExpired:
            return [Row(f"{name}: not done after", _PATIENCE_S)]
        for line in ran.stdout.splitlines():
            what, _, value = line.rpartition(" ")
            found.setdefault(what, []).append(float(value))
    memory = statistics.median(found.pop("memory"))
    rows = [Row(f"{name}: {what}", statistics.median(each)) for what, each in found.items()]
    whole = sum(each.seconds for each in rows)
    return [*rows, Row(f"{name}: all of it", whole, memory_mb=memory)]


def _read(file: str) -> None:
    """What one round of the reader does, by itself."""
    begin = time.perf_counter()
    heap = jvmdebug.heap.open(file)

    def took(what: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        print(what, now - begin)
        begin = now

    took("open")
    heap.histogram()
    took("histogram")
    keepers = heap.dominators(most=20)
    took("dominators, retained sizes")
    for each, _ in keepers[:3]:
        heap.paths_to_roots(each, 1)
    took("paths of three objects")
    print("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    _read(sys.argv[1])
