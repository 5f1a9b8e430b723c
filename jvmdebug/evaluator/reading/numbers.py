# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of the JVM on Python's numbers (JVMS 2.8, 6.5)."""

from __future__ import annotations

import math
from typing import Final

from jvmdebug.evaluator.reading.errors import ThrownError
from jvmdebug.model.primitives import float_bits_rounded

_INT: Final = 2**31
_LONG: Final = 2**63


def int32(number: int) -> int:
    """The low 32 bits, signed."""
    return ((number + _INT) & 0xFFFFFFFF) - _INT


def int64(number: int) -> int:
    """The low 64 bits, signed."""
    return ((number + _LONG) & 0xFFFFFFFFFFFFFFFF) - _LONG


def int8(number: int) -> int:
    return ((number + 128) & 0xFF) - 128


def int16(number: int) -> int:
    return ((number + 32768) & 0xFFFF) - 32768


def divided(left: int, right: int) -> int:
    """Integer division, which rounds towards zero."""
    if right == 0:
        raise ThrownError("java/lang/ArithmeticException", "/ by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """The remainder has the sign of the dividend."""
    return left - divided(left, right) * right


def float_divided(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def float_remainder(left: float, right: float) -> float:
    if math.isinf(left) or right == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def rounded(number: float) -> float:
    """The nearest float."""
    return number if math.isinf(number) or math.isnan(number) else float_bits_rounded(number)


def to_integer(number: float, limit: int) -> int:
    """A float as int or long, which has values from -limit to limit - 1."""
    if math.isnan(number):
        return 0
    if number >= limit:
        return limit - 1
    return -limit if number <= -limit else int(number)


def compared(left: float, right: float, of_nan: int) -> int:
    """-1, 0 or 1; `of_nan` when one is no number."""
    if left != left or right != right:  # noqa: PLR0124 - how NaN is told fastest
        return of_nan
    return (left > right) - (left < right)
