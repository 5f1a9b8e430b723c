# SPDX-License-Identifier: Apache-2.0
"""Ways through a recording: steps in both directions, and to the next record of some sites.

All answers are positions; None means that there is nothing in that direction. Chunks whose entry in
the index says that nothing of interest is in them are passed by without being read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.states import Position, may_have_any, positions_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from jvmdebug.recording.chunks import LoadedChunk
    from jvmdebug.recording.stacks import Run
    from jvmdebug.recording.states import FrameAt, Past

Depth: TypeAlias = Literal["into", "over", "out"]
_LINE: Final = bytes((RecordKind.LINE,))
_LOOKED_AT: Final = 16
_BEGINS: Final = (int(RecordKind.LINE), int(RecordKind.CAUGHT))


class Moves:
    """Finds positions from others."""

    def __init__(self, past: Past) -> None:
        self.past = past
        self._reader = past.reader

    # Ends

    def last(self, thread: int) -> Position | None:
        """The last line that a thread came to."""
        return self._line_before(thread, self._reader.length(thread), None, 1 << 30)

    def first(self, thread: int) -> Position | None:
        """The first line that a thread came to; its first record if it came to none."""
        if not self._reader.chunks_of(thread):
            return None
        first = self._reader.first(thread)
        return self._line_after(Position(thread, first - 1)) or Position(thread, first)

    def end(self) -> Position | None:
        """The end, where a recording opens: the last line of the thread that came to one last. In a
        recording without lines, as one of calls, the last record; None if nothing was recorded.
        """
        threads = self._reader.threads
        ends = [each for each in map(self.last, threads) if each is not None]
        return max(ends or map(self._last_record, threads), key=self.past.time, default=None)

    def _last_record(self, thread: int) -> Position:
        """The last record after which a frame is open, if there is one among the last ones."""
        last = self._reader.length(thread) - 1
        lowest = max(self._reader.first(thread), last - _LOOKED_AT + 1)
        all_of = (Position(thread, index) for index in range(last, lowest - 1, -1))
        return next(filter(self.past.stack, all_of), Position(thread, last))

    # Steps

    def step(self, at: Position, depth: Depth) -> Position | None:
        """The position where a step from a position ends; None: the recording ends before."""
        frames = self.past.stack(at)
        if not frames:
            return self._line_after(at)
        top = frames[0]
        entries = self._reader.chunks_of(at.thread)
        for number in range(self._reader.number_of(*at), len(entries)):
            entry = entries[number]
            may_skip = depth != "into" and entry.first > at.index + 1
            if may_skip and entry.lowest > top.depth:
                continue
            is_inside = entry.lowest >= top.depth and entry.changed > top.depth
            if may_skip and depth == "out" and is_inside:
                continue
            chunk = self._reader.chunk(entry)
            after = at.index + 1 - entry.first
            found = self._step_in(chunk, max(after, 0), depth, top)
            if found is not None:
                return Position(at.thread, entry.first + found)
        return None

    def _step_in(self, chunk: LoadedChunk, after: int, depth: Depth, top: FrameAt) -> int | None:
        runs = chunk.runs()
        for run in runs[chunk.run_after(after) :]:
            if run.depth < top.depth:
                return _beginning(chunk, run, after)
            if depth == "into" or (depth == "over" and run.key == top.key):
                found = chunk.kinds.find(_LINE, max(run.start, after), run.stop)
                if found >= 0:
                    return found
        return None

    def step_back(self, at: Position, depth: Depth) -> Position | None:
        """The end of a step back: at a line before, or at the call that the frame came from."""
        frames = self.past.stack(at)
        if depth == "into" or not frames:
            return self._line_before(at.thread, at.index, None, 1 << 30)
        top = frames[0]
        caller = None
        if top.entered > self._reader.first(at.thread):
            caller = Position(at.thread, top.entered - 1)
        if depth == "over":
            found = self._line_before(at.thread, at.index, top, top.depth)
            if found is not None and found.index >= top.entered:
                return found
        if caller is None or not self.past.stack(caller):
            return None
        return caller

    def _line_after(self, at: Position) -> Position | None:
        for entry in self._reader.chunks_of(at.thread):
            if entry.end <= at.index + 1:
                continue
            found = self._reader.chunk(entry).kinds.find(_LINE, max(0, at.index + 1 - entry.first))
            if found >= 0:
                return Position(at.thread, entry.first + found)
        return None

    def _line_before(
        self, thread: int, index: int, frame: FrameAt | None, lowest: int
    ) -> Position | None:
        """The last line before a record, of a frame if one is given."""
        for entry in reversed(self._reader.chunks_of(thread)):
            if entry.first >= index or (frame is not None and entry.lowest > lowest):
                continue
            if frame is not None and entry.end <= frame.entered:
                return None
            chunk = self._reader.chunk(entry)
            stop = min(index - entry.first, entry.count)
            found = -1
            if frame is None:
                found = chunk.kinds.rfind(_LINE, 0, stop)
            else:
                found = _last_line(chunk, stop, frame.key)
            if found >= 0:
                return Position(thread, entry.first + found)
        return None

    # To sites

    def next_of(
        self, at: Position, sites: Collection[int], *, back: bool = False
    ) -> Position | None:
        """The next record of any of these sites in the thread of a position, that one left out."""
        return next(self.all_of(at, sites, back=back), None)

    def all_of(
        self, at: Position, sites: Collection[int], *, back: bool = False
    ) -> Iterator[Position]:
        """All of them, in order from a position on, without its own record."""
        entries = self._reader.chunks_of(at.thread)
        for entry in reversed(entries) if back else entries:
            outside = entry.first >= at.index if back else entry.end <= at.index + 1
            if outside or not may_have_any(entry, sites):
                continue
            chunk = self._reader.chunk(entry)
            start = 0 if back else max(0, at.index + 1 - entry.first)
            stop = min(entry.count, at.index - entry.first) if back else entry.count
            found = positions_of(chunk, sites, start, stop)
            for each in reversed(found) if back else found:
                yield Position(at.thread, entry.first + each)

    def line_sites(self, class_name: str, line: int) -> frozenset[int]:
        """The sites of a line in all classes of that name or nested in it."""
        found = set()
        for info in self.past.classes:
            if info.name == class_name or info.name.startswith(class_name + "$"):
                for number, kind in enumerate(info.sites[::8], info.first_site):
                    if kind == RecordKind.LINE:
                        method = self.past.method_of(number)
                        if method.line_at(self._reader.sites[number].bci) == line:
                            found.add(number)
        return frozenset(found)

    def writes_at(self, class_number: int, method: int, bci: int) -> frozenset[int]:
        """The sites of writes of a local variable whose instruction ends at a code index."""
        info = self.past.classes[class_number]
        return frozenset(
            number
            for number, kind in enumerate(info.sites[::8], info.first_site)
            if kind == RecordKind.LOCAL
            and (self._reader.sites[number].method, self._reader.sites[number].bci) == (method, bci)
        )

    def sites_at(self, class_number: int, method: int, bci: int) -> frozenset[int]:
        """The line sites at a code index, or the one of the line that it is in."""
        info = self.past.classes[class_number]
        wanted = info.methods[method]
        best: dict[int, int] = {}
        for number, kind in enumerate(info.sites[::8], info.first_site):
            if kind == RecordKind.LINE:
                site = self._reader.sites[number]
                if site.method == method and site.bci <= bci:
                    best[number] = site.bci
        if not best:
            return frozenset()
        nearest = max(best.values())
        if wanted.line_at(nearest) != wanted.line_at(bci):
            return frozenset()
        return frozenset(number for number, index in best.items() if index == nearest)


def _beginning(chunk: LoadedChunk, run: Run, after: int) -> int:
    """The place where a frame is entered again in the middle of a line: the record before its
    run, which has ended the one above it, unless the run begins with a line of its own.
    """
    if chunk.kinds[run.start] in _BEGINS or run.start == 0:
        line = chunk.kinds.find(_LINE, max(run.start, after), run.stop)
        return line if line >= 0 else max(run.start, after)
    return max(run.start - 1, after)


def _last_line(chunk: LoadedChunk, stop: int, key: int) -> int:
    runs = chunk.runs()
    for run in reversed(runs):
        if run.start < stop and run.key == key:
            found = chunk.kinds.rfind(_LINE, run.start, min(run.stop, stop))
            if found >= 0:
                return found
    return -1
