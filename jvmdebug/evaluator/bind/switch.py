# SPDX-License-Identifier: Apache-2.0
"""Binding of switch, as a statement and as an expression (JLS 14.11, 15.28)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions, operators, patterns
from jvmdebug.evaluator.bind import bound_statements as statements
from jvmdebug.evaluator.bind.least_upper_bound import common_type
from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import widens
from jvmdebug.evaluator.symbols.types import ClassType, PrimitiveType

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.symbols.types import JavaType

_INTEGERS: Final = (types.BYTE, types.SHORT, types.CHAR, types.INT)


async def expression(binder: Binder, node: syntax.Switch) -> Bound:
    """A switch expression; its type is the common type of its results."""
    selector, temporary = await _selector(binder, node)
    with binder.jump_targets.switch_expression() as values:
        cases = [
            await _case(binder, node, each, temporary, is_expression=True) for each in node.cases
        ]
    if not values:
        raise EvaluationError("no case of this switch gives a value", node.span.column)
    if not any(case.is_default for case in node.cases):
        await _check_exhaustive(binder, node, temporary.type)
    type_ = await _result_type(binder, values)
    result_temporaries = tuple(bound.Temporary(each.span, each.type) for each in values)
    results = [
        await _as_result(binder, value if isinstance(value, bound.Constant) else temporary_, type_)
        for value, temporary_ in zip(values, result_temporaries, strict=True)
    ]
    return statements.Switch(
        node.span,
        type_,
        selector,
        temporary,
        tuple(cases),
        not node.is_arrow,
        _takes_null(node),
        result_temporaries,
        tuple(results),
    )


async def as_statement(binder: Binder, node: syntax.Switch) -> Bound:
    """A switch statement."""
    selector, temporary = await _selector(binder, node)
    with binder.jump_targets.switch_statement(), binder.block_scopes.block():
        cases = [
            await _case(binder, node, each, temporary, is_expression=False) for each in node.cases
        ]
    return statements.Switch(
        node.span,
        types.VOID,
        selector,
        temporary,
        tuple(cases),
        not node.is_arrow,
        _takes_null(node),
        (),
        (),
    )


async def yield_(binder: Binder, node: syntax.Yield) -> statements.Statement:
    value = await binder.value(node.value)
    return statements.Yield(node.span, value, binder.jump_targets.yielded(value, node.span))


async def _selector(binder: Binder, node: syntax.Switch) -> tuple[Bound, bound.Temporary]:
    """The selector: an int, a string, an enum constant, or any object for patterns."""
    selector = await binder.value(node.selector)
    primitive = types.unboxed(selector.type)
    if isinstance(selector.type, PrimitiveType) or (
        primitive in _INTEGERS and not _tests_object(node)
    ):
        if primitive not in _INTEGERS:
            raise EvaluationError(
                f"a switch needs an int, char, String, enum or object, not {selector.type}",
                node.selector.span.column,
            )
        selector = conversions.to_primitive(selector, types.INT)
    type_ = conversions.declared_type(selector) if _tests_object(node) else selector.type
    return selector, bound.Temporary(node.selector.span, type_)


def _tests_object(node: syntax.Switch) -> bool:
    """Whether a label tests the object itself: a pattern or null."""
    return any(
        isinstance(label, syntax.Pattern | syntax.NullLiteral)
        for case in node.cases
        for label in case.labels
    )


def _takes_null(node: syntax.Switch) -> bool:
    return any(
        isinstance(label, syntax.NullLiteral) for case in node.cases for label in case.labels
    )


# --- cases ----------------------------------------------------------------------------------------


async def _case(
    binder: Binder,
    switch: syntax.Switch,
    node: syntax.Case,
    temporary: bound.Temporary,
    *,
    is_expression: bool,
) -> statements.Case:
    # Groups with `:` share one block, so names declared in one are in scope in the next. A rule
    # with `->` has its own.
    if not switch.is_arrow:
        return await _case_in_block(binder, switch, node, temporary, is_expression=is_expression)
    with binder.block_scopes.block():
        return await _case_in_block(binder, switch, node, temporary, is_expression=is_expression)


async def _case_in_block(
    binder: Binder,
    switch: syntax.Switch,
    node: syntax.Case,
    temporary: bound.Temporary,
    *,
    is_expression: bool,
) -> statements.Case:
    tests = [await _label(binder, label, temporary) for label in node.labels]
    patterns = [
        each
        for label in node.labels
        if isinstance(label, syntax.Pattern)
        for each in flow.variables_of(label)
    ]
    binder.block_scopes.introduce(patterns)
    guard = None if node.guard is None else await binder.condition(node.guard)
    if node.guard is not None:
        binder.block_scopes.introduce(flow.introduced(node.guard, when=True))
    body = [
        _result_of_rule(each) if switch.is_arrow and is_expression else each for each in node.body
    ]
    meanings = await binder.sequence(tuple(body))
    return statements.Case(node.span, tuple(tests), node.is_default, guard, meanings)


def _result_of_rule(node: syntax.Statement) -> syntax.Statement:
    """The value of `-> e;` is e."""
    if isinstance(node, syntax.ExpressionStatement):
        return syntax.Yield(node.span, node.expression)
    return node


async def _label(
    binder: Binder, node: syntax.Expression | syntax.Pattern, temporary: bound.Temporary
) -> Bound:
    """The condition on the selector under which a label applies."""
    if isinstance(node, syntax.Pattern):
        pattern = await patterns.pattern(binder, node, temporary.type)
        return bound.PatternTest(node.span, types.BOOLEAN, temporary, pattern)
    if isinstance(node, syntax.NullLiteral):
        null = bound.NullConstant(node.span, types.NULL)
        return bound.ReferenceEquality(node.span, types.BOOLEAN, temporary, null, is_negated=False)
    if isinstance(node, syntax.Name):
        constant = await _enum_constant(binder, node, temporary)
        if constant is not None:
            return constant
    value = await binder.value(node)
    if isinstance(value, bound.StaticField) and value.field.modifiers & Access.ENUM:
        return bound.ReferenceEquality(node.span, types.BOOLEAN, temporary, value, is_negated=False)
    return _constant_label(node, value, temporary)


async def _enum_constant(
    binder: Binder, node: syntax.Name, temporary: bound.Temporary
) -> Bound | None:
    if not isinstance(temporary.type, ClassType):
        return None
    declaration = await binder.source.load(temporary.type.name)
    if declaration is None or not declaration.modifiers & Access.ENUM:
        return None
    constant = declaration.field(node.identifier)
    if constant is None or not constant.modifiers & Access.ENUM:
        names = [each.name for each in declaration.fields if each.modifiers & Access.ENUM]
        hint = did_you_mean(node.identifier, names)
        raise EvaluationError(
            f"{temporary.type} has no constant {node.identifier}{hint}",
            node.span.column,
        )
    value = bound.StaticField(node.span, temporary.type, constant)
    return bound.ReferenceEquality(node.span, types.BOOLEAN, temporary, value, is_negated=False)


def _constant_label(node: syntax.Expression, value: Bound, temporary: bound.Temporary) -> Bound:
    if not isinstance(value, bound.Constant):
        raise EvaluationError("expected a constant after case", node.span.column)
    if isinstance(value.value, str) and temporary.type in (types.STRING, types.OBJECT):
        return statements.StringEquality(node.span, types.BOOLEAN, temporary, value.value)
    if temporary.type == types.INT and types.unboxed(value.type) in _INTEGERS:
        promoted = conversions.to_primitive(value, types.INT)
        return bound.Comparison(node.span, types.BOOLEAN, "==", temporary, promoted)
    box = types.unboxed(temporary.type)
    if box in _INTEGERS and types.unboxed(value.type) in _INTEGERS:
        # With `case null` or patterns, the selector stays boxed.
        unboxed = conversions.to_primitive(conversions.unboxed(temporary), types.INT)
        promoted = conversions.to_primitive(value, types.INT)
        same = bound.Comparison(node.span, types.BOOLEAN, "==", unboxed, promoted)
        null = bound.NullConstant(node.span, types.NULL)
        some = bound.ReferenceEquality(node.span, types.BOOLEAN, temporary, null, is_negated=True)
        return bound.ShortCircuit(node.span, types.BOOLEAN, "&&", some, same)
    raise EvaluationError(f"{temporary.type} is never equal to a {value.type}", node.span.column)


# --- results --------------------------------------------------------------------------------------


async def _check_exhaustive(binder: Binder, node: syntax.Switch, selector: JavaType) -> None:
    """Raise EvaluationError for a switch expression that is obviously not exhaustive."""
    has_patterns = any(
        isinstance(label, syntax.Pattern) for case in node.cases for label in case.labels
    )
    if has_patterns:
        return  # sealed classes are not checked
    if isinstance(selector, ClassType):
        declaration = await binder.source.load(selector.name)
        if declaration is not None and declaration.modifiers & Access.ENUM:
            constants = {each.name for each in declaration.fields if each.modifiers & Access.ENUM}
            named = {
                label.identifier if isinstance(label, syntax.Name) else label.name
                for case in node.cases
                for label in case.labels
                if isinstance(label, syntax.Name | syntax.FieldAccess)
            }
            missing = sorted(constants - named)
            if not missing:
                return
            raise EvaluationError(
                f"this switch has no case for {', '.join(missing)} and no default",
                node.span.column,
            )
    raise EvaluationError("this switch needs a default", node.span.column)


async def _result_type(binder: Binder, values: list[Bound]) -> JavaType:
    """The type as that of a conditional, over all results (JLS 15.28.1)."""
    if len({each.type for each in values}) == 1:
        return values[0].type
    primitives = [types.unboxed(each.type) for each in values]
    if all(each == types.BOOLEAN for each in primitives):
        return types.BOOLEAN
    if all(types.is_numeric(each.type) for each in values):
        return _numeric_type(values)
    return await common_type(binder.hierarchy, [conversions.boxed(each).type for each in values])


def _numeric_type(values: list[Bound]) -> PrimitiveType:
    """The narrowest type for all results: constants of type int may narrow (JLS 15.28.1)."""
    found = [each for each in (types.unboxed(value.type) for value in values) if each is not None]
    for narrow in (types.BYTE, types.SHORT, types.CHAR):
        if narrow in found and all(_adapts(value, narrow) for value in values):
            return narrow
    return functools.reduce(conversions.wider, found)


def _adapts(value: Bound, narrow: PrimitiveType) -> bool:
    own = types.unboxed(value.type)
    return (own is not None and widens(own, narrow)) or operators.fits(value, narrow)


async def _as_result(binder: Binder, value: Bound, type_: JavaType) -> Bound:
    if isinstance(type_, PrimitiveType):
        return conversions.to_primitive(value, type_)
    if isinstance(type_, types.NullType | types.VoidType):
        return value
    return await conversions.assigned(binder.hierarchy, conversions.boxed(value), type_)
