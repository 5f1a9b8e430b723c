# SPDX-License-Identifier: Apache-2.0
"""Questions about values: what a name means at a position, who wrote it, which values it had.

A name is that of a local variable, of a field of `this` or of a class, with fields and indexes
behind it: `sum`, `this.total`, `till.prices[0]`, `shop.Till.made`.
"""

from __future__ import annotations

import contextlib
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.recording.errors import QuestionError
from jvmdebug.recording.format import ObjectKind, RecordKind
from jvmdebug.recording.states import Position, Written, positions_of, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug.recording.format import ObjectDefinition
    from jvmdebug.recording.methods import LocalVariable
    from jvmdebug.recording.moves import Moves
    from jvmdebug.recording.states import FrameAt, Past

_PART: Final = re.compile(r"\.?([A-Za-z_$][\w$]*)|\[(\d+)\]")
_COMPARED: Final = re.compile(r"(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)")
_STATIC: Final = 8
SECRET: Final = object()
"""Stands for a value that was not recorded, since it may be a secret."""
_OPERATORS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class LocalTarget:
    """A local variable of one frame."""

    frame: FrameAt
    thread: int
    variable: LocalVariable

    @property
    def type(self) -> str:
        """The first character of its descriptor."""
        return self.variable.descriptor[0]


@dataclass(frozen=True, slots=True)
class FieldTarget:
    """A field of an object; of a static one the object is 0."""

    object: int
    owner: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class ElementTarget:
    """An element of an array."""

    array: int
    index: int
    type: str


_PLAIN: Final = (ObjectKind.STRING, ObjectKind.ENUM, ObjectKind.BOXED, ObjectKind.REDACTED)

Target: TypeAlias = LocalTarget | FieldTarget | ElementTarget


@dataclass(frozen=True, slots=True)
class Comparison:
    """`name operator value`, as it was written."""

    name: str
    operator: str
    value: str

    def holds(self, found: object) -> bool:
        """Whether it holds for a value as `Questions.plain` gives it."""
        wanted = literal(self.value)
        if found is SECRET:
            return False
        if isinstance(found, bool) != isinstance(wanted, bool) or found is None or wanted is None:
            same = found is wanted
            return same if self.operator == "==" else not same and self.operator == "!="
        try:
            return _OPERATORS[self.operator](found, wanted)
        except TypeError:
            return self.operator == "!="


def comparison(text: str) -> Comparison:
    """`sum == 42` and others. RecordingError for anything else."""
    found = _COMPARED.fullmatch(text.strip())
    if found is None:
        raise QuestionError(f"{text!r} is no comparison of a name with a value, as `sum == 42`")
    made = Comparison(*(each.strip() for each in found.groups()))
    literal(made.value)
    return made


def literal(text: str) -> int | float | bool | str | None:
    """A value that is written: `42`, `1.5`, `true`, `null`, `"text"`, `'c'`."""
    words: dict[str, bool | None] = {"null": None, "true": True, "false": False}
    if text in words:
        return words[text]
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    for kind in (int, float):
        try:
            return kind(text.rstrip("lLfFdD") if kind is float else text.rstrip("lL"))
        except ValueError:
            continue
    raise QuestionError(f"{text!r} is no number, text, true, false or null")


def _plain(known: ObjectDefinition) -> object:
    if known.kind is ObjectKind.REDACTED:
        return SECRET
    if known.kind is ObjectKind.BOXED:
        with contextlib.suppress(QuestionError):
            return literal(known.text)
    return known.text


