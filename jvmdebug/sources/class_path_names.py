# SPDX-License-Identifier: Apache-2.0
"""The classes that a class path has, by name, without loading them.

Owns the listing of directories and jars, and reading one class file of them. Reads the disk: call
it from a thread where that matters. Called by the session, for names to complete before the program
has loaded anything.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ClassFileError
from jvmdebug.regular_file import open_archive, read_bytes, read_entry
from jvmdebug.sources.archive_names import entry_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SUFFIX: Final = ".class"
_MAX_CLASSES: Final = 200_000
_NO_CLASSES: Final = frozenset({"module-info", "package-info"})


class ClassPathNames:
    """The names of the classes in directories and jars; what cannot be read counts as empty."""

    def __init__(self, class_path: Iterable[Path]) -> None:
        self._homes: dict[str, tuple[Path, str]] = {}
        for path in class_path:
            for entry in _entries(path):
                name = entry.removesuffix(_SUFFIX).replace("/", ".")
                if len(self._homes) < _MAX_CLASSES and name.rpartition(".")[2] not in _NO_CLASSES:
                    self._homes.setdefault(name, (path, entry))

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def read(self, name: str) -> ClassFile | None:
        """The class file of `shop.Cart$Item`; None if there is none that can be read."""
        if name not in self._homes:
            return None
        path, entry = self._homes[name]
        try:
            if path.is_dir():
                return ClassFile.read(read_bytes(path / entry))
            with open_archive(path) as archive:
                return ClassFile.read(read_entry(archive, entry))
        except (OSError, KeyError, zipfile.BadZipFile, ClassFileError):
            return None


def _entries(path: Path) -> Iterator[str]:
    if path.is_dir():
        for directory, _, files in os.walk(path):
            below = Path(directory).relative_to(path).as_posix()
            prefix = "" if below == "." else f"{below}/"
            yield from (f"{prefix}{name}" for name in files if name.endswith(_SUFFIX))
        return
    try:
        names = entry_names(path)
    except (OSError, zipfile.BadZipFile):
        return
    yield from (
        name for name in names if name.endswith(_SUFFIX) and not name.startswith("META-INF/")
    )
