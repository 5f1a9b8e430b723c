# SPDX-License-Identifier: Apache-2.0
"""Recordings in formats of others: Parquet, for SQL, and the trace format that Perfetto shows."""

from __future__ import annotations

import contextlib
import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.os_errors import reason
from jvmdebug.recording.errors import RecordingError, damaged
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.new_file import NewFile
from jvmdebug.recording.states import Position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from jvmdebug.recording.recording import Recording

_AT_ONCE: Final = 50_000


def to_perfetto(recording: Recording, path: Path) -> None:
    """The calls as a JSON trace: an event with its duration for each. RecordingError if the file
    cannot be written.
    """
    with _written(path) as file:
        file.write(b'{"displayTimeUnit":"ns","traceEvents":[\n')
        for number, event in enumerate(_events(recording)):
            file.write(f"{',' if number else ''}\n{json.dumps(event)}".encode())
        file.write(b"\n]}\n")


@contextlib.contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, of mode 0600, which takes its name if all goes well; else nothing is
    left of it.
    """
    try:
        made = NewFile(path)
        try:
            yield made.file
            made.close()
        finally:
            made.discard()
    except OSError as error:
        raise RecordingError(f"cannot write {path}: {reason(error)}") from error


def _plain(text: str) -> str:
    """A text without surrogates that stand alone, which neither format can have."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _events(recording: Recording) -> Iterator[dict[str, Any]]:
    pid = recording.header.pid
    yield _named("process_name", pid, 0, recording.header.main)
    for thread in recording.threads:
        yield _named("thread_name", pid, thread.number, _plain(thread.name))
    for call in recording.calls():
        more: dict[str, object] = {
            "arguments": list(map(_plain, call.arguments)),
            "result": _plain(call.result),
        }
        if call.exception:
            more["exception"] = _plain(call.exception)
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
    except OSError as error:
        raise RecordingError(f"cannot write {folder}: {reason(error)}") from error
    with contextlib.ExitStack() as stack:  # all of them, or none
        for name, rows in tables.items():
            path = folder / f"{name}.parquet"
            schema = pa.schema([(each, _type(pa, each)) for each in _COLUMNS[name]])
            file = stack.enter_context(_written(path))
            with damaged("it"), parquet.ParquetWriter(file, schema) as writer:
                while part := list(islice(rows, _AT_ONCE)):
                    writer.write_table(pa.Table.from_pylist(part, schema=schema))
            made.append(path)
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
            "arguments": list(map(_plain, call.arguments)),
            "result": _plain(call.result),
            "exception": _plain(call.exception),
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
        method, at = recording.past.method_of(site), Position(thread, index)
        yield {
            "thread": thread,
            "index": index,
            "kind": RecordKind(of.kind).name.lower(),
            "class": method.owner.name,
            "method": method.name,
            "line": method.line_at(of.bci),
            "name": recording.questions.written_name(site),
            "object": recording.past.object_of(at) or None,
            "value": _plain(recording.past.text(value, chr(of.type), at)),
        }


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
