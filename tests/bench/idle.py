# SPDX-License-Identifier: Apache-2.0
"""What an agent costs a program while no debugger is there: ours in both modes, libjdwp, any, none.

The same program (`java/IdleCost.java`) times itself, in a VM of its own for each agent, by turns:
each round has one VM of each kind, and what is compared are times of the same round. Owns the
agents' options, the runs and the table; the work is the program's.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import LaunchError
from jvmdebug.launch.agent_library import agent_option, stock_agent_option
from tests.support.jdks import discover

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

TITLES: Final = {
    "arithmetic": "arithmetic",
    "allocation": "allocation",
    "calls": "fields and virtual calls",
    "locks": "locks, uncontended",
    "inlined-call": "exception from an inlined call",
    "by-the-vm": "exception thrown by the VM itself",
    "through-frames": "exception through 8 frames",
    "loading": "loading a class",
    "virtual-start": "virtual thread: start",
    "virtual-yield": "virtual thread: yield",
}
NO_AGENT, ANY, STOCK, FULL, FAST = "no agent", "any agent", "libjdwp", "ours, full", "ours, fast"
TOLERANCE: Final = 1.05
_TIMEOUT_S: Final = 300.0
_ANY_AGENT_SOURCE: Final = Path(__file__).parent / "empty_agent.c"

Times = dict[str, float]
"""Work → nanoseconds per operation."""


def empty_agent(folder: Path) -> Path | None:
    """An agent that does nothing, compiled; None without headers."""
    headers = next((jdk.home / "include" for jdk in discover() if jdk.has_headers), None)
    if headers is None:
        return None
    library = folder / "libempty.so"
    includes = [f"-I{headers}", f"-I{headers / 'linux'}"]
    source = str(_ANY_AGENT_SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", *includes, "-o", library, source], check=True)
    return library


def agents(jdk: Jdk, empty: Path | None) -> dict[str, list[str]]:
    """Name → VM arguments, for each kind that this JDK and this machine have."""
    found: dict[str, list[str]] = {NO_AGENT: []}
    if empty is not None:
        found[ANY] = [f"-agentpath:{empty}"]
    if jdk.has_jdwp:
        found[STOCK] = [stock_agent_option(suspend=False)]
    try:
        found[FULL] = [agent_option(suspend=False)]
        found[FAST] = [agent_option(suspend=False, mode="fast")]
    except LaunchError:
        pass  # our agent is not built
    return found


def run_once(program: Program, agent: list[str]) -> Times:
    """One VM's times."""
    # One carrier, so that it is not the scheduler's luck that is timed.
    options = ["-Xmx256m", "-Djdk.virtualThreadScheduler.parallelism=1"]
    options += ["-Djdk.virtualThreadScheduler.maxPoolSize=1"]
    command = [str(program.jdk.java), *agent, *options, "-cp", str(program.classes), "IdleCost"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_TIMEOUT_S)
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0]: float(words[1]) for words in lines if words and words[0] in TITLES}


def measure(program: Program, rounds: int) -> dict[str, list[Times]]:
    """Agent → its times, one for each round."""
    with tempfile.TemporaryDirectory(prefix="jvmdebug-bench-") as folder:
        kinds = agents(program.jdk, empty_agent(Path(folder)))
        found: dict[str, list[Times]] = {name: [] for name in kinds}
        for _ in range(rounds):
            for name, option in kinds.items():
                found[name].append(run_once(program, option))
    return found


def ratios(found: Mapping[str, list[Times]], name: str, base: str, work: str) -> list[float]:
    """How much longer an operation takes than with `base`, in each round, ascending."""
    pairs = zip(found[name], found[base], strict=True)
    return sorted(mine[work] / theirs[work] for mine, theirs in pairs)


def table(jdk: Jdk, found: Mapping[str, list[Times]]) -> str:
    """The results as a Markdown table, and what is to be said of them."""
    others = [name for name in found if name != NO_AGENT]
    rounds = len(found[NO_AGENT])
    title = f"JDK {jdk.version}: ns per operation without an agent, and how many times as long with"
    lines = [
        f"{title} an idle one (median of {rounds} VMs each, lowest to highest)",
        "",
        f"| {'':35} | {NO_AGENT:>9} | " + " | ".join(f"{name:^22}" for name in others) + " |",
        "|---|---|" + "---|" * len(others),
    ]
    works = [work for work in TITLES if work in found[NO_AGENT][0]]
    for work in works:
        alone = statistics.median(times[work] for times in found[NO_AGENT])
        cells = [f"{TITLES[work]:35}", f"{alone:>9,.2f}"]
        for name in others:
            found_ratios = ratios(found, name, NO_AGENT, work)
            low, high = found_ratios[0], found_ratios[-1]
            middle = statistics.median(found_ratios)
            cells.append(f"{middle:>7.2f} ({low:.2f} to {high:.2f})".ljust(22))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *verdicts(found, works)])


def verdicts(found: Mapping[str, list[Times]], works: list[str]) -> list[str]:
    """Whether fast costs nothing, and full no more than libjdwp."""
    lines = []
    if FAST in found:
        slow = []
        for work in works:
            # Any agent at all makes virtual threads slower; that is no agent's own doing.
            base = ANY if work.startswith("virtual") and ANY in found else NO_AGENT
            slow += _slower(found, FAST, base, work)
        lines.append(_verdict("ours, fast: within 5 % of no agent (virtual threads: any)", slow))
    if FULL in found and STOCK in found:
        slow = [text for work in works for text in _slower(found, FULL, STOCK, work)]
        lines.append(_verdict("ours, full: not slower than libjdwp", slow))
    return lines


def _slower(found: Mapping[str, list[Times]], name: str, base: str, work: str) -> list[str]:
    ratio = statistics.median(ratios(found, name, base, work))
    return [f"{TITLES[work]} {ratio:.2f} times"] if ratio > TOLERANCE else []


def _verdict(claim: str, but: list[str]) -> str:
    return f"{claim}: {'yes' if not but else 'NO, ' + ', '.join(but)}"
