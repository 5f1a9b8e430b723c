# SPDX-License-Identifier: Apache-2.0
"""Java's arithmetic on primitives: a table of what Java gives, and laws over all values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.evaluator.bind import arithmetic
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE = PrimitiveKind
MAX_INT, MIN_INT = 2**31 - 1, -(2**31)
MAX_LONG, MIN_LONG = 2**63 - 1, -(2**63)

ints = st.integers(MIN_INT, MAX_INT)
longs = st.integers(MIN_LONG, MAX_LONG)


def compute(kind: PrimitiveKind, left: float, operator: str, right: float) -> bool | float:
    """The result on operands of one kind; a shift distance is an int."""
    distance_kind = INT if operator in ("<<", ">>", ">>>") else kind
    result = arithmetic.compute(
        operator, PrimitiveValue(kind, left), PrimitiveValue(distance_kind, right)
    )
    assert result.kind is kind
    return result.value


@pytest.mark.parametrize(
    ("kind", "left", "operator", "right", "result"),
    [
        (INT, MAX_INT, "+", 1, MIN_INT),
        (INT, MIN_INT, "-", 1, MAX_INT),
        (INT, MAX_INT, "*", MAX_INT, 1),
        (INT, MIN_INT, "*", -1, MIN_INT),
        (INT, MIN_INT, "/", -1, MIN_INT),
        (INT, MIN_INT, "%", -1, 0),
        (INT, -7, "/", 2, -3),
        (INT, 7, "/", -2, -3),
        (INT, -7, "%", 2, -1),
        (INT, 7, "%", -2, 1),
        (LONG, MAX_LONG, "+", 1, MIN_LONG),
        (LONG, MIN_LONG, "/", -1, MIN_LONG),
        (LONG, 2**62, "*", 4, 0),
        (INT, 1, "<<", 31, MIN_INT),
        (INT, 1, "<<", 32, 1),
        (INT, 1, "<<", -1, MIN_INT),
        (INT, -1, ">>", 31, -1),
        (INT, -1, ">>>", 28, 15),
        (INT, -1, ">>>", 32, -1),
        (LONG, 1, "<<", 63, MIN_LONG),
        (LONG, 1, "<<", 64, 1),
        (LONG, -1, ">>>", 60, 15),
        (INT, 6, "&", 3, 2),
        (INT, -1, "^", 1, -2),
        (INT, 6, "|", 1, 7),
        (BOOLEAN, True, "&", False, False),
        (BOOLEAN, True, "|", False, True),
        (BOOLEAN, True, "^", True, False),
        (DOUBLE, 1.0, "/", 0.0, math.inf),
        (DOUBLE, -1.0, "/", 0.0, -math.inf),
        (DOUBLE, 1.0, "/", -0.0, -math.inf),
        (DOUBLE, -7.5, "%", 2.0, -1.5),
        (DOUBLE, 7.5, "%", math.inf, 7.5),
        (DOUBLE, 0.1, "+", 0.2, 0.1 + 0.2),
        (DOUBLE, 1e308, "*", 10.0, math.inf),
        (FLOAT, 16777216.0, "+", 1.0, 16777216.0),
        (FLOAT, 3e38, "*", 10.0, math.inf),
    ],
)
def test_binary_operators(
    kind: PrimitiveKind, left: float, operator: str, right: float, result: float
) -> None:
    assert compute(kind, left, operator, right) == result


@pytest.mark.parametrize(
    ("left", "operator", "right"),
    [
        (0.0, "/", 0.0),
        (math.inf, "-", math.inf),
        (math.inf, "*", 0.0),
        (1.0, "%", 0.0),
        (math.inf, "%", 2.0),
        (math.nan, "+", 1.0),
        (math.nan, "/", 0.0),
        (math.inf, "/", math.inf),
    ],
)
def test_nan(left: float, operator: str, right: float) -> None:
    for kind in (FLOAT, DOUBLE):
        assert math.isnan(compute(kind, left, operator, right))


@pytest.mark.parametrize("operator", ["/", "%"])
@pytest.mark.parametrize("kind", [INT, LONG])
def test_integers_cannot_be_divided_by_zero(kind: PrimitiveKind, operator: str) -> None:
    with pytest.raises(ZeroDivisionError):
        compute(kind, 1, operator, 0)


@given(ints, ints)
def test_quotient_and_remainder_belong_together(left: int, right: int) -> None:
    if right != 0:
        quotient = int(compute(INT, left, "/", right))
        remainder = int(compute(INT, left, "%", right))
        assert arithmetic.wrap(INT, quotient * right + remainder) == left
        assert abs(remainder) < abs(right)
        assert remainder == 0 or (remainder < 0) == (left < 0)


@given(longs, longs)
def test_addition_wraps_as_two_complement_does(left: int, right: int) -> None:
    total = int(compute(LONG, left, "+", right))
    assert MIN_LONG <= total <= MAX_LONG
    assert (total - left - right) % 2**64 == 0
    assert compute(LONG, total, "-", right) == left


@given(ints, ints)
def test_an_unsigned_shift_fills_with_zeros(left: int, distance: int) -> None:
    shifted = int(compute(INT, left, ">>>", distance))
    assert shifted & 0xFFFFFFFF == (left & 0xFFFFFFFF) >> (distance & 31)


@pytest.mark.parametrize(
    ("kind", "value", "to", "result"),
    [
        (INT, 300, BYTE, 44),
        (INT, 200, BYTE, -56),
        (INT, -1, CHAR, 65535),
        (INT, 40000, SHORT, -25536),
        (BYTE, -1, CHAR, 65535),
        (BYTE, -1, INT, -1),
        (CHAR, 65535, SHORT, -1),
        (CHAR, 97, INT, 97),
        (LONG, 2**32 + 5, INT, 5),
        (LONG, MAX_LONG, FLOAT, 2.0**63),
        (LONG, MAX_LONG, DOUBLE, 2.0**63),
        (LONG, 16777217, FLOAT, 16777216.0),
        (INT, 16777217, FLOAT, 16777216.0),
        (DOUBLE, 3.99, INT, 3),
        (DOUBLE, -3.99, INT, -3),
        (DOUBLE, 1e20, INT, MAX_INT),
        (DOUBLE, -1e20, LONG, MIN_LONG),
        (DOUBLE, math.inf, LONG, MAX_LONG),
        (DOUBLE, math.nan, INT, 0),
        (DOUBLE, 1e10, BYTE, -1),
        (DOUBLE, 65.7, CHAR, 65),
        (DOUBLE, -1.0, CHAR, 65535),
        (FLOAT, 1e10, SHORT, -1),
        (DOUBLE, 1e39, FLOAT, math.inf),
        (FLOAT, 0.5, DOUBLE, 0.5),
    ],
)
def test_conversions(kind: PrimitiveKind, value: float, to: PrimitiveKind, result: float) -> None:
    assert arithmetic.convert(PrimitiveValue(kind, value), to) == PrimitiveValue(to, result)


def test_unary_operators() -> None:
    assert arithmetic.negate("-", PrimitiveValue(INT, MIN_INT)).value == MIN_INT
    assert arithmetic.negate("-", PrimitiveValue(LONG, 5)).value == -5
    assert arithmetic.negate("~", PrimitiveValue(INT, 5)).value == -6
    assert arithmetic.negate("!", PrimitiveValue(BOOLEAN, value=True)).value is False
    negated = arithmetic.negate("-", PrimitiveValue(DOUBLE, 0.0)).value
    assert math.copysign(1.0, negated) == -1.0


def test_comparisons_with_nan_are_false_but_for_inequality() -> None:
    nan = PrimitiveValue(DOUBLE, math.nan)
    assert not any(arithmetic.compare(each, nan, nan) for each in ("<", "<=", ">", ">=", "=="))
    assert arithmetic.compare("!=", nan, nan)
    assert arithmetic.compare("==", PrimitiveValue(DOUBLE, 0.0), PrimitiveValue(DOUBLE, -0.0))
