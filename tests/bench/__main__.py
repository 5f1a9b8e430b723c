# SPDX-License-Identifier: Apache-2.0
"""`make bench`: our core against a plain JDI client, on the same debuggee and agent, in one run.

Prints a table: per operation ours, theirs and the ratio, in time (median of the runs, after one
that warms both up), round trips and bytes (one more run through a proxy that counts).
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.bench import ours
from tests.bench.baseline import jdi_client
from tests.bench.scenario import PHASES, Measured, Work, compiled
from tests.support.jdks import Jdk, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLES = {
    "first_stop": "launch to first stop",
    "show": "stop: frames and variables shown",
    "step_over": "one step over",
    "condition": "one hit, condition false",
}


@dataclass(frozen=True, slots=True)
class Result:
    """Both clients' runs: the timed ones, and the counted one."""

    timed: list[Measured]
    counted: Measured

    def microseconds(self, phase: str, count: int) -> float:
        """Median time of one operation."""
        times = [measured.nanoseconds[phase] / count for measured in self.timed]
        return statistics.median(times) / 1000


async def measure(jdk: Jdk, work: Work, runs: int) -> tuple[Result, Result]:
    """Ours and theirs, run by turns."""
    mine: list[Measured] = []
    baseline: list[Measured] = []
    with compiled(jdk) as program:
        async with jdi_client(program) as client:
            for _ in range(runs + 1):
                mine.append(await ours.run(program, work, counted=False))
                baseline.append(await client.run(work, counted=False))
            my_counts = await ours.run(program, work, counted=True)
            their_counts = await client.run(work, counted=True)
    return Result(mine[1:], my_counts), Result(baseline[1:], their_counts)


def table(jdk: Jdk, work: Work, mine: Result, theirs: Result) -> str:
    """The results as text."""
    counts = {"first_stop": 1, "show": 1, "step_over": work.steps, "condition": work.hits}
    lines = [
        f"JDK {jdk.version}, stock agent; per operation: ours / plain JDI client / ratio",
        f"{'':34}{'time, µs':^32}{'round trips':^24}{'bytes':^26}",
    ]
    for phase in PHASES:
        count = counts[phase]
        my_time = mine.microseconds(phase, count)
        their_time = theirs.microseconds(phase, count)
        cells = [f"{my_time:>11,.0f} {their_time:>11,.0f} {my_time / their_time:>6.2f}"]
        for name, width in (("commands", 7), ("bytes", 9)):
            my_count = getattr(mine.counted.traffic[phase], name) / count
            their_count = getattr(theirs.counted.traffic[phase], name) / count
            ratio = my_count / their_count if their_count else float("nan")
            cells.append(f"{my_count:>{width},.1f} {their_count:>{width},.1f} {ratio:>6.2f}")
        lines.append(f"{_TITLES[phase]:34}" + "  ".join(cells))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each client (5)")
    parser.add_argument("--steps", type=int, default=200, help="steps per run (200)")
    parser.add_argument("--hits", type=int, default=2000, help="breakpoint hits per run (2000)")
    chosen = parser.parse_args(arguments)
    work = Work(chosen.steps, chosen.hits)
    jdks = [jdk for jdk in jdks_to_test() if jdk.has_jdwp and jdk.has_javac]
    if not jdks:
        print("no JDK with both libjdwp and JDI was found; install one", file=sys.stderr)
        return 1
    for jdk in jdks:
        mine, theirs = asyncio.run(measure(jdk, work, chosen.runs))
        print(table(jdk, work, mine, theirs), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
