# SPDX-License-Identifier: Apache-2.0
"""Coverage of a launch with the attribute `coverage`: recorded from its start, told at its end.

The client gets the event `jvmdebug/coverage` before `terminated`. Used by the Test Explorer of VS
Code, and by any client that shows coverage.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug.errors import JvmDebugError
from jvmdebug.os_errors import reason
from jvmdebug_dap.models.launch import LaunchArguments

if TYPE_CHECKING:
    from jvmdebug.coverage import Coverage, CoveredFile
    from jvmdebug_dap.models.custom import CoverageBody, CoveredFileBody
    from jvmdebug_dap.session import AdapterSession


async def begin(session: AdapterSession) -> None:
    """Begin to record if the launch asks for it. Says why if that is not possible."""
    asked = session.configuration
    if not isinstance(asked, LaunchArguments) or not asked.coverage:
        return
    recording = session.core.coverage(per_test=asked.coverage == "perTest")
    try:
        session.recording = await recording.__aenter__()
    except JvmDebugError as error:
        session.tell(f"what runs cannot be recorded: {error}", "important")


async def told_at_end(session: AdapterSession) -> list[tuple[str, CoverageBody]]:
    """The event with what has run of the program that has ended, if that was recorded. Says why if
    its classes cannot be read.
    """
    recording, session.recording = session.recording, None
    if recording is None:
        return []
    try:
        coverage = await recording.stop()
        if coverage.tests:
            await asyncio.to_thread(_remember, session, coverage)
        return [("jvmdebug/coverage", body(session, coverage))]
    except (JvmDebugError, OSError) as error:
        why = reason(error)
        session.tell(f"what has run cannot be shown: {why}", "important")
        return []


def _remember(session: AdapterSession, coverage: Coverage) -> None:
    """Keep which test has run which lines, for `jvmdebug test --covering`."""
    asked = session.configuration
    if isinstance(asked, LaunchArguments) and asked.project is not None:
        with jvmdebug.projects.find(asked.project, java=asked.java_exec) as project:
            project.remember_lines(coverage.tests)


def body(session: AdapterSession, coverage: Coverage) -> CoverageBody:
    """The body of `jvmdebug/coverage`."""
    from jvmdebug_dap.models.custom import CoverageBody, TestLinesBody  # noqa: PLC0415 - slow

    shown = [each for each in coverage.files if each.path is not None]
    paths = {each.name: session.positions.to_client_path(Path(each.path or "")) for each in shown}
    to_client = session.positions.to_client_line
    return CoverageBody(
        is_complete=coverage.is_complete,
        files=[_file(session, each) for each in shown],
        tests=[
            TestLinesBody(test=test, path=paths[name], lines=list(map(to_client, lines)))
            for test, ran in coverage.tests.items()
            for name, lines in ran.items()
            if name in paths
        ],
    )


def _file(session: AdapterSession, file: CoveredFile) -> CoveredFileBody:
    from jvmdebug_dap.models.custom import (  # noqa: PLC0415 - slow to import
        CoveredFileBody,
        CoveredLineBody,
        CoveredMethodBody,
    )

    to_client = session.positions.to_client_line
    return CoveredFileBody(
        path=session.positions.to_client_path(Path(file.path or "")),
        lines=[
            CoveredLineBody(
                line=to_client(number),
                has_run=line.instructions.covered > 0,
                branches=[list(each) for each in line.branches],
            )
            for number, line in file.lines.items()
        ],
        methods=[
            CoveredMethodBody(
                name=f"{each.name.rpartition('.')[2]}.{method.name}",
                line=to_client(method.line),
                has_run=method.counters.methods.covered > 0,
            )
            for each in file.classes
            for method in each.methods
            if method.line is not None
        ],
    )
