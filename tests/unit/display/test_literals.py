# SPDX-License-Identifier: Apache-2.0
"""Java literals of values, escaping, cutting."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.display.literals import cut, escaped, literal, primitive_text, string_text
from jvmdebug.evaluator.parse import literals
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE = PrimitiveKind


@pytest.mark.parametrize(
    ("kind", "value", "text", "as_literal"),
    [
        (BOOLEAN, True, "true", "true"),
        (BYTE, -3, "-3", "(byte) -3"),
        (CHAR, 97, "'a'", "'a'"),
        (CHAR, 39, "'\\''", "'\\''"),
        (CHAR, 34, "'\"'", "'\"'"),
        (CHAR, 0, "'\\u0000'", "'\\u0000'"),
        (CHAR, 0xD800, "'\\ud800'", "'\\ud800'"),
        (SHORT, 300, "300", "(short) 300"),
        (INT, -5, "-5", "-5"),
        (LONG, 5, "5", "5L"),
        (FLOAT, 0.5, "0.5", "0.5f"),
        (DOUBLE, 1e10, "1.0E10", "1.0E10"),
        (DOUBLE, math.nan, "NaN", "0.0 / 0.0"),
        (FLOAT, -math.inf, "-Infinity", "-1.0f / 0.0f"),
    ],
)
def test_primitives(kind: PrimitiveKind, value: float, text: str, as_literal: str) -> None:
    assert primitive_text(PrimitiveValue(kind, value)) == text
    assert literal(PrimitiveValue(kind, value)) == as_literal


@given(st.text(max_size=40))
def test_an_escaped_string_is_a_literal_of_the_same_string(text: str) -> None:
    shown = string_text(text, 10_000)
    assert shown.isprintable()
    assert literals.string(shown) == text


@given(st.text(max_size=60), st.integers(4, 40))
def test_a_cut_string_fits_and_stays_quoted(text: str, length: int) -> None:
    shown = string_text(text, length)
    assert len(shown) <= length
    assert shown[0] == shown[-1] == '"'


def test_quotes_are_escaped_only_where_they_must_be() -> None:
    assert escaped("'\"") == "'\\\""
    assert escaped("'\"", quote="'") == "\\'\""


def test_cutting() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abc…"
