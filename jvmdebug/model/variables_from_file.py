# SPDX-License-Identifier: Apache-2.0
"""The variable table of a method, read from the class file: for a VM that does not give it, because
the agent was loaded when it ran already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import Code, local_variables
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.classfile import ClassFile, LocalVariableEntry, Member

_NAMES: Final = "LocalVariableTable"
_GENERIC: Final = "LocalVariableTypeTable"


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
