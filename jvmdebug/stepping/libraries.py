# SPDX-License-Identifier: Apache-2.0
"""The meaning of `$Libraries`: the packages of the archives on the class path.

The user's own code is what is in directories; if there are archives only, what is in the first one.
Reads files of this machine: for a program on another machine there are no patterns. Called by the
session.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ARCHIVES: Final = (".jar", ".zip", ".war")
_MAX_CLASSES: Final = 200_000
_GROUP: Final = 2
"""`org.apache`: so many parts of a package name are one pattern, if nothing of the user's fits."""


def library_patterns(class_path: Sequence[str], base: str = "") -> tuple[str, ...]:
    """Patterns that fit the classes of libraries, and none of the user's; sorted."""
    entries = [Path(base, each) for each in class_path if each]
    directories = [each for each in entries if each.is_dir()]
    archives = [each for each in entries if each.suffix in _ARCHIVES and each.is_file()]
    if not directories:
        own, archives = set(_packages_in(archives[:1])), archives[1:]
    else:
        own = set(_packages_under(directories))
    found: set[str] = set()
    for package in sorted(set(_packages_in(archives))):
        if not package or package in own or any(package.startswith(each) for each in found):
            continue
        prefix = _shortest(package, own)
        if prefix is not None:
            found.add(prefix)
    return tuple(f"{prefix}*" for prefix in sorted(found))


def _shortest(package: str, own: Iterable[str]) -> str | None:
    """`org.apache.`, or as much more of the name as keeps the user's packages out."""
    parts = package.split(".")
    for count in range(min(_GROUP, len(parts)), len(parts) + 1):
        prefix = ".".join(parts[:count]) + "."
        if not any(f"{each}.".startswith(prefix) for each in own):
            return prefix
    return None


def _packages_in(archives: Iterable[Path]) -> Iterator[str]:
    for archive in archives:
        try:
            with zipfile.ZipFile(archive) as opened:
                names = opened.namelist()[:_MAX_CLASSES]
        except (OSError, zipfile.BadZipFile):
            continue  # not there, or no archive: then it has no classes for the VM either
        for name in names:
            if name.endswith(".class") and not name.startswith("META-INF/"):
                yield name.rpartition("/")[0].replace("/", ".")


def _packages_under(directories: Iterable[Path]) -> Iterator[str]:
    for directory in directories:
        for folder, _, files in os.walk(directory):
            if any(each.endswith(".class") for each in files):
                yield ".".join(Path(folder).relative_to(directory).parts)
