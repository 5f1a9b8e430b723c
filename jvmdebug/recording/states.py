# SPDX-License-Identifier: Apache-2.0
"""What a recording knows at a position: stacks, local variables, fields and elements.

A position is a thread and the index of a record; what holds there is what holds once that record
was made. Other threads are where the clock says that they were then. Called by the public
`recording` and by the replayed program.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import (
    REDACTED,
    REDACTED_TYPE,
    ObjectDefinition,
    ObjectKind,
    RecordKind,
)
from jvmdebug.recording.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from jvmdebug.recording.chunks import LoadedChunk
    from jvmdebug.recording.classes import ClassInfo
    from jvmdebug.recording.index import ChunkEntry
    from jvmdebug.recording.methods import LocalVariable, MethodInfo
    from jvmdebug.recording.open_frame import OpenFrame
    from jvmdebug.recording.reader import RecordingReader

_MOST_OF_STACKS: Final = 16 << 20
_MOST_OF_INDEXES: Final = 8 << 20
"""Bytes of what is kept, near enough."""
_REDACTED_TYPE: Final = chr(REDACTED_TYPE)
_INTEGERS: Final = {"B": 8, "S": 16, "I": 32, "J": 64}
_SERIAL: Final = struct.Struct("<Q")
_OBJECT: Final = int(RecordKind.OBJECT)
_INDEX: Final = int(RecordKind.INDEX)
_ELEMENT: Final = int(RecordKind.ELEMENT)
_FIELD: Final = int(RecordKind.FIELD)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A moment of one thread: a record of it."""

    thread: int
    index: int

    def __iter__(self) -> Iterator[int]:
        return iter((self.thread, self.index))


class Written(NamedTuple):
    """A write: what was written, and where."""

    position: Position
    site: int
    value: int
    """64 bits, as records have them."""


@dataclass(frozen=True, slots=True)
class LocalValue:
    """A local variable at a position; `written` is None if no value of it was recorded."""

    variable: LocalVariable
    written: Written | None


@dataclass(frozen=True, slots=True)
class FrameAt:
    """An open frame at a position."""

    depth: int
    """0 is the outermost one."""
    method: MethodInfo
    bci: int
    line: int | None
    entered: int
    """Record index of its beginning; -1: before the recording."""
    key: int
    open: OpenFrame


