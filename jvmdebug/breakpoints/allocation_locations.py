# SPDX-License-Identifier: Apache-2.0
"""Finds the instructions of methods that allocate objects or arrays of a class.

Reads the code. Objects that called methods, reflection or the VM make are not found. Called by the
resolver with the types that are loaded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.location import BreakpointLocation, Resolution, code_location, names
from jvmdebug.breakpoints.type_names import is_named
from jvmdebug.classfile import instructions
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import ClassFileError
from jvmdebug.sources import constant_pool, source_line

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmdebug.breakpoints.specs import AllocationSpec
    from jvmdebug.classfile import Instruction
    from jvmdebug.classfile.constant_pool import ConstantPool
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType


async def allocation_locations(
    spec: AllocationSpec, types: Collection[ReferenceType]
) -> Resolution:
    """The locations at which the methods of the spec allocate objects of its class."""
    if not types:
        return Resolution(message=f"class {spec.at.type_name} is not loaded", is_pending=True)
    found = await asyncio.gather(*(_of_type(spec, each) for each in types))
    locations = tuple(each for several in found for each in several)
    if locations:
        return Resolution(locations)
    return Resolution(message=f"{names(types)}: {spec.at.method} allocates no {spec.type_name}")


async def _of_type(spec: AllocationSpec, type_: ReferenceType) -> list[BreakpointLocation]:
    constants = await constant_pool(type_)
    methods = [
        each
        for each in await type_.methods()
        if each.has_code and spec.at.selects(each.name, each.signature)
    ]
    if constants is None:
        return []
    found = await asyncio.gather(*(_of_method(spec, each, constants) for each in methods))
    return [each for several in found for each in several]


async def _of_method(
    spec: AllocationSpec, method: Method, constants: ConstantPool
) -> list[BreakpointLocation]:
    found = []
    for each in instructions(await method.bytecodes()):
        name = _allocated(each, constants)
        if name is not None and _is_meant(name, spec.type_name):
            location = method.location(each.index)
            found.append(code_location(location, await source_line(location)))
    return found


def _is_meant(name: str, wanted: str) -> bool:
    """Whether `wanted` names this class. The dimensions of arrays have to be equal,
    except for `*`.
    """
    element, wanted_element = name.rstrip("[]"), wanted.rstrip("[]")
    if name.removeprefix(element) != wanted.removeprefix(wanted_element):
        return wanted == "*"
    return is_named(element, wanted_element)


def _allocated(instruction: Instruction, constants: ConstantPool) -> str | None:
    """The name of the class that an instruction allocates; None for all others."""
    if instruction.mnemonic == "newarray":
        return f"{instruction.text().partition(' ')[2]}[]"
    if instruction.constant is None:
        return None
    try:
        match instruction.mnemonic:
            case "new":
                return java_name(f"L{constants.class_name(instruction.constant)};")
            case "anewarray":
                name = constants.class_name(instruction.constant)
                return java_name(f"[{name}" if name.startswith("[") else f"[L{name};")
            case "multianewarray":
                return java_name(constants.class_name(instruction.constant))
    except (ClassFileError, ValueError):
        pass  # the class was redefined between the two requests
    return None
