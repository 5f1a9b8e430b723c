# SPDX-License-Identifier: Apache-2.0
"""The records of one chunk, expanded: as columns, as runs of frames, with their times."""

from __future__ import annotations

import bisect
import sys
import threading
from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.recording import format as form
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.stacks import StackFollower
from jvmdebug.recording.times import Times

if TYPE_CHECKING:
    from jvmdebug.recording.index import ChunkEntry
    from jvmdebug.recording.open_frame import OpenFrame
    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.stacks import Run

_CHANGES: Final = (
    *(RecordKind.ENTER, RecordKind.EXIT, RecordKind.THROWN),
    *(RecordKind.CAUGHT, RecordKind.UNWOUND),
)
_BYTES_OF_RECORD: Final = 13
_BYTES_OF_CHANGE: Final = 400
"""What runs and changes take for each record that begins or ends a frame, near enough."""
_BYTES_OF_FRAME: Final = 600


class _Runs(NamedTuple):
    """What following a whole chunk gives."""

    runs: list[Run]
    starts: list[int]
    changes: list[tuple[int, int, int]]


class LoadedChunk:
    """The records of a chunk as columns, expanded."""

    def __init__(self, reader: RecordingReader, entry: ChunkEntry, content: bytes) -> None:
        chunk = form.read_chunk(content)
        if (chunk.thread, chunk.first, chunk.size) != (entry.thread, entry.first, entry.count):
            raise RecordingError("the index does not fit the chunks")
        self._reader = reader
        self.entry = entry
        self.first = entry.first
        self.point = chunk.checkpoint
        sites, values = chunk.sites, chunk.values
        if sys.byteorder == "big":
            sites, values = _swapped("I", sites), _swapped("Q", values)
        self.site_bytes = sites
        self.value_bytes = values
        self.sites = memoryview(sites).cast("I")
        self.values = memoryview(values).cast("Q")
        self.kinds = reader.sites.kinds_of(self.sites)
        self._start: list[OpenFrame] | None = None
        self._followed: _Runs | None = None
        self._lock = threading.RLock()
        self._reached: tuple[int, list[OpenFrame]] | None = None
        self._times: Times | None = None

    @property
    def size(self) -> int:
        """Bytes that it takes in memory, with what is worked out from it later, near enough."""
        frames = len(self.point.frames) + len(self.point.below)
        changes = sum(map(self.kinds.count, _CHANGES))
        return (
            _BYTES_OF_RECORD * len(self.kinds)
            + _BYTES_OF_CHANGE * changes
            + _BYTES_OF_FRAME * frames
        )

    def start_frames(self) -> list[OpenFrame]:
        """The frames at its start, to be copied before they are followed."""
        if self._start is None:
            self._start = self._reader.frames_of(self.entry.thread, self.point)
        return self._start

    def frames_after(self, position: int) -> list[OpenFrame]:
        """The frames once the record at that position of the chunk was made. Positions that are
        asked for in order are followed on from one another.
        """
        with self._reader.reading("a chunk"), self._lock:
            reached = self._reached
            start, frames = (0, self.start_frames()) if reached is None else reached
            if position + 1 < start:
                start, frames = 0, self.start_frames()
            follower = StackFollower(self._reader.sites, [each.copy() for each in frames])
            columns = self.kinds, self.sites, self.values
            follower.follow(*columns, self.first, start, position + 1)
            self._reached = position + 1, follower.frames
            return [each.copy() for each in follower.frames]

    def runs(self) -> list[Run]:
        """The runs: which frame runs where, in order."""
        return self._whole().runs

    def changes(self) -> list[tuple[int, int, int]]:
        """Record index and kind of each enter and exit, and the depth of the frame, in order."""
        return self._whole().changes

    def _whole(self) -> _Runs:
        found = self._followed
        if found is None:  # threads may do it at once: they come to the same
            followed = self._follow(len(self.kinds), [])
            runs = followed.runs or []
            found = _Runs(runs, [each.start for each in runs], followed.changes)
            self._followed = found
        return found

    def _follow(self, stop: int, runs: list[Run] | None = None) -> StackFollower:
        with self._reader.reading("a chunk"):
            frames = [each.copy() for each in self.start_frames()]
            follower = StackFollower(self._reader.sites, frames)
            follower.runs = runs
            follower.follow(self.kinds, self.sites, self.values, self.first, 0, stop)
            return follower

    def run_after(self, position: int) -> int:
        """The index of the first run that ends behind this position."""
        runs, starts, _ = self._whole()
        at = max(0, bisect.bisect_right(starts, position) - 1)
        while at < len(runs) and runs[at].stop <= position:
            at += 1
        return at

    def time(self, position: int) -> int:
        """The time of the record at this position: nanoseconds since the start, near enough."""
        return self._clocked().at(position)

    def time_bounds(self, position: int) -> tuple[int, int]:
        """The times between which the record at this position was made."""
        return self._clocked().bounds(position)

    def last_until(self, time_ns: int) -> int:
        """The position of the last record that was made by then, -1: none."""
        low, high = 0, len(self.kinds)
        while low < high:
            middle = (low + high) // 2
            if self.time(middle) <= time_ns:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def _clocked(self) -> Times:
        if self._times is None:
            entry = self.entry
            self._times = Times(self.kinds, self.values, entry.start_ns, entry.end_ns)
        return self._times


def _swapped(code: str, content: bytes) -> bytes:
    column = array(code, content)
    column.byteswap()
    return column.tobytes()
