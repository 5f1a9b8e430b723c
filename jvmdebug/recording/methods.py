# SPDX-License-Identifier: Apache-2.0
"""What a class file in a recording says of a method: lines, variables, fields its code names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from jvmdebug.classfile.attributes import Code, local_variables
from jvmdebug.classfile.bytecode import instructions
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count

if TYPE_CHECKING:
    from jvmdebug.classfile.class_file import Member
    from jvmdebug.classfile.constant_pool import MemberReference
    from jvmdebug.classfile.line_table import LineTable
    from jvmdebug.recording.classes import ClassInfo


class LocalVariable(NamedTuple):
    """A local variable: in `slot` while the code index is in [start, start + length)."""

    name: str
    descriptor: str
    slot: int
    start: int
    length: int
    generic: str = ""


class MethodInfo:
    """One method of a recorded class."""

    def __init__(self, owner: ClassInfo, number: int, member: Member) -> None:
        self.owner = owner
        self.number = number
        self.member = member
        self.name = member.name
        self.descriptor = member.descriptor

    @property
    def is_static(self) -> bool:
        """Whether it has no `this`."""
        return bool(self.member.access & 0x0008)

    @cached_property
    def code(self) -> Code | None:
        """The code, None of a native or abstract one."""
        attribute = self.member.attribute("Code")
        if attribute is None:
            return None
        return Code.read(attribute.content, self.owner.file.constants)

    @cached_property
    def lines(self) -> LineTable | None:
        """The lines."""
        return None if self.code is None else self.code.line_table

    @cached_property
    def variables(self) -> tuple[LocalVariable, ...]:
        """The local variables, as the compiler has named them; none without `-g`."""
        if self.code is None:
            return ()
        pool = self.owner.file.constants
        generic = {
            (entry.start, entry.slot): pool.utf8(entry.descriptor)
            for each in self.code.attributes
            if each.name == "LocalVariableTypeTable"
            for entry in local_variables(each.content)
        }
        return tuple(
            LocalVariable(
                pool.utf8(entry.name),
                pool.utf8(entry.descriptor),
                entry.slot,
                entry.start,
                entry.length,
                generic.get((entry.start, entry.slot), ""),
            )
            for each in self.code.attributes
            if each.name == "LocalVariableTable"
            for entry in local_variables(each.content)
        )

    @property
    def argument_slots(self) -> int:
        """The slots of its parameters, `this` among them."""
        parameters = parse_method_descriptor(self.descriptor).parameters
        return sum(map(slot_count, parameters)) + (not self.is_static)

    def line_at(self, bci: int) -> int | None:
        """The line of a code index."""
        return None if self.lines is None else self.lines.line_at(bci)

    def variable(self, slot: int, bci: int) -> LocalVariable | None:
        """The variable that has a slot at a code index."""
        return next(
            (
                each
                for each in self.variables
                if each.slot == slot and each.start <= bci < each.start + each.length
            ),
            None,
        )

    def is_same(self, variable: LocalVariable, bci: int) -> bool:
        """Whether the slot of a variable has that variable at a code index. Compilers write a scope
        in several parts where branches set a variable that was declared before.
        """
        there = self.variable(variable.slot, bci)
        return there is not None and there[:2] == variable[:2]

    @cached_property
    def _members(self) -> dict[int, MemberReference]:
        pool = self.owner.file.constants
        found = {}
        for each in instructions(self.code.code) if self.code is not None else ():
            if each.constant is not None:
                member = pool.find_member(each.constant)
                if member is not None:
                    found[each.index] = member
        return found

    def member_at(self, bci: int) -> MemberReference | None:
        """The field or method that the instruction there names."""
        return self._members.get(bci)

    def __repr__(self) -> str:
        return f"{self.owner.name}.{self.name}{self.descriptor}"
