# SPDX-License-Identifier: Apache-2.0
"""Tests which texts are Kotlin, and its literals."""

from __future__ import annotations

import pytest

from jvmdebug.evaluator.kotlin import literals
from jvmdebug.evaluator.kotlin.parsing import parse
from jvmdebug.model.primitives import PrimitiveKind


@pytest.mark.parametrize(
    "text",
    ["a?.b ?: 0", "x is Foo", "$exception is Foo", "val x = 1; x + 1", "`a b`", "a.b(c = 1)!!"],
)
def test_kotlin(text: str) -> None:
    code = parse(text)
    assert code is not None
    assert code.text == text


@pytest.mark.parametrize(
    "text",
    [
        "(String) x",
        "x instanceof Y",
        "a ? b : c",
        "new Foo()",
        "int x = 3; x",
        "",
        "a +",
        "new A(b).c(0)",
        "(" * 200 + "x" + ")" * 200,
    ],
)
def test_not_kotlin(text: str) -> None:
    assert parse(text) is None


def test_columns_count_characters() -> None:
    code = parse("'ä' + größe")
    assert code is not None
    name = code.statements[0].named_children[-1]
    assert (code.text_of(name), code.span(name).start, code.span(name).end) == ("größe", 6, 11)


def parts(text: str) -> list[str]:
    """The written parts, references as `$name`, expressions as their text in braces."""
    code = parse(text)
    assert code is not None
    shown = []
    for each in literals.parts(code, code.statements[0]):
        if isinstance(each, literals.Text):
            shown.append(each.text)
        elif isinstance(each, literals.Reference):
            shown.append(f"${each.name}")
        else:
            shown.append(f"{{{code.text_of(each)}}}")
    return shown


def test_templates() -> None:
    assert parts('"a$x ${y.z}\\n"') == ["a", "$x", " ", "{y.z}", "\n"]
    assert parts('"\\$x \\u0041 5$"') == ["$x A 5$"]
    assert parts('"""raw\\n $x"""') == ["raw\\n ", "$x"]
    assert parts('"$exception"') == ["$exception"]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1_000", PrimitiveKind.INT, 1000),
        ("0xFF", PrimitiveKind.INT, 255),
        ("0b11L", PrimitiveKind.LONG, 3),
        ("3000000000", PrimitiveKind.LONG, 3_000_000_000),
        ("1.5f", PrimitiveKind.FLOAT, 1.5),
        ("1e3", PrimitiveKind.DOUBLE, 1000.0),
        ("0", PrimitiveKind.INT, 0),
    ],
)
def test_numbers(text: str, kind: PrimitiveKind, value: float) -> None:
    assert literals.number(text) == (kind, value)


@pytest.mark.parametrize("text", ["5u", "007", "9223372036854775808"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        literals.number(text)
