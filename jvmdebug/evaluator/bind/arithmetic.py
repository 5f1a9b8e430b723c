# SPDX-License-Identifier: Apache-2.0
"""Java's primitive arithmetic on Python numbers (JLS 5.1, 15.15 to 15.24), exactly.

Pure functions, for constant folding and for the interpreter. Integers wrap, shift distances are
masked, division truncates towards zero, float operations round to 24 bits, NaN and infinities
follow IEEE 754. `ZeroDivisionError` stands for the ArithmeticException of an integer division.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Callable

_BITS: Final = {
    PrimitiveKind.BYTE: 8,
    PrimitiveKind.SHORT: 16,
    PrimitiveKind.CHAR: 16,
    PrimitiveKind.INT: 32,
    PrimitiveKind.LONG: 64,
}
Number = bool | int | float


def wrap(kind: PrimitiveKind, value: int) -> int:
    """The low bits of an integer as a value of the kind: signed, except for char."""
    bits = _BITS[kind]
    low = value & ((1 << bits) - 1)
    is_negative = kind is not PrimitiveKind.CHAR and bool(low >> (bits - 1))
    return low - (1 << bits) if is_negative else low


def convert(value: PrimitiveValue, kind: PrimitiveKind) -> PrimitiveValue:
    """Widening and narrowing primitive conversion (JLS 5.1.2, 5.1.3). Not from or to boolean."""
    if value.kind is kind:
        return value
    widened = value.widened(kind.value)
    if widened is not None:
        return widened
    number = value.value
    if isinstance(number, float):
        if not kind.is_integral:
            return PrimitiveValue(kind, number)
        # Narrower than int goes through int (JLS 5.1.3).
        through = PrimitiveKind.LONG if kind is PrimitiveKind.LONG else PrimitiveKind.INT
        return PrimitiveValue(kind, wrap(kind, truncated(number, 1 << (_BITS[through] - 1))))
    return PrimitiveValue(kind, wrap(kind, int(number)))


def truncated(number: float, limit: int) -> int:
    """Round a number towards zero, to a value from -limit to limit - 1; NaN is 0."""
    if math.isnan(number):
        return 0
    if number >= limit:
        return limit - 1
    return -limit if number <= -limit else int(number)


def negate(operator: str, operand: PrimitiveValue) -> PrimitiveValue:
    """Unary `-`, `~` and `!`."""
    value = operand.value
    if operator == "!":
        return PrimitiveValue(operand.kind, not value)
    if operator == "~":
        return PrimitiveValue(operand.kind, ~int(value))
    if operand.kind.is_integral:
        return PrimitiveValue(operand.kind, wrap(operand.kind, -int(value)))
    return PrimitiveValue(operand.kind, -value)


def compute(operator: str, left: PrimitiveValue, right: PrimitiveValue) -> PrimitiveValue:
    """`+ - * / % & | ^` on operands of one kind, `<< >> >>>` on an int or long and any distance.

    Raises ZeroDivisionError where Java throws ArithmeticException.
    """
    kind = left.kind
    if kind is PrimitiveKind.BOOLEAN:
        return PrimitiveValue(kind, _LOGICAL[operator](bool(left.value), bool(right.value)))
    if kind.is_integral:
        result = _INTEGRAL[operator](kind, int(left.value), int(right.value))
        return PrimitiveValue(kind, wrap(kind, result))
    return PrimitiveValue(kind, _FLOATING[operator](float(left.value), float(right.value)))


def compare(operator: str, left: PrimitiveValue, right: PrimitiveValue) -> bool:
    """`< <= > >= == !=` on operands of one kind; NaN is unequal to all."""
    return _COMPARISONS[operator](left.value, right.value)


def divide(left: int, right: int) -> int:
    """Divide integers, rounding towards zero; `right` is not 0."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """The remainder of that, which has the sign of the dividend."""
    return left - divide(left, right) * right


def _distance(kind: PrimitiveKind, right: int) -> int:
    return right & (_BITS[kind] - 1)


def _unsigned_shift(kind: PrimitiveKind, left: int, right: int) -> int:
    return (left & ((1 << _BITS[kind]) - 1)) >> _distance(kind, right)


def divide_floating(left: float, right: float) -> float:
    """Divide as Java does: by zero too."""
    if right != 0.0:
        return left / right
    if left == 0.0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def remainder_floating(left: float, right: float) -> float:
    """The remainder as of Java's `%`, which truncates, as C's fmod does."""
    if math.isinf(left) or right == 0.0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


_LOGICAL: Final[dict[str, Callable[[bool, bool], bool]]] = {
    "&": lambda left, right: left and right,
    "|": lambda left, right: left or right,
    "^": lambda left, right: left != right,
}
_INTEGRAL: Final[dict[str, Callable[[PrimitiveKind, int, int], int]]] = {
    "+": lambda _, left, right: left + right,
    "-": lambda _, left, right: left - right,
    "*": lambda _, left, right: left * right,
    "/": lambda _, left, right: divide(left, right),
    "%": lambda _, left, right: remainder(left, right),
    "&": lambda _, left, right: left & right,
    "|": lambda _, left, right: left | right,
    "^": lambda _, left, right: left ^ right,
    "<<": lambda kind, left, right: left << _distance(kind, right),
    ">>": lambda kind, left, right: left >> _distance(kind, right),
    ">>>": _unsigned_shift,
}
# Computed in double and rounded to float: exact for these five operators, since a double has more
# than 2 * 24 + 2 bits.
_FLOATING: Final[dict[str, Callable[[float, float], float]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": divide_floating,
    "%": remainder_floating,
}
_COMPARISONS: Final[dict[str, Callable[[Number, Number], bool]]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}
