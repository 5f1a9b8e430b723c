# SPDX-License-Identifier: Apache-2.0
"""Binding of switch, as a statement and as an expression (JLS 14.11, 15.28)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions, operators, patterns
from jvmdebug.evaluator.bind import bound_statements as statements
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
    """A switch that gives a value; its type is that of its results together."""
    selector, held = await _selector(binder, node)
    with binder.jumps.switch_expression() as values:
        cases = [await _case(binder, node, each, held, is_expression=True) for each in node.cases]
    if not values:
        raise EvaluationError("no case of this switch gives a value", node.span.column)
    if not any(case.is_default for case in node.cases):
        await _check_exhaustive(binder, node, held.type)
    type_ = await _result_type(binder, values)
    held_results = tuple(bound.Held(each.span, each.type) for each in values)
    results = [
        await _as_result(binder, value if isinstance(value, bound.Constant) else held_, type_)
        for value, held_ in zip(values, held_results, strict=True)
    ]
    return statements.Switch(
        node.span,
        type_,
        selector,
        held,
        tuple(cases),
        not node.is_arrow,
        _takes_null(node),
        held_results,
        tuple(results),
    )


async def as_statement(binder: Binder, node: syntax.Switch) -> Bound:
    """A switch that gives none."""
    selector, held = await _selector(binder, node)
    with binder.jumps.switch_statement(), binder.own.block():
        cases = [await _case(binder, node, each, held, is_expression=False) for each in node.cases]
    return statements.Switch(
        node.span,
        types.VOID,
        selector,
        held,
        tuple(cases),
        not node.is_arrow,
        _takes_null(node),
        (),
        (),
    )


async def yield_(binder: Binder, node: syntax.Yield) -> statements.Statement:
    value = await binder.value(node.value)
    return statements.Yield(node.span, value, binder.jumps.yielded(value, node.span))


async def _selector(binder: Binder, node: syntax.Switch) -> tuple[Bound, bound.Held]:
    """What is looked at: an int, a string, an enum constant, or any object for patterns."""
    selector = await binder.value(node.selector)
    primitive = types.unboxed(selector.type)
    if isinstance(selector.type, PrimitiveType) or (primitive in _INTEGERS and not _asks(node)):
        if primitive not in _INTEGERS:
            raise EvaluationError(
                f"a switch looks at int, char, String, enum or objects, not at {selector.type}",
                node.selector.span.column,
            )
        selector = conversions.to_primitive(selector, types.INT)
    return selector, bound.Held(node.selector.span, selector.type)


def _asks(node: syntax.Switch) -> bool:
    """Whether a label needs the object itself: a pattern or null."""
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
    held: bound.Held,
    *,
    is_expression: bool,
) -> statements.Case:
    # The names that an old-style group declares are there in the groups after it; javac shares one
    # block too. A rule has its own.
    if not switch.is_arrow:
        return await _case_in_block(binder, switch, node, held, is_expression=is_expression)
    with binder.own.block():
        return await _case_in_block(binder, switch, node, held, is_expression=is_expression)


async def _case_in_block(
    binder: Binder,
    switch: syntax.Switch,
    node: syntax.Case,
    held: bound.Held,
    *,
    is_expression: bool,
) -> statements.Case:
    tests = [await _label(binder, label, held) for label in node.labels]
    patterns = [
        each
        for label in node.labels
        if isinstance(label, syntax.Pattern)
        for each in flow.variables_of(label)
    ]
    binder.own.introduce(patterns)
    guard = None if node.guard is None else await binder.condition(node.guard)
    if node.guard is not None:
        binder.own.introduce(flow.introduced(node.guard, when=True))
    body = [
        _result_of_rule(each) if switch.is_arrow and is_expression else each for each in node.body
    ]
    meanings = await binder.sequence(tuple(body))
    return statements.Case(node.span, tuple(tests), node.is_default, guard, meanings)


def _result_of_rule(node: syntax.Statement) -> syntax.Statement:
    """`-> e;` gives e."""
    if isinstance(node, syntax.ExpressionStatement):
        return syntax.Yield(node.span, node.expression)
    return node


async def _label(
    binder: Binder, node: syntax.Expression | syntax.Pattern, held: bound.Held
) -> Bound:
    """The condition under which a label applies to the selector's value."""
    if isinstance(node, syntax.Pattern):
        pattern = await patterns.pattern(binder, node, held.type)
        return bound.PatternTest(node.span, types.BOOLEAN, held, pattern)
    if isinstance(node, syntax.NullLiteral):
        null = bound.NullConstant(node.span, types.NULL)
        return bound.SameObject(node.span, types.BOOLEAN, held, null, is_negated=False)
    if isinstance(node, syntax.Name):
        constant = await _enum_constant(binder, node, held)
        if constant is not None:
            return constant
    value = await binder.value(node)
    if isinstance(value, bound.StaticField) and value.field.modifiers & Access.ENUM:
        return bound.SameObject(node.span, types.BOOLEAN, held, value, is_negated=False)
    return _constant_label(node, value, held)


