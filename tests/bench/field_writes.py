# SPDX-License-Identifier: Apache-2.0
"""What a write of a field costs that is watched with a condition which does not hold, one of
another field, and one of the field of another object than is watched: checked by the program, and
by the VM's own watch. And how fast a program writes that `who_sets` tells of. `python -m
tests.bench --only probes` prints the rows.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.bench.scenario import Program

_MAIN: Final = "FieldWrites"
_FIELD: Final = "FieldWrites.watched"
_MANY: Final = ("50000000", "5")
_FEW: Final = ("500", "2")
_TOLD: Final = 500
_CONDITION, _ONE = "condition", "one object"


async def _ns(
    program: Program,
    field: str,
    *,
    watch: str | None,
    probes: ProbeChoice = "auto",
    rounds: tuple[str, str] = _MANY,
) -> float:
    printed: list[str] = []
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[*rounds, field],
        agent="jvmdebug",
        probes=probes,
        on_output=lambda output: printed.append(output.text),
    ) as session:
        line = program.line("main", _MAIN)
        await session.break_at(f"{_MAIN}:{line}", once=True)
        stop = await anext(aiter(session.stops()))
        if watch == _CONDITION:
            await session.watch(_FIELD, condition="$new < 0")
        elif watch == _ONE:
            await session.watch(await stop.frame.data_target("ONE.watched"))
        await stop.resume()
        await session.wait()
    return min(float(each) for each in "".join(printed).split())


async def told_per_second(program: Program, probes: ProbeChoice, every: int) -> float:
    """Writes in a second of a program, of which each `every`th is told."""
    writes = _TOLD * every // 10 if every > 1 else _TOLD
    async with jvmdebug.launch(
        _MAIN,
        class_path=[program.classes],
        java=program.jdk.home,
        args=[str(writes), "1", "watched"],
        agent="jvmdebug",
        probes=probes,
    ) as session:
        line = program.line("main", _MAIN)
        await session.break_at(f"{_MAIN}:{line}", once=True)
        stop = await anext(aiter(session.stops()))
        watch = session.who_sets(_FIELD, condition=f"$new % {every} == 0", stack=5, capacity=_TOLD)
        async with watch:
            begun = time.perf_counter()
            await stop.resume()
            told = len(await watch.collect())
            taken = time.perf_counter() - begun
    assert told == writes // every, told
    return writes / taken


async def rows(program: Program) -> list[str]:
    """Rows of the table of `conditions`."""
    lines = []
    for name, field, watch, slow in (
        ("field write, watched", "watched", _CONDITION, _FEW),
        ("field write, other", "other", _CONDITION, _MANY),
        ("other object's field", "watched", _ONE, _FEW),
    ):
        none = await _ns(program, field, watch=None)
        probe = await _ns(program, field, watch=watch)
        event = await _ns(program, field, watch=watch, probes="off", rounds=slow)
        lines.append(f"{name:22}{none:10,.2f}{probe:10,.2f}{event:13,.{0 if event > 100 else 2}f}")
    for every in (1, 100):
        by_probe = await told_per_second(program, "auto", every)
        by_event = await told_per_second(program, "off", every)
        lines.append(
            f"who_sets, each {every}. told: {by_probe:,.0f} writes a second with probes,"
            f" {by_event:,.0f} without"
        )
    return lines
