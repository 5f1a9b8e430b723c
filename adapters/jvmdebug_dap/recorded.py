# SPDX-License-Identifier: Apache-2.0
"""Recording of a launch with the attribute `recording`: from its start to its end, into that file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import JvmDebugError
from jvmdebug_dap.models.launch import LaunchArguments

if TYPE_CHECKING:
    from jvmdebug_dap.session import AdapterSession


async def begin(session: AdapterSession) -> None:
    """Begin to record if the launch asks for it. Says why if that is not possible."""
    asked = session.configuration
    if not isinstance(asked, LaunchArguments) or asked.recording is None:
        return
    try:
        recorder = session.core.record(asked.recording)
        session.recorder = await recorder.__aenter__()
    except JvmDebugError as error:
        session.tell(f"the program cannot be recorded: {error}", "important")


async def end(session: AdapterSession) -> None:
    """Say where the recording of the program that has ended is, and what is missing."""
    recorder, session.recorder = session.recorder, None
    if recorder is None:
        return
    try:
        recorded = await recorder.stop()
    except JvmDebugError as error:
        session.tell(str(error), "important")
        return
    notes = "".join(f"\n{each}" for each in recorded.notes[:5])
    session.tell(f"recorded: {recorded.path} ({recorded.records} records){notes}", "console")
