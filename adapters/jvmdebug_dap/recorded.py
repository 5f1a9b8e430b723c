# SPDX-License-Identifier: Apache-2.0
"""Recording of launches with the attribute `recording`, each from its start to its end.

Owns which file each program of a session has: a restart does not overwrite the one before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug.errors import JvmDebugError
from jvmdebug.os_errors import reason
from jvmdebug_dap.models.generated.events import CapabilitiesEventBody
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.models.launch import LaunchArguments

if TYPE_CHECKING:
    from jvmdebug_dap.session import AdapterSession


async def begin(session: AdapterSession) -> None:
    """Begin to record if the launch asks for it. Says why if that is not possible: the program
    runs all the same.
    """
    asked = session.configuration
    if not isinstance(asked, LaunchArguments) or asked.recording is None:
        return
    path = _unused(session, Path(asked.recording))
    try:
        recorder = session.live.record(
            path,
            redact=_redaction(asked.recording_redact),
            last=asked.recording_last,
            share=asked.recording_share,
        )
        session.recorder = await recorder.__aenter__()
    except (JvmDebugError, OSError) as error:
        why = reason(error)
        session.tell(f"the program is not recorded: {why}", "important")
        return
    session.recorded_paths |= {path}
    possible = CapabilitiesEventBody(capabilities=Capabilities(supports_step_back=True))
    session.channel.send_event("capabilities", possible)
    if len(session.recorded_paths) > 1:
        session.tell(f"this program is recorded into {path}")


async def end(session: AdapterSession) -> None:
    """Say where the recording of the program that has ended, or is left, is, and what is missing.
    Nothing if it is not recorded.
    """
    recorder, session.recorder = session.recorder, None
    if recorder is None:
        return
    try:
        recorded = await recorder.stop()
    except (JvmDebugError, OSError) as error:
        session.tell(reason(error), "important")
        return
    notes = "".join(f"\n{each}" for each in recorded.notes[:5])
    session.tell(f"recorded: {recorded.path} ({recorded.records} records){notes}", "console")


def _redaction(names: list[str] | bool) -> jvmdebug.recording.Redaction:  # noqa: FBT001 - an attribute
    if names is False:
        return jvmdebug.recording.Redaction(names=())
    return jvmdebug.recording.Redaction.with_defaults(*(names if isinstance(names, list) else ()))


def _unused(session: AdapterSession, path: Path) -> Path:
    """The path, with a number if it has a recording of this session already: `fail-2.jvmrec`."""
    number, made = 1, path
    while made in session.recorded_paths:
        number += 1
        made = path.with_stem(f"{path.stem}-{number}")
    return made
