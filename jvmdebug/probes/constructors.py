# SPDX-License-Identifier: Apache-2.0
"""Finds the instruction from which on a constructor may use its object. Called by `step_points` and
`taken`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile import instructions
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from jvmdebug.model.method import Method


async def constructed(method: Method) -> int | None:
    """The code index behind the first call of a constructor of this class or its superclass."""
    type_ = method.declaring_type
    constants = await constant_pool(type_)
    above = await type_.superclass()
    own = {type_.signature[1:-1], *([] if above is None else [above.signature[1:-1]])}
    for each in instructions(await method.bytecodes()):
        if each.mnemonic != "invokespecial" or each.constant is None or constants is None:
            continue
        member = constants.find_member(each.constant)
        if member is not None and member[0] in own and member[1] == "<init>":
            return each.index + each.size
    return None
