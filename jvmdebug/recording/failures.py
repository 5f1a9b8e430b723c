# SPDX-License-Identifier: Apache-2.0
"""Finds where a test failed: the place in recorded code at which the exception that ended it came
up.

An assertion's exception is made in a library, which is seldom recorded; its classes are passed over
if they are. Called by `recording`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.states import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug.recording.methods import MethodInfo
    from jvmdebug.recording.moves import Moves
    from jvmdebug.recording.states import Past

_LIBRARY: Final = re.compile(
    r"(org\.(junit|assertj|hamcrest|testng|opentest4j|mockito|spockframework)|junit|kotlin\.test"
    r"|com\.google\.common\.truth|io\.kotest|java|jdk|sun)\."
)
_TEST: Final = re.compile(r"([^#\[(]+)(?:#([^#\[(]+))?.*", re.DOTALL)
_ID: Final = re.compile(r"\[([\w-]+):([^\](]+)")
_CLASSES: Final = ("class", "runner", "nested-class")
_METHODS: Final = ("method", "test-template", "test-factory", "test")
_KINDS: Final = (int(RecordKind.THROWN), int(RecordKind.THROWS))


def failure_at(past: Past, moves: Moves, test: str | None) -> Position | None:
    """The position of the line that failed. `test`: `shop.CartTest#adds`, `shop.CartTest`; None:
    the last exception that no recorded code has caught. None if there is no such.
    """
    for wanted in _choices(test):
        ends = _sites(past, (int(RecordKind.THROWN),), wanted)
        found = [each for each in _ends(past, moves, ends, test) if each is not None]
        if found:
            return _in_own_code(past, _origin(past, moves, max(found, key=past.time)))
    return None


def _choices(test: str | None) -> Iterator[Callable[[MethodInfo], bool]]:
    """The methods that an exception may have ended, the likeliest first: one may be inherited, or
    be that of what sets up a class.
    """
    name, method = ("", "") if test is None else _names(test)
    if not name:
        yield lambda _: True
        return
    if method:
        yield lambda each: each.name == method and _is(each, name)
        yield lambda each: each.name == method
    yield lambda each: _is(each, name) or each.owner.name.startswith(name + "$")


def _names(test: str) -> tuple[str, str]:
    """The names of a test's class and method, of its selector or its id; empty if it has none."""
    found = _TEST.fullmatch(test)
    if found is not None:
        return found[1], found[2] or ""
    parts = _ID.findall(test)
    name = "$".join(text for kind, text in parts if kind in _CLASSES)
    return name, next((text for kind, text in parts if kind in _METHODS), "")


def _is(method: MethodInfo, name: str) -> bool:
    return method.owner.name == name or method.owner.name.endswith("." + name)


def _sites(
    past: Past, kinds: tuple[int, ...], wanted: Callable[[MethodInfo], bool]
) -> frozenset[int]:
    return frozenset(
        number
        for info in past.classes
        for number, kind in enumerate(info.sites[::8], info.first_site)
        if kind in kinds and wanted(past.method_of(number))
    )


def _ends(
    past: Past, moves: Moves, sites: frozenset[int], test: str | None
) -> Iterator[Position | None]:
    """The last end of a frame by an exception, in each thread."""
    caught = _sites(past, (int(RecordKind.CAUGHT),), lambda _: True)
    for thread in past.reader.threads:
        at = Position(thread, past.reader.length(thread))
        for each in moves.all_of(at, sites, back=True):
            if test is not None or not _is_caught(past, moves, each, caught):
                yield each
                break


def _is_caught(past: Past, moves: Moves, at: Position, caught: frozenset[int]) -> bool:
    exception = past.reader.record(*at)[1]
    return any(past.reader.record(*each)[1] == exception for each in moves.all_of(at, caught))


def _origin(past: Past, moves: Moves, end: Position) -> Position:
    """The record at which the exception came up that ends a frame."""
    exception = past.reader.record(*end)[1]
    before = Position(end.thread, max(end.index - 1, past.reader.first(end.thread)))
    frames = past.stack(before)
    begun = frames[0].entered if frames else before.index
    found = end
    for each in moves.all_of(end, _sites(past, _KINDS, lambda _: True), back=True):
        if each.index < begun:
            break
        if past.reader.record(*each)[1] == exception:
            found = each
    return found


def _in_own_code(past: Past, at: Position) -> Position:
    """The moment before that record; in the frame below those of libraries."""
    first = past.reader.first(at.thread)
    here = Position(at.thread, max(at.index - 1, first))
    while True:
        frames = past.stack(here)
        if len(frames) < 2 or not _LIBRARY.match(frames[0].method.owner.name):
            return here
        if frames[0].entered <= first:
            return here
        here = Position(at.thread, frames[0].entered - 1)
