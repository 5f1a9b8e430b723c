# SPDX-License-Identifier: Apache-2.0
"""The instructions around an address, as a disassembly view requests them.

Goes through the methods of one class in the order of the class file, and not beyond the class.
Called by the session.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.sources.disassembly import DisassembledMethod, constant_pool, disassemble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.classfile import ConstantPool, Instruction
    from jvmdebug.model.location import Location


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One instruction: where it is, its bytes, and its text with the names that it uses."""

    location: Location
    code: bytes
    text: str
    line: int | None
    """The line that the instruction belongs to, as the class file has it."""


async def code_lines(start: Location, offset: int, count: int) -> list[CodeLine | None]:
    """Exactly `count` instructions from the one `offset` instructions after `start` on.

    `offset` may be negative. None stands for positions before and after the code of the class. A
    `start` inside of an instruction denotes that instruction.
    """
    methods = [each for each in await start.type.methods() if each.has_code]
    order = {method.id: index for index, method in enumerate(methods)}
    middle = order.get(start.method.id)
    if middle is None:
        return [None] * count
    constants = await constant_pool(start.type)
    found: dict[int, list[CodeLine]] = {middle: await _lines(start, constants)}
    at = sum(each.location.index <= start.index for each in found[middle]) - 1
    first, last = at + offset, at + offset + count  # in instructions of the method `middle`
    before, after = middle, middle
    while first < 0 and before > 0:
        before -= 1
        found[before] = await _lines(methods[before].location(0), constants)
        first += len(found[before])
        last += len(found[before])
    have = sum(map(len, found.values()))
    while have < last and after < len(methods) - 1:
        after += 1
        found[after] = await _lines(methods[after].location(0), constants)
        have += len(found[after])
    every = [line for index in range(before, after + 1) for line in found[index]]
    return [every[index] if 0 <= index < len(every) else None for index in range(first, last)]


async def _lines(location: Location, constants: ConstantPool | None) -> list[CodeLine]:
    method = location.method
    shown, code = await asyncio.gather(disassemble(method, constants), method.bytecodes())
    return list(_of_method(shown, code, shown.instructions))


def _of_method(
    shown: DisassembledMethod, code: bytes, found: Sequence[Instruction]
) -> list[CodeLine]:
    lines: list[CodeLine] = []
    line: int | None = None
    for each in found:
        line = shown.lines.get(each.index, line)
        bytes_ = code[each.index : each.index + each.size]
        at = shown.method.location(each.index)
        lines.append(CodeLine(at, bytes_, shown.text(each), line))
    return lines
