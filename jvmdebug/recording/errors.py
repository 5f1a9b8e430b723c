# SPDX-License-Identifier: Apache-2.0
"""What goes wrong with recordings."""

from __future__ import annotations

from jvmdebug.errors import JvmDebugError


class RecordingError(JvmDebugError):
    """A recording cannot be made, written or read; the message is one sentence."""


class UnreadableRecording(RecordingError):  # noqa: N818 - what it is
    """A file cannot be opened as a recording."""
