# SPDX-License-Identifier: Apache-2.0
"""The code of a method as text, with line numbers and variable names.

Requests bytecodes, constant pool, line and variable tables from the VM. Called by the session, and
for whole classes by `listing`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.classfile import ConstantPool, Instruction, instructions
from jvmdebug.errors import ClassFileError
from jvmdebug.jdwp.generated.reference_type import ConstantPool as ConstantPoolCommand
from jvmdebug.printable import one_line
from jvmdebug.sources.constant_text import constant_text

if TYPE_CHECKING:
    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.model.reference_type import ReferenceType


@dataclass(frozen=True, slots=True)
class DisassembledMethod:
    """The instructions of a method; `lines` has the source line that begins at an index."""

    method: Method
    instructions: tuple[Instruction, ...]
    lines: dict[int, int]
    variables: tuple[LocalVariableSlot, ...]
    constants: ConstantPool | None
    """None when the VM cannot give it: constants are shown by their numbers."""

    def text(self, instruction: Instruction) -> str:
        """The instruction, with its constant and the name of its variable when they are known."""
        if self.constants is not None and instruction.constant is not None:
            return instruction.text(constant_text(self.constants, instruction.constant))
        if instruction.local is None:
            return str(instruction)
        # A store makes the variable live behind itself.
        at = instruction.index + instruction.size
        for variable in self.variables:
            begins, ends = variable.start, variable.start + variable.length
            if variable.slot == instruction.local and begins <= at <= ends:
                return f"{instruction}  // {variable.name}"
        if instruction.local == 0 and not self.method.is_static:
            return f"{instruction}  // this"
        return str(instruction)


async def constant_pool(type_: ReferenceType) -> ConstantPool | None:
    """The constants of a class; None when the VM cannot give them, or for an array class."""
    if not type_.vm.capabilities.can_get_constant_pool:
        return None
    reply = await type_.vm.request(ConstantPoolCommand(type_.id))
    try:
        return ConstantPool(reply.count, reply.constants)
    except ClassFileError:
        return None


async def disassemble(method: Method, constants: ConstantPool | None) -> DisassembledMethod:
    """The code of a method; without instructions when it is native or abstract."""
    code, table, variables = await asyncio.gather(
        method.bytecodes(), method.line_table(), method.variable_table()
    )
    return DisassembledMethod(
        method,
        tuple(instructions(code)),
        dict(table.lines),
        variables or (),
        constants,
    )


async def method_text(method: Method, index: int) -> str:
    """The code of a method, with an arrow at the instruction `index`."""
    found = await disassemble(method, await constant_pool(method.declaring_type))
    if not found.instructions:
        return one_line(f"{method} has no bytecode")
    lines = [one_line(each, None) for each in (str(method), *_code_lines(found))]
    mark = f"{index:5}: "
    return "\n".join(f"   => {line[6:]}" if line[6:].startswith(mark) else line for line in lines)


def _code_lines(found: DisassembledMethod) -> list[str]:
    shown: list[str] = []
    for instruction in found.instructions:
        if instruction.index in found.lines:
            shown.append(f"      // line {found.lines[instruction.index]}")
        shown.append(f"      {instruction.index:5}: {found.text(instruction)}")
    return shown
