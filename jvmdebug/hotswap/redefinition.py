# SPDX-License-Identifier: Apache-2.0
"""Redefining loaded classes from class files, all in one step.

The VM redefines all classes of a command or none. If it refuses, it is asked about each class
without changing anything; then the others get their new code in one command, without those that
need the new code of a refused class (`needs`): these would fail when they run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import (
    ClassFileError,
    NamesDontMatchError,
    SourceError,
    VmDeadError,
    VmError,
)
from jvmdebug.hotswap.differences import explanation, too_new
from jvmdebug.hotswap.needs import Needs, OldClass, old_class

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from os import PathLike

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


MOST_FILES: Final = 200_000
"""In a directory in which class files are looked for; `/` has more."""


class Outcome(StrEnum):
    """The outcome of one class file."""

    REDEFINED = "redefined"
    NOT_LOADED = "not loaded"
    """No class of that name is loaded: nothing to do, if the class path leads to the file."""
    REFUSED = "refused"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class RedefinedClass:
    """One class file and its outcome."""

    path: Path
    """Of content in memory the name of the class, with an id."""
    outcome: Outcome
    type_name: str | None = None
    """`shop.Cart$Item`; None for a file that is no class file."""
    reason: str | None = None
    """Why it was refused: the limit, and the members that exceed it; or the refused class whose
    new code it needs. Of a class that is not loaded: that it needs such a class.
    """


@dataclass(frozen=True, slots=True)
class Redefinition:
    """The outcomes of all class files, and the types that have new code."""

    classes: tuple[RedefinedClass, ...]
    types: tuple[ReferenceType, ...] = ()


def class_files(
    paths: Iterable[str | PathLike[str]],
    newer_than: float | None = None,
    besides: Collection[Path] = (),
) -> list[Path]:
    """The class files that `paths` name, and all in the directories among them.

    Those in directories only if they were written after `newer_than` (as of time.time), or are
    among `besides`. Reads the disk; SourceError for a path that is neither, or for a directory with
    more than MOST_FILES files.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not os.fspath(path):  # Path would take it for the current directory
            raise SourceError("an empty path names no class file")
        each = Path(path)
        if each.is_dir():
            for file in _class_files_below(each):
                if newer_than is None or file in besides or file.stat().st_mtime > newer_than:
                    found[file] = None
        elif each.is_file():
            found[each] = None
        else:
            raise SourceError(f"there is no class file or directory {each}")
    return list(found)


def _class_files_below(directory: Path) -> list[Path]:
    found: list[Path] = []
    count = 0
    for folder, _, names in os.walk(directory):
        count += len(names)
        if count > MOST_FILES:
            limit = f"more than {MOST_FILES:,} files are in {directory}"
            raise SourceError(f"{limit}: name the directory of the classes")
        found += (Path(folder, name) for name in names if name.endswith(".class"))
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Offered:
    """A class file of those that are swapped together."""

    path: Path
    content: bytes
    file: ClassFile
    types: tuple[ReferenceType, ...]
    """Empty if the class is not loaded."""

    def outcome(self, outcome: Outcome, reason: str | None = None) -> RedefinedClass:
        return RedefinedClass(self.path, outcome, self.file.java_name, reason)


async def redefine(
    vm: VirtualMachine,
    files: Sequence[tuple[Path, bytes]],
    contents: Sequence[tuple[ReferenceType, bytes]] = (),
) -> Redefinition:
    """Redefine classes from the contents of class files, and certain types from `contents`; the
    outcomes in this order.

    UnsupportedError if the VM cannot redefine at all.
    """
    vm.require("can_redefine_classes", "replacing the code of classes")
    outcomes: dict[Path, RedefinedClass] = {}
    offered: list[_Offered] = []
    for path, content in files:
        try:
            file = ClassFile.read(content)
        except ClassFileError as error:
            outcomes[path] = RedefinedClass(path, Outcome.UNREADABLE, reason=str(error))
            continue
        types = tuple(await vm.classes_by_signature(f"L{file.name};"))
        offered.append(_Offered(path, content, file, types))
    paths = [path for path, _ in files]
    for type_, content in contents:
        path = Path(f"{type_.name}@{type_.id:x}.class")  # it has none
        offered.append(_Offered(path, content, ClassFile.read(content), (type_,)))
        paths.append(path)
    step = _Step(vm, offered)
    types = tuple(await step.redefine())
    outcomes |= step.outcomes
    return Redefinition(tuple(outcomes[path] for path in paths), types)


