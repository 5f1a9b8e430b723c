# SPDX-License-Identifier: Apache-2.0
"""Whether a loaded class has the code of a class file, method by method.

Compares members, line tables, and instructions with the constants that they name: the numbers of
constants change when a class is redefined. Reads only. Called by `session.compare_code`.
"""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.classfile import ClassFile, Code, instructions
from jvmdebug.classfile.descriptors import method_text
from jvmdebug.errors import ClassFileError
from jvmdebug.hotswap.differences import differences
from jvmdebug.regular_file import open_archive, read_bytes, read_entry
from jvmdebug.sources.constant_text import constant_text
from jvmdebug.sources.disassembly import constant_pool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jvmdebug.classfile import ConstantPool, Instruction, Member
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType


@dataclass(frozen=True, slots=True)
class CodeComparison:
    """A loaded class beside the class file of the same name."""

    type_name: str
    path: Path
    """The class file, or the archive that has it."""
    differences: tuple[str, ...]
    """One sentence each; empty if the loaded code is that of the file."""

    @property
    def is_same(self) -> bool:
        """Whether the VM runs the code of the file."""
        return not self.differences

    def __str__(self) -> str:
        if self.is_same:
            return f"{self.type_name}: the loaded code is that of {self.path}"
        return f"{self.type_name} differs from {self.path}: {'; '.join(self.differences)}"


async def compare(type_: ReferenceType, file: ClassFile, path: Path) -> CodeComparison:
    """Read the code of all methods of the class. VmError if the VM cannot give bytecode."""
    found, methods, constants = await asyncio.gather(
        differences(type_, file), type_.methods(), constant_pool(type_)
    )
    loaded = {(each.name, each.signature): each for each in methods}
    pairs = [
        (loaded[each.name, each.descriptor], each)
        for each in file.methods
        if (each.name, each.descriptor) in loaded
    ]
    changes = await asyncio.gather(
        *(_change(method, member, constants, file.constants) for method, member in pairs)
    )
    found += [each for each in changes if each is not None]
    return CodeComparison(type_.name, path, tuple(found))


async def _change(
    method: Method, member: Member, loaded: ConstantPool | None, on_disk: ConstantPool
) -> str | None:
    attribute = member.attribute("Code")
    if attribute is None or not method.has_code:
        return None
    code = Code.read(attribute.content, on_disk)
    bytecodes, lines = await asyncio.gather(method.bytecodes(), method.line_table())
    name = method_text(method.name, method.signature)
    shown = None if loaded is None else on_disk
    if _instructions(bytecodes, loaded) != _instructions(code.code, shown):
        return f"other code in {name}"
    if lines != code.line_table:
        return f"the same code at other lines in {name}"
    return None


def _instructions(code: bytes, constants: ConstantPool | None) -> list[str]:
    return [f"{each.index} {_text(each, constants)}" for each in instructions(code)]


def _text(instruction: Instruction, constants: ConstantPool | None) -> str:
    if instruction.constant is None:
        return instruction.text()
    if constants is None:
        return instruction.mnemonic
    try:
        return instruction.text(constant_text(constants, instruction.constant))
    except ClassFileError:
        return instruction.mnemonic


def find_class_file(class_path: Iterable[Path], name: str) -> tuple[Path, ClassFile] | None:
    """Finds where a class path has `shop.Cart$Item`, a class file or an archive, and its content.
    Reads the disk; ClassFileError for a file that is no class file.
    """
    entry = name.replace(".", "/") + ".class"
    for each in class_path:
        try:
            if each.is_dir():
                return each / entry, ClassFile.read(read_bytes(each / entry))
            with open_archive(each) as archive:
                return each, ClassFile.read(read_entry(archive, entry))
        except (OSError, KeyError, zipfile.BadZipFile):
            continue
    return None
