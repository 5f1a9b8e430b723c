# SPDX-License-Identifier: Apache-2.0
"""Primitive values: their ranges, and Java's widening between them."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jvmdebug.errors import TypeMismatchError
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue, converted

LIMITS = [
    (PrimitiveKind.BYTE, -128, 127),
    (PrimitiveKind.CHAR, 0, 65535),
    (PrimitiveKind.SHORT, -32768, 32767),
    (PrimitiveKind.INT, -(2**31), 2**31 - 1),
    (PrimitiveKind.LONG, -(2**63), 2**63 - 1),
]


@pytest.mark.parametrize(("kind", "low", "high"), LIMITS)
def test_integral_values_stay_in_their_range(kind: PrimitiveKind, low: int, high: int) -> None:
    assert PrimitiveValue(kind, low).value == low
    assert PrimitiveValue(kind, high).value == high
    for outside in (low - 1, high + 1):
        with pytest.raises(ValueError, match="does not fit in"):
            PrimitiveValue(kind, outside)
    with pytest.raises(TypeError):
        PrimitiveValue(kind, 1.0)
    with pytest.raises(TypeError):
        PrimitiveValue(kind, True)  # noqa: FBT003


def test_a_boolean_is_a_bool_and_nothing_else() -> None:
    assert PrimitiveValue(PrimitiveKind.BOOLEAN, True).value is True  # noqa: FBT003
    with pytest.raises(TypeError):
        PrimitiveValue(PrimitiveKind.BOOLEAN, 1)
    with pytest.raises(TypeError):
        PrimitiveValue(PrimitiveKind.DOUBLE, True)  # noqa: FBT003


def test_a_float_holds_what_a_float_can() -> None:
    assert (
        PrimitiveValue(PrimitiveKind.FLOAT, 0.1).value
        == struct.unpack("f", struct.pack("f", 0.1))[0]
    )
    assert PrimitiveValue(PrimitiveKind.FLOAT, 1e300).value == math.inf
    assert PrimitiveValue(PrimitiveKind.FLOAT, -1e300).value == -math.inf
    assert PrimitiveValue(PrimitiveKind.DOUBLE, 3).value == 3.0


def test_characters() -> None:
    assert PrimitiveValue(PrimitiveKind.CHAR, 0x41).char == "A"
    assert PrimitiveValue(PrimitiveKind.CHAR, 0xD800).char == "\ud800"
    with pytest.raises(TypeError):
        _ = PrimitiveValue(PrimitiveKind.INT, 65).char


WIDENINGS = {
    "B": "SIJFD",
    "S": "IJFD",
    "C": "IJFD",
    "I": "JFD",
    "J": "FD",
    "F": "D",
    "D": "",
    "Z": "",
}


@pytest.mark.parametrize(
    ("source", "target"), [(a, b) for a in WIDENINGS for b in (*WIDENINGS, "Ljava/lang/Integer;")]
)
def test_widening_is_javas(source: str, target: str) -> None:
    kind = PrimitiveKind(source)
    value = PrimitiveValue(kind, source == "Z" or 1)
    widened = value.widened(target)
    if target == source:
        assert widened == value
    elif target in WIDENINGS[source]:
        assert widened is not None
        assert widened.kind.value == target
        assert widened.value == 1
    else:
        assert widened is None
        with pytest.raises(TypeMismatchError, match="int x"):
            converted(value, target, "int x")


@given(st.integers(-(2**63), 2**63 - 1))
@example(2**63 - 1)
@example(2**54 + 2**30 + 1)
@example(-(2**60) - 2**36 - 1)
@example(9007199791611905)
def test_long_to_float_rounds_once_to_the_nearest_even(number: int) -> None:
    widened = PrimitiveValue(PrimitiveKind.LONG, number).widened("F")
    assert widened is not None
    result = float(widened.value)
    below, above = _neighbours(result)
    exact = Fraction(number)
    error = abs(Fraction(result) - exact)
    assert error <= abs(Fraction(below) - exact)
    assert error <= abs(Fraction(above) - exact)
    if error in (abs(Fraction(below) - exact), abs(Fraction(above) - exact)) and error:
        assert not struct.unpack(">I", struct.pack(">f", result))[0] & 1


def _neighbours(number: float) -> tuple[float, float]:
    (bits,) = struct.unpack(">i", struct.pack(">f", number))
    if number == 0:
        tiny = struct.unpack(">f", b"\0\0\0\1")[0]
        return -tiny, tiny
    one = struct.unpack(">f", struct.pack(">i", bits - 1))[0]
    other = struct.unpack(">f", struct.pack(">i", bits + 1))[0]
    return min(one, other), max(one, other)
