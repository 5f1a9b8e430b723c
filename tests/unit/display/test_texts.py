# SPDX-License-Identifier: Apache-2.0
"""Texts of numbers and times, class names and expressions: the parts that need no VM."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.display.expressions import EvaluateName, written_type
from jvmdebug.display.literals import hex_text, primitive_text
from jvmdebug.display.style import ValueStyle
from jvmdebug.display.texts.numbers import decimal_text
from jvmdebug.display.texts.times import duration_text, instant_text
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue


@pytest.mark.parametrize(
    ("name", "short", "qualified"),
    [
        ("shop.Cart$Item", "Item", "shop.Cart$Item"),
        ("shop.Cart$1", "Cart$1", "shop.Cart$1"),
        ("shop.Cart$$Lambda/0x0000731d", "Cart$$Lambda", "shop.Cart$$Lambda"),
        ("shop.Cart$$Lambda$14/0x0000731d", "Cart$$Lambda$14", "shop.Cart$$Lambda$14"),
        ("shop.Cart$$Lambda$14/739498517", "Cart$$Lambda$14", "shop.Cart$$Lambda$14"),
        ("Cart", "Cart", "Cart"),
    ],
)
def test_class_names(name: str, short: str, qualified: str) -> None:
    assert ValueStyle().class_name(name) == short
    assert ValueStyle(qualified_names=True).class_name(name) == qualified


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("shop.Cart$Item", "shop.Cart.Item"),
        ("shop.Cart$1Local", "shop.Cart$1Local"),
        ("shop.Cart$1", "shop.Cart$1"),
        ("int[][]", "int[][]"),
        ("shop.Cart$$Lambda/0x1", None),
        ("shop.Cart$", "shop.Cart$"),
    ],
)
def test_types_as_an_expression_writes_them(name: str, written: str | None) -> None:
    assert written_type(name) == written


def test_operands_are_cast_only_where_it_is_needed() -> None:
    assert EvaluateName("a.b[0]").operand == "a.b[0]"
    assert EvaluateName("a + b").operand == "(a + b)"
    assert EvaluateName("(Cart) a").operand == "((Cart) a)"
    assert EvaluateName("a", "int[]").as_type("int[]") == "a"
    assert EvaluateName("a", "java.lang.Object").as_type("int[]") == "((int[]) a)"
    assert EvaluateName("a").as_type("shop.Cart$$Lambda/0x1") == "a"


def test_integers_in_hexadecimal_are_as_wide_as_their_type() -> None:
    def text(kind: PrimitiveKind, number: int) -> str:
        return primitive_text(PrimitiveValue(kind, number), in_hex=True)

    assert text(PrimitiveKind.BYTE, -3) == "0xfd"
    assert text(PrimitiveKind.SHORT, -1) == "0xffff"
    assert text(PrimitiveKind.INT, 255) == "0xff"
    assert text(PrimitiveKind.LONG, -(2**63)) == "0x8000000000000000"
    assert text(PrimitiveKind.CHAR, 65) == "'A'"
    assert hex_text(0, 32) == "0x0"


@given(st.integers(-(10**30), 10**30), st.integers(-30, 30))
def test_a_decimal_reads_back_as_the_same_number(unscaled: int, scale: int) -> None:
    with localcontext(prec=100):
        assert Decimal(decimal_text(unscaled, scale)) == Decimal(unscaled).scaleb(-scale)


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))  # noqa: DTZ001 - UTC is added
def test_an_instant_is_a_date_of_the_calendar(moment: datetime) -> None:
    since = moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    seconds = since // timedelta(seconds=1)
    text = instant_text(seconds, moment.microsecond * 1000)
    assert datetime.fromisoformat(text) == moment.replace(tzinfo=UTC)


def test_durations_with_negative_parts() -> None:
    assert duration_text(-1, 500_000_000) == "PT-0.5S"
    assert duration_text(-3600, 1) == "PT-59M-59.999999999S"
    assert duration_text(0, 0) == "PT0S"
