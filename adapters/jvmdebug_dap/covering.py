# SPDX-License-Identifier: Apache-2.0
"""Coverage of a launch with the attribute `coverage`: recorded from its start, told at its end.

The client gets the event `jvmdebug/coverage` before `terminated`. Used by the Test Explorer of VS
Code, and by any client that shows coverage.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
    recording = session.core.coverage()
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
        return [("jvmdebug/coverage", body(session, await recording.stop()))]
    except (JvmDebugError, OSError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        session.tell(f"what has run cannot be shown: {why}", "important")
        return []


def body(session: AdapterSession, coverage: Coverage) -> CoverageBody:
    """The body of `jvmdebug/coverage`."""
    from jvmdebug_dap.models.custom import CoverageBody  # noqa: PLC0415 - slow to import

    return CoverageBody(
        is_complete=coverage.is_complete,
        files=[_file(session, each) for each in coverage.files if each.path is not None],
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
