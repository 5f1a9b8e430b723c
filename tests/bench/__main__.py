# SPDX-License-Identifier: Apache-2.0
"""`make bench`: our core against a plain JDI client, and our agent against none and libjdwp.

Each on the same program, by turns, in one run. The first table is about a debugger at work: per
operation ours, theirs and the ratio, in time (median of the runs, after one that warms both up),
commands and bytes (one more run through a proxy that counts). Ours are often under way together,
JDI's one after the other; and where JDI shows an object's type, ours shows what is in it. The last
columns are our core with our agent in place of the stock one. Then what it costs to step over very
many calls, see `step_cost`, what an exception breakpoint costs exceptions that are caught, see
`throw_cost`, what a start costs, see `startup` and `second_start`, and what a thread dump costs
beside `jstack` and `jcmd`, see `thread_dumps`, and what is asked of a large heap beside the JDK's
tools, see `heap_cost`. The last tables are about an agent without a
debugger, see `idle`, about the profiler, see `sampling_cost`, about coverage, see `coverage_cost`,
about recordings, see `recording_cost`, about where tasks were submitted, see `origins_cost`, and
about conditions that the program checks itself, see `conditions` and `log_lines`; and the calls of
traces, see `call_traces`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import LaunchError
from jvmdebug.launch.agent_library import agent_option
from tests.bench import (
    call_traces,
    conditions,
    coverage_cost,
    distance,
    heap_cost,
    idle,
    log_lines,
    origins_cost,
    ours,
    recording_cost,
    relay_cost,
    sampling_cost,
    second_start,
    startup,
    step_cost,
    thread_dumps,
    throw_cost,
)
from tests.bench.baseline import jdi_client
from tests.bench.scenario import PHASES, STOCK_AGENT, Measured, Work, compiled
from tests.support.jdks import Jdk, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = (
    *("clients", "steps", "throws", "startup", "threads", "heap", "idle", "sampling", "probes"),
    *("coverage", "origins", "recording"),
    *("loglines", "calls", "checks", "distance", "relay"),
)
_COSTS = {
    "coverage": coverage_cost.table,
    "origins": origins_cost.table,
    "recording": recording_cost.table,
}
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was measured with one JDK."""

    mine: Result
    theirs: Result
    with_our_agent: Result | None
    """None where our agent is not built."""


def our_agent() -> str | None:
    """The option that loads our agent; None where it is not built."""
    try:
        return agent_option()
    except LaunchError:
        return None


async def measure(jdk: Jdk, work: Work, runs: int) -> Comparison:
    """Ours and theirs, run by turns."""
    mine: list[Measured] = []
    baseline: list[Measured] = []
    owned: list[Measured] = []
    agent = our_agent()
    with compiled(jdk) as program:
        async with jdi_client(program) as client:
            for _ in range(runs + 1):
                mine.append(await ours.run(program, work, counted=False))
                baseline.append(await client.run(work, counted=False))
                if agent is not None:
                    owned.append(await ours.run(program, work, counted=False, agent=agent))
            my_counts = await ours.run(program, work, counted=True)
            owned_counts = my_counts
            if agent is not None:
                owned_counts = await ours.run(program, work, counted=True, agent=agent)
            their_counts = await client.run(work, counted=True)
    return Comparison(
        Result(mine[1:], my_counts),
        Result(baseline[1:], their_counts),
        Result(owned[1:], owned_counts) if owned else None,
    )


