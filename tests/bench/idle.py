# SPDX-License-Identifier: Apache-2.0
"""What an agent costs while no debugger is there: ours in both modes, libjdwp, others, none.

The same program (`java/IdleCost.java`) times itself, in a VM of its own for each agent, by turns:
each round has one VM of each kind, and what is compared are times of the same round. An agent is
called slower only when the interval in which the median ratio lies says so; works of which it says
neither get more rounds. Owns the agents' options, the runs and the table; the program the work.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import LaunchError
from jvmdebug.launch.agent_library import agent_option, stock_agent_option
from tests.support.jdks import discover

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

TITLES: Final = {
    "arithmetic": "arithmetic",
    "allocation": "allocation",
    "short-lived": "objects that stay in a method",
    "calls": "fields and virtual calls",
    "locks": "locks, uncontended",
    "inlined-call": "exception from an inlined call",
    "by-the-vm": "exception thrown by the VM itself",
    "through-frames": "exception through 8 frames",
    "loading": "loading a class",
    "virtual-start": "virtual thread: start",
    "virtual-yield": "virtual thread: yield",
}
NO_AGENT, EMPTY, ANY, STOCK = "no agent", "empty agent", "any debugger", "libjdwp"
FULL, FAST = "ours, full", "ours, fast"
TOLERANCE: Final = 1.05
CONFIDENCE: Final = 0.9
_SLOWER_WITH_ANY: Final = {"short-lived", "virtual-start", "virtual-yield"}
"""What costs more in a VM that can be debugged, whatever the agent: virtual threads with any agent
at all, objects that stay in a method in JDK 11, where they are then made none the less."""
_MORE: Final = 3
"""So many times the rounds at most, for works that are not decided."""
_TIMEOUT_S: Final = 300.0
_ANY_DEBUGGER_SOURCE: Final = Path(__file__).parent / "any_debugger.c"

Times = dict[str, float]
"""Work → nanoseconds per operation."""
Found = dict[str, list[Times]]
"""Agent → its times, one for each round; of some works there are more rounds than of others."""


def any_debugger(folder: Path) -> Path | None:
    """An agent that takes what every debugger needs and does nothing; None without headers."""
    headers = next((jdk.home / "include" for jdk in discover() if jdk.has_headers), None)
    if headers is None:
        return None
    library = folder / "libany.so"
    includes = [f"-I{headers}", f"-I{headers / 'linux'}"]
    source = str(_ANY_DEBUGGER_SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", *includes, "-o", library, source], check=True)
    return library


def agents(jdk: Jdk, least: Path | None) -> dict[str, list[str]]:
    """Name → VM arguments, for each kind that this JDK and this machine have."""
    found: dict[str, list[str]] = {NO_AGENT: []}
    if least is not None:
        found[EMPTY] = [f"-agentpath:{least}=nothing"]
        found[ANY] = [f"-agentpath:{least}"]
    if jdk.has_jdwp:
        found[STOCK] = [stock_agent_option(suspend=False)]
    try:
        found[FULL] = [agent_option(suspend=False)]
        found[FAST] = [agent_option(suspend=False, mode="fast")]
    except LaunchError:
        pass  # our agent is not built
    return found


def run_once(program: Program, agent: list[str], works: Iterable[str] = ()) -> Times:
    """One VM's times, of all works or of these."""
    # One carrier, so that it is not the scheduler's luck that is timed.
    options = ["-Xmx256m", "-Djdk.virtualThreadScheduler.parallelism=1"]
    options += ["-Djdk.virtualThreadScheduler.maxPoolSize=1"]
    command = [
        str(program.jdk.java),
        *agent,
        *options,
        "-cp",
        str(program.classes),
        "IdleCost",
        *works,
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_TIMEOUT_S)
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0]: float(words[1]) for words in lines if words and words[0] in TITLES}


