# SPDX-License-Identifier: Apache-2.0
"""What a dump of very many threads costs, beside the JDK's own tools on the same program.

Ours over a session that is attached already, until the snapshot is there as Python objects; how
much of that the agent took to collect it, and how long the program was held for it. `jstack` and
`jcmd` as a user starts them, which includes the start of their own VM; both write text. jstack
knows no virtual threads, and `jcmd Thread.dump_to_file` (since 21) no locks.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.jdwp.generated.threads import Dump
from tests.bench.scenario import compiled

if TYPE_CHECKING:
    from typing import Literal

    from tests.support.jdks import Jdk

PLATFORM = 5_000
VIRTUAL = 100_000
_FRAMES: Final = 30
"""As `session.thread_dump` asks for."""
_CONSISTENCY: Final = {"stacks": 1, "all": 2}


@dataclass(frozen=True, slots=True)
class Row:
    """Medians in milliseconds; all but the whole only of ours."""

    what: str
    total_ms: float
    agent_ms: float | None = None
    held_ms: float | None = None


def measure(jdk: Jdk, rounds: int, platform: int) -> list[Row]:
    """Measures so many platform threads, and where there are any, twenty times as many virtual
    ones.
    """
    rows = asyncio.run(_measure(jdk, "platform", platform, rounds))
    if jdk.version >= 21:
        rows += asyncio.run(_measure(jdk, "virtual", VIRTUAL * platform // PLATFORM, rounds))
    return rows


def table(jdk: Jdk, rows: list[Row]) -> str:
    """The results as text."""
    title = f"JDK {jdk.version}, thread dumps"
    lines = [f"{title:60}{'ms':>10}{'in the agent, ms':>18}{'program held, ms':>18}"]
    for each in rows:
        agent, held = (
            "" if some is None else f"{some:,.1f}" for some in (each.agent_ms, each.held_ms)
        )
        lines.append(f"{each.what:60}{each.total_ms:>10,.0f}{agent:>18}{held:>18}")
    return "\n".join(lines)


async def _measure(jdk: Jdk, kind: str, count: int, rounds: int) -> list[Row]:
    with compiled(jdk, only="ManyThreads.java") as program:
        async with jvmdebug.launch(
            "ManyThreads",
            class_path=[program.classes],
            java=jdk.home,
            args=[kind, str(count)],
            vm_args=["-Xmx2g"],
            stdin="pipe",
        ) as session:
            await session.start()
            async for output in session.output:
                if "ready" in output.text:
                    break
            threads = f"{count:,} {kind} threads"
            rows = [
                await _ours(session, f"{threads}: session.thread_dump()", "all", count, rounds),
                await _ours(session, f"{threads}: … consistency='stacks'", "stacks", count, rounds),
            ]
            assert session.pid is not None
            tools = jdk.home / "bin"
            with tempfile.TemporaryDirectory() as folder:
                dump = str(Path(folder) / "dump")
                commands = {"jstack": [str(tools / "jstack"), str(session.pid)]}
                if kind == "virtual":
                    to_file = ["Thread.dump_to_file", "-overwrite", dump]
                    commands = {to_file[0]: [str(tools / "jcmd"), str(session.pid), *to_file]}
                for name, command in commands.items():
                    spent = await asyncio.to_thread(_times, command, rounds)
                    rows.append(Row(f"{threads}: {name}", statistics.median(spent)))
            return rows


async def _ours(
    session: jvmdebug.Session,
    what: str,
    consistency: Literal["all", "stacks"],
    count: int,
    rounds: int,
) -> Row:
    spent, agent, held = [], [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        dump = await session.thread_dump(virtual_threads=2 * VIRTUAL, consistency=consistency)
        spent.append((time.perf_counter() - begin) * 1e3)
        assert len(dump.threads) >= count
        held.append((dump.held_s or 0.0) * 1e3)
        command = Dump(_FRAMES, 2 * VIRTUAL, _CONSISTENCY[consistency])
        agent.append((await session.vm.request(command, timeout_s=None)).took_ns / 1e6)
    return Row(what, *map(statistics.median, (spent, agent, held)))


def _times(command: list[str], rounds: int) -> list[float]:
    spent = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent.append((time.perf_counter() - begin) * 1e3)
    return spent
