# SPDX-License-Identifier: Apache-2.0
"""Redefining loaded classes from class files.

The VM redefines all classes of a command or none. If it refuses, each class is sent alone, so that
accepted ones get their new code and each refused one has its own reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ClassFileError, SourceError, VmDeadError, VmError
from jvmdebug.hotswap.differences import explanation, too_new

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


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
    outcome: Outcome
    type_name: str | None = None
    """`shop.Cart$Item`; None for a file that is no class file."""
    reason: str | None = None
    """Why it was refused: the limit, and the members that exceed it."""


@dataclass(frozen=True, slots=True)
class Redefinition:
    """The outcomes of all class files, and the types that have new code."""

    classes: tuple[RedefinedClass, ...]
    types: tuple[ReferenceType, ...] = ()


def class_files(
    paths: Iterable[str | PathLike[str]], newer_than: float | None = None
) -> list[Path]:
    """The class files that `paths` name, and all in the directories among them.

    Those in directories only if they were written after `newer_than` (as of time.time). Reads the
    disk; SourceError for a path that is neither.
    """
    found: dict[Path, None] = {}
    for each in map(Path, paths):
        if each.is_dir():
            for file in sorted(each.rglob("*.class")):
                if newer_than is None or file.stat().st_mtime > newer_than:
                    found[file] = None
        elif each.is_file():
            found[each] = None
        else:
            raise SourceError(f"there is no class file or directory {each}")
    return list(found)


@dataclass(frozen=True, slots=True)
class _LoadedClass:
    path: Path
    content: bytes
    file: ClassFile
    types: tuple[ReferenceType, ...]


async def redefine(vm: VirtualMachine, files: Sequence[tuple[Path, bytes]]) -> Redefinition:
    """Redefine classes from the contents of class files; the outcomes in the order of the files.

    UnsupportedError if the VM cannot redefine at all.
    """
    vm.require("can_redefine_classes", "replacing the code of classes")
    outcomes: dict[Path, RedefinedClass] = {}
    wanted: list[_LoadedClass] = []
    for path, content in files:
        try:
            file = ClassFile.read(content)
        except ClassFileError as error:
            outcomes[path] = RedefinedClass(path, Outcome.UNREADABLE, reason=str(error))
            continue
        types = tuple(await vm.classes_by_signature(f"L{file.name};"))
        # libjdwp may hang on the error (it loads the error's class on its own thread): not asked.
        if types and file.java_release > vm.version.feature_release:
            reason = too_new(file, vm.version.feature_release)
            outcomes[path] = RedefinedClass(path, Outcome.REFUSED, file.java_name, reason)
        elif types:
            wanted.append(_LoadedClass(path, content, file, types))
        else:
            outcomes[path] = RedefinedClass(path, Outcome.NOT_LOADED, file.java_name)
    redefined = await _redefine(vm, wanted, outcomes)
    return Redefinition(tuple(outcomes[path] for path, _ in files), tuple(redefined))


async def _redefine(
    vm: VirtualMachine, wanted: Sequence[_LoadedClass], outcomes: dict[Path, RedefinedClass]
) -> list[ReferenceType]:
    """All together, else each alone."""
    if not wanted:
        return []
    try:
        await vm.redefine_classes({type_: each.content for each in wanted for type_ in each.types})
    except VmDeadError:
        raise
    except VmError as error:
        if len(wanted) > 1:
            return [type_ for each in wanted for type_ in await _redefine(vm, [each], outcomes)]
        (one,) = wanted
        reason = await explanation(error, one.types[0], one.file)
        outcomes[one.path] = RedefinedClass(one.path, Outcome.REFUSED, one.file.java_name, reason)
        return []
    for each in wanted:
        outcomes[each.path] = RedefinedClass(each.path, Outcome.REDEFINED, each.file.java_name)
    return [type_ for each in wanted for type_ in each.types]
