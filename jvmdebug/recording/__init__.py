# SPDX-License-Identifier: Apache-2.0
"""Recordings of what code did, `.jvmrec` files: written, read, and asked.

Owns the file format (`format`), its writer and its reader, and what a recording knows at a
position: stacks, local variables, fields, calls, who wrote a value. Knows no session. Begin with
`format`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.recording.errors import RecordingError, UnreadableRecording
    from jvmdebug.recording.format import Ending, Header, ObjectDefinition, ObjectKind
    from jvmdebug.recording.plan import RecordingPlan
    from jvmdebug.recording.recorder import Recorded, Recorder
    from jvmdebug.recording.recording import (
        Call,
        Frame,
        Moment,
        Recording,
        Thread,
        Value,
        Write,
        open,  # noqa: A004 - the name is said with its package
    )
    from jvmdebug.recording.redaction import DEFAULT_REDACTED, Redaction
    from jvmdebug.recording.writer import RecordingWriter

_HOMES: Final = {
    "errors": ("RecordingError", "UnreadableRecording"),
    "format": ("Ending", "Header", "ObjectDefinition", "ObjectKind"),
    "recording": ("Call", "Frame", "Moment", "Recording", "Thread", "Value", "Write", "open"),
    "plan": ("RecordingPlan",),
    "redaction": ("DEFAULT_REDACTED", "Redaction"),
    "recorder": ("Recorded", "Recorder"),
    "writer": ("RecordingWriter",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "DEFAULT_REDACTED",
    "Call",
    "Ending",
    "Frame",
    "Header",
    "Moment",
    "ObjectDefinition",
    "ObjectKind",
    "Recorded",
    "Recorder",
    "Recording",
    "RecordingError",
    "RecordingPlan",
    "RecordingWriter",
    "Redaction",
    "Thread",
    "UnreadableRecording",
    "Value",
    "Write",
    "open",
]
