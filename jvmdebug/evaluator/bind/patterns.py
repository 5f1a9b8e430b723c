# SPDX-License-Identifier: Apache-2.0
"""Binding of patterns (JLS 14.30): type patterns and record patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ClassType, PrimitiveType

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, TypeDeclaration
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember
    from jvmdebug.evaluator.symbols.types import JavaType, ReferenceType, ValueType

_RECORD = "java.lang.Record"


async def pattern(binder: Binder, node: syntax.Pattern, operand: JavaType) -> bound.BoundPattern:
    """The bound pattern, for values of the static type `operand`."""
    match node:
        case syntax.TypePattern():
            return await _binding(binder, node, operand)
        case syntax.RecordPattern():
            return await _deconstruction(binder, node, operand)
        case _:
            raise EvaluationError("expected a pattern", node.span.column)


async def check_possible(
    binder: Binder, operand: JavaType, tested: ReferenceType, span: Span
) -> None:
    """Raise EvaluationError for a test that no value can pass."""
    if not await binder.hierarchy.is_castable(operand, tested):
        raise EvaluationError(f"{operand} can never be a {tested}", span.column)


async def _binding(
    binder: Binder, node: syntax.TypePattern, operand: JavaType
) -> bound.BindingPattern:
    tested: ReferenceType | None = None
    type_: ValueType
    if node.type is None:
        type_ = _readable(operand)
    else:
        resolved = await binder.type_names.resolve(node.type)
        if isinstance(resolved, PrimitiveType) or isinstance(operand, PrimitiveType):
            if resolved != operand or isinstance(operand, types.NullType | types.VoidType):
                raise EvaluationError(
                    f"{operand} cannot be tested to be {resolved}", node.type.span.column
                )
            type_ = operand
        else:
            type_ = await binder.type_names.resolve_reference(node.type)
            await check_possible(binder, operand, type_, node.type.span)
            if not await binder.hierarchy.is_subtype(operand, type_):
                tested = type_
    variable = binder.block_scopes.pattern_variable(node, type_)
    return bound.BindingPattern(node.span, tested, variable)


def _readable(operand: JavaType) -> ValueType:
    return types.OBJECT if isinstance(operand, types.NullType | types.VoidType) else operand


async def _deconstruction(
    binder: Binder, node: syntax.RecordPattern, operand: JavaType
) -> bound.Deconstruction:
    tested = await binder.type_names.resolve_reference(node.type)
    declaration = await binder.source.load(tested.name) if isinstance(tested, ClassType) else None
    if declaration is None or declaration.superclass != ClassType(_RECORD):
        raise EvaluationError(f"{tested} is not a record", node.type.span.column)
    await check_possible(binder, operand, tested, node.type.span)
    fields = [each for each in declaration.fields if not each.is_static]
    if len(fields) != len(node.components):
        shown = ", ".join(f"{each.type} {each.name}" for each in fields)
        raise EvaluationError(
            f"{tested} has {len(fields)} components ({shown}), the pattern has "
            f"{len(node.components)}",
            node.span.column,
        )
    temporary = bound.Temporary(node.span, tested)
    accessors: list[bound.Bound] = []
    components: list[bound.BoundPattern] = []
    for field, component in zip(fields, node.components, strict=True):
        accessor = await _accessor(binder, tested, declaration, field, temporary, component.span)
        accessors.append(accessor)
        components.append(await pattern(binder, component, accessor.type))
    return bound.Deconstruction(node.span, tested, temporary, tuple(accessors), tuple(components))


async def _accessor(
    binder: Binder,
    record: ReferenceType,
    declaration: TypeDeclaration,
    field: FieldDeclaration,
    temporary: bound.Temporary,
    span: Span,
) -> bound.Bound:
    """The call of `record.name()`."""
    member: MethodMember | None = next(
        (
            each
            for each in await binder.hierarchy.methods(record, field.name)
            if not each.parameters
        ),
        None,
    )
    if member is None:
        raise EvaluationError(
            f"{declaration.name} has no method {field.name}() for its component", span.column
        )
    return bound.InstanceCall(span, member.result, temporary, member.method, ())
