# SPDX-License-Identifier: Apache-2.0
"""Coverage and recordings of a class that a probe has changed before: they get code into it, and
take it out at their end, or when no thread is in a method of it any more.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import recording
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from jvmdebug.coverage.recording import CoverageRecording
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_DEADLINE_S = 30


def _changes(log: Path) -> int:
    return len(re.findall(r"redefined name=seen\.Seen,", log.read_text()))


@pytest.fixture
async def probed(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> AsyncIterator[jvmdebug.Session]:
    """A running program with a condition in the class, which is a probe."""
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    program = debuggee("coverage_seen", "seen.Seen")
    log = tmp_path / "changes.log"
    async with launched(
        program,
        jdk,
        agent_kind,
        vm_args=[f"-Xlog:redefine+class+load=info:file={log}"],
        args=[str(tmp_path / "end")],
    ) as session:
        line = program.marker("begins")
        placed = await session.break_at(f"seen.Seen:{line}", condition="value == -12345")
        await session.start()
        await until(lambda: [each.how for each in placed.locations] == ["probe"])
        yield session
        await session.kill()


async def _covered(covering: CoverageRecording) -> None:
    async with asyncio.timeout(_DEADLINE_S):
        while True:
            (seen,) = (await covering.read()).classes
            (step,) = [each for each in seen.methods if each.name == "step"]
            if step.counters.lines.covered > 5:
                return


async def test_coverage_of_a_class_with_a_probe(probed: jvmdebug.Session, tmp_path: Path) -> None:
    log = tmp_path / "changes.log"
    async with probed.coverage() as covering:
        await _covered(covering)
        before = _changes(log)
    await until(lambda: _changes(log) > before)  # when no thread is in a method


@pytest.mark.parametrize("ends", ["goes on", "is detached"])
async def test_code_that_a_thread_has_kept_leaves(
    probed: jvmdebug.Session, tmp_path: Path, ends: str
) -> None:
    log = tmp_path / "changes.log"
    line = debuggee("coverage_seen", "seen.Seen").marker("begins")
    async with probed.coverage() as covering:
        await _covered(covering)
        stops = await probed.break_at(f"seen.Seen:{line + 1}")
        stop = await next_stop(probed)
        await stops.remove()
    before = _changes(log)
    if ends == "is detached":
        await probed.detach()
    else:
        await stop.resume()
    await until(lambda: _changes(log) > before)  # though nothing is asked of the agent


async def test_a_recording_of_a_class_with_a_probe(
    probed: jvmdebug.Session, tmp_path: Path
) -> None:
    log = tmp_path / "changes.log"
    path = tmp_path / "seen.jvmrec"
    async with probed.record(path, what="lines") as recorder:
        await until(lambda: recorder.records >= 1_000)
        before = _changes(log)
    await until(lambda: _changes(log) > before)  # when no thread is in a method
    with recording.open(path) as found:
        assert any(each.name == "seen.Seen.step" for each in found.calls())
