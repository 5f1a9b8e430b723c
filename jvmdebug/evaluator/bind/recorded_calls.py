# SPDX-License-Identifier: Apache-2.0
"""Binding of calls in a recording, which has no code of the JDK: methods whose results follow from
what was recorded of an object, as `name.length()` and `items.contains("a")`, and some of Math.

Used where no class has such a method. `run.recorded_calls` computes them. To add one: 1. a line
here, 2. its function in `jvmdebug.recording.replay.jdk_methods`, 3. an expression with it in
tests/e2e/recording/test_jdk_methods.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions
from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType, PrimitiveType

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.parse import syntax
    from jvmdebug.evaluator.symbols.types import ValueType

_INT: Final = types.PRIMITIVES["int"]
_BOOLEAN: Final = types.PRIMITIVES["boolean"]
_TEXT: Final = ClassType("java.lang.String")
_RESULTS: Final[dict[tuple[str, int], ValueType]] = {
    **dict.fromkeys((("size", 0), ("length", 0), ("hashCode", 0), ("indexOf", 1)), _INT),
    **dict.fromkeys((("isEmpty", 0), ("equals", 1), ("contains", 1)), _BOOLEAN),
    **dict.fromkeys((("startsWith", 1), ("endsWith", 1)), _BOOLEAN),
    **dict.fromkeys((("containsKey", 1), ("containsValue", 1)), _BOOLEAN),
    ("charAt", 1): types.PRIMITIVES["char"],
    **dict.fromkeys((("toString", 0), ("name", 0), ("getMessage", 0), ("getName", 0)), _TEXT),
    **dict.fromkeys((("substring", 1), ("substring", 2), ("trim", 0)), _TEXT),
    ("get", 1): types.OBJECT,
}
_MATH: Final = {"max": 2, "min": 2, "abs": 1}
_MATH_NAMES: Final = ("Math", "java.lang.Math")


def knows(node: syntax.MethodCall) -> bool:
    """Whether it is computed if the object is one of the JDK's."""
    return (node.name, len(node.arguments)) in _RESULTS


async def on_object(binder: Binder, node: syntax.MethodCall, target: Bound) -> Bound:
    """The call of a method that `knows` has."""
    arguments = [await binder.value(each) for each in node.arguments]
    result = _RESULTS[node.name, len(arguments)]
    if node.name == "get" and isinstance(target.type, ClassType) and target.type.arguments:
        last = target.type.arguments[-1]
        result = last if isinstance(last, ClassType) else result
    return bound.RecordedCall(node.span, result, target, node.name, tuple(arguments))


async def on_math(binder: Binder, node: syntax.MethodCall, owner: str) -> Bound | None:
    """The call of a static method of Math; None if it is of another class."""
    if owner not in _MATH_NAMES:
        return None
    if _MATH.get(node.name) != len(node.arguments):
        raise EvaluationError(
            f"Math.{node.name} cannot be computed here: a recording has no code of the JDK, and of"
            f" Math only {', '.join(_MATH)}{did_you_mean(node.name, list(_MATH))}",
            node.name_span.column,
        )
    arguments = [await binder.value(each) for each in node.arguments]
    plain = [types.unboxed(each.type) for each in arguments]
    if not all(each is not None and types.is_numeric(each) for each in plain):
        raise EvaluationError(f"Math.{node.name} takes numbers", node.name_span.column)
    if len(arguments) == 1:
        arguments = [conversions.promoted_alone(arguments[0])]
    else:
        arguments = list(conversions.promoted(arguments[0], arguments[1])[:2])
    result = arguments[0].type
    assert isinstance(result, PrimitiveType)
    return bound.RecordedCall(node.span, result, None, node.name, tuple(arguments))


def refused(node: syntax.MethodCall, type_: ValueType) -> str:
    """The message for a method that is not known."""
    names = sorted({name for name, _ in _RESULTS})
    return (
        f"{type_}.{node.name}() cannot be computed here: a recording has no code of the JDK, and of"
        f" its objects only {', '.join(names)}{did_you_mean(node.name, names)}"
    )
