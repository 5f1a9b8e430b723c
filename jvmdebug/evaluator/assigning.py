# SPDX-License-Identifier: Apache-2.0
"""Assigning to what is shown: a variable, a field, an element of an array, a list or a map.

The value is written as people type it into a list of variables: the bare constant of an enum, `2.5`
for a float, a lambda for a functional interface. Called by the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.errors import NeedsCompilerError
from jvmdebug.evaluator.expression import CompiledExpression
from jvmdebug.evaluator.parse import parser, syntax
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_SETTERS: Final = {"java.util.List": "set", "java.util.Map": "put"}
_COMPILED: Final = "$compiled"


async def assign(
    frame: Frame,
    target_text: str,
    value_text: str,
    *,
    deadline_s: float | None = None,
    names: Mapping[str, Value] | None = None,
) -> Value:
    """Assign the value of `value_text` to the variable, field or element `target_text`.

    `list.get(index)` and `map.get(key)` are elements too: `set` and `put` are called. Java's
    assignment conversion applies. Returns the new value. The column of an error is in
    `value_text`, unless the message names `target_text`.
    """
    known = dict(names or {})
    try:
        target = parser.parse(target_text)
    except EvaluationError as error:
        raise EvaluationError(f"cannot assign to {target_text!r}: {error}") from error
    entry = _entry(target)
    if entry is None:
        parser.check_assignable(target)
    try:
        value = parser.parse(value_text)
    except NeedsCompilerError:
        written, known[_COMPILED] = await _compiled(
            frame, target_text, value_text, deadline_s=deadline_s, names=known
        )
        value = parser.parse(f"({written}) {_COMPILED}")
    adapted = syntax.Adapted(value.span, value, target)
    shown = f"{target_text} = {value_text}"
    root: syntax.Expression
    if entry is None:
        root = syntax.Assignment(value.span, "=", target, adapted, target.span)
        expression = CompiledExpression(shown, root=root)
        return await expression.evaluate(frame, deadline_s=deadline_s, names=known)
    receiver = _text(entry, target_text)
    setter = await _setter(frame, receiver, deadline_s=deadline_s, names=known)
    root = syntax.MethodCall(
        value.span, entry.target, setter, entry.name_span, (*entry.arguments, adapted)
    )
    expression = CompiledExpression(shown, root=root)
    await expression.evaluate(frame, deadline_s=deadline_s, names=known)
    read = CompiledExpression(target_text)
    return await read.evaluate(frame, deadline_s=deadline_s, names=known)


def _entry(target: syntax.Expression) -> syntax.MethodCall | None:
    """The call `x.get(y)`; None for everything else."""
    while isinstance(target, syntax.Parenthesized):
        target = target.inner
    is_entry = (
        isinstance(target, syntax.MethodCall)
        and target.target is not None
        and target.name == "get"
        and len(target.arguments) == 1
    )
    return target if isinstance(target, syntax.MethodCall) and is_entry else None


def _text(entry: syntax.MethodCall, text: str) -> str:
    return "" if entry.target is None else entry.target.span.text(text)


async def _setter(
    frame: Frame, receiver: str, *, deadline_s: float | None, names: Mapping[str, Value]
) -> str:
    """The method that changes an element of the collection."""
    expression = CompiledExpression(receiver)
    collection = await expression.evaluate(frame, deadline_s=deadline_s, names=names)
    if isinstance(collection, ObjectReference):
        type_ = await collection.type()
        for name, setter in _SETTERS.items():
            if await type_.is_subtype_of(name):
                return setter
    raise EvaluationError(f"cannot assign to an element of {receiver}: it is no List and no Map")


async def _compiled(
    frame: Frame,
    target_text: str,
    value_text: str,
    *,
    deadline_s: float | None,
    names: Mapping[str, Value],
) -> tuple[str, Value]:
    """The type of the target as text, and the value of a lambda of that type."""
    type_ = await CompiledExpression(target_text).static_type(frame)
    if type_ is None:
        raise EvaluationError(f"the type of {target_text} is not known: cast the value to it", 0)
    before = f"({type_}) ("
    expression = CompiledExpression(f"{before}{value_text})")
    try:
        value = await expression.evaluate(frame, deadline_s=deadline_s, names=names)
    except EvaluationError as error:
        if error.column is not None:
            error.column = max(error.column - len(before), 0)
        error.expression = value_text
        raise
    return str(type_), value
