# SPDX-License-Identifier: Apache-2.0
"""The file `lib/modules` of a JDK, which holds its classes (the format "jimage", JDK 9 to 25).

A header, a perfect hash from names to locations, then the contents one after the other. Contents
that `jlink --compress` has compressed are not read. The names of the modules of a package are
among the contents, under `/packages/`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.errors import ClassFileError
from jvmdebug.regular_file import open_file

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC: Final = 0xCAFEDADA
_HEADER: Final = struct.Struct("=7I")
_SEED: Final = 0x01000193
_END, _MODULE, _PARENT, _BASE, _EXTENSION, _OFFSET, _COMPRESSED, _SIZE = range(8)
_MOST_INDEX: Final = 64 * 1024 * 1024


class _Index(NamedTuple):
    redirects: tuple[int, ...]
    offsets: tuple[int, ...]
    locations: bytes
    strings: bytes
    end: int
    """Where the contents begin in the file."""


class RuntimeImage:
    """The classes of a JDK by their names."""

    def __init__(self, path: Path, index: _Index) -> None:
        self._path = path
        self._index = index

    @classmethod
    def read(cls, path: Path) -> RuntimeImage:
        """Read the index. OSError for a file that cannot be read, ClassFileError for another."""
        with open_file(path) as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                raise ClassFileError(f"{path} is not whole")
            magic, _, _, _, count, locations, strings = _HEADER.unpack(header)
            if magic != _MAGIC or 8 * count + locations + strings > _MOST_INDEX:
                raise ClassFileError(f"{path} is no image of a JDK for this machine")
            redirects, offsets = file.read(4 * count), file.read(4 * count)
            if len(offsets) < 4 * count:
                raise ClassFileError(f"{path} is not whole")
            index = _Index(
                struct.unpack(f"={count}i", redirects),
                struct.unpack(f"={count}I", offsets),
                file.read(locations),
                file.read(strings),
                _HEADER.size + 8 * count + locations + strings,
            )
        return cls(path, index)

    def class_file(self, name: str) -> bytes | None:
        """The class file of an internal name, `java/util/HashMap$Values`; None if it has none."""
        package = name.rpartition("/")[0].replace("/", ".")
        for module in self._modules_of(package):
            found = self._content(f"/{module}/{name}.class")
            if found is not None:
                return found
        return None

    def _modules_of(self, package: str) -> list[str]:
        content = self._content(f"/packages/{package}") or b""
        # Pairs: whether the package is empty in the module, and the offset of the module's name.
        pairs = struct.iter_unpack("=II", content[: len(content) // 8 * 8])
        return [self._string(offset) for is_empty, offset in pairs if not is_empty]

    def _content(self, name: str) -> bytes | None:
        location = self._location(name)
        if location is None or location[_COMPRESSED]:
            return None
        with open_file(self._path) as file:
            file.seek(self._index.end + location[_OFFSET])
            return file.read(location[_SIZE])

    def _location(self, name: str) -> list[int] | None:
        count = len(self._index.redirects)
        redirect = self._index.redirects[_hash(name, _SEED) % count] if count else 0
        if redirect == 0:
            return None
        place = -1 - redirect if redirect < 0 else _hash(name, redirect) % count
        location = self._attributes(self._index.offsets[place])
        return location if self._name(location) == name else None

    def _attributes(self, at: int) -> list[int]:
        """The numbers of a location, by their kinds."""
        found = [0] * 8
        locations = self._index.locations
        while at < len(locations) and (kind := locations[at] >> 3) != _END:
            size = (locations[at] & 7) + 1
            found[kind & 7] = int.from_bytes(locations[at + 1 : at + 1 + size])
            at += 1 + size
        return found

    def _name(self, location: list[int]) -> str:
        module, parent, base, extension = map(self._string, location[_MODULE : _EXTENSION + 1])
        text = f"/{module}/" if module else ""
        text += f"{parent}/" if parent else ""
        return text + base + (f".{extension}" if extension else "")

    def _string(self, offset: int) -> str:
        end = self._index.strings.find(b"\0", offset)
        return self._index.strings[offset:end].decode("utf-8", "replace")


def _hash(name: str, seed: int) -> int:
    for each in name.encode():
        seed = (seed * _SEED ^ each) & 0xFFFFFFFF
    return seed & 0x7FFFFFFF