class Questions:
    """Answers questions about the values of one recording."""

    def __init__(self, past: Past, moves: Moves) -> None:
        self._past = past
        self._moves = moves
        self._reader = past.reader

    # Names

    def target(self, at: Position, text: str, depth: int = 0) -> Target:
        """What a name means in a frame of a position; 0 is the topmost one. RecordingError if it
        means nothing there.
        """
        frames = self._past.stack(at)
        frame = frames[depth] if depth < len(frames) else None
        parts = self._parts(text)
        found = self._first(at, frame, parts)
        while parts:
            found = self._inside(at, found, parts.pop(0), text)
        return found

    def _parts(self, text: str) -> list[str]:
        parts, end = [], 0
        for match in _PART.finditer(text.strip()):
            if match.start() != end:
                break
            parts.append(match.group(1) or f"[{match.group(2)}]")
            end = match.end()
        if end != len(text.strip()) or not parts:
            raise QuestionError(f"{text!r} is no name of a variable, a field or an element")
        return parts

    def _first(self, at: Position, frame: FrameAt | None, parts: list[str]) -> Target:
        name = parts[0]
        if frame is not None:
            visible = [each.variable for each in self._past.local_values(frame, at.thread)]
            named = [each for each in visible if each.name == name]
            named += [each for each in frame.method.variables if each.name == name]
            if named:
                del parts[0]
                return LocalTarget(frame, at.thread, named[0])
            if name == "this" and len(parts) > 1:
                del parts[0]
                name = parts[0]
            this = self._past.this(frame)
            field = self._field(frame.method.owner.name, name, this)
            if field is not None:
                del parts[0]
                return field
        for length in range(len(parts) - 1, 0, -1):
            owner = self._class(".".join(parts[:length]))
            field = None if owner is None else self._field(owner, parts[length], 0)
            if field is not None:
                del parts[: length + 1]
                return field
        raise QuestionError(f"{name!r} is no variable or field here")

    def _class(self, name: str) -> str | None:
        names = [each.name for each in self._past.classes]
        found = [each for each in names if each == name or each.endswith((f".{name}", f"${name}"))]
        return found[0] if found else None

    def _field(self, owner: str, name: str, serial: int) -> FieldTarget | None:
        """The field of a class or an object; None if there is none, or no object that has it."""
        declaring = self._past.class_named(self._past.declaring(owner, name))
        for each in () if declaring is None else declaring.file.fields:
            if declaring is not None and each.name == name:
                of = 0 if each.access & _STATIC else serial
                if not of and not each.access & _STATIC:
                    return None  # of no object, or of one that is not known
                return FieldTarget(of, declaring.name, name, each.descriptor[0])
        return None

    def _inside(self, at: Position, outer: Target, part: str, text: str) -> Target:
        serial = self.bits(at, outer) or 0
        known = self._past.definition(serial) if serial else None
        if known is None:
            raise QuestionError(f"{text}: what {part} is of is null, or not recorded")
        if known.kind is ObjectKind.REDACTED:
            raise QuestionError(f"{text}: what {part} is of was redacted: it may be a secret")
        if part.startswith("["):
            element = known.class_name[1:2] or "L"
            return ElementTarget(serial, int(part[1:-1]), element)
        found = self._field(known.class_name, part, serial)
        if found is None:
            raise QuestionError(f"{text}: {known.class_name} has no recorded field {part}")
        return found

    # Writes

    def last_write(self, at: Position, target: Target) -> Written | None:
        """The write that gave a target the value that it has at a position; None: it was not
        recorded.
        """
        return next(iter(self._of_threads(at, target)), None)

    def last_writes(self, at: Position, target: Target) -> list[Written]:
        """The last write of a target before or at a position, and behind it those of other threads
        of which it is not known whether they were before it.
        """
        found = self._of_threads(at, target)
        return [
            each
            for each in found
            if each is found[0] or not self._past.is_ordered(found[0].position, each.position)
        ]

    def _of_threads(self, at: Position, target: Target) -> list[Written]:
        """The last write of each thread before or at a position, the latest first."""
        past = self._past
        if isinstance(target, FieldTarget):
            sites = past.field_sites(target.owner, target.name)
            return past.last_writes(at, target.object, sites)
        if isinstance(target, ElementTarget):
            return past.last_writes(at, target.array, past.element_sites, target.index)
        same = (each for each in past.stack(at) if each.key == target.frame.key)
        frame = next(same, None)
        written = None if frame is None else past.slot(frame, at.thread, target.variable)
        return [] if written is None else [written]

    def bits(self, at: Position, target: Target) -> int | None:
        """The value of a target at a position, 64 bits; None if it is not known."""
        written = self.last_write(at, target)
        if written is not None:
            return written.value
        if isinstance(target, ElementTarget):
            known = self._past.definition(target.array)
            return None if known is None else self._past.seen_element(known, target.index)
        if isinstance(target, FieldTarget) and target.object:
            return 0 if self._past.was_constructed(at, target.object, target.owner) else None
        return None

    def writes(self, target: Target) -> list[Written]:
        """All writes of a target in the recording, in order; of a variable those of its frame."""
        if isinstance(target, LocalTarget):
            return list(self._of_local(target))
        found: list[Written] = []
        for thread in self._reader.threads:
            end = Position(thread, self._reader.length(thread) - 1)
            if isinstance(target, FieldTarget):
                sites = self._past.field_sites(target.owner, target.name)
                made = self._past.writes(end, target.object, sites)
                found += (written for written, _ in made)
            else:
                made = self._past.writes(end, target.array, self._past.element_sites)
                found += (written for written, index in made if index == target.index)
        if len(self._reader.threads) == 1:
            return found[::-1]
        return sorted(found, key=lambda each: self._past.time(each.position))

    def _of_local(self, target: LocalTarget) -> Iterator[Written]:
        sites = self._local_sites(target)
        frame = target.frame
        entries = self._reader.chunks_of(target.thread)
        start = max(frame.entered, self._reader.first(target.thread))
        for entry in entries[self._reader.number_of(target.thread, start) :]:
            if entry.lowest > frame.depth and entry.first > start:
                continue
            chunk = self._reader.chunk(entry)
            runs = chunk.runs()
            for run in runs:
                if run.key == frame.key and run.depth == frame.depth:
                    for each in positions_of(chunk, sites, run.start, run.stop):
                        yield self._written(Position(target.thread, entry.first + each))
                elif run.depth < frame.depth and entry.first + run.start > start:
                    return

    def _local_sites(self, target: LocalTarget) -> frozenset[int]:
        method, variable = target.frame.method, target.variable
        info = method.owner
        found = set()
        for number, kind in enumerate(info.sites[::8], info.first_site):
            if kind == RecordKind.LOCAL:
                site = self._reader.sites[number]
                is_of_slot = site.method == method.number and site.detail == variable.slot
                if is_of_slot and method.is_same(variable, site.bci):
                    found.add(number)
        return frozenset(found)

    def _written(self, at: Position) -> Written:
        return Written(at, *self._reader.record(*at))

    # Values

    def plain(self, written: Written, type_: str) -> object:
        """A written value as a number, a text or None for null; other objects as their text. What
        was redacted is SECRET, which is equal to nothing that is written.
        """
        value = written.value
        if self._past.is_redacted(written.site):
            return SECRET
        if type_ not in "L[":
            found = primitive(value, type_)
            return chr(int(found)) if type_ == "C" else found
        at = written.position
        known = self._past.definition(value, at) if value else None
        if known is not None:
            return _plain(known) if known.kind in _PLAIN else self._past.text(value, type_, at)
        return None if value == 0 else self._past.text(value, type_, at)

    def when(self, at: Position, text: str, depth: int = 0, *, back: bool = True) -> Written | None:
        """The last write before a position (or the first after it) with which a comparison came to
        hold: `sum == 42`.
        """
        wanted = comparison(text)
        target = self.target(at, wanted.name, depth)
        time = self._past.time(at)
        found = None
        for each in self.writes(target):
            place = each.position
            is_before = place.index <= at.index
            if place.thread != at.thread:
                is_before = self._past.time(place) <= time
            if back and not is_before:
                break
            if is_before != back or not wanted.holds(self.plain(each, target.type)):
                continue
            if not back:
                return each
            found = each
        return found

    def all_writes(self, name: str, value: str | None = None) -> Iterator[Written]:
        """The writes of all variables and fields of a name, in any frame or object, those that gave
        a value if one is given: where was `total` 42. In order for each thread.
        """
        wanted = None if value is None else Comparison(name, "==", value)
        if wanted is not None:
            literal(wanted.value)
        sites = self._named_sites(name)
        for thread in self._reader.threads:
            begin = Position(thread, self._reader.first(thread) - 1)
            for each in self._moves.all_of(begin, sites):
                written = self._written(each)
                type_ = chr(self._reader.sites[written.site].type)
                if wanted is None or wanted.holds(self.plain(written, type_)):
                    yield written

    def _named_sites(self, name: str) -> frozenset[int]:
        found = set()
        for info in self._past.classes:
            for number, kind in enumerate(info.sites[::8], info.first_site):
                is_named = kind in (RecordKind.LOCAL, RecordKind.FIELD)
                if is_named and self.written_name(number) == name:
                    found.add(number)
        return frozenset(found)

    def written_name(self, site: int) -> str | None:
        """The name of the variable or field that a site writes."""
        of = self._reader.sites[site]
        in_method = self._past.method_of(site)
        if of.kind == RecordKind.LOCAL:
            variable = in_method.variable(of.detail, of.bci)
            return None if variable is None else variable.name
        member = in_method.member_at(of.bci)
        return None if member is None else member.name
