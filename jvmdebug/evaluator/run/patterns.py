# SPDX-License-Identifier: Apache-2.0
"""Running patterns: a value that matches is assigned to the variables of the pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.run.values import is_instance
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NullValue

if TYPE_CHECKING:
    from jvmdebug.evaluator.run.interpreter import Run, RunValue


async def pattern_test(run: Run, node: bound.PatternTest) -> RunValue:
    value = await run.value(node.operand)
    fits = not isinstance(value, NullValue) and await _fits(run, value, node.pattern)
    return PrimitiveValue(PrimitiveKind.BOOLEAN, fits)


async def _fits(run: Run, value: RunValue, pattern: bound.BoundPattern) -> bool:
    if isinstance(pattern, bound.Deconstruction):
        return await _is_deconstructed(run, value, pattern)
    if not isinstance(pattern, bound.BindingPattern):
        raise TypeError(f"a pattern of class {type(pattern).__name__}")
    if pattern.tested is not None and not (
        not isinstance(value, NullValue) and await is_instance(run, value, pattern.tested)
    ):
        return False
    if pattern.variable is not None:
        run.declared[pattern.variable] = value
    return True


async def _is_deconstructed(run: Run, value: RunValue, pattern: bound.Deconstruction) -> bool:
    if isinstance(value, NullValue) or not await is_instance(run, value, pattern.tested):
        return False
    run.temporaries[pattern.temporary] = value
    for accessor, component in zip(pattern.accessors, pattern.components, strict=True):
        if not await _fits(run, await run.value(accessor), component):
            return False
    return True
