# SPDX-License-Identifier: Apache-2.0
"""Finds the source of a class. Searches, in this order, the source path (directories, jars, zips),
the sources jars beside the jars of the class path, the class path itself, and the JDK's src.zip.
Archives are indexed when they are first needed. Reads the disk: call it from a thread where that
matters.
"""

from __future__ import annotations

import contextlib
import os
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import SourceError
from jvmdebug.source_text import packages_declared
from jvmdebug.sources.archive_names import entry_names
from jvmdebug.sources.multi_release import (
    ReleaseVersions,
    version_of_directory,
    version_of_entry,
)
from jvmdebug.sources.open_archives import OpenArchives
from jvmdebug.sources.paths import source_path
from jvmdebug.sources.source_file import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SUFFIXES: Final = (
    *(".java", ".kt", ".kts", ".scala", ".groovy", ".aj"),
    *(".clj", ".cljc", ".jsp", ".jspx", ".jspf", ".tag"),
)
_SKIPPED_DIRECTORIES: Final = frozenset({"node_modules", "__pycache__", "target", "build", "out"})
_MAX_FILES: Final = 100_000
_PLATFORM_PACKAGES: Final = (
    *("java/", "javax/", "jdk/", "sun/", "com/sun/", "com/oracle/"),
    *("netscape/", "org/ietf/", "org/jcp/", "org/w3c/", "org/xml/"),
)
"""The packages in the src.zip of a JDK."""

_LEAST_PACKAGES: Final = 2
"""What is left of a package when it is relocated: others are too common."""

StrPath = str | os.PathLike[str]


class SourceFinder:
    """Finds source files. `java_home` is the debuggee's; its src.zip is used when it has one."""

    def __init__(
        self,
        paths: Sequence[StrPath] = (),
        class_paths: Sequence[StrPath] = (),
        *,
        java_home: StrPath | None = None,
        encoding: str = "utf-8",
        release: int = 0,
    ) -> None:
        """`release`: of the VM, which decides about multi-release jars; 0 without one."""
        self._encoding = encoding
        self.source_roots = tuple(_expanded(paths))
        """Directories and jars of sources."""
        self._source_roots = [_root(path, encoding, release) for path in _expanded(paths)]
        class_path = list(_expanded(class_paths))
        self.class_path = tuple(class_path)
        """Directories and jars with the classes of the program."""
        self._sources_jars = [
            _Archive(jar, encoding, release)
            for path in class_path
            for jar in _sources_jars_of(path)
        ]
        self._class_roots = [_root(path, encoding, release) for path in class_path]
        self._versions = ReleaseVersions([each for each in class_path if each.is_file()], release)
        self._versions_of = {
            sources: ReleaseVersions([jar], release)
            for jar in class_path
            for sources in _sources_jars_of(jar)
        }
        """By sources jar: the versions in the jar that it belongs to, which alone is then read."""
        self._line_counts: dict[SourceFile, tuple[tuple[int, int], int]] = {}
        """By source: the state of its file, and how many lines it had then."""
        self._archives = OpenArchives()
        self._java_home: Path | None = None
        self._platform: list[_Archive] = []
        if java_home is not None:
            self.set_java_home(java_home)

    def __repr__(self) -> str:
        return (
            f"SourceFinder({len(self._source_roots)} source paths, {len(self.class_path)} classes)"
        )

    def set_java_home(self, java_home: StrPath) -> None:
        """Use the src.zip of this JDK, as an attached VM names its `java.home`."""
        self._java_home = Path(java_home)
        candidates = (self._java_home / "lib" / "src.zip", self._java_home / "src.zip")
        self._platform = [
            _Archive(each, self._encoding, 0, has_modules=True)
            for each in candidates
            if each.is_file()
        ][:1]

    def find(self, type_name: str, source_name: str | None = None) -> SourceFile | None:
        """The source of a class: `find("shop.Cart$Item", "Cart.java")`; None if it is missing."""
        return self.find_path(source_path(type_name, source_name))

    def find_path(self, path: str, line: int | None = None) -> SourceFile | None:
        """The source of a package-relative path: `find_path("shop/Cart.java")`.

        Of several for different releases, the one that the VM's class was made of. With a `line`
        that the class has code for, one that has no such line is of another version, and left out;
        so is one of an archive for another release than the class.
        """
        for found in self._candidates(path):
            if line is None or (self._is_for_release(found, path) and self._may_have(found, line)):
                return found
        return None

    def find_original(self, path: str) -> SourceFile | None:
        """The source of a class before it was relocated, as shading does by putting packages before
        its own: `org/text/Words.java` for `shaded/org/text/Words.java`. It may be another's.
        """
        *packages, name = path.split("/")
        roots = (*self._source_roots, *self._sources_jars)
        for dropped in range(1, len(packages) - _LEAST_PACKAGES + 1):
            original = "/".join((*packages[dropped:], name))
            for root in roots:
                if (found := root.find(original)) is not None:
                    return found
        return None

    def _candidates(self, path: str) -> Iterator[SourceFile]:
        """All sources of the path, the best first."""
        versions = {
            version: source
            for root in reversed(self._source_roots)
            for version, source in root.versions(path).items()
        }
        if versions and (chosen := versions.get(self._versions.of(path) or 0)) is not None:
            yield chosen
        for root in self._roots(path):
            found = root.find(path)
            if found is not None:
                yield found
        for root in self._source_roots:
            found = root.search(path)
            if found is not None:
                yield found
        if versions:
            yield versions[max(versions)]
        if path.startswith("/"):  # of a source map, which begins at the web application
            yield from self._candidates(path.lstrip("/"))

    def _is_for_release(self, source: SourceFile, path: str) -> bool:
        """Whether a source of an archive is for the release that the class is for. Directories may
        be laid out in other ways than are known here.
        """
        if source.entry is None or any(source.path == each.path for each in self._platform):
            return True
        version = self._versions_of.get(source.path, self._versions).of(path)
        found = version_of_entry(source.entry)
        return version is None or (found is not None and found[0] == version)

    def _may_have(self, source: SourceFile, line: int) -> bool:
        """Whether a source has so many lines; read again when its file has changed."""
        if any(source.path == each.path for each in self._platform):
            return True  # the JDK's own fit
        try:
            status = source.path.stat()
            state = status.st_mtime_ns, status.st_size
            known = self._line_counts.get(source)
            if known is None or known[0] != state:
                lines = source.as_text(self._archives).splitlines()
                known = self._line_counts[source] = state, len(lines)
        except (OSError, SourceError):
            return True  # what shows it tells why it cannot be read
        return line <= known[1]

    def names(self) -> list[str]:
        """`shop/Cart.java`: all files on the source path, by their paths below its parts."""
        return sorted({name for root in self._source_roots for name in root.names()})

    def _roots(self, path: str) -> Iterator[_Directory | _Archive]:
        yield from self._source_roots
        yield from self._sources_jars
        yield from self._class_roots
        if path.startswith(_PLATFORM_PACKAGES):
            yield from self._platform


