# SPDX-License-Identifier: Apache-2.0
"""Binding of statements (JLS 14), except switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions, switch
from jvmdebug.evaluator.bind import bound_statements as statements
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.symbols.types import JavaType, ValueType

_ITERABLE: Final = "java.lang.Iterable"
_THROWABLE: Final = ClassType("java.lang.Throwable")


async def block(binder: Binder, node: syntax.Block) -> statements.Block:
    if not node.opens_scope:
        return statements.Block(node.span, await binder.sequence(node.statements))
    with binder.block_scopes.block():
        return statements.Block(node.span, await binder.sequence(node.statements))


async def _nested(binder: Binder, node: syntax.Statement) -> statements.Statement:
    """The body of an `if` or a loop, in a block of its own."""
    with binder.block_scopes.block():
        return await binder.statement(node)


# --- declarations and expressions -----------------------------------------------------------------


async def declaration(binder: Binder, node: syntax.LocalDeclaration) -> statements.Statement:
    value = None if node.value is None else await binder.value(node.value)
    if node.type is not None:
        type_ = _variable_type(await binder.type_names.resolve(node.type), node.type.span)
        if value is not None:
            value = await conversions.assigned(binder.hierarchy, value, type_)
    elif value is None or isinstance(value.type, types.NullType):
        raise EvaluationError("var needs a value that has a type", node.name_span.column)
    else:
        type_ = _variable_type(value.type, node.name_span)
    is_final = node.is_final and value is not None
    constant = None
    if is_final and isinstance(value, bound.Constant):
        constant = value.value if types.is_constant_type(type_) else None
    variable = binder.block_scopes.declare(
        node.name, type_, node.name_span, is_final=is_final, constant=constant
    )
    return statements.Declare(node.span, variable, value)


def _variable_type(type_: JavaType, span: syntax.Span) -> ValueType:
    if isinstance(type_, types.NullType | types.VoidType):
        raise EvaluationError(f"there are no variables of type {type_}", span.column)
    return type_


async def expression(binder: Binder, node: syntax.ExpressionStatement) -> statements.Statement:
    if isinstance(node.expression, syntax.Switch):
        meaning = await switch.as_statement(binder, node.expression)
        return statements.Evaluate(node.span, meaning)
    return statements.Evaluate(node.span, await binder.bind(node.expression))


# --- control flow ---------------------------------------------------------------------------------


async def if_(binder: Binder, node: syntax.If) -> statements.Statement:
    condition = await binder.condition(node.condition)
    with binder.assuming(node.condition, when=True):
        then = await _nested(binder, node.then)
    otherwise: statements.Statement | None = None
    if node.otherwise is not None:
        with binder.assuming(node.condition, when=False):
            otherwise = await _nested(binder, node.otherwise)
    return statements.If(node.span, condition, then, otherwise)


async def loop(binder: Binder, node: syntax.Loop) -> statements.Statement:
    with binder.block_scopes.block():
        first = await binder.sequence(node.first)
        with binder.jump_targets.loop() as labels:
            if node.condition is None:
                body = await _nested(binder, node.body)
                update = [await binder.bind(each) for each in node.update]
                return statements.Loop(
                    node.span, first, None, tuple(update), body, node.tests_first, labels
                )
            condition = await binder.condition(node.condition)
            with binder.block_scopes.block():
                if node.tests_first:
                    binder.block_scopes.introduce(flow.introduced(node.condition, when=True))
                body = await _nested(binder, node.body)
                update = [await binder.bind(each) for each in node.update]
        return statements.Loop(
            node.span, first, condition, tuple(update), body, node.tests_first, labels
        )


async def for_each(binder: Binder, node: syntax.ForEach) -> statements.Statement:
    iterable = await binder.value(node.iterable)
    element = await _element_type(binder, iterable)
    with binder.block_scopes.block(), binder.jump_targets.loop() as labels:
        temporary = bound.Temporary(node.name_span, element)
        converted: bound.Bound = temporary
        type_ = element
        if node.type is not None:
            type_ = _variable_type(await binder.type_names.resolve(node.type), node.type.span)
            converted = await _element_as(binder, temporary, type_)
        variable = binder.block_scopes.declare(node.name, type_, node.name_span)
        body = await _nested(binder, node.body)
    return statements.ForEach(node.span, variable, temporary, converted, iterable, body, labels)


async def _element_type(binder: Binder, iterable: bound.Bound) -> ValueType:
    type_ = iterable.type
    if isinstance(type_, ArrayType):
        return type_.element
    if isinstance(type_, ClassType | TypeVariable):
        found = await binder.hierarchy.as_super(type_, _ITERABLE)
        if found is not None:
            return types.readable(found.arguments[0]) if found.arguments else types.OBJECT
    raise EvaluationError(
        f"expected an array or an Iterable to iterate over, found {type_}", iterable.span.column
    )


async def _element_as(binder: Binder, temporary: bound.Temporary, type_: ValueType) -> bound.Bound:
    """Elements of a raw collection are Objects: they are cast to the type of the variable."""
    if temporary.type == types.OBJECT and type_ != types.OBJECT:
        return await conversions.cast(binder.hierarchy, temporary, type_)
    restored = conversions.restored(temporary, types.OBJECT)
    return await conversions.assigned(binder.hierarchy, restored, type_)


async def labeled(binder: Binder, node: syntax.Labeled) -> statements.Statement:
    with binder.jump_targets.labeled(node.label, node.span):
        return statements.Labeled(node.span, node.label, await _nested(binder, node.body))


async def jump(binder: Binder, node: syntax.Jump) -> statements.Statement:
    binder.jump_targets.check(node.word, node.label, node.span)
    return statements.Jump(node.span, node.word, node.label)


async def return_(binder: Binder, node: syntax.Return) -> statements.Statement:
    binder.jump_targets.check_return(node.span)
    value = None if node.value is None else await binder.value(node.value)
    return statements.Return(node.span, value)


async def throw(binder: Binder, node: syntax.Throw) -> statements.Statement:
    exception = await binder.value(node.exception)
    if not await binder.hierarchy.is_subtype(exception.type, _THROWABLE):
        raise EvaluationError(
            f"expected an exception to throw, found {exception.type}", node.exception.span.column
        )
    return statements.Throw(node.span, exception)
