# SPDX-License-Identifier: Apache-2.0
"""Decides which classes are covered: what was asked for, else the program's own.

The program's own classes are those in the folders of its class path. A program that has none there
comes in archives; then all classes of these count, and those of the JDK never do.
"""

from __future__ import annotations

import contextlib
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.coverage.errors import CoverageError
from jvmdebug.regular_file import open_archive, read_bytes, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_EVERYTHING: Final = ("*",)
_SUFFIX: Final = ".class"
_OF_JDK: Final = ("java.", "jdk.", "sun.", "com.sun.")
_MOST_CLASSES: Final = 50_000


@dataclass(frozen=True)
class CoveragePlan:
    """What to record."""

    included: tuple[str, ...] = _EVERYTHING
    """Names of classes like `shop.Cart`, in which `*` stands for any characters."""
    excluded: tuple[str, ...] = ()
    branches: bool = True
    folders: tuple[Path, ...] = ()
    """Where class files are that count also if they are never loaded."""
    per_test: bool = False
    """What each test has run is asked for."""

    def includes(self, name: str) -> bool:
        """Whether a class is covered: `shop.Cart$Item`."""
        return (
            self._included.has(name)
            and not self._excluded.has(name)
            and not name.startswith(_OF_JDK)
        )

    @cached_property
    def _included(self) -> _Patterns:
        return _Patterns(self.included)

    @cached_property
    def _excluded(self) -> _Patterns:
        return _Patterns(self.excluded)


class _Patterns:
    """Names and patterns: the thousands of names that a project's tests have are looked up."""

    def __init__(self, patterns: Iterable[str]) -> None:
        patterns = tuple(patterns)
        self._names = {each for each in patterns if "*" not in each}
        self._patterns = [each for each in patterns if "*" in each]

    def has(self, name: str) -> bool:
        return name in self._names or any(_fits(each, name) for each in self._patterns)


def plan_for(
    include: Sequence[str],
    exclude: Sequence[str],
    class_path: Iterable[Path],
    *,
    branches: bool = True,
    per_test: bool = False,
) -> CoveragePlan:
    """The plan for a program with this class path. CoverageError for a pattern that is none."""
    for each in (*include, *exclude):
        if not each or "/" in each or each != each.strip():
            raise CoverageError(
                f"{each!r} is no pattern of classes: write one like shop.* or shop.Cart"
            )
    entries = tuple(dict.fromkeys(class_path))
    folders = tuple(each for each in entries if each.is_dir())
    own = tuple(include) or tuple(_packages_in(folders)) or _EVERYTHING
    return CoveragePlan(own, tuple(exclude), branches, folders or entries, per_test)


def class_files(plan: CoveragePlan) -> Iterator[tuple[str, bytes]]:
    """The class files of the plan in the program's folders, by the names of the classes."""
    for folder in plan.folders:
        if folder.is_dir():
            for path in sorted(folder.rglob(f"*{_SUFFIX}")):
                name = ".".join(path.relative_to(folder).parts).removesuffix(_SUFFIX)
                if plan.includes(name):
                    yield name, read_bytes(path)
        elif folder.is_file():
            with contextlib.suppress(OSError, zipfile.BadZipFile):
                yield from _in_archive(plan, folder)


def classes_in(folders: Iterable[Path]) -> list[str]:
    """Patterns for all classes in the folders: those of tests, to leave them out."""
    found: dict[str, None] = {}
    for folder in folders:
        for path in folder.rglob(f"*{_SUFFIX}"):
            name = ".".join(path.relative_to(folder).parts).removesuffix(_SUFFIX)
            outer = name.partition("$")[0]
            found.update(dict.fromkeys((outer, f"{outer}$*")))
    return list(found)


def _in_archive(plan: CoveragePlan, path: Path) -> Iterator[tuple[str, bytes]]:
    with open_archive(path) as archive:
        for each in archive.namelist():
            name = each.removesuffix(_SUFFIX).replace("/", ".")
            if each.endswith(_SUFFIX) and not each.startswith("META-INF/") and plan.includes(name):
                yield name, read_entry(archive, each)


def _packages_in(folders: Iterable[Path]) -> Iterator[str]:
    """A pattern for each package in the folders; without a package, one for each class."""
    for folder in folders:
        seen: set[Path] = set()
        for number, path in enumerate(folder.rglob(f"*{_SUFFIX}")):
            if number > _MOST_CLASSES:
                break
            parent = path.parent.relative_to(folder)
            if parent == Path():
                yield path.name.removesuffix(_SUFFIX)
            elif parent not in seen:
                seen.add(parent)
                yield ".".join(parent.parts) + ".*"


def _fits(pattern: str, name: str) -> bool:
    head, star, rest = pattern.partition("*")
    if not star:
        return pattern == name
    if not name.startswith(head):
        return False
    from fnmatch import fnmatchcase  # noqa: PLC0415 - a star alone at the end is the rule

    return not rest or fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))
