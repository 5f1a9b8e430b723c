# SPDX-License-Identifier: Apache-2.0
"""Tells where a line may go on: read from bytecode, through branches and handlers of exceptions.
Requests only what is constant in a class. Called by `approximate_step`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.classfile import Code, instructions
from jvmdebug.errors import ClassFileError
from jvmdebug.model.class_files import parsed_class_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from jvmdebug.classfile import ExceptionHandler, Instruction
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method


@dataclass(frozen=True, slots=True)
class LineFlow:
    """What can follow."""

    next_lines: frozenset[int]
    """Code indexes where another line is entered, or the same one anew."""
    returns: frozenset[int]
    """Those of instructions on the line that leave the method, but for exceptions."""
    throws: frozenset[int]
    """Those on the line that throw what no handler of the method is for."""


async def line_flow(location: Location) -> LineFlow:
    """Follows the code from an instruction on, as long as the code belongs to its line."""
    method = location.method
    code, lines = await asyncio.gather(method.bytecodes(), method.line_table())
    handlers = await handlers_of(method)
    by_index = {each.index: each for each in instructions(code)}
    line, begins = lines.line_at(location.index), {index for index, _ in lines.lines}
    next_lines, returns = set[int](), set[int]()
    waiting, seen = [location.index], set[int]()
    while waiting:
        index = waiting.pop()
        instruction = by_index.get(index)
        if instruction is None or index in seen:
            continue
        is_other = lines.line_at(index) != line
        is_anew = index in begins and seen and index <= location.index
        if is_other or is_anew:
            next_lines.add(index)
            continue
        seen.add(index)
        waiting += instruction.targets
        waiting += [each.handler for each in handlers if each.start <= index < each.end]
        if instruction.mnemonic.endswith("return"):
            returns.add(index)
        elif instruction.falls_through:
            waiting.append(index + instruction.size)
    throws = _throwing((by_index[index] for index in seen), handlers)
    return LineFlow(frozenset(next_lines), frozenset(returns), throws)


async def exits_of(method: Method) -> LineFlow:
    """The places where the method is left, from anywhere in it."""
    code, handlers = tuple(instructions(await method.bytecodes())), await handlers_of(method)
    returns = frozenset(each.index for each in code if each.mnemonic.endswith("return"))
    return LineFlow(frozenset(), returns, _throwing(code, handlers))


def _throwing(
    code: Iterable[Instruction], handlers: Collection[ExceptionHandler]
) -> frozenset[int]:
    return frozenset(
        each.index
        for each in code
        if each.mnemonic == "athrow" and not any(h.start <= each.index < h.end for h in handlers)
    )


async def handlers_of(method: Method) -> tuple[ExceptionHandler, ...]:
    """The handlers of exceptions; none if the class file cannot be had."""
    file = await parsed_class_file(method.declaring_type)
    found = None if file is None else file.method(method.name, method.signature)
    code = None if found is None else found.attribute("Code")
    if file is None or code is None:
        return ()
    try:
        return Code.read(code.content, file.constants).handlers
    except ClassFileError:
        return ()