def measure(program: Program, rounds: int) -> Found:
    """Agent → its times, one for each round."""
    with tempfile.TemporaryDirectory(prefix="jvmdebug-bench-") as folder:
        kinds = agents(program.jdk, any_debugger(Path(folder)))
        found: Found = {name: [] for name in kinds}
        works: set[str] = set()
        for done in range(rounds * _MORE):
            if done >= rounds and not (works := undecided(found)):
                break
            order = list(kinds.items())
            for name, option in order if done % 2 == 0 else reversed(order):
                found[name].append(run_once(program, option, sorted(works)))
    return found


def ratios(found: Found, name: str, base: str, work: str) -> list[float]:
    """How much longer an operation takes than with `base`, in each round, ascending."""
    pairs = zip(found[name], found[base], strict=True)
    return sorted(mine[work] / theirs[work] for mine, theirs in pairs if work in mine)


def interval(ordered: Sequence[float]) -> tuple[float, float]:
    """The interval in which the median lies, with CONFIDENCE at least as far as so few values can
    tell.

    The k-th lowest and highest enclose it unless fewer than k of n values fall on one side of it,
    which is a matter of tossing coins, whatever the values.
    """
    n = len(ordered)
    rank, outside = 0, 2 / 2**n
    while (wider := outside + 2 * math.comb(n, rank + 1) / 2**n) <= 1 - CONFIDENCE:
        rank, outside = rank + 1, wider
    return ordered[rank], ordered[n - 1 - rank]


def comparisons(found: Found, works: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(agent, what it is held against, work) of all that is claimed."""
    for work in works:
        if FAST in found:
            yield FAST, ANY if work in _SLOWER_WITH_ANY and ANY in found else NO_AGENT, work
        if FULL in found and STOCK in found:
            yield FULL, STOCK, work


def undecided(found: Found) -> set[str]:
    """The works for which an interval has TOLERANCE in it."""
    works = found[NO_AGENT][0]
    return {
        work
        for name, base, work in comparisons(found, works)
        if (reach := interval(ratios(found, name, base, work)))[0] <= TOLERANCE < reach[1]
    }


def table(jdk: Jdk, found: Found) -> str:
    """The results as a Markdown table, and what is to be said of them."""
    others = [name for name in found if name != NO_AGENT]
    rounds = len(found[NO_AGENT])
    title = f"JDK {jdk.version}: ns per operation without an agent, and how many times as long with"
    lines = [
        f"{title} an idle one (median of up to {rounds} VMs each, and where it lies)",
        "",
        f"| {'':35} | {NO_AGENT:>9} | " + " | ".join(f"{name:^22}" for name in others) + " |",
        "|---|---|" + "---|" * len(others),
    ]
    works = [work for work in TITLES if work in found[NO_AGENT][0]]
    for work in works:
        alone = statistics.median(times[work] for times in found[NO_AGENT] if work in times)
        cells = [f"{TITLES[work]:35}", f"{alone:>9,.2f}"]
        for name in others:
            ordered = ratios(found, name, NO_AGENT, work)
            low, high = interval(ordered)
            middle = statistics.median(ordered)
            cells.append(f"{middle:>7.2f} ({low:.2f} to {high:.2f})".ljust(22))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *verdicts(found, works)])


def verdicts(found: Found, works: Sequence[str]) -> list[str]:
    """Whether fast costs nothing, and full no more than libjdwp."""
    claims = {
        FAST: "ours, fast: within 5 % of no agent (three works: of any debugger)",
        FULL: "ours, full: not slower than libjdwp",
    }
    lines = []
    for agent, claim in claims.items():
        slower: list[str] = []
        open_: list[str] = []
        for name, base, work in comparisons(found, works):
            ordered = ratios(found, name, base, work)
            low, high = interval(ordered)
            if name == agent and high > TOLERANCE:
                text = f"{TITLES[work]} {statistics.median(ordered):.2f} ({low:.2f} to {high:.2f})"
                (slower if low > TOLERANCE else open_).append(text)
        answer = f"NO, slower: {', '.join(slower)}" if slower else "yes"
        more = f"; not decided: {', '.join(open_)}" if open_ else ""
        lines.append(f"{claim}: {answer}{more}")
    return lines
