# SPDX-License-Identifier: Apache-2.0
"""Recordings in formats of others: Parquet, for SQL, and the trace format that Perfetto shows."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.os_errors import reason
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmdebug.recording.recording import Recording

_AT_ONCE: Final = 50_000


def to_perfetto(recording: Recording, path: Path) -> None:
    """The calls as a JSON trace: an event with its duration for each. RecordingError if the file
    cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
            for number, event in enumerate(_events(recording)):
                file.write((",\n" if number else "") + json.dumps(event))
            file.write("\n]}\n")
    except OSError as error:
        raise RecordingError(f"cannot write {path}: {reason(error)}") from error


def _events(recording: Recording) -> Iterator[dict[str, Any]]:
    pid = recording.header.pid
    yield _named("process_name", pid, 0, recording.header.main)
    for thread in recording.threads:
        yield _named("thread_name", pid, thread.number, thread.name)
    for call in recording.calls():
        more = {"arguments": list(call.arguments), "result": call.result}
        if call.exception:
            more["exception"] = call.exception
        yield {
            "ph": "X",
            "name": call.name,
            "cat": "call",
            "pid": pid,
            "tid": call.thread,
            "ts": call.start_ns / 1000,
            "dur": (call.end_ns - call.start_ns) / 1000,
            "args": more,
        }


def _named(what: str, pid: int, tid: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}


def to_parquet(recording: Recording, folder: Path) -> list[Path]:
    """`calls.parquet`, `lines.parquet` and `writes.parquet` in a folder, which is made."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - of an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise RecordingError("Parquet needs `pip install jvmdebug[heap]`") from None
    tables = {"calls": _calls(recording), "lines": _lines(recording), "writes": _writes(recording)}
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in tables.items():
            path = folder / f"{name}.parquet"
            schema = pa.schema([(each, _type(pa, each)) for each in _COLUMNS[name]])
            with parquet.ParquetWriter(path, schema) as writer:
                while part := list(islice(rows, _AT_ONCE)):
                    writer.write_table(pa.Table.from_pylist(part, schema=schema))
            made.append(path)
    except OSError as error:
        raise RecordingError(f"cannot write {folder}: {reason(error)}") from error
    return made


_COLUMNS: Final = {
    "calls": (
        *("thread", "index", "end", "depth", "name", "start_ns", "end_ns"),
        *("arguments", "result", "exception"),
    ),
    "lines": ("thread", "index", "class", "method", "line"),
    "writes": ("thread", "index", "kind", "class", "method", "line", "name", "object", "value"),
}
_NUMBERS: Final = frozenset(
    ("thread", "index", "end", "depth", "start_ns", "end_ns", "line", "object")
)


def _type(pa: Any, name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    if name == "arguments":
        return pa.list_(pa.string())
    return pa.int64() if name in _NUMBERS else pa.string()


def _calls(recording: Recording) -> Iterator[dict[str, Any]]:
    for call in recording.calls():
        yield {
            **{name: getattr(call, name) for name in _COLUMNS["calls"]},
            "arguments": list(call.arguments),
        }


def _lines(recording: Recording) -> Iterator[dict[str, Any]]:
    for thread, index, site, _ in _records(recording, (RecordKind.LINE,)):
        method = recording.past.method_of(site)
        yield {
            "thread": thread,
            "index": index,
            "class": method.owner.name,
            "method": method.name,
            "line": method.line_at(recording.reader.sites[site].bci),
        }


def _writes(recording: Recording) -> Iterator[dict[str, Any]]:
    kinds = (RecordKind.LOCAL, RecordKind.FIELD, RecordKind.ELEMENT)
    for thread, index, site, value in _records(recording, kinds):
        of = recording.reader.sites[site]
        method = recording.past.method_of(site)
        yield {
            "thread": thread,
            "index": index,
            "kind": RecordKind(of.kind).name.lower(),
            "class": method.owner.name,
            "method": method.name,
            "line": method.line_at(of.bci),
            "name": recording.questions.written_name(of.method, site),
            "object": _object(recording, thread, index),
            "value": recording.past.text(value, chr(of.type)),
        }


def _object(recording: Recording, thread: int, index: int) -> int | None:
    reader = recording.reader
    for at in range(index - 1, reader.first(thread) - 1, -1):
        site, value = reader.record(thread, at)
        kind = reader.sites.kinds[site]
        if kind == RecordKind.OBJECT:
            return value
        if kind != RecordKind.INDEX and kind < RecordKind.CLOCK:
            return None
    return None


def _records(
    recording: Recording, kinds: tuple[RecordKind, ...]
) -> Iterator[tuple[int, int, int, int]]:
    wanted = frozenset(map(int, kinds))
    for thread in recording.reader.threads:
        for entry in recording.reader.chunks_of(thread):
            chunk = recording.reader.chunk(entry)
            for at, kind in enumerate(chunk.kinds):
                if kind in wanted:
                    yield thread, entry.first + at, chunk.sites[at], chunk.values[at]
