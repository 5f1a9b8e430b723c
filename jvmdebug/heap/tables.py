# SPDX-License-Identifier: Apache-2.0
"""A heap dump as tables: for SQL (DuckDB), Arrow and Parquet. Needs the extra `jvmdebug[heap]`.

Owns the columns of `instances`, `classes`, `references`, `primitives`, `strings` and `roots`. They
are made in batches, so that memory stays bounded; a query gets only the tables whose names it
contains. Used by HeapFile, and by front ends through it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.heap.errors import HeapError
from jvmdebug.os_errors import reason
from jvmdebug.platform.installation import how_to_get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmdebug.heap.heap_file import HeapFile

TABLES: Final = ("instances", "classes", "references", "primitives", "strings", "roots")
_BATCH: Final = 1 << 20
"""Objects of one batch."""
_LONGEST_TEXT: Final = 10_000
_BASIC_TYPES: Final = (
    *("", "", "object", "", "boolean", "char", "float", "double"),
    *("byte", "short", "int", "long"),
)
"""Types of fields by the numbers that heap dumps have for them."""
_REALS: Final = (6, 7)
"""float and double"""
_EXTRA: Final = "heap"


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query has found."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def query(heap: HeapFile, sql: str) -> QueryResult:
    """See `HeapFile.sql`."""
    arrow = _arrow()
    try:
        import duckdb  # noqa: PLC0415 - of the extra
    except ImportError:
        raise HeapError(f"SQL needs DuckDB: {how_to_get(_EXTRA)}") from None
    with duckdb.connect(":memory:", config={"enable_external_access": False}) as database:
        try:
            for name in TABLES:
                if re.search(rf"\b{name}\b", sql, re.IGNORECASE):
                    # One of a table's own name could not be told from the batches.
                    database.register("batches", _reader(arrow, heap, name))
                    database.execute(f'CREATE TABLE "{name}" AS SELECT * FROM batches')  # noqa: S608
                    database.unregister("batches")
            found = database.execute(sql)
            columns = tuple(each[0] for each in found.description or ())
            return QueryResult(columns, found.fetchall())
        except duckdb.Error as error:
            raise HeapError(f"the query failed: {error}") from None


def arrow_table(heap: HeapFile, name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """See `HeapFile.arrow`."""
    return _reader(_arrow(), heap, _known(name)).read_all()


def export(heap: HeapFile, folder: Path, names: tuple[str, ...]) -> list[Path]:
    """See `HeapFile.export`."""
    arrow = _arrow()
    import pyarrow.parquet  # noqa: PLC0415 - of the extra

    files = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = folder / f"{_known(name)}.parquet"
            reader = _reader(arrow, heap, name)
            with pyarrow.parquet.ParquetWriter(path, reader.schema, compression="zstd") as writer:
                for batch in reader:
                    writer.write_batch(batch)
            files.append(path)
    except OSError as error:
        raise HeapError(f"cannot write the tables to {folder}: {reason(error)}") from None
    return files


def _known(name: str) -> str:
    if name not in TABLES:
        raise HeapError(f"there is no table {name!r}: {', '.join(TABLES)}")
    return name


def _arrow() -> Any:  # noqa: ANN401
    try:
        import pyarrow as pa  # noqa: PLC0415 - of the extra
    except ImportError:
        raise HeapError(f"tables need Arrow: {how_to_get(_EXTRA)}") from None
    return pa


def _reader(arrow: Any, heap: HeapFile, name: str) -> Any:  # noqa: ANN401
    schema, batches = _MADE_BY[name](arrow, heap)
    return arrow.RecordBatchReader.from_batches(schema, batches)


def _slices(heap: HeapFile) -> Iterator[int]:
    return iter(range(0, len(heap), _BATCH))


def _numbers(arrow: Any, type_: Any, column: Any) -> Any:  # noqa: ANN401
    data = arrow.py_buffer(column)
    return arrow.Array.from_buffers(type_, data.size // (type_.bit_width // 8), [None, data])


def _schema(arrow: Any, **columns: Any) -> Any:  # noqa: ANN401
    return arrow.schema(list(columns.items()))


def _names(arrow: Any, numbers: Any, names: list[str]) -> Any:  # noqa: ANN401
    """Names by their numbers; null for -1."""
    known = arrow.compute.if_else(arrow.compute.less(numbers, 0), None, numbers)
    return arrow.DictionaryArray.from_arrays(known, arrow.array(names, arrow.string()))


def _instances(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    text = arrow.dictionary(arrow.int32(), arrow.string())
    number, size = arrow.uint64(), arrow.int64()
    schema = arrow.schema(
        [("id", number), ("class", text), ("shallow_size", size), ("retained_size", size)]
    )
    names = arrow.array(heap.class_names(), arrow.string())

    def batches() -> Iterator[Any]:
        for first in _slices(heap):
            ids, classes, shallow, retained = heap.native.instance_columns(first, _BATCH)
            columns = [
                _numbers(arrow, number, ids),
                arrow.DictionaryArray.from_arrays(_numbers(arrow, arrow.int32(), classes), names),
                _numbers(arrow, size, shallow),
                _numbers(arrow, size, retained),
            ]
            yield arrow.record_batch(columns, schema=schema)

    return schema, batches()


def _references(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    import pyarrow.compute  # noqa: F401, PLC0415 - of the extra

    text = arrow.dictionary(arrow.int32(), arrow.string())
    number, index = arrow.uint64(), arrow.int32()
    schema = _schema(arrow, source=number, target=number, field=text, element=index)

    def batches() -> Iterator[Any]:
        for first in _slices(heap):
            sources, targets, fields, elements, names = heap.native.reference_columns(first, _BATCH)
            places = _numbers(arrow, index, elements)
            columns = [
                _numbers(arrow, number, sources),
                _numbers(arrow, number, targets),
                _names(arrow, _numbers(arrow, index, fields), names),
                arrow.compute.if_else(arrow.compute.less(places, 0), None, places),
            ]
            yield arrow.record_batch(columns, schema=schema)

    return schema, batches()


def _primitives(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    import pyarrow.compute  # noqa: F401, PLC0415 - of the extra

    text = arrow.dictionary(arrow.int32(), arrow.string())
    number, index, real = arrow.uint64(), arrow.int32(), arrow.float64()
    schema = _schema(arrow, object=number, field=text, type=text, integer=arrow.int64(), real=real)

    def batches() -> Iterator[Any]:
        for first in _slices(heap):
            objects, fields, types, integers, reals, names = heap.native.primitive_columns(
                first, _BATCH
            )
            kinds = _numbers(arrow, index, types)
            is_real = arrow.compute.is_in(kinds, value_set=arrow.array(_REALS, index))
            columns = [
                _numbers(arrow, number, objects),
                _names(arrow, _numbers(arrow, index, fields), names),
                _names(arrow, kinds, list(_BASIC_TYPES)),
                arrow.compute.if_else(is_real, None, _numbers(arrow, arrow.int64(), integers)),
                arrow.compute.if_else(is_real, _numbers(arrow, real, reals), None),
            ]
            yield arrow.record_batch(columns, schema=schema)

    return schema, batches()


def _strings(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    schema = _schema(arrow, id=arrow.uint64(), value=arrow.large_string(), length=arrow.int32())

    def batches() -> Iterator[Any]:
        for first in _slices(heap):
            ids, offsets, texts, lengths = heap.native.string_columns(first, _BATCH, _LONGEST_TEXT)
            numbers = _numbers(arrow, arrow.uint64(), ids)
            buffers = [None, arrow.py_buffer(offsets), arrow.py_buffer(texts)]
            columns = [
                numbers,
                arrow.Array.from_buffers(arrow.large_string(), len(numbers), buffers),
                _numbers(arrow, arrow.int32(), lengths),
            ]
            yield arrow.record_batch(columns, schema=schema)

    return schema, batches()


def _classes(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    schema = _schema(
        arrow,
        id=arrow.uint64(),
        name=arrow.string(),
        super_id=arrow.uint64(),
        loader_id=arrow.uint64(),
        instances=arrow.int64(),
        shallow_size=arrow.int64(),
    )
    counted = {index: (count, size) for index, count, size in heap.native.histogram()}
    rows = [
        (id_, name, super_id, loader_id, *counted.get(index, (0, 0)))
        for index, (id_, name, super_id, loader_id, _) in enumerate(heap.native.classes())
    ]
    return schema, iter([_batch_of(arrow, schema, rows)])


def _roots(arrow: Any, heap: HeapFile) -> tuple[Any, Iterator[Any]]:  # noqa: ANN401
    schema = _schema(arrow, id=arrow.uint64(), kind=arrow.string(), thread=arrow.string())
    rows = [(each.object.id, each.root, each.thread) for each in heap.roots()]
    return schema, iter([_batch_of(arrow, schema, rows)])


def _batch_of(arrow: Any, schema: Any, rows: list[Any]) -> Any:  # noqa: ANN401
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    arrays = [
        arrow.array(list(column), field.type) for column, field in zip(columns, schema, strict=True)
    ]
    return arrow.record_batch(arrays, schema=schema)


_MADE_BY: Final[dict[str, Callable[[Any, HeapFile], tuple[Any, Iterator[Any]]]]] = {
    "instances": _instances,
    "classes": _classes,
    "references": _references,
    "primitives": _primitives,
    "strings": _strings,
    "roots": _roots,
}
