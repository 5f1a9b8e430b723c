# SPDX-License-Identifier: Apache-2.0
"""What a pass of a line costs whose breakpoint's condition does not hold, or that has a log point:
checked by the program (probes), by our debugger at each hit, and by a plain JDI client.

Nanoseconds per pass, the least of some rounds; the program itself takes the time. The log point of
the probe writes 500 messages a second and counts the others. Then what it takes to set a condition
in a class that is loaded, and to change it. `python -m tests.bench --only probes` prints the table.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.bench.scenario import compiled

if TYPE_CHECKING:
    from jvmdebug.session.settings import ProbeChoice
    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

_MAIN: Final = "Conditions"
_FAST: Final = (50_000_000, 5)
"""Passes in a round, and rounds."""
_SLOW: Final = (1_000, 2)
_LEAST_NS: Final = 0.1
"""What a pass costs more than without a breakpoint is not known more exactly."""
_CHANGES: Final = 9
CASES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("int", {"condition": "i < 0"}),
    ("private field", {"condition": "i < limit"}),
    ("private method", {"condition": "isOver(i)"}),
    ("three parts", {"condition": "i < 0 && sum > 3 || limit == i"}),
    ("string equals", {"condition": '"x".equals(getClass().getName())'}),
    ("hit count", {"hit_condition": "2000000000"}),
    ("condition, hit count", {"condition": "i >= 0", "hit_condition": "2000000000"}),
    ("log point", {"log_message": "i {i} limit {limit}"}),
)


async def nanoseconds(
    program: Program, probes: ProbeChoice, marker: str, options: dict[str, str]
) -> tuple[float, str]:
    """For one pass, and how the condition was checked."""
    is_slow = probes == "off" and bool(options)
    rounds, times = _SLOW if is_slow else _FAST
    printed: list[str] = []
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[str(rounds), str(times)],
        agent="jvmdebug",
        probes=probes,
    ) as session:
        session.subscribe(
            lambda event: printed.append(event.text) if isinstance(event, jvmdebug.Output) else None
        )
        found = None
        if marker:
            found = await session.break_at(
                f"{_MAIN}:{program.line(marker, _MAIN)}",
                condition=options.get("condition"),
                hit_condition=options.get("hit_condition"),
                log_message=options.get("log_message"),
            )
        await session.start()
        await session.wait()
        how = found.locations[0].how if found is not None and found.locations else "none"
    return min(float(each) for each in "".join(printed).split()), how


async def by_jdi(program: Program, name: str) -> float:
    """The same by `java/JdiConditions.java`."""
    rounds, times = _SLOW
    client = await asyncio.create_subprocess_exec(
        *(str(program.jdk.java), "-cp", str(program.classes), "--add-modules", "jdk.jdi"),
        *("JdiConditions", name, str(program.classes), str(program.line("passed", _MAIN))),
        *(str(rounds), str(times)),
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await client.communicate()
    return min(float(each) for each in printed.split())


async def to_set_and_change(program: Program) -> tuple[float, float]:
    """Milliseconds, medians, in a program that is stopped."""
    setting: list[float] = []
    changing: list[float] = []
    async with jvmdebug.launch(
        _MAIN, class_path=[program.classes], java=program.jdk.home, args=["10", "1", "never"]
    ) as session:
        await session.break_at(f"{_MAIN}:{program.line('never', _MAIN)}")
        await anext(aiter(session.stops()))
        for number in range(_CHANGES):
            begun = time.perf_counter()
            hot = await session.break_at(
                f"{_MAIN}:{program.line('passed', _MAIN)}", condition=f"i < -{number}"
            )
            set_ = time.perf_counter()
            await hot.set_condition(f"i < -1{number}")
            changing.append(time.perf_counter() - set_)
            setting.append(set_ - begun)
            assert hot.locations[0].how == "probe", hot.locations[0].why_event
            await hot.remove()
    return statistics.median(setting) * 1e3, statistics.median(changing) * 1e3


async def table(jdk: Jdk) -> str:
    """The rows, as text."""
    with compiled(jdk, f"*{_MAIN}.java") as program:
        bare, _ = await nanoseconds(program, "off", "", {})
        unhit, _ = await nanoseconds(program, "off", "never", {})
        lines = [
            f"condition that does not hold, or log point, ns per pass (JDK {jdk.version})",
            f"{'no breakpoint':22}{bare:10.2f}",
            f"{'unhit, elsewhere':22}{unhit:10.2f}",
            f"{'':22}{'probe':>10}{'event':>14}{'plain JDI':>14}{'JDI / probe':>14}",
        ]
        for name, options in CASES:
            fast, how = await nanoseconds(program, "auto", "passed", options)
            slow, _ = await nanoseconds(program, "off", "passed", options)
            theirs = await by_jdi(program, name)
            added = fast - bare
            ratio = theirs / max(added, _LEAST_NS)
            shown = f"{'> ' if added < _LEAST_NS else ''}{ratio:,.0f}"
            lines.append(f"{name:22}{fast:10.2f}{slow:14,.0f}{theirs:14,.0f}{shown:>14}  {how}")
        setting, changing = await to_set_and_change(program)
        lines.append(f"to set a condition: {setting:.1f} ms, to change it: {changing:.1f} ms")
    return "\n".join(lines)
