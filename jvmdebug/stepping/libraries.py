# SPDX-License-Identifier: Apache-2.0
"""The meaning of `$Libraries`: which classes are not the user's own, for the steps of one VM.

A class is of a library by its code source. What is on the class path of this machine is known from
its files (`class_path`); any other class is asked of the VM when a step comes to it
(`code_origin`). What was learned becomes patterns for the agent, so that no step comes there again.
Called by the session and `step`.
"""

from __future__ import annotations

import asyncio
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import package_name
from jvmdebug.quarkus_layout import is_in_application
from jvmdebug.stepping.class_path import packages_on
from jvmdebug.stepping.code_origin import (
    CodeOrigin,
    CodeSources,
    has_no_source,
    is_archive,
    is_generated,
)
from jvmdebug.stepping.filters import GROOVY_PATTERNS, JDK_PATTERNS, fits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.stepping.class_path import ClassPathPackages

_GROUP: Final = 2
"""`org.apache`: so many parts of a package name are one pattern, if nothing of the user's fits."""


class Libraries:
    """What is known of the classes of one VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._sources = CodeSources(vm)
        self._packages: ClassPathPackages | None = None
        self._first_entry = ""
        self._own: set[str] = set()
        """Packages of classes that the VM was asked for and that are not of libraries."""
        self._skipped: dict[str, set[str]] = {}
        """Package → classes of libraries that a step came to."""
        self._generated: set[str] = set()
        self._patterns: dict[bool, tuple[str, ...]] = {}

    async def for_step(self, start: ReferenceType | None, thread: Thread) -> LibraryFilter | None:
        """The classes that a step from that class leaves out; None if it begins in a library."""
        await self._read_class_path()
        origin = CodeOrigin.UNKNOWN if start is None else await self.origin(start, thread)
        if origin in (CodeOrigin.LIBRARY, CodeOrigin.GENERATED):
            return None
        return LibraryFilter(self, is_program_own=origin is not CodeOrigin.DIRECTORY)

    async def has(self, type_: ReferenceType) -> bool:
        """Whether a class is the JDK's, of a library or generated, as far as that is known without
        running code of the program.
        """
        if is_generated(type_.name) or _is_platform(type_.name):
            return True
        await self._read_class_path()
        by_files = self._by_files(package_name(type_.name))
        if by_files is CodeOrigin.LIBRARY or await has_no_source(type_):
            return True
        return by_files is None and await type_.class_loader() is None

    async def _read_class_path(self) -> None:
        if self._packages is None:
            paths = await self._vm.class_paths()
            base = paths.base_directory
            self._first_entry = _normal(posixpath.join(base, *paths.class_paths[:1]))
            self._packages = await asyncio.to_thread(packages_on, paths.class_paths, base)

    def _by_files(self, package: str) -> CodeOrigin | None:
        """The origin of the classes of a package; None if the class path does not
        decide it.
        """
        if self._packages is None:
            return None
        found = [
            origin
            for origin, names in (
                (CodeOrigin.DIRECTORY, self._packages.own),
                (CodeOrigin.PROGRAM, self._packages.program),
                (CodeOrigin.LIBRARY, self._packages.libraries),
            )
            if package in names
        ]
        return found[0] if len(found) == 1 else None

    async def origin(self, type_: ReferenceType, thread: Thread) -> CodeOrigin:
        """The origin of a class. If the class path tells, it is only asked what source the class
        has, which whoever shows a frame of it needs too; each class is asked once.
        """
        name, package = type_.name, package_name(type_.name)
        if is_generated(name):
            return CodeOrigin.GENERATED
        if _is_platform(name):
            return CodeOrigin.UNKNOWN
        by_files = self._by_files(package)
        is_runtime = by_files is not CodeOrigin.DIRECTORY and fits(name, GROOVY_PATTERNS)
        if by_files is CodeOrigin.LIBRARY or is_runtime:  # that in whichever archive
            return CodeOrigin.LIBRARY
        if await has_no_source(type_):
            return CodeOrigin.GENERATED
        if by_files is not None:
            return by_files
        asked = await self._asked(type_, thread)
        if asked is not CodeOrigin.LIBRARY and package not in self._own:
            self._own.add(package)
            self._patterns.clear()
        return asked

    async def _asked(self, type_: ReferenceType, thread: Thread) -> CodeOrigin:
        if await type_.class_loader() is None:
            return CodeOrigin.LIBRARY  # not the JDK's: an agent has appended it
        location = await self._sources.location(type_, thread)
        if location is None:
            return CodeOrigin.UNKNOWN
        if location.startswith("jrt:"):
            return CodeOrigin.LIBRARY
        if not is_archive(location):
            return CodeOrigin.DIRECTORY
        archive = _normal(location.removeprefix("file:"))
        if is_in_application(archive, runner=self._first_entry):
            return CodeOrigin.DIRECTORY
        is_first = archive == self._first_entry
        return CodeOrigin.PROGRAM if is_first else CodeOrigin.LIBRARY

    def note_skipped(self, type_: ReferenceType, origin: CodeOrigin) -> None:
        """A step came to a class that it leaves out: later steps tell the agent so."""
        if origin is CodeOrigin.GENERATED:
            self._generated.add(type_.name)
        else:
            self._skipped.setdefault(package_name(type_.name), set()).add(type_.name)
        self._patterns.clear()

    def patterns(self, *, is_program_own: bool) -> tuple[str, ...]:
        """Patterns of the protocol for what is known to be of libraries or generated; sorted."""
        known = self._patterns.get(is_program_own)
        if known is None:
            known = self._patterns[is_program_own] = self._made_patterns(is_program_own)
        return known

    def _made_patterns(self, is_program_own: bool) -> tuple[str, ...]:  # noqa: FBT001 - a key
        own, libraries = set(self._own), set[str]()
        if self._packages is not None:
            own |= self._packages.own
            libraries |= self._packages.libraries
            (own if is_program_own else libraries).update(self._packages.program)
        patterns = set(library_patterns(own, libraries))
        for package, names in self._skipped.items():
            is_one_pattern = package.count(".") + 1 >= _GROUP and _is_free(f"{package}.", own)
            patterns |= {f"{package}.*"} if is_one_pattern else names
        return tuple(sorted(patterns | self._generated))


@dataclass(frozen=True, slots=True)
class LibraryFilter:
    """The classes of libraries, and generated ones, for one step."""

    libraries: Libraries
    is_program_own: bool
    """Whether the archive that was started is the user's: not if the step begins in a directory."""

    def patterns(self) -> tuple[str, ...]:
        """The patterns that are known by name."""
        return self.libraries.patterns(is_program_own=self.is_program_own)

    async def skips(self, type_: ReferenceType, thread: Thread) -> bool:
        """Whether the step, which came to this class with that thread, leaves it out.

        If so it becomes part of `patterns`.
        """
        origin = await self.libraries.origin(type_, thread)
        skipped = origin in (CodeOrigin.LIBRARY, CodeOrigin.GENERATED) or (
            origin is CodeOrigin.PROGRAM and not self.is_program_own
        )
        if skipped:
            self.libraries.note_skipped(type_, origin)
        return skipped


def library_patterns(own: Iterable[str], libraries: Iterable[str]) -> tuple[str, ...]:
    """Patterns that fit the packages of libraries, and none of the user's; sorted."""
    mine, found = set(own), set[str]()
    for package in sorted(set(libraries) - mine - {""}):
        if not any(package.startswith(each) for each in found):
            prefix = _shortest(package, mine)
            if prefix is not None:
                found.add(prefix)
    return tuple(f"{prefix}*" for prefix in sorted(found))


def _shortest(package: str, own: Iterable[str]) -> str | None:
    """`org.apache.`, or as much more of the name as keeps the user's packages out."""
    parts = package.split(".")
    for count in range(min(_GROUP, len(parts)), len(parts) + 1):
        prefix = ".".join(parts[:count]) + "."
        if _is_free(prefix, own):
            return prefix
    return None


def _is_free(prefix: str, own: Iterable[str]) -> bool:
    return not any(f"{each}.".startswith(prefix) for each in own)


def _is_platform(name: str) -> bool:
    return name.startswith(tuple(each.rstrip("*") for each in JDK_PATTERNS))


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/")).lstrip("/")
