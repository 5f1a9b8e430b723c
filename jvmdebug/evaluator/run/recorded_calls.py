# SPDX-License-Identifier: Apache-2.0
"""Runs calls of the JDK in a recording (`bind.recorded_calls`): the recording computes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, JvmDebugError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import NewString
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import Value as WireValue
from jvmdebug.model import conversion
from jvmdebug.model.primitives import PrimitiveValue
from jvmdebug.model.values import NullValue, ObjectReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.bind import bound
    from jvmdebug.evaluator.run.interpreter import Run, RunValue

_LARGEST: Final = {"int": 1 << 31, "long": 1 << 63}
"""The lowest number, without its sign."""


async def recorded_call(run: Run, node: bound.RecordedCall) -> RunValue:
    """The result of the call."""
    if node.target is None:
        return _math(node.name, [await run.value(each) for each in node.arguments])
    target = await run.value(node.target)
    if isinstance(target, NullValue):
        raise JavaThrowsError(
            "java.lang.NullPointerException", f"cannot call {node.name}(): null", node.target.span
        )
    arguments = [await run.value(each) for each in node.arguments]
    try:
        found = run.vm.connection.computed(_wire(target), node.name, [*map(_wire, arguments)])
    except EvaluationError:
        raise
    except JvmDebugError as error:
        raise EvaluationError(str(error), node.span.column) from None
    return NewString(found) if isinstance(found, str) else conversion.value(run.vm, found)


def _wire(value: RunValue) -> WireValue | str:
    if isinstance(value, NewString):
        return value.text
    if isinstance(value, PrimitiveValue):
        return WireValue(Tag(ord(value.kind.value)), value.value)
    if isinstance(value, ObjectReference):
        return WireValue(value.tag, value.id)
    if isinstance(value, NullValue):
        return WireValue(Tag.OBJECT, 0)
    raise EvaluationError(f"a recording cannot compute with {value}")


def _math(name: str, values: Sequence[RunValue]) -> PrimitiveValue:
    numbers = [each for each in values if isinstance(each, PrimitiveValue)]
    if len(numbers) != len(values):
        raise EvaluationError(f"Math.{name} takes numbers")
    kind = numbers[0].kind
    plain = [each.value for each in numbers]
    if name == "abs":
        found = abs(plain[0])
        if found == _LARGEST.get(kind.java_name):  # there is no such number
            found = plain[0]
    elif any(isinstance(each, float) and math.isnan(each) for each in plain):
        found = math.nan
    else:
        # -0.0 is less than 0.0, for Java.
        choose = max if name == "max" else min
        found = choose(plain, key=lambda each: (each, math.copysign(1, each)))
    return PrimitiveValue(kind, found)
