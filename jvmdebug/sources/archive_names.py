# SPDX-License-Identifier: Apache-2.0
"""The names of the entries of a zip archive, and nothing else of it.

The src.zip of a JDK has some 17,000 entries. zipfile makes an object of each, which takes 0.1 s and
more where several threads compete, in the first stop that shows a frame of the JDK; the names alone
take a tenth. Called by `finder`.
"""

from __future__ import annotations

import struct
import zipfile
from typing import TYPE_CHECKING, Final

from jvmdebug.regular_file import MOST_ARCHIVE_BYTES, open_archive, open_file

if TYPE_CHECKING:
    from pathlib import Path

_END: Final = struct.Struct("<4s4H2LH")
_ENTRY: Final = struct.Struct("<4s4xH18x3H12x")
"""Of the central directory: signature, flags, and the lengths of name, extra field and comment."""
_LONGEST_COMMENT: Final = 0xFFFF
_IN_ZIP64: Final = 0xFFFFFFFF
_IS_UTF8: Final = 0x800


def entry_names(path: Path) -> list[str]:
    """The names in the order of the archive. Raises OSError, zipfile.BadZipFile."""
    with open_file(path, MOST_ARCHIVE_BYTES) as archive:
        size = archive.seek(0, 2)
        archive.seek(max(0, size - _END.size - _LONGEST_COMMENT))
        tail = archive.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) - at < _END.size:
            raise zipfile.BadZipFile(f"{path} has no end of a zip archive")
        *_, count, length, offset, _comment = _END.unpack_from(tail, at)
        begin = size - len(tail) + at - length
        if _IN_ZIP64 in (length, offset) or begin != offset or count == _LONGEST_COMMENT:
            with open_archive(path) as unusual:  # very large, or behind something else
                return unusual.namelist()
        archive.seek(begin)
        directory = archive.read(length)
    return _names(directory, count, path)


def _names(directory: bytes, count: int, path: Path) -> list[str]:
    names: list[str] = []
    at = 0
    for _ in range(count):
        if len(directory) - at < _ENTRY.size:
            raise zipfile.BadZipFile(f"the directory of {path} is cut off")
        signature, flags, name, extra, comment = _ENTRY.unpack_from(directory, at)
        if signature != b"PK\x01\x02":
            raise zipfile.BadZipFile(f"the directory of {path} is damaged")
        begin = at + _ENTRY.size
        encoding = "utf-8" if flags & _IS_UTF8 else "cp437"
        names.append(directory[begin : begin + name].decode(encoding, "replace"))
        at = begin + name + extra + comment
    return names
