# SPDX-License-Identifier: Apache-2.0
"""Finds where the code begins that the source of a method has.

Compilers and agents put code in front that belongs to no line: Kotlin checks parameters there and
finds out where a suspending function is resumed, JaCoCo fetches its probes. Called where a
breakpoint or a step would otherwise stop in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile import instructions
from jvmdebug.sources.state_machines import beginning, is_suspending

if TYPE_CHECKING:
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method


async def first_line(method: Method) -> Location:
    """The instruction where the first line of a method begins.

    Its very first one if there is no such code, or if a branch in it leads past that line. One
    request more for a method that has a prologue, cached by the model.
    """
    start = method.location(0)
    lines = (await method.line_table()).lines
    if is_suspending(method):
        begin = await beginning(method)
        within = (index for index, _ in lines if begin is not None and index >= begin)
        index = next(within, None)
        if index is not None:
            return method.location(index)
    first = lines[0][0] if lines else 0
    if first == 0 or not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return start
    prologue = [each for each in instructions(await method.bytecodes()) if each.index < first]
    targets = {target for each in prologue for target in each.targets}
    falls = prologue[-1].falls_through and all(target <= first for target in targets)
    return method.location(first) if falls else start
