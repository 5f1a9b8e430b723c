# SPDX-License-Identifier: Apache-2.0
"""The names that a frame has, with their declared types. Called by `evaluation`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.scope import FrameScope, LocalInScope
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.loaded_types import (
    method_type_variables,
    own_type_variables,
    type_variables_around,
    value_type,
)
from jvmdebug.model.values import ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.types import ValueType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value


async def frame_scope(
    frame: Frame, given: Mapping[str, ValueType], imports: tuple[str, ...] = ()
) -> FrameScope:
    """What the names in an expression may refer to at the frame's location."""
    method, declaring = frame.location.method, frame.location.type
    variables, scope = await asyncio.gather(frame.variables(), type_variables_around(declaring))
    scope |= await own_type_variables(declaring, scope)
    scope |= method_type_variables(method, scope)
    # A native method has no `this` that JDWP would tell (it answers null).
    return FrameScope(
        declaring.name,
        method.is_static or method.is_native,
        tuple(
            LocalInScope(each, value_type(each.signature, each.generic, scope))
            for each in variables
        ),
        scope,
        given,
        imports,
    )


async def runtime_type(value: Value) -> ValueType:
    """The type of a value by itself: its class, without type arguments."""
    if isinstance(value, PrimitiveValue):
        return types.PRIMITIVES[value.kind.java_name]
    if isinstance(value, ObjectReference):
        return signatures.value_type((await value.type()).signature)
    return types.OBJECT
