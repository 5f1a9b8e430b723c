# SPDX-License-Identifier: Apache-2.0
"""`session.coverage`: what has run, line by line and branch by branch, as JaCoCo has it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import jacoco
from tests.support.debuggees import Debuggee, debuggee
from tests.support.jdks import newest_compiler
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.coverage import Coverage
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_NEEDS_OURS = "needs our agent: see test_what_only_our_agent_can"


def _kinds(jdk: Jdk) -> Debuggee:
    """The newest kinds of code that this JDK runs."""
    for least, topic in ((21, "coverage_newest"), (17, "coverage_newer")):
        if min(jdk.version, newest_compiler().version) >= least:
            return debuggee(topic, "kinds.Kinds")
    return debuggee("coverage", "kinds.Kinds")


async def _covered(program: Debuggee, jdk: Jdk, agent_kind: AgentKind, *args: str) -> Coverage:
    async with launched(program, jdk, agent_kind, args=args) as session:
        async with session.coverage() as recording:
            await session.start()
            await session.wait()
        return await recording.read()


def _differences(ours: jacoco.Lines, theirs: jacoco.Lines) -> dict[tuple[str, int], object]:
    return {
        at: (ours.get(at), theirs.get(at))
        for at in sorted(ours.keys() | theirs.keys())
        if ours.get(at) != theirs.get(at)
    }


async def test_what_only_our_agent_can(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind != "stock":
        pytest.skip("it is what the other agent refuses")
    program = debuggee("coverage", "kinds.Kinds")
    async with launched(program, jdk, agent_kind) as session:
        with pytest.raises(jvmdebug.UnsupportedError, match="coverage"):
            async with session.coverage():
                pass


@pytest.mark.network
async def test_it_agrees_with_jacoco(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    program = _kinds(jdk)
    ours = jacoco.lines_of(await _covered(program, jdk, agent_kind))
    classes = program.class_path[0]
    theirs = await asyncio.to_thread(
        jacoco.lines_by_jacoco, jdk, program.class_path, ["kinds.Kinds"], classes, tmp_path
    )
    different = _differences(ours, theirs)
    # A line that ends with an exception has run; JaCoCo counts only what it comes back from.
    source = program.source_dir.parent / "coverage" / "kinds" / "Kinds.java"
    lines = source.read_text(encoding="utf-8").splitlines()
    assert [lines[line - 1].strip() for _, line in different] == ["finallyCopies(2);"]
    assert len(ours) > 200


@pytest.mark.parametrize("how", ["exit", "halt", "throw"])
async def test_it_is_complete_however_the_program_ends(
    how: str, jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    found = await _covered(debuggee("coverage", "kinds.Kinds"), jdk, agent_kind, how)
    assert found.is_complete
    assert found.left_out == {}
    (kinds,) = [each for each in found.classes if each.name == "kinds.Kinds"]
    (end,) = [each for each in kinds.methods if each.name == "end"]
    assert end.counters.branches.total == 3
    assert end.counters.branches.covered == 1
    assert end.counters.lines.covered == 2
    (never,) = [each for each in kinds.methods if each.name == "never"]
    assert never.counters.instructions.covered == 0


async def test_code_that_was_seen_is_as_it_was(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    program = debuggee("coverage_seen", "seen.Seen")
    end = tmp_path / "end"
    texts: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output):
            texts.append(event.text)

    async with launched(program, jdk, agent_kind, args=[str(end)]) as session:
        session.subscribe(note)
        async with session.coverage(branches=True) as recording:
            with pytest.raises(jvmdebug.coverage.CoverageError, match="per_test"):
                await recording.take_test("one")
            await session.start()
            before = await recording.read()
            while recording.removed == 0:
                before = await recording.read()
            (seen,) = before.classes
            assert seen.counters.lines.missed > 0
            end.touch()
            await session.wait()
        (after,) = (await recording.read()).classes
    assert "last true" in "".join(texts)
    missed = [line for line, each in after.lines.items() if each.status == "none"]
    assert missed == [min(after.lines)]  # the constructor
    (last,) = [each for each in after.methods if each.name == "last"]
    assert (last.counters.branches.covered, last.counters.branches.total) == (1, 2)
    (step,) = [each for each in after.methods if each.name == "step"]
    assert step.counters.branches.missed == 0


@pytest.mark.network
@pytest.mark.slow
async def test_kotlin_agrees_with_jacoco(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    """Inline functions, default arguments, `lateinit`, `when`, and coroutines that never run."""
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    program = kotlin_debuggee("coverage_kotlin", "inlined.InlinedKt")
    ours = jacoco.lines_of(await _covered(program, jdk, agent_kind))
    theirs = await asyncio.to_thread(
        jacoco.lines_by_jacoco,
        *(jdk, program.class_path, ["inlined.InlinedKt"], program.class_path[0], tmp_path),
    )

    def of_it(lines: jacoco.Lines) -> jacoco.Lines:
        topics = ("inlined/", "ferries/", "launched/")  # compiled together
        return {at: each for at, each in lines.items() if at[0].startswith(topics)}

    assert _differences(of_it(ours), of_it(theirs)) == {}
    assert len(of_it(ours)) > 50
