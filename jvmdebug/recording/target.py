# SPDX-License-Identifier: Apache-2.0
"""The interface of what takes the records of a recording while it is made.

Synchronous: a recorder calls it in a worker thread, one call at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.recording.format import Ending
    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.ring import RecordingRing
    from jvmdebug.recording.writer import RecordingWriter


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
