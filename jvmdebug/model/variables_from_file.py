# SPDX-License-Identifier: Apache-2.0
"""The variables of a method, read from the class file: for a VM that does not give them, because
the agent was loaded when it ran already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import Code, local_variables
from jvmdebug.errors import ClassFileError
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.model.stored_slots import VerifiedSlots

if TYPE_CHECKING:
    from jvmdebug.classfile import ClassFile, LocalVariableEntry, Member
    from jvmdebug.model.method import Method

_NAMES: Final = "LocalVariableTable"
_GENERIC: Final = "LocalVariableTypeTable"
_FIRST_WITH_FRAMES: Final = 50
"""The version of class files."""


@dataclass(frozen=True, slots=True)
class DeclaredVariable:
    """One entry: in scope while start <= index < start + length."""

    name: str
    signature: str
    generic: str | None
    slot: int
    start: int
    length: int


def variables_of(
    file: ClassFile, name: str, descriptor: str
) -> tuple[DeclaredVariable, ...] | None:
    """The variables of the method of that name and descriptor in a class file; None if it has no
    table.
    """
    method = file.method(name, descriptor)
    try:
        return None if method is None else _variables_of(file, method)
    except ClassFileError:
        return None


def _variables_of(file: ClassFile, method: Member) -> tuple[DeclaredVariable, ...] | None:
    code = method.attribute("Code")
    if code is None:
        return None
    named: list[LocalVariableEntry] = []
    generic: dict[tuple[int, int, int, int], str] = {}
    has_table = False
    for each in Code.read(code.content, file.constants).attributes:
        if each.name == _NAMES:
            has_table = True
            named += local_variables(each.content)
        elif each.name == _GENERIC:
            for entry in local_variables(each.content):
                key = entry.slot, entry.start, entry.length, entry.name
                generic[key] = file.constants.utf8(entry.descriptor)
    if not has_table:
        return None
    return tuple(
        DeclaredVariable(
            file.constants.utf8(each.name),
            file.constants.utf8(each.descriptor),
            generic.get((each.slot, each.start, each.length, each.name)),
            each.slot,
            each.start,
            each.length,
        )
        for each in named
    )


async def verified_slots(method: Method) -> VerifiedSlots | None:
    """The slots that hold a value at each place of a method, as the VM's verifier knows it; None if
    the class file is not known, or is of a time before it told that.
    """

    async def read() -> VerifiedSlots | None:
        file = await parsed_class_file(method.declaring_type)
        if file is None or file.major_version < _FIRST_WITH_FRAMES:
            return None
        member = file.method(method.name, method.signature)
        content = None if member is None else member.attribute("Code")
        if content is None:
            return None
        try:
            code = Code.read(content.content, file.constants)
            return VerifiedSlots(code, method.argument_types, is_static=method.is_static)
        except ClassFileError:
            return None

    return await method.derived("verified slots", read)
