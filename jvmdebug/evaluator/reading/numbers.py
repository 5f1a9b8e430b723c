# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of the JVM on Python's numbers (JVMS 2.8, 6.5)."""

from __future__ import annotations

import math
from typing import Final

from jvmdebug.evaluator.bind import arithmetic
from jvmdebug.evaluator.reading.errors import ThrownError
from jvmdebug.model.primitives import PrimitiveKind, as_float, float_bits_rounded

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
    _require_divisor(right)
    return arithmetic.divide(left, right)


def remainder(left: int, right: int) -> int:
    """The remainder has the sign of the dividend."""
    _require_divisor(right)
    return arithmetic.remainder(left, right)


def _require_divisor(number: int) -> None:
    if number == 0:
        raise ThrownError("java/lang/ArithmeticException", "/ by zero")


def float_of(number: int) -> float:
    """An int or long as float."""
    return float_bits_rounded(as_float(number, PrimitiveKind.FLOAT))


def rounded(number: float) -> float:
    """The nearest float."""
    return number if math.isinf(number) or math.isnan(number) else float_bits_rounded(number)


def compared(left: float, right: float, of_nan: int) -> int:
    """-1, 0 or 1; `of_nan` when one is no number."""
    if left != left or right != right:  # noqa: PLR0124 - how NaN is told fastest
        return of_nan
    return (left > right) - (left < right)
