# SPDX-License-Identifier: Apache-2.0
"""A breakpoint on a line with lambdas is for the line's own code, for one lambda, or for all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import pytest

import jvmdebug
from jvmdebug import BreakpointRequest, LineSpec
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmdebug.sources import LinePart
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

Hits: TypeAlias = "Mapping[str, Mapping[LinePart, int]]"
HITS: Hits = {
    "three": {"line": 1, 1: 2, 2: 2, 3: 2, "all": 7},
    "nested": {"line": 1, 1: 2, 2: 3, "all": 6},
    "inside": {"line": 2, 1: 3, 2: 3, "all": 8},
    "alone": {"line": 2, 1: 2, "all": 2},
    "one": {"line": 1, 1: 1, "all": 2},
}
"""Of each part of a line the hits of a breakpoint that logs."""
COLUMNS = {"three": ["a ->", "b ->", "c ->"], "nested": ["a ->", "b ->"], "one": ["a ->"]}


async def require_hits(session: jvmdebug.Session, program: Debuggee, marks: Hits) -> None:
    """Each part of the marked lines is hit that often until the line `end`."""
    source, _ = program.marked("end")
    wanted = {}
    for mark, parts in marks.items():
        for part, count in parts.items():
            spec = LineSpec(program.marker(mark), path=str(source), part=part)
            point = await session.break_at(spec, log_message="x")
            wanted[point] = (f"{mark} {part}", count)
    await session.break_at(f"{source}:{program.marker('end')}")
    await next_stop(session)
    found = {name: each.hits for each, (name, _) in wanted.items()}
    assert found == dict(wanted.values())


async def test_each_part_of_a_line(launch: Launch, jdk: Jdk) -> None:
    program = compiled("line_parts", "Parts", jdk)
    async with launch("line_parts", "Parts") as session:
        await require_hits(session, program, HITS)


async def test_a_column_says_the_part(launch: Launch, jdk: Jdk) -> None:
    """Take the columns, as VS Code does, before and after the class is loaded."""
    program = compiled("line_parts", "Parts", jdk)
    path, _ = program.marked("end")
    source, text = str(path), path.read_text(encoding="utf-8").splitlines()
    async with launch("line_parts", "Parts") as session:
        early = await session.breakpoints.breakable_parts(source)
        line = program.marker("three")
        here = [each for each in early if each.line == line]
        columns = [text[line - 1].index(each) + 1 for each in COLUMNS["three"]]
        assert [each.column for each in here] == [9, *columns]
        assert [each.text for each in here[1:]] == ["a -> a.size()", "b -> b > 0", "c -> c + 1"]
        requests = [
            BreakpointRequest(LineSpec(line, path=source, column=column))
            for column in (1, columns[1], columns[1] + 6)
        ]
        own, second, same = await session.breakpoints.replace(source, requests)
        await next_stop(session)
        assert [each.hits for each in (own, second, same)] == [1, 0, 0]
        later = await session.breakpoints.breakable_parts(source, line, line)
        assert later == tuple(here)
        await session.resume()
        stop = await next_stop(session)
        assert set(stop.breakpoints) == {second, same}
        assert stop.frame is not None
        two = PrimitiveValue(PrimitiveKind.INT, 2)
        assert (await stop.frame.evaluate("b.intValue()")).value == two
        nested = program.marker("nested")
        parts = await session.breakpoints.breakable_parts(source, nested, nested)
        assert [each.part for each in parts] == ["line", 1, 2]


async def test_numbers_hold_without_the_source(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """The order of the methods tells the number, for lambdas that are not nested."""
    program = compiled("line_parts", "Parts", jdk)
    line = compiled("line_parts", "Parts", jdk).marker("three")
    program = replace(compiled("line_parts", "Parts", jdk), source_dir=tmp_path)
    async with launched(program, jdk, agent_kind) as session:
        second = await session.break_at(f"Parts:{line}:lambda2", once=True)
        stop = await next_stop(session)
        assert stop.breakpoints == (second,)
        assert stop.frame is not None
        assert [each.name for each in await stop.frame.locals()] == ["b"]
        none = await session.break_at(f"Parts:{line}:lambda4")
        assert (none.verified, none.message) == (False, f"no lambda 4 on line {line}")


@pytest.mark.network
async def test_kotlin(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Lambdas that are copied into the method, and those that are called."""
    program = kotlin_debuggee("line_parts_kotlin", "parts.PartsKt")
    wanted: Hits = {
        "inlined": {"line": 1, 1: 2, 2: 2, "all": 5},
        "called": {"line": 1, 1: 1, 2: 1, 3: 1, "all": 4},
        "both": {"line": 1, 1: 2, 2: 2, "all": 5},
    }
    async with launched(program, jdk, agent_kind) as session:
        await require_hits(session, program, wanted)
