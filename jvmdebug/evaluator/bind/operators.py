# SPDX-License-Identifier: Apache-2.0
"""Binding of literals, operators, casts and instanceof (JLS 15.8, 15.15 to 15.25).

Folds constants. `combine` takes bound operands, so compound assignments use it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import arithmetic, bound, conversions, patterns
from jvmdebug.evaluator.bind.least_upper_bound import common_type
from jvmdebug.evaluator.errors import MissingMemberError
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    NullType,
    PrimitiveType,
    TypeVariable,
    Wildcard,
)
from jvmdebug.model import java_text

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.parse.syntax import Span

_COMPARISONS: Final = ("<", "<=", ">", ">=")
_SHIFTS: Final = ("<<", ">>", ">>>")
_BITWISE: Final = ("&", "|", "^")


# --- literals -------------------------------------------------------------------------------------


async def null_literal(_binder: Binder, node: syntax.NullLiteral) -> Bound:
    return bound.NullConstant(node.span, types.NULL)


async def primitive_literal(_binder: Binder, node: syntax.PrimitiveLiteral) -> Bound:
    return bound.Constant(node.span, types.PRIMITIVES[node.kind.java_name], node.value)


async def string_literal(_binder: Binder, node: syntax.StringLiteral) -> Bound:
    return bound.Constant(node.span, types.STRING, node.value)


async def class_literal(binder: Binder, node: syntax.ClassLiteral) -> Bound:
    of = await binder.type_names.resolve(node.type)
    argument: types.TypeArgument
    match of:
        case PrimitiveType():
            argument = types.boxed(of)
        case ClassType() | ArrayType():
            argument = of
        case TypeVariable():
            raise EvaluationError(
                f"the type variable {of} has no class: generics are erased", node.type.span.column
            )
        case _:
            argument = Wildcard()
    return bound.ClassObject(node.span, ClassType("java.lang.Class", (argument,)), of)


async def parenthesized(binder: Binder, node: syntax.Parenthesized) -> Bound:
    return await binder.bind(node.inner)


# --- unary ----------------------------------------------------------------------------------------


async def unary(binder: Binder, node: syntax.Unary) -> Bound:
    if node.operator == "!":
        operand = await binder.condition(node.operand)
    else:
        operand = await binder.value(node.operand)
        is_fitting = types.is_integral if node.operator == "~" else types.is_numeric
        if not is_fitting(operand.type):
            wanted = "an integer" if node.operator == "~" else "a number"
            message = f"{node.operator} expects {wanted}, found {operand.type}"
            raise _undefined(binder, message, operand.span.column)
        operand = conversions.promoted_alone(operand)
    if node.operator == "+":
        return operand
    constant = conversions.constant_primitive(operand)
    if constant is not None:
        folded = arithmetic.negate(node.operator, constant)
        return bound.Constant(node.span, operand.type, folded.value)
    return bound.Unary(node.span, operand.type, node.operator, operand)


# --- binary ---------------------------------------------------------------------------------------


async def binary(binder: Binder, node: syntax.Binary) -> Bound:
    if node.operator in ("&&", "||"):
        left = await binder.condition(node.left)
        with binder.assuming(node.left, when=node.operator == "&&"):
            right = await binder.condition(node.right)
        return _short_circuit(node, left, right)
    left, right = await binder.value(node.left), await binder.value(node.right)
    return await combine(binder, node.operator, left, right, node.span, node.operator_span)


def _short_circuit(node: syntax.Binary, left: Bound, right: Bound) -> Bound:
    first, second = conversions.constant_primitive(left), conversions.constant_primitive(right)
    if first is not None and second is not None:
        operator = "&" if node.operator == "&&" else "|"
        folded = arithmetic.compute(operator, first, second)
        return bound.Constant(node.span, types.BOOLEAN, folded.value)
    return bound.ShortCircuit(node.span, types.BOOLEAN, node.operator, left, right)


async def combine(
    binder: Binder, operator: str, left: Bound, right: Bound, span: Span, operator_span: Span
) -> Bound:
    """`left operator right`, folded if both are constants."""
    combined = await _combined(binder, operator, left, right, span)
    if combined is None:
        message = f"{operator} is not defined for {left.type} and {right.type}"
        raise _undefined(binder, f"{message}{_advice(operator, left, right)}", operator_span.column)
    return combined


def _undefined(binder: Binder, message: str, column: int) -> EvaluationError:
    """The error of an operator; in Groovy the classes of its operands may have it."""
    if not binder.scope.is_dynamic:
        return EvaluationError(message, column)
    return MissingMemberError(message, column, types.OBJECT.descriptor, "operator")


def _advice(operator: str, left: Bound, right: Bound) -> str:
    """A primitive is not compared with an object that may be its box."""
    for one, other in ((left, right), (right, left)):
        is_object = types.is_reference(one.type) and types.unboxed(one.type) is None
        if operator in ("==", "!=") and isinstance(other.type, PrimitiveType) and is_object:
            return f"; cast the object to {types.boxed(other.type).name.rpartition('.')[2]}"
    return ""


async def _combined(
    binder: Binder, operator: str, left: Bound, right: Bound, span: Span
) -> Bound | None:
    if operator == "+" and types.STRING in (left.type, right.type):
        return _concatenation(left, right, span)
    if operator in ("==", "!="):
        return await _equality(binder, operator, left, right, span)
    if operator in _BITWISE and types.is_boolean(left.type) and types.is_boolean(right.type):
        operands = conversions.unboxed(left), conversions.unboxed(right)
        return _arithmetic(operator, *operands, span)
    return _numeric(operator, left, right, span)


def _numeric(operator: str, left: Bound, right: Bound, span: Span) -> Bound | None:
    is_fitting = types.is_integral if operator in (*_SHIFTS, *_BITWISE) else types.is_numeric
    if not (is_fitting(left.type) and is_fitting(right.type)):
        return None
    if operator in _SHIFTS:
        operands = conversions.promoted_alone(left), conversions.promoted_alone(right)
        return _arithmetic(operator, *operands, span)
    promoted_left, promoted_right, _ = conversions.promoted(left, right)
    if operator in _COMPARISONS:
        return _comparison(operator, promoted_left, promoted_right, span)
    return _arithmetic(operator, promoted_left, promoted_right, span)


def _arithmetic(operator: str, left: Bound, right: Bound, span: Span) -> Bound:
    first, second = conversions.constant_primitive(left), conversions.constant_primitive(right)
    if first is not None and second is not None:
        try:
            folded = arithmetic.compute(operator, first, second)
        except ZeroDivisionError:
            pass  # not a constant expression (JLS 15.29): it throws when evaluated
        else:
            return bound.Constant(span, left.type, folded.value)
    return bound.Arithmetic(span, left.type, operator, left, right)


def _comparison(operator: str, left: Bound, right: Bound, span: Span) -> Bound:
    first, second = conversions.constant_primitive(left), conversions.constant_primitive(right)
    if first is not None and second is not None:
        return bound.Constant(span, types.BOOLEAN, arithmetic.compare(operator, first, second))
    return bound.Comparison(span, types.BOOLEAN, operator, left, right)


async def _equality(
    binder: Binder, operator: str, left: Bound, right: Bound, span: Span
) -> Bound | None:
    has_primitive = isinstance(left.type, PrimitiveType) or isinstance(right.type, PrimitiveType)
    if has_primitive:
        if types.is_numeric(left.type) and types.is_numeric(right.type):
            promoted_left, promoted_right, _ = conversions.promoted(left, right)
            return _comparison(operator, promoted_left, promoted_right, span)
        if types.is_boolean(left.type) and types.is_boolean(right.type):
            operands = conversions.unboxed(left), conversions.unboxed(right)
            return _comparison(operator, *operands, span)
        return None
    if isinstance(left, bound.Constant) and isinstance(right, bound.Constant):
        is_same = left.value == right.value  # constant strings are interned
        return bound.Constant(span, types.BOOLEAN, is_same == (operator == "=="))
    are_null = left.type == right.type == types.NULL
    if not are_null and not await binder.hierarchy.is_castable(left.type, right.type):
        return None
    return bound.ReferenceEquality(span, types.BOOLEAN, left, right, is_negated=operator == "!=")


def _concatenation(left: Bound, right: Bound, span: Span) -> Bound:
    if isinstance(left, bound.Constant) and isinstance(right, bound.Constant):
        text = java_text.joined([_constant_text(left), _constant_text(right)])
        return bound.Constant(span, types.STRING, text)
    head = left.parts if isinstance(left, bound.Concatenation) else (left,)
    return bound.Concatenation(span, types.STRING, (*head, right))


def _constant_text(constant: bound.Constant) -> str:
    primitive = conversions.constant_primitive(constant)
    return str(constant.value) if primitive is None else java_text.java_text(primitive)


# --- conditional (JLS 15.25) ----------------------------------------------------------------------


async def conditional(binder: Binder, node: syntax.Conditional) -> Bound:
    condition = await binder.condition(node.condition)
    with binder.assuming(node.condition, when=True):
        yes = await binder.value(node.when_true)
    with binder.assuming(node.condition, when=False):
        no = await binder.value(node.when_false)
    type_ = numeric_choice(yes, no)
    if type_ is not None:
        yes, no = conversions.to_primitive(yes, type_), conversions.to_primitive(no, type_)
        constants = [conversions.constant_primitive(each) for each in (condition, yes, no)]
        if all(each is not None for each in constants):
            chosen = yes if constants[0] is not None and constants[0].value else no
            return bound.Constant(node.span, type_, _value_of(chosen))
        return bound.Conditional(node.span, type_, condition, yes, no)
    yes, no = conversions.boxed(yes), conversions.boxed(no)
    common = await common_type(binder.hierarchy, (yes.type, no.type))
    return bound.Conditional(node.span, common, condition, yes, no)


def _value_of(constant: Bound) -> bool | int | float | str:
    if not isinstance(constant, bound.Constant):
        raise TypeError("not a constant: the caller checks it")
    return constant.value


def numeric_choice(yes: Bound, no: Bound) -> PrimitiveType | None:
    """The primitive type of a conditional expression; None when it gives a reference."""
    first, second = types.unboxed(yes.type), types.unboxed(no.type)
    if first is None or second is None:
        return None
    if first == second:  # but two Integers give an Integer
        is_primitive = PrimitiveType in (type(yes.type), type(no.type))
        return first if is_primitive else None
    if types.BOOLEAN in (first, second):
        return None
    if {first, second} == {types.BYTE, types.SHORT}:
        return types.SHORT
    narrow = (other for each, other in ((yes, second), (no, first)) if fits(each, other))
    return next(narrow, conversions.wider(first, second))


def fits(operand: Bound, target: PrimitiveType) -> bool:
    """Whether it is a constant of type int that the narrower target can represent."""
    constant = conversions.constant_primitive(operand)
    if constant is None or operand.type != types.INT:
        return False
    if target not in (types.BYTE, types.SHORT, types.CHAR):
        return False
    return arithmetic.convert(constant, target.kind).value == constant.value


# --- casts and tests ------------------------------------------------------------------------------


async def cast(binder: Binder, node: syntax.Cast) -> Bound:
    operand = await binder.value(node.operand)
    if len(node.types) == 1:
        target = await binder.type_names.resolve(node.types[0])
        if isinstance(target, types.VoidType | NullType):
            raise EvaluationError(f"nothing can be cast to {target}", node.types[0].span.column)
        return _at(await conversions.cast(binder.hierarchy, operand, target), node.span)
    if isinstance(operand.type, PrimitiveType):
        operand = conversions.boxed(operand)
    targets = [await binder.type_names.resolve_reference(each) for each in node.types]
    for target in targets:
        operand = await conversions.cast(binder.hierarchy, operand, target)
    return bound.ReferenceCast(node.span, targets[0], operand, ())


def _at(operand: Bound, span: Span) -> Bound:
    """The operand with the span of the cast, for the column of a ClassCastException."""
    if isinstance(operand, bound.ReferenceCast):
        return bound.ReferenceCast(span, operand.type, operand.operand, operand.checks)
    return operand


async def instance_of(binder: Binder, node: syntax.InstanceOf) -> Bound:
    operand = await binder.value(node.operand)
    if not types.is_reference(operand.type):
        raise EvaluationError(
            f"instanceof expects an object, found {operand.type}", operand.span.column
        )
    operand_type = conversions.declared_type(operand)
    if isinstance(node.operand, syntax.This):
        # The condition of a breakpoint in several classes is bound for `this` of each of them.
        operand_type = types.OBJECT
    if isinstance(node.tested, syntax.Pattern):
        pattern = await patterns.pattern(binder, node.tested, operand_type)
        return bound.PatternTest(node.span, types.BOOLEAN, operand, pattern)
    tested = await binder.type_names.resolve_reference(node.tested)
    await patterns.check_possible(binder, operand_type, tested, node.tested.span)
    return bound.InstanceTest(node.span, types.BOOLEAN, operand, tested)
