# SPDX-License-Identifier: Apache-2.0
"""Heap dumps (HPROF) made up by a test: classes with reference fields, objects, roots.

Written from the description of the format, and not with the reader's words, so that both can be
wrong but hardly in the same way.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_OBJECT, _CHAR, _INT = 2, 5, 10
_HEADER = b"JAVA PROFILE 1.0.2\0"


class HprofWriter:
    """Collects records; `write` makes the file. Ids are those that the test chooses."""

    def __init__(self, id_size: int = 8) -> None:
        self._id = "Q" if id_size == 8 else "I"
        self._id_size = id_size
        self._records: list[bytes] = []
        self._heap: list[bytes] = []
        self._texts: dict[str, int] = {}
        self._serial = 0

    def class_(
        self,
        id_: int,
        name: str,
        *,
        super_id: int = 0,
        loader: int = 0,
        fields: Sequence[str] = (),
        statics: Mapping[str, int] | None = None,
    ) -> None:
        """A class whose fields are all references."""
        self._serial += 1
        load = self._pack("I#I#", self._serial, id_, 0, self._text(name))
        self._records.append(self._record(0x02, load))
        body = self._pack("B#I", 0x20, id_, 0)
        body += self._pack("######", super_id, loader, 0, 0, 0, 0)
        body += self._pack("IH", self._id_size * len(fields), 0)
        body += self._pack("H", len(statics or {}))
        for field, value in (statics or {}).items():
            body += self._pack("#B#", self._text(field), _OBJECT, value)
        body += self._pack("H", len(fields))
        for field in fields:
            body += self._pack("#B", self._text(field), _OBJECT)
        self._heap.append(body)

    def instance(self, id_: int, class_id: int, values: Sequence[int]) -> None:
        """An instance; values of its own fields, then of the superclass'."""
        size = self._id_size * len(values)
        head = self._pack("B#I#I", 0x21, id_, 0, class_id, size)
        self._heap.append(head + self._pack("#" * len(values), *values))

    def objects(self, id_: int, class_id: int, elements: Sequence[int]) -> None:
        """An array of references."""
        head = self._pack("B#II#", 0x22, id_, 0, len(elements), class_id)
        self._heap.append(head + self._pack("#" * len(elements), *elements))

    def ints(self, id_: int, elements: Sequence[int]) -> None:
        """An int[]."""
        head = self._pack("B#IIB", 0x23, id_, 0, len(elements), _INT)
        self._heap.append(head + struct.pack(f">{len(elements)}i", *elements))

    def chars(self, id_: int, text: str) -> None:
        """A char[]."""
        units = text.encode("utf-16-be")
        self._heap.append(self._pack("B#IIB", 0x23, id_, 0, len(units) // 2, _CHAR) + units)

    def root(self, id_: int) -> None:
        """A root of no known kind."""
        self._heap.append(self._pack("B#", 0xFF, id_))

    def raw(self, content: bytes) -> None:
        """Bytes in the record of the heap."""
        self._heap.append(content)

    def write(self, path: Path, *, segment: int | None = None) -> Path:
        """The file. `segment`: how many bytes a segment has, wherever the records in it end."""
        heap = b"".join(self._heap)
        length = segment or max(1, len(heap))
        parts = [heap[at : at + length] for at in range(0, len(heap), length)] or [b""]
        head = _HEADER + struct.pack(">IQ", self._id_size, 0)
        segments = b"".join(self._record(0x1C, each) for each in parts)
        path.write_bytes(head + b"".join(self._records) + segments + self._record(0x2C, b""))
        return path

    def _text(self, text: str) -> int:
        if text not in self._texts:
            number = self._texts[text] = len(self._texts) + 1
            self._records.append(self._record(0x01, self._pack("#", number) + text.encode()))
        return self._texts[text]

    def _pack(self, layout: str, *values: int) -> bytes:
        return struct.pack(">" + layout.replace("#", self._id), *values)

    @staticmethod
    def _record(tag: int, body: bytes) -> bytes:
        return struct.pack(">BII", tag, 0, len(body)) + body
