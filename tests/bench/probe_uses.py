# SPDX-License-Identifier: Apache-2.0
"""What a pass costs of a line, or of a write of a local variable, that does not stop, for other
uses of probes than plain conditions: a watched variable, a condition with a lambda, only hits of
another thread, only those of another object. And how long it takes to set many conditions in one
class at once, and to remove them. Rows of the table of `conditions`.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug import BreakpointOptions, BreakpointRequest, LineSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.bench.scenario import Program

_MAIN: Final = "Conditions"
_LAMBDA: Final = "java.util.stream.IntStream.of(i).anyMatch(n -> n < 0)"
_TIMES: Final = 3
_MANY: Final = ("20000000", "5")
_SEVERAL: Final = ("20000", "4")
_FEW: Final = ("200", "2")
_FEWEST: Final = ("5", "2")
USES: Final = {
    # name: what the program does, in how many threads, with how many passes, how many by events
    "watched local": (("local", "1"), _MANY, _FEW),
    "lambda": (
        ("call", "1"),
        _SEVERAL,
        _FEWEST,
    ),  # a method that a thread is in gets no probe later
    "another thread": (("pass", "2"), _MANY, _FEW),
    "another object": (("pass", "2"), _MANY, _FEW),
}


async def _set(
    session: jvmdebug.Session, use: str, program: Program, stop: jvmdebug.Stop
) -> jvmdebug.Breakpoint:
    where = f"{_MAIN}:{program.line('stepped' if use == 'lambda' else 'passed', _MAIN)}"
    match use:
        case "watched local":
            condition = "$new == -1 && i < 0"
            return await session.watch(f"{_MAIN}#passLocal.total", condition=condition)
        case "lambda":
            session.settings.condition_deadline_s = 60  # javac starts at the first hit
            return await session.break_at(where, condition=_LAMBDA)
        case "another thread":
            return await session.break_at(where, thread=stop.thread)
        case _:
            own = await stop.frame.get("conditions")
            return await session.break_at(where, instance=own)


async def _ns(
    program: Program, use: str, *, is_set: bool, probes: ProbeChoice = "auto"
) -> tuple[float, str]:
    work, rounds, slow_rounds = USES[use]
    printed: list[str] = []
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[*(slow_rounds if probes == "off" else rounds), *work],
        agent="jvmdebug",
        probes=probes,
        on_output=lambda output: printed.append(output.text),
    ) as session:
        await session.break_at(f"{_MAIN}:{program.line('rounds', _MAIN)}", once=True)
        stop = await anext(aiter(session.stops()))
        made = await _set(session, use, program, stop) if is_set else None
        await stop.resume()
        await session.wait()
        how = made.locations[0].how if made is not None and made.locations else "none"
    return min(float(each) for each in "".join(printed).split()), how


async def rows(program: Program) -> list[str]:
    """The rows: without, with probes, and by events."""
    lines = []
    for use in USES:
        bare, _ = await _ns(program, use, is_set=False)
        fast, how = await _ns(program, use, is_set=True)
        slow, _ = await _ns(program, use, is_set=True, probes="off")
        lines.append(f"{use:22}{bare:10,.2f}{fast:10,.2f}{slow:13,.0f}{'':39}  {how}")
    return lines


async def many(program: Program, main: str, stop_at: int, at: Sequence[int], name: str) -> str:
    """Conditions at these lines of a class, set at once and removed at once, in a program that is
    stopped. `name`: a variable at each.
    """
    setting: list[float] = []
    removing: list[float] = []
    async with jvmdebug.launch(
        main, class_path=[program.classes], java=program.jdk.home, args=["10", "1", "never"]
    ) as session:
        await session.break_at(f"{main}:{stop_at}")
        await anext(aiter(session.stops()))
        for number in range(_TIMES):
            options = BreakpointOptions(condition=f"{name} == -{number}")
            requests = [BreakpointRequest(LineSpec(each, type_name=main), options) for each in at]
            begun = time.perf_counter()
            made = await session.breakpoints.replace("many", requests)
            set_ = time.perf_counter()
            assert {each.locations[0].how for each in made} == {"probe"}
            await session.breakpoints.replace("many", [])
            removing.append(time.perf_counter() - set_)
            setting.append(set_ - begun)
    usual, gone = (statistics.median(each) * 1e3 for each in (setting, removing))
    return f"{len(at)} conditions in one class: set in {usual:.0f} ms, removed in {gone:.0f} ms"
