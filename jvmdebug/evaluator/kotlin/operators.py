# SPDX-License-Identifier: Apache-2.0
"""Kotlin's operators: of numbers they are Java's, of objects functions such as `plus`, `equals`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.kotlin import calls
from jvmdebug.evaluator.kotlin.calls import Argument
from jvmdebug.evaluator.kotlin.types import named
from jvmdebug.evaluator.kotlin.workspace import alternatives
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.run.interpreter import NewString
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, PrimitiveType
from jvmdebug.model.values import ObjectReference, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.kotlin.workspace import Operand, Workspace
    from jvmdebug.evaluator.parse.syntax import Span

_FUNCTIONS: Final = {"+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem"}
_COMPARISONS: Final = ("<", "<=", ">", ">=")
_INFIX: Final = {"shl": "<<", "shr": ">>", "ushr": ">>>", "and": "&", "or": "|", "xor": "^"}
_BY_IDENTITY: Final = ("java.lang.Object", "java.lang.Enum")


def is_true(operand: Operand, span: Span) -> bool:
    """The value of a Boolean."""
    value = operand.value
    if isinstance(value, PrimitiveValue) and isinstance(value.value, bool):
        return value.value
    raise EvaluationError(f"expected Boolean, found {operand.runtime_type}", span.column)


async def binary(
    workspace: Workspace, operator: str, left: Operand, right: Operand, span: Span
) -> Operand:
    """Arithmetic, comparisons, equality; not those that may leave out an operand."""
    match operator:
        case "==" | "!=":
            is_equal = await equal(workspace, left, right, span)
            return workspace.boolean(span, value=is_equal == (operator == "=="))
        case "===" | "!==":
            is_same = await _same(workspace, left, right, span)
            return workspace.boolean(span, value=is_same == (operator == "==="))
    are_numbers = _is_number(left) and _is_number(right)
    if are_numbers or (operator == "+" and types.STRING in left.types):
        codes = [
            syntax.Binary(span, operator, one, other, span)
            for one, other in alternatives((left, right))
        ]
        found = await workspace.step(*codes)
        is_char = operator in "+-" and left.runtime_type == types.CHAR
        if is_char and right.runtime_type == types.INT:
            wanted = syntax.PrimitiveTypeSyntax(span, types.CHAR.kind)
            return await workspace.step(syntax.Cast(span, (wanted,), found.static))
        return found
    if operator in _COMPARISONS:
        order = await calls.on_object(workspace, left, "compareTo", [Argument(None, right)], span)
        zero = syntax.PrimitiveLiteral(span, types.INT.kind, 0)
        return await workspace.step(syntax.Binary(span, operator, order.static, zero, span))
    name = _FUNCTIONS.get(operator)
    if name is None:
        raise EvaluationError(f"the operator {operator} cannot be evaluated", span.column)
    return await calls.on_object(workspace, left, name, [Argument(None, right)], span)


async def equal(workspace: Workspace, left: Operand, right: Operand, span: Span) -> bool:
    """`==`: null-safe, by `equals`, which only runs for classes that have one of their own."""
    if left.is_null or right.is_null:
        return left.is_null and right.is_null
    one, other = await _text(left), await _text(right)
    if one is not None and other is not None:
        return one == other
    if _is_boxed(left) and _is_boxed(right):
        return await _equal_boxes(workspace, left, right, span)
    if left.value == right.value or not await _has_equals(workspace, left):
        return left.value == right.value
    result = await calls.on_object(workspace, left, "equals", [Argument(None, right)], span)
    return is_true(result, span)


def _is_boxed(operand: Operand) -> bool:
    return types.unboxed(operand.runtime_type) is not None


async def _equal_boxes(workspace: Workspace, left: Operand, right: Operand, span: Span) -> bool:
    """Boxes of different classes differ."""
    kinds = {types.unboxed(each.runtime_type) for each in (left, right)}
    if len(kinds) > 1 and not _are_primitive(left, right):
        return False
    test = syntax.Binary(span, "==", _unboxed(left, span), _unboxed(right, span), span)
    return is_true(await workspace.step(test), span)


async def _has_equals(workspace: Workspace, operand: Operand) -> bool:
    """Whether its class has an `equals` that compares more than identity."""
    type_ = operand.runtime_type
    if not isinstance(type_, ClassType):
        return False
    found = await workspace.run.hierarchy.methods(type_, "equals")
    owners = {each.method.owner for each in found if each.parameters == (types.OBJECT,)}
    return not owners <= set(_BY_IDENTITY)


async def _same(workspace: Workspace, left: Operand, right: Operand, span: Span) -> bool:
    if _are_primitive(left, right):
        return await equal(workspace, left, right, span)
    if isinstance(left.value, ObjectReference) and isinstance(right.value, ObjectReference):
        return left.value == right.value
    return left.is_null and right.is_null


def _are_primitive(*operands: Operand) -> bool:
    return all(isinstance(each.type, PrimitiveType) for each in operands)


def _unboxed(operand: Operand, span: Span) -> syntax.Expression:
    primitive = types.unboxed(operand.runtime_type)
    if primitive is None or isinstance(operand.runtime_type, PrimitiveType):
        return operand.runtime
    return syntax.Cast(span, (syntax.PrimitiveTypeSyntax(span, primitive.kind),), operand.runtime)


async def _text(operand: Operand) -> str | None:
    if isinstance(operand.value, NewString):
        return operand.value.text
    return await operand.value.as_text() if isinstance(operand.value, StringReference) else None


def _is_number(operand: Operand) -> bool:
    unboxed = types.unboxed(operand.runtime_type)
    return unboxed is not None and unboxed != types.BOOLEAN


async def infix(
    workspace: Workspace, name: str, left: Operand, right: Operand, span: Span
) -> Operand:
    """`a shl 2`, `x to y`"""
    operator = _INFIX.get(name)
    kinds = {types.unboxed(each.runtime_type) for each in (left, right)}
    if operator is not None and None not in kinds:
        code = syntax.Binary(span, operator, left.runtime, right.runtime, span)
        return await workspace.step(code)
    return await calls.on_object(workspace, left, name, [Argument(None, right)], span)


async def range_(
    workspace: Workspace, name: str, low: Operand, high: Operand, span: Span
) -> Operand:
    """`1..5` is an IntRange."""
    if low.runtime_type == high.runtime_type == types.INT and name == "rangeTo":
        wanted = syntax.NamedTypeSyntax(span, ("kotlin", "ranges", "IntRange"))
        return await workspace.step(syntax.NewObject(span, wanted, (low.static, high.static)))
    return await calls.on_object(workspace, low, name, [Argument(None, high)], span)


async def is_between(
    workspace: Workspace, item: Operand, low: Operand, end: tuple[str, Operand], span: Span
) -> bool:
    """`item in low..high`, without making the range."""
    operator, high = end
    if not is_true(await binary(workspace, ">=", item, low, span), span):
        return False
    return is_true(await binary(workspace, operator, item, high, span), span)


async def contains(workspace: Workspace, holder: Operand, item: Operand, span: Span) -> bool:
    """`item in holder`; a map contains its keys."""
    if isinstance(holder.runtime_type, ClassType):
        is_map = await workspace.run.hierarchy.is_subclass(
            holder.runtime_type.name, "java.util.Map"
        )
        name = "containsKey" if is_map else "contains"
        found = await calls.on_object(workspace, holder, name, [Argument(None, item)], span)
    else:
        found = await calls.on_object(workspace, holder, "contains", [Argument(None, item)], span)
    return is_true(found, span)


async def element(
    workspace: Workspace, holder: Operand, indexes: Sequence[Operand], span: Span
) -> Operand:
    """`holder[index]`: of an array, the character of a string, else `get`."""
    if isinstance(holder.runtime_type, ArrayType) and len(indexes) == 1:
        code = syntax.ArrayAccess(span, holder.runtime, indexes[0].runtime)
        return await workspace.step(code)
    name = "charAt" if holder.runtime_type == types.STRING else "get"
    arguments = [Argument(None, each) for each in indexes]
    return await calls.on_object(workspace, holder, name, arguments, span)


async def set_element(
    workspace: Workspace, holder: Operand, indexes: Sequence[Operand], value: Operand, span: Span
) -> Operand:
    """`holder[index] = value`: `set`, of a map `put`."""
    if isinstance(holder.runtime_type, ArrayType) and len(indexes) == 1:
        target = syntax.ArrayAccess(span, holder.runtime, indexes[0].runtime)
        return await workspace.step(
            *(syntax.Assignment(span, "=", target, each, span) for each in value.codes)
        )
    arguments = [Argument(None, each) for each in (*indexes, value)]
    is_map = isinstance(holder.runtime_type, ClassType) and (
        await workspace.run.hierarchy.is_subclass(holder.runtime_type.name, "java.util.Map")
    )
    name = "put" if is_map else "set"
    await calls.on_object(workspace, holder, name, arguments, span)
    return value


async def is_instance(
    workspace: Workspace, operand: Operand, wanted: syntax.TypeSyntax, span: Span
) -> bool:
    """`operand is T`, for what is not null."""
    test = syntax.InstanceOf(span, as_object(operand, span), wanted)
    return is_true(await workspace.step(test), span)


def as_object(operand: Operand, span: Span) -> syntax.Expression:
    """The operand with the static type Any: it may be of any class."""
    return syntax.Cast(span, (named("Any", span),), operand.static)