async def _enum_constant(binder: Binder, node: syntax.Name, held: bound.Held) -> Bound | None:
    if not isinstance(held.type, ClassType):
        return None
    declaration = await binder.source.declaration(held.type.name)
    if declaration is None or not declaration.modifiers & Access.ENUM:
        return None
    constant = declaration.field(node.identifier)
    if constant is None or not constant.modifiers & Access.ENUM:
        names = [each.name for each in declaration.fields if each.modifiers & Access.ENUM]
        raise EvaluationError(
            f"{held.type} has no constant {node.identifier}{did_you_mean(node.identifier, names)}",
            node.span.column,
        )
    value = bound.StaticField(node.span, held.type, constant)
    return bound.SameObject(node.span, types.BOOLEAN, held, value, is_negated=False)


def _constant_label(node: syntax.Expression, value: Bound, held: bound.Held) -> Bound:
    if not isinstance(value, bound.Constant):
        raise EvaluationError("expected a constant after case", node.span.column)
    if isinstance(value.value, str) and held.type in (types.STRING, types.OBJECT):
        return statements.SameText(node.span, types.BOOLEAN, held, value.value)
    if held.type == types.INT and types.unboxed(value.type) in _INTEGERS:
        promoted = conversions.to_primitive(value, types.INT)
        return bound.Comparison(node.span, types.BOOLEAN, "==", held, promoted)
    box = types.unboxed(held.type)
    if box in _INTEGERS and types.unboxed(value.type) in _INTEGERS:
        # Beside `case null` or patterns the selector stays a box.
        unboxed = conversions.to_primitive(conversions.unboxed(held), types.INT)
        promoted = conversions.to_primitive(value, types.INT)
        same = bound.Comparison(node.span, types.BOOLEAN, "==", unboxed, promoted)
        null = bound.NullConstant(node.span, types.NULL)
        some = bound.SameObject(node.span, types.BOOLEAN, held, null, is_negated=True)
        return bound.ShortCircuit(node.span, types.BOOLEAN, "&&", some, same)
    raise EvaluationError(f"{held.type} is never equal to a {value.type}", node.span.column)


# --- results --------------------------------------------------------------------------------------


async def _check_exhaustive(binder: Binder, node: syntax.Switch, selector: JavaType) -> None:
    """A switch expression must give a value for everything; what can be seen easily is refused."""
    has_patterns = any(
        isinstance(label, syntax.Pattern) for case in node.cases for label in case.labels
    )
    if has_patterns:
        return  # sealed classes: javac has checked more than can be seen here
    if isinstance(selector, ClassType):
        declaration = await binder.source.declaration(selector.name)
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
    """As for a conditional, over all results (JLS 15.28.1)."""
    if len({each.type for each in values}) == 1:
        return values[0].type
    primitives = [types.unboxed(each.type) for each in values]
    if all(each == types.BOOLEAN for each in primitives):
        return types.BOOLEAN
    if all(types.is_numeric(each.type) for each in values):
        return _numeric_type(values)
    common: JavaType = conversions.boxed(values[0]).type
    for each in values[1:]:
        common = await operators.common_type(binder, common, conversions.boxed(each).type)
    return common


def _numeric_type(values: list[Bound]) -> PrimitiveType:
    """The narrowest type that takes all: constants of type int adapt (JLS 15.28.1)."""
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
