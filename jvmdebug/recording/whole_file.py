# SPDX-License-Identifier: Apache-2.0
"""Writes all records of a recording into its file, until that is as long as it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.target import RecordingTarget
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.recording.format import Ending, Header


class WholeFile(RecordingTarget):
    """All records, until the file is as long as it may be."""

    def __init__(self, path: Path, header: Header, limit: int) -> None:
        self._writer = RecordingWriter(path, header)
        self._limit = limit

    @property
    def into(self) -> RecordingWriter:
        return self._writer

    @property
    def is_part_full(self) -> bool:
        return False

    @property
    def has_room(self) -> bool:
        return self._writer.size < self._limit

    @property
    def size(self) -> int:
        return self._writer.size

    def begin(self) -> None:
        self._writer.begin()

    def begin_part(self) -> None:
        """All of it is one part."""

    def opened(self) -> RecordingReader:
        return RecordingReader(self._writer.path, self._writer.index_so_far())

    def finish(self, ending: Ending) -> None:
        self._writer.end(ending)

    def discard(self) -> None:
        self._writer.discard()
