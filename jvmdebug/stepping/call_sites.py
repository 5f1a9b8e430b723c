# SPDX-License-Identifier: Apache-2.0
"""The calls that are still ahead on the current line of a frame, read from its bytecode.

Follows the instructions from the current one on, through branches, as long as they belong to the
line. Bodies of lambdas that are written on the line count as well. Requests only what is constant
in a class. Called for step-in targets.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor, simple_name
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from jvmdebug.classfile import Instruction, LineTable
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method

_BOXES: Final = frozenset(
    f"java/lang/{name}"
    for name in ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double")
)
_HIDDEN_CALLS: Final = ("makeConcat", "typeSwitch", "enumSwitch")
"""What javac links for string concatenation and switches; nothing to step into."""
_OF_JDK: Final = ("java/", "javax/", "jdk/")


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call of the line, or the body of a lambda on it."""

    label: str
    """`Cart.add(Item, int)`, `new Item(String)`, `lambda (String)`."""
    index: int
    """The code index of the call; of a lambda, where its body begins."""
    name: str
    descriptor: str
    body: Method | None = None
    """The method that is the body, for a lambda."""
    owner: str = ""
    """The internal name of the class that the call names."""


async def calls_ahead(location: Location) -> tuple[CallSite, ...]:
    """The calls in the order in which they are made; empty without line numbers or bytecode."""
    method = location.method
    vm = location.type.vm
    if not (method.has_code and vm.capabilities.can_get_bytecodes):
        return ()
    code, lines, constants = await asyncio.gather(
        method.bytecodes(), method.line_table(), constant_pool(location.type)
    )
    if constants is None:
        return ()
    ahead = _ahead(list(instructions(code)), location.index, lines)
    found: list[CallSite] = []
    links_lambda = False
    for each in ahead:
        if not each.mnemonic.startswith("invoke") or each.constant is None:
            continue
        member = constants.find_member(each.constant)
        if member is None:
            continue
        owner, name, descriptor = member
        if each.mnemonic == "invokedynamic":
            links_lambda |= not name.startswith(_HIDDEN_CALLS)
        elif not _is_boxing(owner, name, descriptor):
            label = _label(owner, name, descriptor)
            found.append(CallSite(label, each.index, name, descriptor, owner=owner))
    if links_lambda:
        found += await _lambdas(location, lines.line_at(location.index))
    return tuple(found)


async def call_at(location: Location) -> CallSite | None:
    """The call that begins at a location; None if there is none, or its code is not known."""
    method = location.method
    if not (method.has_code and location.type.vm.capabilities.can_get_bytecodes):
        return None
    code, constants = await asyncio.gather(method.bytecodes(), constant_pool(location.type))
    for each in instructions(code):
        if each.index == location.index and each.mnemonic.startswith("invoke"):
            member = each.constant and constants and constants.find_member(each.constant)
            if not member:
                return None
            owner, name, descriptor = member
            label = _label(owner, name, descriptor)
            return CallSite(label, each.index, name, descriptor, owner=owner)
    return None


async def calls_others(method: Method) -> bool:
    """Whether the method may call code of the program: it calls more than what the JDK declares.
    True where that is not known.
    """
    vm = method.declaring_type.vm
    if not (vm.capabilities.can_get_bytecodes and vm.capabilities.can_get_constant_pool):
        return True
    code, constants = await asyncio.gather(method.bytecodes(), constant_pool(method.declaring_type))
    if constants is None:
        return True
    for each in instructions(code):
        if each.mnemonic.startswith("invoke"):
            member = each.constant and constants.find_member(each.constant)
            if not member or not member[0].startswith(_OF_JDK):
                return True
    return False


def _ahead(code: list[Instruction], start: int, lines: LineTable) -> list[Instruction]:
    """What may run before the line is left, in the order of the code."""
    line = lines.line_at(start)
    by_index = {each.index: each for each in code}
    waiting, seen = [start], set[int]()
    while waiting:
        index = waiting.pop()
        instruction = by_index.get(index)
        if instruction is None or index in seen or lines.line_at(index) != line:
            continue
        seen.add(index)
        waiting += instruction.targets
        if instruction.falls_through:
            waiting.append(index + instruction.size)
    return [by_index[index] for index in sorted(seen)]


def _is_boxing(owner: str, name: str, descriptor: str) -> bool:
    """`Integer.valueOf(int)` and `intValue()`: written by the compiler most of the time."""
    if owner not in _BOXES:
        return False
    parameters = parse_method_descriptor(descriptor).parameters
    if name == "valueOf":
        return len(parameters) == 1 and len(parameters[0]) == 1
    return name.endswith("Value") and not parameters


async def _lambdas(location: Location, line: int | None) -> list[CallSite]:
    """The bodies in the same class whose code begins on the line."""
    methods = [each for each in await location.type.methods() if each.is_body]
    tables = await asyncio.gather(*(each.line_table() for each in methods))
    return [
        CallSite(
            f"lambda ({_arguments(method.signature)})", 0, method.name, method.signature, method
        )
        for method, table in zip(methods, tables, strict=True)
        if table.line_at(0) == line and method is not location.method
    ]


def _label(owner: str, name: str, descriptor: str) -> str:
    type_name = simple_name(java_name(f"L{owner};") if not owner.startswith("[") else owner)
    if name == "<init>":
        return f"new {type_name}({_arguments(descriptor)})"
    return f"{type_name}.{name}({_arguments(descriptor)})"


def _arguments(descriptor: str) -> str:
    parameters = parse_method_descriptor(descriptor).parameters
    return ", ".join(simple_name(java_name(each)) for each in parameters)
