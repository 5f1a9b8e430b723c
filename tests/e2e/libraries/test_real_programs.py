# SPDX-License-Identifier: Apache-2.0
"""Coverage, origins and jumps in programs of others: a database, a compiler, a web server, a suite.

They are the workloads of `tests/stress/oracle_programs`, each done once.
"""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.stress.oracle_programs import PROGRAMS
from tests.support import jacoco
from tests.support.bare_program import ran_alone
from tests.support.debuggees import debuggee
from tests.support.libraries import maven, real_programs
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(maven() is None, reason="the programs are fetched by Maven; no mvn here"),
]

_BARE_S: Final = 300
_MOST_OTHERWISE_WRITTEN: Final = 0.01
_MOST_DIFFERENT: Final = 0.05
"""Of the lines: those that exceptions leave, and what runs by chance."""


@dataclass(frozen=True)
class _Covered:
    jar: str
    include: str
    least_lines: int
    most_fewer: int = 0
    """Lines that run in one run and not in another one: threads of their own."""


COVERED: Final = {
    "h2": _Covered("h2-2", "org.h2.*", 20_000, most_fewer=40),
    "ecj": _Covered("ecj-", "org.eclipse.jdt.internal.compiler.*", 20_000, most_fewer=40),
    "collections": _Covered("commons-collections4-4.4.jar", "org.apache.commons.coll*", 4_000),
}
JUMPS: Final = {
    "h2": "org.h2.util.StringUtils#toUpperEnglish(String)",
    "ecj": "org.eclipse.jdt.core.compiler.CharOperation#splitOn(char,char[])",
    "lang": "org.apache.commons.lang3.StringUtils#isBlank",
}
"""Methods that begin with a statement which only computes."""
ORIGINS: Final = {
    "ecj": ("org.eclipse.jdt.internal.compiler.ProcessTaskManager#run", "started by thread main"),
    "spring": ("real.Owners#*", "submitted to ThreadPoolExecutor by thread http-nio-auto-1-Poller"),
    "lang": (
        "org.apache.commons.lang3.concurrent.BackgroundInitializer$InitializationTask#call",
        "submitted to ThreadPoolExecutor by thread main",
    ),
}
"""Where each runs a task, and what the nearest link says."""


def _program(name: str, jdk: Jdk) -> tuple[Debuggee, list[str]]:
    made = PROGRAMS[name]
    if jdk.version < made.least:
        pytest.skip(f"it needs JDK {made.least}")
    return replace(made.debuggee(), main_class="oracle.Once"), [made.workload]


@pytest.mark.parametrize("name", COVERED)
async def test_coverage_is_that_of_jacoco(name: str, jdk: Jdk, tmp_path: Path) -> None:
    program, args = _program(name, jdk)
    expected = COVERED[name]
    async with launched(program, jdk, "jvmdebug", args=args, cwd=tmp_path) as session:
        async with session.coverage(include=[expected.include]) as recording:
            await session.start()
            await session.wait()
        coverage = await recording.read()
    assert coverage.is_complete
    (jar,) = [each for each in program.class_path if each.name.startswith(expected.jar)]
    classes = tmp_path / "classes"
    with zipfile.ZipFile(jar) as archive:  # without what is there for other JDKs only
        names = [each for each in archive.namelist() if not each.startswith("META-INF/")]
        archive.extractall(classes, names)
    theirs = await asyncio.to_thread(
        jacoco.lines_by_jacoco,
        *(jdk, program.class_path, [program.main_class, *args], classes, tmp_path),
    )
    ours = {at: each for at, each in jacoco.lines_of(coverage).items() if at in theirs}
    assert len(ours) > expected.least_lines
    known = {at for at, each in ours.items() if each.missed + each.covered == _count(theirs[at])}
    # Other compilers than javac write other code for `finally` and `switch`, of which all counts.
    assert len(ours) - len(known) < _MOST_OTHERWISE_WRITTEN * len(ours)
    different = [at for at in known if ours[at] != theirs[at]]
    fewer = {
        at: (ours[at], theirs[at])
        for at in different
        if ours[at].covered < theirs[at].covered
        or ours[at].covered_branches < theirs[at].covered_branches
    }
    assert len(fewer) <= expected.most_fewer, fewer
    assert len(different) < _MOST_DIFFERENT * len(ours)


def _count(line: jacoco.Line) -> int:
    return line.missed + line.covered


@pytest.mark.parametrize("name", JUMPS)
async def test_a_jump_back_changes_no_result(name: str, jdk: Jdk, tmp_path: Path) -> None:
    program, args = _program(name, jdk)
    bare, _ = await ran_alone(jdk, program, args, tmp_path, _BARE_S)
    printed: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output) and event.stream == "stdout":
            printed.append(event.text)

    async with launched(program, jdk, "jvmdebug", args=args, cwd=tmp_path) as session:
        session.subscribe(note)
        breakpoint_ = await session.break_at(JUMPS[name])
        await session.resume()
        for _ in range(3):
            stop = await next_stop(session)
            await breakpoint_.remove()
            begin = stop.frame.line
            assert begin is not None
            await stop.step_over()
            behind = await next_stop(session)
            assert behind.frame.line != begin
            jumped = await behind.jump_to(begin)
            assert (jumped.reason, jumped.frame.line) == (jvmdebug.StopReason.GOTO, begin)
            breakpoint_ = await session.break_at(JUMPS[name])
            await session.resume()
        await next_stop(session)
        await breakpoint_.remove()
        await session.resume()
        await session.wait()
    assert "".join(printed) == bare


@pytest.mark.parametrize("name", ORIGINS)
async def test_a_task_says_who_submitted_it(name: str, jdk: Jdk, tmp_path: Path) -> None:
    place, label = ORIGINS[name]
    if name == "lang":
        program = debuggee("coverage_suite", "suite.Main", libraries=real_programs())
        args = ["org.apache.commons.lang3.concurrent.BackgroundInitializerTest"]
    else:
        program, args = _program(name, jdk)
    async with launched(program, jdk, "jvmdebug", args=args, cwd=tmp_path) as session:
        await session.break_at(place)
        async with session.origins():
            await session.resume()
            stop = await next_stop(session)
            found = await stop.origins()
            assert found, stop
            assert found[0].label == label
            assert found[0].frames