class _Step:
    """The class files of one step, and what comes of each."""

    def __init__(self, vm: VirtualMachine, offered: Sequence[_Offered]) -> None:
        self._vm = vm
        self._needs = Needs(vm, {each.file.name: each.file for each in offered})
        self._loaded = [each for each in offered if each.types]
        self._others = [each for each in offered if not each.types]
        self.outcomes = {each.path: each.outcome(Outcome.NOT_LOADED) for each in self._others}

    async def redefine(self) -> list[ReferenceType]:
        """Gives new code to classes, and returns those that have it then."""
        release = self._vm.version.feature_release
        # libjdwp may hang on the error (it loads the error's class on its own thread): not asked.
        too_new_ones = [each for each in self._loaded if each.file.java_release > release]
        for each in too_new_ones:
            await self._refuse(each, too_new(each.file, release))
        while self._loaded:
            errors = await self._try()
            if not errors:
                for each in self._loaded:
                    self.outcomes[each.path] = each.outcome(Outcome.REDEFINED)
                break
            for one, error in errors:
                await self._refuse(one, await explanation(error, one.types[0], one.file), error)
        return [type_ for each in self._loaded for type_ in each.types]

    async def _try(self) -> list[tuple[_Offered, VmError]]:
        """All that are left; who is refused, and then nothing has changed."""
        wanted = list(self._loaded)
        try:
            await self._vm.redefine_classes(_definitions(wanted))
        except VmDeadError:
            raise
        except VmError as error:
            if len({each.file.name for each in wanted}) == 1:
                return [(each, error) for each in wanted]
            found = [(each, await self._refusal(each, wanted)) for each in wanted]
            errors = [(each, refusal) for each, refusal in found if refusal is not None]
            return errors or [(each, error) for each in wanted]  # together only: none of them
        return []

    async def _refusal(self, one: _Offered, wanted: Sequence[_Offered]) -> VmError | None:
        """Why the VM refuses a class, without changing anything: behind it in the command is a
        class with the file of another name. VMs look at the classes of a command in their order.
        """
        others = (each.types[0] for each in wanted if each.file.name != one.file.name)
        command = {**_definitions([one]), next(others): one.content}
        try:
            await self._vm.redefine_classes(command)
        except NamesDontMatchError:
            return None
        except VmDeadError:
            raise
        except VmError as error:
            return error
        raise AssertionError("the VM has taken the class file of another class")

    async def _refuse(self, one: _Offered, reason: str, error: VmError | None = None) -> None:
        """Leaves a class its old code, and all that need its new code theirs."""
        self._leave(one, Outcome.REFUSED, reason)
        waiting = [(await old_class(one.types, one.file, error), reason)]
        while waiting:
            old, reason = waiting.pop()
            for each in [*self._loaded, *self._others]:
                why = await self._needs.why(each.file, old, is_loaded=bool(each.types))
                if why is None:
                    continue
                told = f"{why}, which {old.state}: {reason}"
                if each.types:
                    self._leave(each, Outcome.REFUSED, told)
                    new = await old_class(each.types, each.file)
                else:
                    self._leave(each, Outcome.NOT_LOADED, told)
                    new = OldClass(each.file.name, other_kind="code", state="would fail")
                waiting.append((new, told))

    def _leave(self, one: _Offered, outcome: Outcome, reason: str) -> None:
        self.outcomes[one.path] = one.outcome(outcome, reason)
        for group in (self._loaded, self._others):
            if one in group:
                group.remove(one)


def _definitions(offered: Iterable[_Offered]) -> dict[ReferenceType, bytes]:
    return {type_: each.content for each in offered for type_ in each.types}
