# SPDX-License-Identifier: Apache-2.0
"""Coverage of the tests of commons-lang agrees with JaCoCo's, line by line and branch by branch.

Lines that end with an exception have run here and not there, so ours may have more, and never less.
"""

from __future__ import annotations

import asyncio
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.support import jacoco
from tests.support.debuggees import debuggee
from tests.support.libraries import real_programs
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_LANG = "org.apache.commons.lang3."
_SOME = ("math.FractionTest", "RangeTest", "tuple.PairTest", "text.StrBuilderTest")
_LEAST_LINES = 15_000
_MOST_DIFFERENT = 0.05
"""Of the lines: those at which tests expect exceptions."""

pytestmark = [pytest.mark.network]


@pytest.mark.parametrize(
    "tests",
    [
        pytest.param(tuple(_LANG + each for each in _SOME), id="some"),
        pytest.param((_LANG,), id="all"),
    ],
)
@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_it_agrees_with_jacoco(
    tests: tuple[str, ...], jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent")
    libraries = real_programs()
    (jar,) = [each for each in libraries if each.name == "commons-lang3-3.14.0.jar"]
    classes = tmp_path / "classes"
    with zipfile.ZipFile(jar) as archive:
        archive.extractall(classes)
    program = debuggee("coverage_suite", "suite.Main", libraries=(classes, *libraries))
    async with launched(program, jdk, agent_kind, args=tests) as session:
        async with session.coverage(include=[f"{_LANG}*"], exclude=["*Test", "*Test$*"]) as found:
            await session.start()
            await session.wait()
        ours = jacoco.lines_of(await found.read())
    theirs = await asyncio.to_thread(
        jacoco.lines_by_jacoco,
        *(jdk, program.class_path, ["suite.Main", *tests], classes, tmp_path),
    )
    ours = {at: each for at, each in ours.items() if at in theirs}
    assert ours.keys() == theirs.keys()
    assert len(theirs) > _LEAST_LINES
    different = {at: (each, theirs[at]) for at, each in ours.items() if each != theirs[at]}
    fewer = {
        at: (one, other)
        for at, (one, other) in different.items()
        if one.covered < other.covered
        or one.covered_branches < other.covered_branches
        or one.missed + one.covered != other.missed + other.covered
        or one.missed_branches + one.covered_branches
        != other.missed_branches + other.covered_branches
    }
    assert fewer == {}
    assert len(different) < _MOST_DIFFERENT * len(theirs)
