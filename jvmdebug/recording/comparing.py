# SPDX-License-Identifier: Apache-2.0
"""Compares two recordings of the same program: the first call or value that differs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from jvmdebug.recording.format import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.recording.recording import Moment, Recording

_TOLD: Final = frozenset(
    map(
        int,
        (
            *(RecordKind.ENTER, RecordKind.LINE, RecordKind.LOCAL, RecordKind.FIELD),
            *(RecordKind.ELEMENT, RecordKind.EXIT, RecordKind.THROWN, RecordKind.CAUGHT),
            RecordKind.RETURNED,
        ),
    )
)
_WORDS: Final = {
    RecordKind.ENTER: "calls",
    RecordKind.LINE: "comes to a line of",
    RecordKind.EXIT: "returns from",
    RecordKind.THROWN: "leaves by an exception",
    RecordKind.CAUGHT: "catches in",
    RecordKind.RETURNED: "gets from a call in",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first record that differs: what each of the two does there, in words."""

    first: Moment | None
    """None: the first recording has ended there."""
    second: Moment | None
    first_text: str
    second_text: str


@dataclass(frozen=True, slots=True)
class _Told:
    index: int
    what: tuple[str, str, int, int, str]
    """Method, kind, code index, slot, value as text."""


def first_difference(one: Recording, other: Recording, thread: str = "main") -> Difference | None:
    """The first call or value of threads of that name in which two recordings differ; None if they
    are the same. References are compared by what is known of the objects, not by their numbers.
    """
    first, second = (_thread(each, thread) for each in (one, other))
    told = zip_longest(_told(one, first), _told(other, second))
    for left, right in told:
        if left is None or right is None or left.what != right.what:
            return Difference(
                None if left is None else one.at(first, left.index),
                None if right is None else other.at(second, right.index),
                _text(left),
                _text(right),
            )
    return None


def _thread(recording: Recording, name: str) -> int:
    named = [each.number for each in recording.threads if each.name == name]
    return (named or recording.reader.threads or [0])[0]


def _told(recording: Recording, thread: int) -> Iterator[_Told]:
    reader, past = recording.reader, recording.past
    places: dict[int, tuple[str, str, int, int, str]] = {}
    for entry in reader.chunks_of(thread):
        chunk = reader.chunk(entry)
        for at, kind in enumerate(chunk.kinds):
            if kind not in _TOLD:
                continue
            number = chunk.sites[at]
            place = places.get(number)
            if place is None:
                site = reader.sites[number]
                method = repr(past.method_of(number))
                name = RecordKind(site.kind).name
                place = places[number] = (method, name, site.bci, site.detail, chr(site.type))
            text = ""
            if place[4] != "V":
                text = past.text(chunk.values[at], place[4]).partition("#")[0]
            yield _Told(entry.first + at, (*place[:4], text))


def _text(told: _Told | None) -> str:
    if told is None:
        return "has ended"
    method, kind, _, _, value = told.what
    words = _WORDS.get(RecordKind[kind], "writes a value in")
    return f"{words} {method}" + (f": {value}" if value else "")