class _Directory:
    """A directory of sources, laid out by package, or the root of a project with such ones."""

    def __init__(self, path: Path, encoding: str) -> None:
        self._path = path
        self._encoding = encoding
        self._by_name: dict[str, list[Path]] | None = None
        self._version = version_of_directory(path.as_posix())

    def find(self, path: str) -> SourceFile | None:
        return self._direct(path) if self._version is None else None

    def versions(self, path: str) -> dict[int, SourceFile]:
        """The sources that are for one release only, by release."""
        direct = self._direct(path)
        if direct is not None:
            return {} if self._version is None else {self._version: direct}
        return {
            version: SourceFile(each, encoding=self._encoding)
            for each in self._named(path)
            if each.as_posix().endswith(f"/{path}") and (version := self._version_below(each, path))
        }

    @staticmethod
    def _version_below(source: Path, path: str) -> int | None:
        return version_of_directory(source.as_posix().removesuffix(f"/{path}"))

    def _direct(self, path: str) -> SourceFile | None:
        candidate = self._path / path
        if _is_file(candidate) and _is_inside(candidate, self._path):
            return SourceFile(candidate, encoding=self._encoding)
        return None

    def _named(self, path: str) -> Sequence[Path]:
        if self._by_name is None:
            self._by_name = self._index()
        return self._by_name.get(path.rpartition("/")[2], ())

    def search(self, path: str) -> SourceFile | None:
        """Searches by file name anywhere below: `src/main/java/shop/Cart.java`, and Kotlin's files,
        whose directories may leave the common package out: there the package declaration decides.
        """
        directory = path.rpartition("/")[0]
        candidates = self._named(path)
        for candidate in sorted(candidates, key=lambda each: bool(self._version_below(each, path))):
            if not _is_file(candidate):
                continue
            source = SourceFile(candidate, encoding=self._encoding)
            if candidate.as_posix().endswith(f"/{path}"):
                return source
            with contextlib.suppress(SourceError):
                declared = packages_declared(source.as_text(), path)
                if directory.replace("/", ".") in (declared or ()):
                    return source
        return None

    def names(self) -> list[str]:
        """The paths of all sources below this directory."""
        if self._by_name is None:
            self._by_name = self._index()
        every = (each for paths in self._by_name.values() for each in paths)
        return [each.relative_to(self._path).as_posix() for each in every]

    def _index(self) -> dict[str, list[Path]]:
        by_name: dict[str, list[Path]] = {}
        seen = 0
        for directory, subdirectories, files in os.walk(self._path):
            subdirectories[:] = sorted(
                name
                for name in subdirectories
                if not name.startswith(".") and name not in _SKIPPED_DIRECTORIES
            )
            for name in files:
                if name.endswith(_SUFFIXES):
                    by_name.setdefault(name, []).append(Path(directory) / name)
            seen += len(files)
            if seen > _MAX_FILES:
                break
        return by_name


