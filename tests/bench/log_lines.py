# SPDX-License-Identifier: Apache-2.0
"""A million hits of a log point with two values, its lines written into a file: how long a hit
takes from the first to the end of the last line, how many lines were left out, and what the program
notices of it. As fast as the program can, and with a microsecond or two between two hits.
`python -m tests.bench --only loglines` prints the table.
"""

from __future__ import annotations

import re
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.bench.scenario import compiled

if TYPE_CHECKING:
    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

_MAIN: Final = "LogLoad"
_HITS: Final = 1_000_000
_BEFORE: Final = 20_000
"""Hits before it is measured: `LogLoad.main`."""
_APART_NS: Final = (0, 1_000, 2_000)
_LEFT_OUT: Final = re.compile(r"\[([\d,]+) log messages left out\]")


@dataclass(frozen=True, slots=True)
class LogLoad:
    """Nanoseconds per hit, and lines of the million."""

    program_ns: float
    end_to_end_ns: float
    lines: int
    left_out: int


async def load(program: Program, apart_ns: int, *, logs: bool = True) -> LogLoad:
    """One run."""
    lines = left_out = 0
    begun = ended = 0.0
    printed: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        nonlocal lines, left_out, begun, ended
        if isinstance(event, jvmdebug.Output):
            printed.append(event.text)
        if not isinstance(event, jvmdebug.BreakpointLogged):
            return
        told = _LEFT_OUT.fullmatch(event.text)
        if told is not None:
            left_out += int(told[1].replace(",", ""))
            return
        file.write(event.text)
        file.write("\n")
        lines += event.lines
        ended = time.perf_counter()
        if lines <= _BEFORE:
            begun = ended

    with tempfile.TemporaryFile("w") as file:
        async with jvmdebug.launch(
            _MAIN,
            class_path=[program.classes],
            java=program.jdk.home,
            args=[str(_HITS), str(apart_ns)],
            agent="jvmdebug",
        ) as session:
            session.subscribe(note, batches=True)
            if logs:
                at = f"{_MAIN}:{program.line('passed', _MAIN)}"
                await session.break_at(at, log_message="i {i} sum {sum}")
            await session.start()
            await session.wait()
    return LogLoad(
        float("".join(printed).split()[0]),
        (ended - begun) * 1e9 / _HITS,
        lines - _BEFORE,
        left_out,
    )


async def table(jdk: Jdk) -> str:
    """The rows, as text."""
    with compiled(jdk, f"{_MAIN}.java") as program:
        rows = [
            f"log point with two values, a million hits into a file (JDK {jdk.version})",
            _row("ns between hits", "program", "with it", "end to end", "lines", "left out"),
        ]
        for apart in _APART_NS:
            alone = await load(program, apart, logs=False)
            found = await load(program, apart)
            rows.append(
                _row(
                    f"{apart:,}",
                    f"{alone.program_ns:.1f}",
                    f"{found.program_ns:.1f}",
                    f"{found.end_to_end_ns:,.0f}",
                    f"{found.lines:,}",
                    f"{found.left_out:,}",
                )
            )
    return "\n".join(rows)


def _row(first: str, *others: str) -> str:
    return f"{first:18}" + "".join(f"{each:>12}" for each in others)