class Past:
    """Answers what a recording knows at its positions."""

    def __init__(self, reader: RecordingReader) -> None:
        self.reader = reader
        self._field_sites: dict[tuple[str, str], frozenset[int]] | None = None
        self._element_sites: frozenset[int] = frozenset()
        self._by_name: dict[str, ClassInfo] | None = None
        self._stacks: Kept[Position, tuple[FrameAt, ...]] = Kept(_MOST_OF_STACKS, _size_of_stack)
        self._constructors: dict[int, frozenset[int]] = {}
        self._set_indexes: Kept[int, frozenset[int]] = Kept(_MOST_OF_INDEXES, _size_of_indexes)

    # Classes

    @property
    def classes(self) -> list[ClassInfo]:
        """The recorded classes, in the order in which they came."""
        return self.reader.load_classes()

    def class_named(self, name: str) -> ClassInfo | None:
        """The class of a binary name that came last."""
        if self._by_name is None:
            self._by_name = {each.name: each for each in self.classes}
        return self._by_name.get(name)

    def method_of(self, site: int) -> MethodInfo:
        """The method that a site is in."""
        return self._method(self.reader.sites.owner(site), self.reader.sites[site].method)

    def _method(self, owner: int, number: int) -> MethodInfo:
        methods = self.classes[owner].methods if owner >= 0 else ()
        if number >= len(methods):
            raise RecordingError("a site is of a method that its class does not have")
        return methods[number]

    # Stacks

    def stack(self, at: Position) -> tuple[FrameAt, ...]:
        """The frames of a thread, the topmost first."""

        def made() -> tuple[FrameAt, ...]:
            chunk = self.reader.chunk_with(*at)
            frames = chunk.frames_after(at.index - chunk.first)
            return tuple(self._frame(*each) for each in reversed(list(enumerate(frames))))

        return self._stacks.get(at, made)

    def _frame(self, depth: int, frame: OpenFrame) -> FrameAt:
        method = self._method(frame.method >> 16, frame.method & 0xFFFF)
        sites = self.reader.sites
        bci = sites[frame.line_site].bci if frame.line_site else 0
        line = method.line_at(bci)
        for site, index, _ in frame.locals.values():
            later = sites[site].bci
            if index > frame.at and later > bci and method.line_at(later) == line:
                bci = later
        return FrameAt(depth, method, bci, line, frame.entered, frame.key(depth), frame)

    def local_values(self, frame: FrameAt, thread: int) -> list[LocalValue]:
        """The local variables of a frame that are in scope, parameters first, `this` left out."""
        found = (
            LocalValue(each, self.slot(frame, thread, each))
            for each in frame.method.variables
            if each.start <= frame.bci < each.start + each.length and each.name != "this"
        )
        return sorted(found, key=lambda each: each.variable.slot)

    def slot(self, frame: FrameAt, thread: int, variable: LocalVariable) -> Written | None:
        """The write that gave a variable its value; None: none was recorded."""
        known = frame.open.locals.get(variable.slot)
        if known is None:
            return None
        site, index, value = known
        if not frame.method.is_same(variable, self.reader.sites[site].bci):
            return None
        return Written(Position(thread, index), site, value)

    def this(self, frame: FrameAt) -> int:
        """The serial number of `this`; 0 if there is none or it is not known."""
        known = frame.open.locals.get(0)
        return 0 if frame.method.is_static or known is None else known[2]

    # Time

    def time(self, at: Position) -> int:
        """The time when a record was made: nanoseconds since the recording began, near enough."""
        chunk = self.reader.chunk_with(*at)
        return chunk.time(at.index - chunk.first)

    def is_ordered(self, one: Position, other: Position) -> bool:
        """Whether it is known which of two records was made first."""
        if one.thread == other.thread:
            return True
        (low, high), (other_low, other_high) = map(self._time_bounds, (one, other))
        return high <= other_low or other_high <= low

    def _time_bounds(self, at: Position) -> tuple[int, int]:
        chunk = self.reader.chunk_with(*at)
        return chunk.time_bounds(at.index - chunk.first)

    def position_at(self, thread: int, time_ns: int) -> Position | None:
        """The last record that a thread had made by then; None: it had made none."""
        found = None
        for each in reversed(self.reader.chunks_of(thread)):
            if each.start_ns <= time_ns:
                found = each
                break
        if found is None:
            return None
        chunk = self.reader.chunk(found)
        at = chunk.last_until(time_ns)
        index = found.first + at
        return None if index < self.reader.first(thread) else Position(thread, index)

    def everywhere(self, at: Position) -> list[Position]:
        """The positions of all threads at a moment, the given one first."""
        if len(self.reader.threads) == 1:
            return [at]
        time_ns = self.time(at)
        others = (
            self.position_at(each, time_ns) for each in self.reader.threads if each != at.thread
        )
        return [at, *(each for each in others if each is not None)]

    # Fields and elements

    def field_sites(self, owner: str, name: str) -> frozenset[int]:
        """The sites that set a field; `owner` is the class that declares it."""
        if self._field_sites is None:
            self._collect_sites()
        return (self._field_sites or {}).get((owner, name), frozenset())

    def declaring(self, owner: str, field: str) -> str:
        """The class that declares a field that an instruction names with `owner`."""
        found = self.class_named(owner)
        while found is not None:
            if found.declares(field):
                return found.name
            above = found.file.superclass
            found = None if above is None else self.class_named(above.replace("/", "."))
        return owner

    def _collect_sites(self) -> None:
        fields: dict[tuple[str, str], set[int]] = {}
        elements: set[int] = set()
        for info in self.classes:
            kinds = info.sites[::8]
            for number, kind in enumerate(kinds, info.first_site):
                if kind == _ELEMENT:
                    elements.add(number)
                elif kind == _FIELD:
                    site = self.reader.sites[number]
                    member = self._method(info.number, site.method).member_at(site.bci)
                    if member is not None:
                        owner = self.declaring(member.owner.replace("/", "."), member.name)
                        fields.setdefault((owner, member.name), set()).add(number)
        self._field_sites = {key: frozenset(sites) for key, sites in fields.items()}
        self._element_sites = frozenset(elements)

    @property
    def element_sites(self) -> frozenset[int]:
        """All sites that set elements of arrays."""
        if self._field_sites is None:
            self._collect_sites()
        return self._element_sites

    def field(self, at: Position, serial: int, owner: str, name: str) -> Written | None:
        """The last write of a field of an object (0: a static one) before or at a position."""
        return next(iter(self.last_writes(at, serial, self.field_sites(owner, name))), None)

    def element(self, at: Position, serial: int, index: int) -> Written | None:
        """The last write of an element before or at a position."""
        return next(iter(self.last_writes(at, serial, self.element_sites, index)), None)

    def elements(self, at: Position, serial: int) -> dict[int, Written]:
        """The last writes of all elements of an array that were set before or at a position."""
        found: dict[int, Written] = {}
        for each in self.everywhere(at):
            of_thread: dict[int, Written] = {}
            for written, index in self.writes(each, serial, self.element_sites):
                of_thread.setdefault(index, written)
            for index, written in of_thread.items():
                known = found.setdefault(index, written)
                if self._is_later(written, known):
                    found[index] = written
        return dict(sorted(found.items()))

    def _is_later(self, written: Written, known: Written) -> bool:
        if written is known:
            return False
        return self.time(written.position) > self.time(known.position)

    def was_constructed(self, at: Position, serial: int, owner: str) -> bool:
        """Whether a constructor of a class was recorded with an object, before or at a position:
        then fields that nobody has set since are 0, false or null.
        """
        info = self.class_named(owner)
        sites = frozenset() if info is None else self._constructor_sites(info)
        return bool(sites) and any(
            next(self._values(each, serial, sites), None) is not None
            for each in self.everywhere(at)
        )

    def _constructor_sites(self, info: ClassInfo) -> frozenset[int]:
        found = self._constructors.get(info.number)
        if found is None:
            found = self._constructors[info.number] = frozenset(
                number
                for number, kind in enumerate(info.sites[::8], info.first_site)
                if kind == RecordKind.LOCAL
                and self.reader.sites[number].detail == 0
                and self.method_of(number).name == "<init>"
            )
        return found

    def _values(self, at: Position, value: int, sites: Collection[int]) -> Iterator[Position]:
        """The records of some sites with a value in one thread until a position, the latest
        first.
        """
        born = self.reader.born_at(value)
        pattern = _SERIAL.pack(value)
        chunks = self.reader.chunks_of(at.thread)
        for number in range(self.reader.number_of(*at), -1, -1):
            entry = chunks[number]
            if entry.offset < born:
                return
            if not may_have_any(entry, sites):
                continue
            chunk = self.reader.chunk(entry)
            place = 8 * (min(at.index + 1, entry.end) - entry.first)
            while (place := chunk.value_bytes.rfind(pattern, 0, place)) >= 0:
                if place % 8 == 0 and chunk.sites[place // 8] in sites:
                    yield Position(at.thread, entry.first + place // 8)
                place += 7

    def seen_element(self, known: ObjectDefinition, index: int) -> int | None:
        """An element as it was when the array was seen, if nothing recorded has set it: then it may
        have been seen before that or after it.
        """
        if index >= len(known.elements) or index in self._set_elements(known.serial):
            return None
        return known.elements[index]

    def _set_elements(self, serial: int) -> frozenset[int]:
        """The indexes of an array that are set anywhere in the recording."""

        def made() -> frozenset[int]:
            ends = (Position(each, self.reader.length(each) - 1) for each in self.reader.threads)
            return frozenset(
                index for each in ends for _, index in self.writes(each, serial, self.element_sites)
            )

        return self._set_indexes.get(serial, made)

    def last_writes(
        self, at: Position, serial: int, sites: frozenset[int], index: int | None = None
    ) -> list[Written]:
        """The last write of each thread before or at a position, the latest first. With an index
        those of an element.
        """
        found: list[Written] = []
        for each in self.everywhere(at) if sites else ():
            for written, number in self.writes(each, serial, sites):
                if index is None or number == index:
                    found.append(written)
                    break
        if len(found) > 1:
            found.sort(key=lambda each: self.time(each.position), reverse=True)
        return found

    def writes(
        self, at: Position, serial: int, sites: Collection[int]
    ) -> Iterator[tuple[Written, int]]:
        """The writes of an object in one thread until a position, the latest first."""
        born = self.reader.born_at(serial) if serial else 0
        chunks = self.reader.chunks_of(at.thread)
        for number in range(self.reader.number_of(*at), -1, -1):
            entry = chunks[number]
            if entry.offset < born:
                return
            if not may_have_any(entry, sites):
                continue
            chunk = self.reader.chunk(entry)
            stop = min(at.index + 1, entry.end) - entry.first
            found = self._statics(chunk, stop, sites)
            if serial:
                found = self._of_object(chunk, stop, serial, sites)
            for position, index in found:
                written = Written(
                    Position(at.thread, entry.first + position),
                    chunk.sites[position],
                    chunk.values[position],
                )
                yield written, index

    def _statics(
        self, chunk: LoadedChunk, stop: int, sites: Collection[int]
    ) -> Iterator[tuple[int, int]]:
        for position in reversed(positions_of(chunk, sites, 0, stop)):
            yield position, -1

    def _of_object(
        self, chunk: LoadedChunk, stop: int, serial: int, sites: Collection[int]
    ) -> Iterator[tuple[int, int]]:
        pattern, kinds = _SERIAL.pack(serial), chunk.kinds
        at = 8 * min(stop, len(kinds))
        while True:
            at = chunk.value_bytes.rfind(pattern, 0, at)
            if at < 0:
                return
            position = at // 8
            if at % 8 == 0 and kinds[position] == _OBJECT:
                target, index = self._target(chunk, position)
                if target is not None and target < stop and chunk.sites[target] in sites:
                    yield target, index
            at += 7

    def _target(self, chunk: LoadedChunk, position: int) -> tuple[int | None, int]:
        """The write that an `object` record is of, and the index of an element."""
        kinds, index = chunk.kinds, -1
        for after in range(position + 1, min(position + 8, len(kinds))):
            kind = kinds[after]
            if kind == _INDEX:
                index = _signed(chunk.values[after], 32)
            elif kind in (_FIELD, _ELEMENT):
                return after, index
            elif kind == _OBJECT:
                break
        return None, -1

    # Objects

    def object_of(self, at: Position) -> int:
        """The object whose field or element a record sets; 0 of a static field."""
        reader = self.reader
        for before in range(at.index - 1, reader.first(at.thread) - 1, -1):
            site, value = reader.record(at.thread, before)
            kind = reader.sites.kinds[site]
            if kind == _OBJECT:
                return value
            if kind != _INDEX and kind < RecordKind.CLOCK:  # the clock and others may be between
                return 0
        return 0

    def definition(self, serial: int, at: Position | None = None) -> ObjectDefinition | None:
        """What is known of an object: as it was last seen with the records around a position, or
        as it was when it was first met.
        """
        return self.reader.definition(serial, None if at is None else (at.thread, at.index))

    def text(self, value: int, type_: str, at: Position | None = None) -> str:
        """A value as a line of text: `42`, `"abc"`, `Cart@7`, `int[3]`, `ArrayList(2)`, `null`.
        The type is that of its site, or the first character of a descriptor. `at`: as for
        `definition`.
        """
        if type_ == _REDACTED_TYPE:
            return REDACTED
        if type_ not in "L[":
            return primitive_text(value, type_)
        if value == 0:
            return "null"
        known = self.definition(value, at)
        if known is None:
            return f"object #{value}"
        return _text_of(known)

    def text_of(self, written: Written, type_: str, at: Position | None = None) -> str:
        """The value of a write as `text` has it, at a later position or where it was written;
        `type_` is that of what was written.
        """
        shown = self.type_of(written.site, type_)
        return self.text(written.value, shown, at or written.position)

    def type_of(self, site: int, type_: str) -> str:
        """The type of a value that a site has recorded as one of `type_`: that of a secret if it
        was redacted.
        """
        return _REDACTED_TYPE if self.is_redacted(site) else type_

    def is_redacted(self, site: int) -> bool:
        """Whether the values of a site are not recorded, since they may be secrets."""
        return self.reader.sites[site].type == REDACTED_TYPE


def _size_of_stack(frames: tuple[FrameAt, ...]) -> int:
    return sum(400 + 150 * len(each.open.locals) for each in frames)


def _size_of_indexes(indexes: frozenset[int]) -> int:
    return 100 + 80 * len(indexes)


def may_have_any(entry: ChunkEntry, sites: Collection[int]) -> bool:
    """Whether records of any of these sites may be in a chunk."""
    return any(map(entry.may_have, sites))


def positions_of(
    chunk: LoadedChunk, sites: Collection[int], start: int, stop: int
) -> Sequence[int]:
    """The positions in a chunk where records of these sites are, ascending."""
    found: list[int] = []
    content = chunk.site_bytes
    for site in sites:
        if not chunk.entry.may_have(site):
            continue
        pattern = site.to_bytes(4, "little")
        at = content.find(pattern, 4 * start, 4 * stop)
        while at >= 0:
            if at % 4 == 0:
                found.append(at // 4)
            at = content.find(pattern, at + 1, 4 * stop)
    found.sort()
    return found


def _text_of(known: ObjectDefinition) -> str:
    if known.kind is ObjectKind.REDACTED:
        return REDACTED
    name = simple_name(known.class_name)
    texts = {
        ObjectKind.STRING: '"' + known.text + ('…"' if known.length > len(known.text) else '"'),
        ObjectKind.BOXED: known.text,
        ObjectKind.ENUM: known.text,
        ObjectKind.TEXT: known.text,
        ObjectKind.CLASS: f"class {known.text}",
        ObjectKind.THROWABLE: ": ".join(filter(None, (known.class_name, known.text))),
        ObjectKind.PLAIN: f"{name}@{known.serial}",
    }
    if known.class_name.startswith("["):
        name = java_name(known.class_name.replace(".", "/"))
        element, _, more = name[name.rfind(".") + 1 :].partition("[]")
        return f"{element}[{known.length}]{more}"
    return texts.get(known.kind, f"{name}({known.length})")


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def primitive(value: int, type_: str) -> int | float | bool:
    """The number that 64 bits of a record are: of `Z` a bool, of `C` the code unit."""
    bits = _INTEGERS.get(type_)
    if bits is not None:
        return _signed(value, bits)
    if type_ == "Z":
        return bool(value & 1)
    if type_ == "C":
        return value & 0xFFFF
    if type_ in "FD":
        size = 4 if type_ == "F" else 8
        raw = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        return float(struct.unpack("<f" if type_ == "F" else "<d", raw)[0])
    raise RecordingError(f"no primitive type has the descriptor {type_!r}")


def primitive_text(value: int, type_: str) -> str:
    """A primitive value as Java writes it, near enough."""
    found = primitive(value, type_)
    if type_ == "Z":
        return "true" if found else "false"
    return f"'{chr(int(found))}'" if type_ == "C" else str(found)