class _Archive:
    """A jar or zip; `has_modules` says that entries begin with a module's name, as in src.zip."""

    def __init__(
        self, path: Path, encoding: str, release: int, *, has_modules: bool = False
    ) -> None:
        self.path = path
        self._encoding = encoding
        self._release = release
        self._has_modules = has_modules
        self._entries: dict[str, str] | None = None
        self._lock = threading.Lock()

    def find(self, path: str) -> SourceFile | None:
        with self._lock:  # several threads look for the sources of one stack
            if self._entries is None:
                self._entries = self._index()
        entry = self._entries.get(path)
        return None if entry is None else SourceFile(self.path, entry, self._encoding)

    def versions(self, path: str) -> dict[int, SourceFile]:
        """None: `find` takes the one for the release, as the jar beside it does."""
        del path
        return {}

    def search(self, path: str) -> SourceFile | None:
        """An archive has its sources by package, perhaps below one more directory."""
        self.find(path)
        for entry in (self._entries or {}).values():
            if entry.endswith(f"/{path}"):
                return SourceFile(self.path, entry, self._encoding)
        return None

    def names(self) -> list[str]:
        """The paths of all sources in it, by package."""
        self.find("")
        return list(self._entries or ())

    def _index(self) -> dict[str, str]:
        """A damaged or missing archive counts as empty."""
        try:
            names = entry_names(self.path)
        except (OSError, zipfile.BadZipFile):
            return {}
        sources = [name for name in names if name.endswith(_SUFFIXES)]
        if not self._has_modules:
            entries = {name: name for name in sources}
            versions = ((version_of_entry(name), name) for name in sources)
            for version, name in sorted((v, name) for v, name in versions if v is not None):
                if version[0] <= self._release:
                    entries[version[1]] = name
            return entries
        # Two modules never have the same package, so the name behind the module is unique.
        return {name.partition("/")[2]: name for name in sources}


def _is_file(path: Path) -> bool:
    """False, too, for a name that no file can have: a class file may say any."""
    try:
        return path.is_file()
    except OSError:  # longer than the file system takes
        return False


def _root(path: Path, encoding: str, release: int) -> _Directory | _Archive:
    return _Directory(path, encoding) if path.is_dir() else _Archive(path, encoding, release)


def _expanded(paths: Iterable[StrPath]) -> Iterator[Path]:
    """The class path's notation: `lib/*` is every jar in lib."""
    for path in paths:
        expanded = Path(path).expanduser()
        if expanded.name == "*":
            yield from sorted(expanded.parent.glob("*.jar"))
        else:
            yield expanded


def _sources_jars_of(jar: Path) -> list[Path]:
    """`shop-1.2-sources.jar` beside `shop-1.2.jar`, or where Gradle's cache has it: a sibling."""
    if jar.suffix != ".jar" or jar.name.endswith("-sources.jar"):
        return []
    name = f"{jar.stem}-sources.jar"
    beside = jar.with_name(name)
    if beside.is_file():
        return [beside]
    if "files-2.1" in jar.parts:
        return sorted(jar.parent.parent.glob(f"*/{name}"))[:1]
    return []


def _is_inside(path: Path, directory: Path) -> bool:
    """A path that came from outside must not climb out with `..`."""
    return path.resolve().is_relative_to(directory.resolve())
