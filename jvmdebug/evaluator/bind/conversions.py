# SPDX-License-Identifier: Apache-2.0
"""Conversions of bound expressions in their contexts (JLS 5): assignment, cast, promotion.

Each function takes a bound expression and returns one of the target type, or raises
EvaluationError. Constants are converted at once. Used by all of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import arithmetic, bound
from jvmdebug.evaluator.bind.inference import generic_call
from jvmdebug.evaluator.errors import NoValueError
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import widens
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, PrimitiveType, TypeVariable
from jvmdebug.model.primitives import PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.symbols.hierarchy import Hierarchy
    from jvmdebug.evaluator.symbols.types import JavaType, ReferenceType, ValueType

_NARROW: Final = (types.BYTE, types.SHORT, types.CHAR)


def require_value(operand: Bound) -> Bound:
    """Raise NoValueError for the call of a void method where a value is needed."""
    if operand.type == types.VOID:
        raise NoValueError("this method gives no value (void)", operand.span.column)
    return operand


def to_primitive(operand: Bound, to: PrimitiveType) -> Bound:
    """A primitive or box as another primitive type, narrowing if necessary."""
    source = unboxed(operand)
    if source.type == to:
        return source
    constant = constant_primitive(source)
    if constant is not None:
        converted = arithmetic.convert(constant, to.kind)
        return bound.Constant(operand.span, to, converted.value)
    return bound.PrimitiveConversion(operand.span, to, source, to)


def unboxed(operand: Bound) -> Bound:
    """Unboxing conversion; a primitive is returned as it is. The caller has checked the type."""
    primitive = types.unboxed(operand.type)
    if primitive is None:
        raise EvaluationError(
            f"expected a primitive value, found {operand.type}", operand.span.column
        )
    if isinstance(operand.type, PrimitiveType):
        return operand
    return bound.Unboxing(operand.span, primitive, operand, primitive)


def boxed(operand: Bound) -> Bound:
    """Boxing conversion; a reference is returned as it is."""
    if not isinstance(operand.type, PrimitiveType):
        return operand
    return bound.Boxing(operand.span, types.boxed(operand.type), operand, operand.type)


def constant_primitive(operand: Bound) -> PrimitiveValue | None:
    """The value of a constant expression of primitive type."""
    if (
        isinstance(operand, bound.Constant)
        and isinstance(operand.type, PrimitiveType)
        and (not isinstance(operand.value, str))
    ):
        return PrimitiveValue(operand.type.kind, operand.value)
    return None


# --- promotion (JLS 5.6) --------------------------------------------------------------------------


def promoted_alone(operand: Bound) -> Bound:
    """Unary numeric promotion: byte, short and char become int."""
    primitive = types.unboxed(operand.type)
    return to_primitive(operand, types.INT if primitive in _NARROW else _numeric(primitive))


def promoted(left: Bound, right: Bound) -> tuple[Bound, Bound, PrimitiveType]:
    """Binary numeric promotion: both to the wider of their types, at least int."""
    to = wider(_numeric(types.unboxed(left.type)), _numeric(types.unboxed(right.type)))
    return to_primitive(left, to), to_primitive(right, to), to


def wider(left: PrimitiveType, right: PrimitiveType) -> PrimitiveType:
    for primitive in (types.DOUBLE, types.FLOAT, types.LONG):
        if primitive in (left, right):
            return primitive
    return types.INT


def _numeric(primitive: PrimitiveType | None) -> PrimitiveType:
    if primitive is None or primitive == types.BOOLEAN:
        raise ValueError("promotion needs numbers: the caller checks it")
    return primitive


# --- assignment (JLS 5.2) and invocation (5.3) ----------------------------------------------------


async def assigned(hierarchy: Hierarchy, operand: Bound, target: ValueType) -> Bound:
    """Assignment conversion to the type of a variable; EvaluationError where Java has none."""
    require_value(operand)
    if isinstance(target, PrimitiveType):
        converted = _to_primitive_variable(operand, target)
    else:
        converted = await _to_reference_variable(hierarchy, operand, target)
    if converted is None:
        advice = ""
        are_primitive = isinstance(target, PrimitiveType) and types.is_numeric(target)
        if are_primitive and types.is_numeric(operand.type):
            advice = f"; a cast ({target}) would truncate it"
        raise EvaluationError(
            f"{operand.type} cannot be converted to {target}{advice}", operand.span.column
        )
    return converted


def _to_primitive_variable(operand: Bound, target: PrimitiveType) -> Bound | None:
    source = types.unboxed(operand.type)
    if source is None:
        return None
    if widens(source, target):
        return to_primitive(operand, target)
    return _narrowed_constant(operand, target)


def _narrowed_constant(operand: Bound, target: PrimitiveType) -> Bound | None:
    """`byte b = 5`: implicit narrowing of a constant that fits (JLS 5.2)."""
    constant = constant_primitive(operand)
    if constant is None or target not in _NARROW or operand.type not in (*_NARROW, types.INT):
        return None
    converted = arithmetic.convert(constant, target.kind)
    if converted.value != constant.value:
        return None
    return bound.Constant(operand.span, target, converted.value)


async def _to_reference_variable(
    hierarchy: Hierarchy, operand: Bound, target: ReferenceType
) -> Bound | None:
    if has_any_type(operand):
        return _as(operand, target)
    if not isinstance(operand.type, PrimitiveType):
        return operand if await hierarchy.is_subtype(operand.type, target) else None
    if await hierarchy.is_subtype(types.boxed(operand.type), target):
        return boxed(operand)
    primitive = types.unboxed(target)
    narrowed = None if primitive is None else _narrowed_constant(operand, primitive)
    return None if narrowed is None else boxed(narrowed)


def passed(operand: Bound, parameter: ValueType) -> Bound:
    """Invocation conversion of an argument; overload resolution has checked that it applies."""
    if isinstance(parameter, PrimitiveType):
        return to_primitive(operand, parameter)
    return _as(operand, parameter) if has_any_type(operand) else boxed(operand)


def has_any_type(operand: Bound) -> bool:
    """Whether it is the call of a method such as `<T> T make()`: its type is what its use needs."""
    call = generic_call(operand)
    return call is not None and operand.type == types.OBJECT and call.result in call.type_parameters


def _as(operand: Bound, target: ReferenceType) -> Bound:
    return bound.ReferenceCast(operand.span, target, operand, _checks(target), is_implied=True)


# --- casts (JLS 5.5) ------------------------------------------------------------------------------


async def cast(hierarchy: Hierarchy, operand: Bound, target: ValueType) -> Bound:
    """`(target) operand`; EvaluationError when it could never succeed."""
    require_value(operand)
    converted: Bound | None
    if isinstance(target, PrimitiveType):
        converted = await _cast_to_primitive(hierarchy, operand, target)
    elif isinstance(operand.type, PrimitiveType):
        box = boxed(operand)
        is_fitting = await hierarchy.is_subtype(box.type, target)
        converted = bound.ReferenceCast(operand.span, target, box, ()) if is_fitting else None
    else:
        converted = await cast_reference(hierarchy, operand, target)
    if converted is None:
        raise EvaluationError(f"{operand.type} cannot be cast to {target}", operand.span.column)
    return converted


async def _cast_to_primitive(
    hierarchy: Hierarchy, operand: Bound, target: PrimitiveType
) -> Bound | None:
    source = types.unboxed(operand.type)
    if source is not None:
        if (source == types.BOOLEAN) != (target == types.BOOLEAN):
            return None
        if isinstance(operand.type, PrimitiveType) or widens(source, target):
            return to_primitive(operand, target)
        return None
    # Object, Number, Comparable…: cast to the box of the target, then unboxed.
    box = types.boxed(target)
    if isinstance(operand.type, types.NullType) or not await hierarchy.is_castable(
        operand.type, box
    ):
        return None
    return unboxed(bound.ReferenceCast(operand.span, box, operand, (box,)))


def declared_type(operand: Bound) -> JavaType:
    """What is known of the operand's type at every hit: `$exception` is bound with the class of
    the object that was thrown this time, and the next one is of another.
    """
    if isinstance(operand, bound.ExtraVariable) and types.is_reference(operand.type):
        return types.OBJECT
    return operand.type


async def cast_reference(
    hierarchy: Hierarchy, operand: Bound, target: ReferenceType
) -> Bound | None:
    """A reference cast; checked at run time unless the static types say that it cannot fail."""
    if not await hierarchy.is_castable(declared_type(operand), target):
        return None
    if isinstance(operand, bound.Constant) and target == types.STRING:
        return operand
    is_certain = await hierarchy.is_subtype(operand.type, target)
    checks = () if is_certain else _checks(target)
    return bound.ReferenceCast(operand.span, target, operand, checks)


def _checks(target: ReferenceType) -> tuple[ReferenceType, ...]:
    bounds = target.bounds if isinstance(target, TypeVariable) and target.bounds else (target,)
    erased = (types.erasure(each) for each in bounds)
    return tuple(each for each in erased if isinstance(each, ClassType | ArrayType))


def restored(operand: Bound, declared: JavaType) -> Bound:
    """The cast that javac inserts where the erased type of a member is wider than its type here.

    The VM only knows that `List<String>.get` returns an Object. The cast ensures that it is a
    String before members of String are used.
    """
    type_ = operand.type
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        return operand
    if not isinstance(declared, ClassType | ArrayType | TypeVariable):
        return operand
    erased = types.erasure(type_)
    if erased in (types.erasure(declared), types.OBJECT):
        return operand
    return bound.ReferenceCast(operand.span, type_, operand, _checks(type_), is_implied=True)
