# SPDX-License-Identifier: Apache-2.0
"""The stack of a thread as its records build it: open frames, their lines and local variables.

The writer follows all records with it, to make the checkpoint of each chunk; a reader begins at a
checkpoint and follows until the record that it looks at. Frames that nothing has said the entry of
(they ran when the recording began) are put in when something is seen of them; frames that ended
unseen are taken away when one below them goes on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.open_frame import OpenFrame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.recording.sites import SiteTable

_CHANGES: Final = re.compile(
    bytes(
        (
            *b"[",
            RecordKind.ENTER,
            RecordKind.EXIT,
            RecordKind.THROWN,
            *b"\\",
            RecordKind.CAUGHT,
            RecordKind.UNWOUND,
            *b"]",
        )
    ),
    re.DOTALL,
)
_OF_A_FRAME: Final = re.compile(
    b"[" + bytes((RecordKind.LINE, *b"-", RecordKind.ELEMENT)) + b"\x0b-\x0e]", re.DOTALL
)
"""Kinds of records that the topmost frame makes while it runs."""
_LINE: Final = int(RecordKind.LINE)
_LOCAL: Final = int(RecordKind.LOCAL)


class Run(NamedTuple):
    """A part of a chunk in which one frame runs: positions in the chunk."""

    start: int
    stop: int
    depth: int
    key: int
    """Tells the frame apart from others at this depth."""
    method: int


class StackFollower:
    """Follows the records of one thread."""

    def __init__(self, sites: SiteTable, frames: Iterable[OpenFrame] = ()) -> None:
        self._sites = sites
        self.frames = list(frames)
        """Outermost first."""
        self.lowest = len(self.frames)
        """The lowest depth of a frame that has run since this was set."""
        self.changed = len(self.frames)
        """The lowest depth of a frame that has begun or ended since this was set."""
        self.runs: list[Run] | None = None
        """A reader's list, to which the runs of frames are added."""
        self.changes: list[tuple[int, int, int]] = []
        """With `runs`: record index and kind of what began or ended a frame, and its depth."""

    def follow(
        self,
        kinds: bytes,
        sites: Sequence[int],
        values: Sequence[int],
        base: int,
        start: int,
        stop: int,
    ) -> list[OpenFrame]:
        """Follow records `start` to `stop` of a chunk whose first record has index `base`; the
        frames that ran meanwhile and are open.
        """
        at = start
        for match in _CHANGES.finditer(kinds, start, stop):
            here = match.start()
            if here > at:
                self._ran(kinds, sites, at, here)
            self._change(kinds[here], sites[here], values[here], base + here)
            at = here + 1
        if stop > at:
            self._ran(kinds, sites, at, stop)
        touched = [each for each in self.frames if each.segments or each.since < 0]
        for each in touched:
            self._look(each, sites, values, base)
        return touched

    def _change(self, kind: int, site: int, value: int, index: int) -> None:
        frames = self.frames
        if kind == RecordKind.ENTER:
            frames.append(OpenFrame(self._sites.methods[site], site, index))
            self.changed = min(self.changed, len(frames) - 1)
            self._changed(index, kind)
        elif kind == RecordKind.UNWOUND:
            depth = 0 if value >> 63 else value + 1  # -1: nothing is known of any frame
            self.changed = min(self.changed, depth)
            del frames[depth:]
        else:
            self._come_to(self._sites.methods[site], site)
            if kind == RecordKind.CAUGHT:
                frames[-1].segments.append((0, 0))
                self.lowest = min(self.lowest, len(frames) - 1)
            else:
                self._changed(index, kind)
                frames.pop()
                self.changed = min(self.changed, len(frames))

    def _changed(self, index: int, kind: int) -> None:
        if self.runs is not None:
            self.changes.append((index, kind, len(self.frames) - 1))

    def _ran(self, kinds: bytes, sites: Sequence[int], start: int, stop: int) -> None:
        first = _OF_A_FRAME.search(kinds, start, stop)
        if first is None:
            return
        site = sites[first.start()]
        self._come_to(self._sites.methods[site], site)
        top = self.frames[-1]
        top.segments.append((first.start(), stop))
        depth = len(self.frames) - 1
        self.lowest = min(self.lowest, depth)
        if self.runs is not None:
            self.runs.append(Run(first.start(), stop, depth, top.key(depth), top.method))

    def _come_to(self, method: int, site: int) -> None:
        """Make a frame of `method` the topmost one."""
        frames = self.frames
        if frames and frames[-1].method == method:
            return
        for depth in range(len(frames) - 2, -1, -1):
            if frames[depth].method == method:
                self.changed = min(self.changed, depth + 1)
                del frames[depth + 1 :]
                return
        frames.append(OpenFrame(method, site, -1))
        self.changed = min(self.changed, len(frames) - 1)

    def _look(
        self, frame: OpenFrame, sites: Sequence[int], values: Sequence[int], base: int
    ) -> None:
        last: dict[int, int] = {}
        for start, stop in frame.segments:
            last.update(zip(sites[start:stop], range(start, stop), strict=True))
        frame.segments.clear()
        kinds = self._sites.kinds
        for site, at in last.items():
            if kinds[site] == _LOCAL:
                slot = self._sites[site].detail
                known = frame.locals.get(slot)
                if known is None or known[1] < base + at:
                    frame.locals[slot] = (site, base + at, values[at])
            elif kinds[site] == _LINE and base + at > frame.at:
                frame.line_site, frame.at = site, base + at
