# SPDX-License-Identifier: Apache-2.0
"""Binding of assignments, compound assignments, `++` and `--` (JLS 15.14, 15.15, 15.26)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions, names
from jvmdebug.evaluator.bind.operators import combine
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import widens
from jvmdebug.evaluator.symbols.types import ClassType, PrimitiveType

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.symbols.types import ValueType


async def assignment(binder: Binder, node: syntax.Assignment) -> Bound:
    binder.refuse_effect("an assignment", node.operator_span)
    to, type_ = await _assignment_target(binder, node.target)
    value = await binder.value(node.value)
    if node.operator == "=":
        stored = await conversions.assigned(binder.hierarchy, value, type_)
        return bound.Assign(node.span, type_, to, stored)
    temporary = bound.Temporary(to.span, type_)
    operator = node.operator.removesuffix("=")
    combined = await combine(binder, operator, temporary, value, node.span, node.operator_span)
    if isinstance(type_, PrimitiveType):
        stored = await _stored(binder, combined, type_)
    else:  # no cast narrows a box (JLS 15.26.2)
        stored = await conversions.cast(binder.hierarchy, combined, type_)
    return bound.CompoundAssign(node.span, type_, to, temporary, stored)


async def adapted(binder: Binder, node: syntax.Adapted) -> Bound:
    """The value as the variable's list of values has it: an enum constant by its name alone, a
    number with a point for a float, `5` for a Long, `z` for a char.
    """
    type_ = (await binder.value(node.like)).type
    primitive = types.unboxed(type_)
    if isinstance(node.value, syntax.Name) and isinstance(type_, ClassType):
        declaration = await binder.source.load(type_.name)
        constant = None if declaration is None else declaration.field(node.value.identifier)
        if constant is not None and constant.modifiers & Access.ENUM:
            return bound.StaticField(node.span, type_, constant)
    if primitive == types.CHAR and isinstance(node.value, syntax.Name):
        name = node.value.identifier
        if len(name) == 1 and await names.variable(binder, name, node.span) is None:
            return bound.Constant(node.span, types.CHAR, ord(name))
    value = await binder.value(node.value)
    if primitive is None or not isinstance(value.type, PrimitiveType):
        return value
    is_double = isinstance(value, bound.Constant) and value.type == types.DOUBLE
    # Boxing does not widen (JLS 5.2), but a number typed for a Long is meant as one.
    if (is_double and primitive == types.FLOAT) or widens(value.type, primitive):
        return conversions.to_primitive(value, primitive)
    return value


async def update(binder: Binder, node: syntax.Update) -> Bound:
    binder.refuse_effect(node.operator, node.span)
    to, type_ = await _assignment_target(binder, node.operand)
    if not types.is_numeric(type_):
        raise EvaluationError(
            f"{node.operator} expects a number, found {type_}", node.operand.span.column
        )
    temporary = bound.Temporary(to.span, type_)
    one = bound.Constant(node.span, types.INT, 1)
    combined = await combine(binder, node.operator[0], temporary, one, node.span, node.span)
    stored = await _stored(binder, combined, type_)
    return bound.CompoundAssign(
        node.span, type_, to, temporary, stored, gives_old=not node.is_prefix
    )


async def _assignment_target(
    binder: Binder, node: syntax.Expression
) -> tuple[bound.AssignmentTarget, ValueType]:
    """What to assign to, without the casts that reading a generic field needs."""
    target = await binder.value(node)
    if isinstance(target, bound.ReferenceCast) and not isinstance(
        target.operand, bound.ReferenceCast
    ):
        type_, target = target.type, target.operand
    else:
        type_ = target.type
    if isinstance(target, bound.NamedConstant):
        target = target.variable
    if isinstance(target, bound.DeclaredLocal) and target.variable.is_final:
        raise EvaluationError(f"{target.variable.name} is final", node.span.column)
    if isinstance(target, bound.ArrayLength):
        raise EvaluationError("the length of an array cannot change", node.span.column)
    if not isinstance(target, bound.AssignmentTarget):
        raise EvaluationError(
            "only a variable, a field or an array element can be assigned to", node.span.column
        )
    if isinstance(target, bound.StaticField) and target.field.is_final:
        raise EvaluationError(f"{target.field.name} is static final", node.span.column)
    if isinstance(type_, types.NullType | types.VoidType):
        raise EvaluationError(f"nothing can be assigned to {type_}", node.span.column)
    return target, type_


async def _stored(binder: Binder, combined: Bound, type_: ValueType) -> Bound:
    """The cast to the variable's type that a compound assignment implies (JLS 15.26.2)."""
    primitive = types.unboxed(type_)
    if primitive is not None and types.unboxed(combined.type) is not None:
        narrowed = conversions.to_primitive(combined, primitive)
        return narrowed if isinstance(type_, PrimitiveType) else conversions.boxed(narrowed)
    return await conversions.cast(binder.hierarchy, combined, type_)
