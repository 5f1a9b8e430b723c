# SPDX-License-Identifier: Apache-2.0
"""Keeps the last records of a recording in memory, and writes the file when somebody wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.ring import RecordingRing
from jvmdebug.recording.target import RecordingTarget
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.recording.format import Ending, Header


class LastSeconds(RecordingTarget):
    """The last records. The file is a whole recording from the beginning on: an empty one first."""

    def __init__(self, path: Path, header: Header, seconds: float, limit: int) -> None:
        self._path = path
        self._header = header
        self._seconds = seconds
        self._ring = RecordingRing(seconds, limit)
        self._first = RecordingWriter(path, header)
        self._size = 0

    @property
    def into(self) -> RecordingRing:
        return self._ring

    @property
    def is_part_full(self) -> bool:
        return self._ring.is_part_full

    @property
    def has_room(self) -> bool:
        return True

    @property
    def size(self) -> int:
        return self._size

    def begin(self) -> None:
        self._first.close()

    def begin_part(self) -> None:
        self._ring.begin_part()

    def opened(self) -> RecordingReader:
        self.write(None)
        return RecordingReader(self._path)

    def finish(self, ending: Ending) -> None:
        self.write(ending)

    def write(self, ending: Ending | None) -> None:
        """Write the file anew, with what there is now."""
        writer = RecordingWriter(self._path, self._header, named_at_end=True)
        try:
            self._ring.write(writer)
            if ending is None:
                writer.close()
            else:
                writer.end(ending)
        except BaseException:
            writer.discard()  # the file from before stays
            raise
        self._size = writer.size

    def discard(self) -> None:
        self._first.discard()

    @property
    def dropped(self) -> int:
        return self._ring.dropped

    @property
    def notes(self) -> list[str]:
        if not self.dropped:
            return []
        seconds = "second" if self._seconds == 1 else f"{self._seconds:g} seconds"
        dropped = (
            f"it has the last {seconds}, or what of them there was room for:"
            f" {self.dropped:,} records before that were dropped"
        )
        return [dropped]
