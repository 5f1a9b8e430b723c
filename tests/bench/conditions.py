# SPDX-License-Identifier: Apache-2.0
"""What a pass of a line costs whose breakpoint's condition does not hold: checked by the program
(probes), and by the debugger. Nanoseconds per pass, the least of some rounds; the program itself
takes the time. `python -m tests.bench.conditions` prints the table. A plain JDI client is in the
first table of `make bench`.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.bench.scenario import compiled
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from jvmdebug.session.settings import ProbeChoice
    from tests.bench.scenario import Program
    from tests.support.jdks import Jdk

_MAIN: Final = "Conditions"
_FAST: Final = (50_000_000, 5)
"""Passes in a round, and rounds."""
_SLOW: Final = (1_000, 2)
CASES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("int", {"condition": "i < 0"}),
    ("private field", {"condition": "i < limit"}),
    ("private method", {"condition": "isOver(i)"}),
    ("three parts", {"condition": "i < 0 && sum > 3 || limit == i"}),
    ("string equals", {"condition": '"x".equals(getClass().getName())'}),
    ("hit count", {"condition": "i >= 0", "hit_condition": "2000000000"}),
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
            )
        await session.start()
        await session.wait()
        how = found.locations[0].how if found is not None and found.locations else "none"
    return min(float(each) for each in "".join(printed).split()), how


async def table(jdk: Jdk) -> str:
    """The rows, as text."""
    with compiled(jdk, f"{_MAIN}.java") as program:
        bare, _ = await nanoseconds(program, "off", "", {})
        unhit, _ = await nanoseconds(program, "off", "never", {})
        lines = [
            f"condition that does not hold, ns per pass (JDK {jdk.version})",
            f"{'no breakpoint':20}{bare:12.2f}",
            f"{'unhit, elsewhere':20}{unhit:12.2f}",
            f"{'':20}{'probe':>12}{'event':>14}{'ratio':>14}",
        ]
        for name, options in CASES:
            fast, how = await nanoseconds(program, "auto", "passed", options)
            slow, _ = await nanoseconds(program, "off", "passed", options)
            added = max(fast - bare, 0.01)
            lines.append(f"{name:20}{fast:12.2f}{slow:14.0f}{slow / added:14,.0f}  {how}")
    return "\n".join(lines)


def main() -> int:
    for jdk in jdks_to_test():
        print(asyncio.run(table(jdk)), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