def table(jdk: Jdk, work: Work, found: Comparison) -> str:
    """The results as text."""
    mine, theirs = found.mine, found.theirs
    counts = {"first_stop": 1, "show": 1, "step_over": work.steps, "condition": work.hits}
    lines = [
        f"JDK {jdk.version}, stock agent; per operation: ours / plain JDI client / ratio",
        f"{'':34}{'time, µs':^32}{'commands':^24}{'bytes':^26}{'our agent: µs, commands':>26}",
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
        if found.with_our_agent is not None:
            owned = found.with_our_agent
            commands = owned.counted.traffic[phase].commands / count
            cells.append(f"{owned.microseconds(phase, count):>14,.0f} {commands:>9,.1f}")
        lines.append(f"{_TITLES[phase]:34}" + "  ".join(cells))
    return "\n".join(lines)


def _print_conditions(jdks: Sequence[Jdk]) -> None:
    for jdk in jdks:
        print(asyncio.run(conditions.table(jdk)), end="\n\n", flush=True)


def _print_checks(jdks: Sequence[Jdk]) -> None:
    for jdk in jdks:
        print(asyncio.run(conditions.first_rows(jdk)), end="\n\n", flush=True)


def _print_calls(jdks: Sequence[Jdk]) -> None:
    for jdk in jdks:
        print(asyncio.run(call_traces.table(jdk)), end="\n\n", flush=True)


def _print_steps(jdks: Sequence[Jdk], rounds: int) -> None:
    for jdk in jdks:
        with compiled(jdk, only="StepCost.java") as program:
            costs = asyncio.run(step_cost.measure(program, rounds))
        print(step_cost.table(jdk.version, costs), end="\n\n", flush=True)


def _print_distance(jdks: Sequence[Jdk]) -> None:
    agents = {"the JDK's agent": STOCK_AGENT}
    if (ours_option := our_agent()) is not None:
        agents = {"our agent": ours_option} | agents
    for jdk in jdks:
        print(asyncio.run(distance.table(jdk, agents)), end="\n\n", flush=True)


def _print_relay(jdks: Sequence[Jdk]) -> None:
    agents = {"the JDK's agent": STOCK_AGENT}
    if (ours_option := our_agent()) is not None:
        agents = {"our agent": ours_option} | agents
    for jdk in jdks:
        print(asyncio.run(relay_cost.table(jdk, agents)), end="\n\n", flush=True)


def _print_log_lines(jdks: Sequence[Jdk]) -> None:
    for jdk in jdks:
        print(asyncio.run(log_lines.table(jdk)), end="\n\n", flush=True)


def _print_cost(name: str, jdks: Sequence[Jdk], rounds: int) -> None:
    for jdk in jdks:
        with compiled(jdk, f"{name.capitalize()}Cost.java") as program:
            print(_COSTS[name](program, rounds), end="\n\n", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each client (5)")
    parser.add_argument("--steps", type=int, default=200, help="steps per run (200)")
    parser.add_argument("--hits", type=int, default=2000, help="breakpoint hits per run (2000)")
    parser.add_argument("--rounds", type=int, default=5, help="VMs per agent, idle (5)")
    parser.add_argument(
        "--objects", type=int, default=heap_cost.OBJECTS, help="of the heap (20,000,000)"
    )
    parser.add_argument(
        "--threads", type=int, default=thread_dumps.PLATFORM, help="to be dumped (5,000)"
    )
    parser.add_argument("--only", choices=TABLES, help="one of the tables")
    chosen = parser.parse_args(arguments)
    work = Work(chosen.steps, chosen.hits)
    jdks = jdks_to_test()
    with_jdi = [jdk for jdk in jdks if jdk.has_jdwp and jdk.has_javac]
    if not with_jdi and chosen.only in (None, "clients", "probes", "calls", "checks"):
        print("no JDK with both libjdwp and JDI was found; install one", file=sys.stderr)
        return 1
    for jdk in with_jdi if chosen.only in (None, "clients") else ():
        found = asyncio.run(measure(jdk, work, chosen.runs))
        print(table(jdk, work, found), end="\n\n", flush=True)
    _print_steps(jdks if chosen.only in (None, "steps") else (), chosen.rounds)
    for jdk in jdks if chosen.only in (None, "throws") else ():
        with compiled(jdk, only="ThrowCost.java") as program:
            spent = throw_cost.measure(program, chosen.rounds)
        print(throw_cost.table(jdk.version, spent), end="\n\n", flush=True)
    _print_distance(jdks if chosen.only in (None, "distance") else ())
    _print_relay(jdks if chosen.only in (None, "relay") else ())
    if chosen.only in (None, "startup"):
        print(startup.table(startup.measure(chosen.rounds)), end="\n\n", flush=True)
        starts = second_start.measure(jdks[-1], chosen.rounds)
        print(second_start.table(starts), end="\n\n", flush=True)
    for jdk in jdks if chosen.only in (None, "threads") else ():
        rows = thread_dumps.measure(jdk, chosen.rounds, chosen.threads)
        print(thread_dumps.table(jdk, rows), end="\n\n", flush=True)
    for jdk in jdks if chosen.only in (None, "heap") else ():
        asked = heap_cost.measure(jdk, chosen.rounds, chosen.objects)
        print(heap_cost.table(jdk, chosen.objects, asked), end="\n\n", flush=True)
    for jdk in jdks if chosen.only in (None, "idle") else ():
        with compiled(jdk, only="IdleCost.java") as program:
            times = idle.measure(program, chosen.rounds)
        print(idle.table(jdk, times), end="\n\n", flush=True)
    for name in _COSTS if chosen.only is None else _COSTS.keys() & {chosen.only}:
        _print_cost(name, jdks, chosen.rounds)
    for jdk in jdks if chosen.only in (None, "sampling") else ():
        with compiled(jdk, only="SamplingCost.java") as program:
            sampled = sampling_cost.measure(program, chosen.rounds)
        print(sampling_cost.table(jdk.version, sampled), end="\n\n", flush=True)
    _print_conditions(with_jdi if chosen.only in (None, "probes") else ())
    _print_checks(with_jdi if chosen.only == "checks" else ())
    _print_calls(with_jdi if chosen.only in (None, "calls") else ())
    _print_log_lines(jdks if chosen.only in (None, "loglines") else ())
    return 0


if __name__ == "__main__":
    sys.exit(main())
