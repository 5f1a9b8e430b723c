# SPDX-License-Identifier: Apache-2.0
"""The packages on a class path, as far as it is on this machine: the user's and those of libraries.

The user's own code is in directories, and in `BOOT-INF/classes` and `WEB-INF/classes` of an
archive, and in the archives of an application that Quarkus has packed; where there is none of them,
the first archive is the program. Follows the Class-Path of
manifests and reads archives in archives. Reads the disk. Called by `libraries`.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urljoin, urlsplit

from jvmdebug.quarkus_layout import application_of
from jvmdebug.regular_file import open_archive, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ARCHIVES: Final = (".jar", ".zip", ".war")
_OWN_FOLDERS: Final = ("BOOT-INF/classes/", "WEB-INF/classes/")
_SOURCES: Final = (".clj", ".cljc", ".groovy")
"""Of languages that compile what is on the class path when the program runs."""
_MANIFEST: Final = "META-INF/MANIFEST.MF"
_CLASS_PATH: Final = re.compile(r"^Class-Path:(.*)$", re.MULTILINE | re.IGNORECASE)
_MAX_ENTRIES: Final = 200_000
_MAX_NESTED_BYTES: Final = 256 * 1024 * 1024
_MAX_MANIFEST_BYTES: Final = 1024 * 1024


@dataclass(slots=True)
class ClassPathPackages:
    """Names of packages, by whose they are; the unnamed one is empty."""

    own: set[str] = field(default_factory=set)
    """In directories, in the folder for classes of a Spring Boot or web archive, and in what
    Quarkus has packed of an application.
    """
    program: set[str] = field(default_factory=set)
    """In the first archive, if there is nothing of the above."""
    libraries: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Archive:
    """What one archive has."""

    own: set[str] = field(default_factory=set)
    """Packages in its folder for classes."""
    other: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)
    """Packages of the archives in it."""
    class_path: list[Path] = field(default_factory=list)
    """What its manifest names."""


def packages_on(class_path: Sequence[str], base: str = "") -> ClassPathPackages:
    """What is on the class path; entries that are not here or are no archives have nothing."""
    found = ClassPathPackages()
    archives: list[set[str]] = []
    seen: set[Path] = set()
    waiting = [Path(base, each) for each in class_path if each][::-1]
    while waiting and len(seen) < _MAX_ENTRIES:
        entry = waiting.pop()
        if entry in seen:
            continue
        seen.add(entry)
        if entry.is_dir():
            found.own.update(_packages_under(entry))
        elif entry.suffix in _ARCHIVES and entry.is_file():
            archive = _read(entry)
            found.own |= archive.own
            found.libraries |= archive.nested
            archives.append(archive.other)
            waiting += archive.class_path[::-1]
            application = application_of(entry)
            if application is not None:
                found.own.update(*(_read(each).other for each in application.own))
                waiting += application.libraries
    if not found.own:
        first = next((at for at, each in enumerate(archives) if each), None)
        found.program = set() if first is None else archives.pop(first)
    found.libraries.update(*archives)
    return found


def _read(path: Path) -> _Archive:
    found = _Archive()
    try:
        with open_archive(path) as archive:
            names = archive.namelist()[:_MAX_ENTRIES]
            for name in names:
                if _is_class(name):
                    folder = next((each for each in _OWN_FOLDERS if name.startswith(each)), None)
                    (found.other if folder is None else found.own).add(_package(name, folder or ""))
            if found.own:  # what else is in the archive is the loader that starts it
                found.nested = _packages_of_nested(archive, names) | found.other
                found.other = set()
            if _MANIFEST in names:
                with archive.open(_MANIFEST) as manifest:
                    text = manifest.read(_MAX_MANIFEST_BYTES).decode("utf-8", "replace")
                found.class_path = _named_in_manifest(text, path)
    except (OSError, zipfile.BadZipFile):
        pass  # no archive: then it has no classes for the VM either
    return found


def _named_in_manifest(text: str, archive: Path) -> list[Path]:
    named = _CLASS_PATH.search(re.sub(r"\r?\n ", "", text))
    if named is None:
        return []
    urls = (urlsplit(urljoin(archive.absolute().as_uri(), each)) for each in named[1].split())
    return [
        Path(os.path.normpath(unquote(each.path)))
        for each in urls
        if each.scheme == "file" and not each.netloc
    ]


def _packages_of_nested(archive: zipfile.ZipFile, names: Iterable[str]) -> set[str]:
    found = set[str]()
    for name in names:
        if not name.endswith(_ARCHIVES) or archive.getinfo(name).file_size > _MAX_NESTED_BYTES:
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(read_entry(archive, name))) as inner:
                inside = inner.namelist()[:_MAX_ENTRIES]
        except zipfile.BadZipFile:
            continue  # named as an archive, but none
        found.update(_package(each) for each in inside if _is_class(each))
    return found


def _is_class(entry: str) -> bool:
    """Whether it is a class of a package: not of another release, not a module."""
    return (
        entry.endswith(".class")
        and not entry.endswith("module-info.class")
        and not entry.startswith("META-INF/")
    )


def _package(entry: str, folder: str = "") -> str:
    return entry[len(folder) :].rpartition("/")[0].replace("/", ".")


def _packages_under(directory: Path) -> Iterator[str]:
    for folder, _, files in os.walk(directory):
        if any(_is_class(each) or each.endswith(_SOURCES) for each in files):
            yield ".".join(Path(folder).relative_to(directory).parts)
