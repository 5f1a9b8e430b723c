# SPDX-License-Identifier: Apache-2.0
"""The calls of a recording: all of them in order, or those that one call has made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.states import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.recording.recording import Call
    from jvmdebug.recording.states import Past

_ENTER: Final = int(RecordKind.ENTER)
_LOCAL: Final = int(RecordKind.LOCAL)
_CLOCK: Final = int(RecordKind.CLOCK)


def all_calls(past: Past, thread: int) -> Iterator[Call]:
    """The calls of a thread, each when it ends; those that had not ended at the end."""
    open_calls: list[tuple[int, int]] = []
    for entry in past.reader.chunks_of(thread):
        chunk = past.reader.chunk(entry)
        for index, kind, depth in chunk.changes():
            while open_calls and open_calls[-1][1] > depth:
                yield call_at(past, thread, *open_calls.pop(), index)
            if kind == _ENTER:
                while open_calls and open_calls[-1][1] >= depth:
                    yield call_at(past, thread, *open_calls.pop(), index)
                open_calls.append((index, depth))
            elif open_calls and open_calls[-1][1] == depth:
                yield call_at(past, thread, *open_calls.pop(), index)
    while open_calls:
        yield call_at(past, thread, *open_calls.pop(), None)


def calls_in(past: Past, thread: int, parent: int | None, most: int = 500) -> list[Call]:
    """The calls that the call which began at record `parent` has made itself, in order; None: the
    outermost ones of the thread.
    """
    reader = past.reader
    depth, start = 0, reader.first(thread) - 1
    if parent is not None:
        depth, start = len(past.stack(Position(thread, parent))), parent
    found: list[Call] = []
    begun: int | None = None
    for index, kind, at in _changes(past, thread, start, depth):
        if kind == _ENTER and at == depth:
            if len(found) >= most:
                return found
            begun = index
        elif at == depth and begun is not None:
            found.append(call_at(past, thread, begun, depth, index))
            begun = None
        elif at < depth and kind != _ENTER:
            return found
    if begun is not None:
        found.append(call_at(past, thread, begun, depth, None))
    return found


def _changes(past: Past, thread: int, start: int, depth: int) -> Iterator[tuple[int, int, int]]:
    """What begins and ends frames behind a record, without chunks in which none so low does."""
    reader = past.reader
    first = max(start, reader.first(thread))
    for entry in reader.chunks_of(thread)[reader.number_of(thread, first) :]:
        if entry.changed <= depth or entry.first <= start:
            for change in reader.chunk(entry).changes():
                if change[0] > start:
                    yield change


def call_at(past: Past, thread: int, index: int, depth: int, end: int | None) -> Call:
    """A call by the records of its beginning and its end."""
    from jvmdebug.recording.recording import Call  # noqa: PLC0415 - it imports this module late

    reader = past.reader
    site, _ = reader.record(thread, index)
    method = past.method_of(site)
    start_ns = past.time(Position(thread, index))
    result = exception = ""
    last = reader.length(thread) - 1 if end is None else end
    if end is not None:
        end_site, value = reader.record(thread, end)
        kind = reader.sites.kinds[end_site]
        type_, at = method.descriptor.rpartition(")")[2][0], Position(thread, end)
        if past.method_of(end_site) is not method:
            pass
        elif kind == RecordKind.THROWN:
            exception = past.text(value, past.type_of(end_site, "L"), at)
        elif type_ != "V":
            result = past.text(value, past.type_of(end_site, type_), at)
    return Call(
        thread,
        index,
        end,
        depth,
        f"{method.owner.name}.{method.name}",
        start_ns,
        past.time(Position(thread, last)),
        tuple(_arguments(past, thread, index, method.argument_slots)),
        result,
        exception,
    )


def _arguments(past: Past, thread: int, index: int, slots: int) -> Iterator[str]:
    reader = past.reader
    for at in range(index + 1, reader.length(thread)):
        site, value = reader.record(thread, at)
        kind = reader.sites.kinds[site]
        if kind >= _CLOCK:
            continue  # a chunk of the agent begins between parameters
        if not slots or kind != _LOCAL or reader.sites[site].bci:
            return
        slots -= 1
        if reader.sites[site].detail or past.method_of(site).is_static:
            yield past.text(value, chr(reader.sites[site].type), Position(thread, at))
