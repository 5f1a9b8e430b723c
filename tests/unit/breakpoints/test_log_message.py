# SPDX-License-Identifier: Apache-2.0
"""Log messages taken apart: literal text, expressions, doubled braces."""

from __future__ import annotations

import pytest

from jvmdebug.breakpoints.log_message import LogMessage
from jvmdebug.errors import BreakpointError


def parts(text: str) -> list[str]:
    """The parts, expressions in angle brackets."""
    taken = LogMessage.parse(text).parts
    return [part if isinstance(part, str) else f"<{part.text}>" for part in taken]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ["plain"]),
        ("", []),
        ("{a}", ["<a>"]),
        ("x={x}, y={y}!", ["x=", "<x>", ", y=", "<y>", "!"]),
        ("100% {{of}} {i}", ["100% {of} ", "<i>"]),
        ('{map.get("}")}', ['<map.get("}")>']),
        ("{c == '}' ? 1 : 2}", ["<c == '}' ? 1 : 2>"]),
        ('{"\\"}"}', ['<"\\"}">']),
        ("{new int[] {1, 2}[0]}", ["<new int[] {1, 2}[0]>"]),
        ("a } b", ["a } b"]),
    ],
)
def test_the_parts_of_a_message(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize("text", ["{a", "{", "x {a {b}", '{"a}'])
def test_a_brace_that_is_not_closed(text: str) -> None:
    with pytest.raises(BreakpointError, match="does not close"):
        LogMessage.parse(text)


def test_an_empty_part() -> None:
    with pytest.raises(BreakpointError, match="empty"):
        LogMessage.parse("a { } b")


def test_an_expression_that_is_none() -> None:
    with pytest.raises(BreakpointError, match=r"\{1 \+\}"):
        LogMessage.parse("sum {1 +}")
