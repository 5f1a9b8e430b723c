# SPDX-License-Identifier: Apache-2.0
"""Where the records of a recording go while it is made: all of them into its file, or the last ones
into memory, from which the file is written when somebody wants it.

Synchronous: a recorder calls them in a worker thread, one call at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.ring import RecordingRing
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.recording.format import Ending, Header


class RecordingTarget(ABC):
    """Takes the records of one recording."""

    @property
    @abstractmethod
    def is_part_full(self) -> bool:
        """Whether `begin_part` is to be called, and the agent to describe objects again."""

    @property
    @abstractmethod
    def into(self) -> RecordingWriter | RecordingRing:
        """What takes the classes, threads, objects and records."""

    @property
    @abstractmethod
    def has_room(self) -> bool:
        """Whether it takes more."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Bytes of the file."""

    @abstractmethod
    def begin(self) -> None:
        """Give the file its name, in place of one that was there."""

    @abstractmethod
    def begin_part(self) -> None:
        """Begin a part. From here on objects are described again."""

    @abstractmethod
    def opened(self) -> RecordingReader:
        """The file as it is now, with all that was taken."""

    @abstractmethod
    def finish(self, ending: Ending) -> None:
        """Complete the file, and close it."""

    @abstractmethod
    def discard(self) -> None:
        """Close the file, and remove it unless it has its name already."""

    @property
    def dropped(self) -> int:
        """Records that it had and does not have any more."""
        return 0

    @property
    def notes(self) -> list[str]:
        """Sentences about what it has dropped."""
        return []


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
        with RecordingWriter(self._path, self._header, named_at_end=True) as writer:
            try:
                self._ring.write(writer)
                if ending is not None:
                    writer.end(ending)
            except BaseException:
                writer.discard()  # the file from before stays
                raise
            writer.close()
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
        dropped = (
            f"it has the last {self._seconds:g} seconds, or what of them there was room for:"
            f" {self.dropped:,} records before that were dropped"
        )
        return [dropped]
