# SPDX-License-Identifier: Apache-2.0
"""What goes wrong with recordings."""

from __future__ import annotations

import contextlib
import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_BAD_CONTENT: Final = (
    *(ArithmeticError, AttributeError, BufferError, LookupError, MemoryError),
    *(RecursionError, StopIteration, TypeError, ValueError, struct.error),
)
"""What code that takes a file for what it should be raises where it is something else."""


class RecordingError(JvmDebugError):
    """A recording cannot be made, written or read; the message is one sentence."""


class QuestionError(RecordingError):
    """What was asked of a recording is no question that it can answer; nothing is wrong with it."""


class UnreadableRecording(RecordingError):  # noqa: N818 - what it is
    """A file cannot be opened as a recording."""


@contextlib.contextmanager
def damaged(what: str) -> Iterator[None]:
    """Reading a part of a file that may be damaged, or made to do harm: whatever comes of that is
    a RecordingError. `what` begins its sentence.
    """
    try:
        yield
    except _OF_BAD_CONTENT as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise RecordingError(f"{what} is damaged ({why})") from error
