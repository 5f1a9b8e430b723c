# SPDX-License-Identifier: Apache-2.0
"""The last part of a recording, in memory: a flight recorder.

A `RecordingRing` takes what a `RecordingWriter` takes, and keeps the last seconds of it, within a
number of bytes. `write` makes a file of what it has, which is a recording like any other.

It consists of parts. When one is full, the agent is asked to describe objects again, so that each
part has the definitions of the objects that its records name, and the oldest parts can be dropped
as soon as the others are long enough. The records of a part that is dropped are followed, so that
the file begins with the frames that were open then, and with their variables.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.recording.compression import compressed, expanded
from jvmdebug.recording.format import (
    ObjectDefinition,
    RecordedClass,
    RecordedThread,
    numbers_of,
)
from jvmdebug.recording.sites import SiteTable
from jvmdebug.recording.stacks import StackFollower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.recording.writer import RecordingWriter

_PARTS: Final = 8
"""The parts that a full ring has, about."""
_NS: Final = 1_000_000_000
_OF_OBJECT: Final = 200
"""Bytes of a definition in memory without its texts, about."""
_REFERENCES: Final = frozenset(b"L[")
_SITE: Final = 4
_VALUE: Final = 8


class _Chunk(NamedTuple):
    """Records of one thread, compressed."""

    thread: int
    start_ns: int
    end_ns: int
    records: int
    content: bytes

    def columns(self) -> tuple[bytes, bytes]:
        """The sites and the values."""
        both = expanded(self.content, self.records * (_SITE + _VALUE))
        return both[: self.records * _SITE], both[self.records * _SITE :]


@dataclass
class _Part:
    """What was recorded from one renewal to the next."""

    chunks: list[_Chunk] = field(default_factory=list)
    objects: dict[int, ObjectDefinition] = field(default_factory=dict)
    again: dict[int, dict[int, ObjectDefinition]] = field(default_factory=dict)
    """By the number of chunks before: objects of the part, as they were then."""
    size: int = 0
    """Bytes in memory, about."""
    start_ns: int = 0
    end_ns: int = 0

    def latest(self) -> dict[int, ObjectDefinition]:
        """The objects as they were at the end."""
        found = dict(self.objects)
        for each in self.again.values():
            found |= each
        return found

    def add(self, chunk: _Chunk) -> None:
        """One more chunk."""
        self.start_ns = min(self.start_ns, chunk.start_ns) if self.chunks else chunk.start_ns
        self.end_ns = max(self.end_ns, chunk.end_ns)
        self.chunks.append(chunk)
        self.size += len(chunk.content)


class _Thread:
    """A thread, up to where the ring begins."""

    def __init__(self, recorded: RecordedThread, sites: SiteTable) -> None:
        self.recorded = recorded
        self.stack = StackFollower(sites)
        self.records = 0
        """How many of its records were dropped."""
        self.held: tuple[bytes, bytes] = (b"", b"")
        """The last of them, if what they are of was not dropped: the object of a write."""

    @property
    def first(self) -> int:
        """The index of its first record in the ring."""
        return self.records - len(self.held[0]) // _SITE


class RecordingRing:
    """The last `seconds` of a recording, or fewer if they do not fit into `limit` bytes."""

    def __init__(self, seconds: float, limit: int) -> None:
        self._length_ns = int(seconds * _NS)
        self._limit = limit
        self._sites = SiteTable()
        self._classes: list[RecordedClass] = []
        self._threads: dict[int, _Thread] = {}
        self._parts: deque[_Part] = deque([_Part()])
        self._kept: dict[int, ObjectDefinition] = {}
        """The objects that the variables of open frames name, of parts that were dropped."""
        self.dropped = 0
        """Records that were dropped because others have come since."""
        self.records = 0
        """The records that it has."""

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return sum(each.size for each in self._parts)

    @property
    def is_part_full(self) -> bool:
        """Whether the next part should begin: then the agent is to describe objects again."""
        part = self._parts[-1]
        return bool(part.chunks) and (
            part.size >= self._limit // _PARTS
            or part.end_ns - part.start_ns >= self._length_ns // _PARTS
        )

    def begin_part(self) -> None:
        """Begin the next part, and drop those at the beginning that are not needed any more."""
        while len(self._parts) > 1 and self._is_first_too_much():
            self._drop(self._parts.popleft())
        self._parts.append(_Part())

    def add_class(self, name: str, first_site: int, class_file: bytes, sites: bytes) -> None:
        """A class comes before the first record of its sites. It is never dropped."""
        self._sites.add(len(self._classes), first_site, sites)
        self._classes.append(RecordedClass(name, first_site, class_file, sites))

    def add_thread(self, number: int, name: str, *, is_virtual: bool) -> None:
        """A thread comes before its first chunk; the same number again gives another name."""
        self._thread(number).recorded = RecordedThread(number, name, is_virtual)

    def add_objects(self, definitions: Sequence[ObjectDefinition]) -> None:
        """Define objects that the current part did not define before, or as they are now."""
        part = self._parts[-1]
        for each in definitions:
            if each.serial in part.objects:
                part.again.setdefault(len(part.chunks), {})[each.serial] = each
            else:
                part.objects[each.serial] = each
            part.size += _OF_OBJECT + len(each.text) + len(each.stack) + 8 * len(each.elements)

    def add_chunk(
        self, thread: int, start_ns: int, end_ns: int, sites: bytes, values: bytes
    ) -> None:
        """The next records of a thread, as `RecordingWriter.add_chunk` takes them."""
        content, count = compressed(sites + values), len(sites) // _SITE
        self._thread(thread)
        self._parts[-1].add(_Chunk(thread, start_ns, end_ns, count, content))
        self.records += count

    def write(self, writer: RecordingWriter) -> None:
        """Write what it has, but no end."""
        for each in self._classes:
            writer.add_class(each.name, each.first_site, each.class_file, each.sites)
        chunks = [chunk for part in self._parts for chunk in part.chunks]
        running = {each.thread for each in chunks}
        for number, thread in self._threads.items():
            if number in running:
                name, is_virtual = thread.recorded.name, thread.recorded.is_virtual
                writer.add_thread(number, name, is_virtual=is_virtual)
                writer.begin_at(number, thread.first, thread.stack.frames, thread.held)
        known = dict(self._kept)
        for part in self._parts:
            known = part.objects | known
        writer.add_objects([known[serial] for serial in sorted(known)])
        for part in self._parts:
            changed = [each for each in part.objects.values() if known[each.serial] != each]
            writer.add_objects(changed)
            known.update(part.latest())
            for number, chunk in enumerate(part.chunks):
                writer.add_objects(list(part.again.get(number, {}).values()))
                writer.add_chunk(chunk.thread, chunk.start_ns, chunk.end_ns, *chunk.columns())

    def _thread(self, number: int) -> _Thread:
        """The thread of a number. A virtual one that has run nothing for long has lost its name."""
        known = self._threads.get(number)
        if known is None:
            nameless = RecordedThread(number, "", is_virtual=True)
            known = self._threads[number] = _Thread(nameless, self._sites)
        return known

    def _is_first_too_much(self) -> bool:
        """Whether the ring is long enough without its first part, or too large with it."""
        begins = min((each.start_ns for each in list(self._parts)[1:] if each.chunks), default=0)
        ends = max(each.end_ns for each in self._parts)
        return self.size > self._limit or (bool(begins) and ends - begins >= self._length_ns)

    def _drop(self, part: _Part) -> None:
        for chunk in part.chunks:
            self._follow(self._threads[chunk.thread], *chunk.columns())
            self.records -= chunk.records
            self.dropped += chunk.records
        running = {each.thread for rest in self._parts for each in rest.chunks}
        for number in {each.thread for each in part.chunks} - running:
            thread = self._threads[number]
            if thread.recorded.is_virtual and not thread.stack.frames:
                del self._threads[number]  # there may be millions of them
        self._keep_objects(part)

    def _follow(self, thread: _Thread, sites: bytes, values: bytes) -> None:
        sites, values = thread.held[0] + sites, thread.held[1] + values
        first = thread.first
        numbers, bits = numbers_of(sites, values)
        kinds, whole = self._sites.kinds_of(numbers), self._sites.whole(sites)
        thread.stack.follow(kinds, numbers, bits, first, 0, whole)
        thread.held = sites[_SITE * whole :], values[_VALUE * whole :]
        thread.records = first + len(kinds)

    def _keep_objects(self, part: _Part) -> None:
        known = self._kept | part.latest()
        self._kept = {}
        waiting = [
            bits
            for thread in self._threads.values()
            for frame in thread.stack.frames
            for site, _, bits in frame.locals.values()
            if self._sites[site].type in _REFERENCES
        ]
        while waiting:
            serial = waiting.pop()
            if serial in known and serial not in self._kept:
                self._kept[serial] = known[serial]
                waiting += known[serial].objects
