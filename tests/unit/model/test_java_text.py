# SPDX-License-Identifier: Apache-2.0
"""Numbers as Double.toString and Float.toString of JDK 19 and later write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.model.java_text import floating_text, java_text, joined, utf16_length
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue, float_bits_rounded


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (1234567.0, "1234567.0"),
        (12345678.0, "1.2345678E7"),
        (1e7, "1.0E7"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (1e-5, "1.0E-5"),
        (1.5e300, "1.5E300"),
        (0.1 + 0.2, "0.30000000000000004"),
        (2e-3, "0.002"),
        (5e-324, "4.9E-324"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (2.0**63, "9.223372036854776E18"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_doubles(number: float, text: str) -> None:
    assert floating_text(number, is_float=False) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1 / 3, "0.33333334"),
        (16777216.0, "1.6777216E7"),
        (3.4028234663852886e38, "3.4028235E38"),
        (1.401298464324817e-45, "1.4E-45"),
        (1e10, "1.0E10"),
        (123456.79, "123456.79"),
    ],
)
def test_floats(number: float, text: str) -> None:
    assert floating_text(float_bits_rounded(number), is_float=True) == text


@pytest.mark.parametrize(
    ("number", "is_float", "text"),
    [
        (0.1, False, "0.1"),
        (2e-3, False, "0.002"),
        (8.41e21, False, "8.409999999999999E21"),
        (2e23, False, "1.9999999999999998E23"),
        (7.174648137343064e-43, False, "7.1746481373430634E-43"),
        (-2.7450684128739366e25, False, "-2.7450684128739365E25"),
        (2.2250738585072014e-308, False, "2.2250738585072014E-308"),
        (0.1, True, "0.1"),
        (379356128.0, True, "3.79356128E8"),
        (5.999999768401543e18, True, "5.9999998E18"),
        (2.0**83, True, "9.6714065E24"),  # where Java computes in 64 bits and overflows
        (1.17549435e-38, True, "1.17549435E-38"),
    ],
)
def test_before_jdk_19(number: float, is_float: bool, text: str) -> None:  # noqa: FBT001
    rounded = float_bits_rounded(number) if is_float else number
    assert floating_text(rounded, is_float=is_float, is_older=True) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_of_before_jdk_19_read_back(number: float) -> None:
    assert float(floating_text(number, is_float=False, is_older=True)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_read_back(number: float) -> None:
    assert float(floating_text(number, is_float=False)) == number


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_read_back(number: float) -> None:
    assert float_bits_rounded(float(floating_text(number, is_float=True))) == number


def test_other_primitives() -> None:
    assert java_text(PrimitiveValue(PrimitiveKind.CHAR, 0x20AC)) == "€"
    assert java_text(PrimitiveValue(PrimitiveKind.BYTE, -128)) == "-128"
    assert java_text(PrimitiveValue(PrimitiveKind.BOOLEAN, value=False)) == "false"


def test_adjacent_surrogates_become_one_character() -> None:
    assert joined(["a", "\ud83d", "\ude00"]) == "a😀"
    assert joined(["\ude00", "\ud83d"]) == "\ude00\ud83d"
    assert utf16_length("a😀") == 3
