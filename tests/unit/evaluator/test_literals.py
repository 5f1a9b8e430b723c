# SPDX-License-Identifier: Apache-2.0
"""Java literals by their text."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.evaluator.parse import literals
from jvmdebug.model.primitives import PrimitiveKind

INT, LONG = PrimitiveKind.INT, PrimitiveKind.LONG
FLOAT, DOUBLE = PrimitiveKind.FLOAT, PrimitiveKind.DOUBLE


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("0", INT, 0),
        ("2147483647", INT, 2**31 - 1),
        ("1_000", INT, 1000),
        ("00", INT, 0),
        ("017", INT, 15),
        ("0x7f", INT, 127),
        ("0XFFFFFFFF", INT, -1),
        ("0x80000000", INT, -(2**31)),
        ("037777777777", INT, -1),
        ("0b1000_0000_0000_0000_0000_0000_0000_0000", INT, -(2**31)),
        ("9223372036854775807L", LONG, 2**63 - 1),
        ("0xFFFF_FFFF_FFFF_FFFFl", LONG, -1),
        ("0xFFFFFFFFL", LONG, 2**32 - 1),
    ],
)
def test_integers(text: str, kind: PrimitiveKind, value: int) -> None:
    assert literals.integer(text) == (kind, value)


def test_the_smallest_integers_need_a_minus() -> None:
    assert literals.integer("2147483648", negated=True) == (INT, -(2**31))
    assert literals.integer("9223372036854775808L", negated=True) == (LONG, -(2**63))
    assert literals.integer("0xFFFFFFFF", negated=True) == (INT, 1)
    assert literals.integer("0x80000000", negated=True) == (INT, -(2**31))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2147483648", "write L behind it"),
        ("9223372036854775808L", "does not fit into long"),
        ("0x1_0000_0000", "does not fit into int"),
        ("09", "not an octal number"),
    ],
)
def test_invalid_integers(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        literals.integer(text)


@given(st.integers(-(2**31), 2**31 - 1))
def test_every_int_is_read_back(number: int) -> None:
    assert literals.integer(str(abs(number)), negated=number < 0) == (INT, number)
    assert literals.integer(hex(number & 0xFFFFFFFF)) == (INT, number)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1.5", DOUBLE, 1.5),
        ("1.", DOUBLE, 1.0),
        (".5", DOUBLE, 0.5),
        ("1e10", DOUBLE, 1e10),
        ("1E-3d", DOUBLE, 0.001),
        ("1f", FLOAT, 1.0),
        ("0.1f", FLOAT, struct.unpack(">f", struct.pack(">f", 0.1))[0]),
        ("0x1.8p1", DOUBLE, 3.0),
        ("0x1p-2f", FLOAT, 0.25),
        ("1_0.0_1", DOUBLE, 10.01),
        ("0.0", DOUBLE, 0.0),
        ("0e99", DOUBLE, 0.0),
        ("4.9e-324", DOUBLE, 5e-324),
        ("3.4028235e38f", FLOAT, struct.unpack(">f", b"\x7f\x7f\xff\xff")[0]),
    ],
)
def test_floating_point(text: str, kind: PrimitiveKind, value: float) -> None:
    assert literals.floating(text) == (kind, value)


@pytest.mark.parametrize("text", ["1e400", "1e39f", "1e-400", "1e-50f", "0x1p2000"])
def test_floating_point_out_of_range(text: str) -> None:
    with pytest.raises(ValueError, match="is too"):
        literals.floating(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", 97),
        (r"'\n'", 10),
        (r"'\''", 39),
        (r"'\\'", 92),
        (r"'\0'", 0),
        (r"'\377'", 255),
        (r"'\uuu00e9'", 0xE9),
        (r"'\s'", 32),
        (r"'\ud83d'", 0xD83D),
    ],
)
def test_characters(text: str, value: int) -> None:
    assert literals.character(text) == value


@pytest.mark.parametrize("text", ["''", "'ab'", "'😀'", r"'\q'", r"'\u12'"])
def test_invalid_characters(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        literals.character(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('""', ""),
        (r'"a\tb\"c\\"', 'a\tb"c\\'),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ude00\ud83d"', "\ude00\ud83d"),
        (r'"\1234\08"', "S4\x008"),
        ('"""\n    a\n      b\n    """', "a\n  b\n"),
        ('"""\n    a  \n\n    b\\\n    c"""', "a\n\nbc"),
        ('"""\n  \\"quoted\\" "x"\n  """', '"quoted" "x"\n'),
        ('"""  \n  tab\\tend\\s\n  """', "tab\tend \n"),
    ],
)
def test_strings(text: str, value: str) -> None:
    assert literals.string(text) == value


def test_a_text_block_starts_on_its_own_line() -> None:
    with pytest.raises(ValueError, match="starts on the line behind"):
        literals.string('"""a"""')


def test_infinity_is_not_a_literal() -> None:
    kind, value = literals.floating("1.7976931348623157e308")
    assert kind is DOUBLE
    assert not math.isinf(value)
