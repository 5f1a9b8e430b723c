# SPDX-License-Identifier: Apache-2.0
"""What a text that is not Java is told: the place and what was expected there."""

from __future__ import annotations

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator import parser


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("total = ", 7, "expected an expression after '='"),
        ("i.cents(", 8, "expected an expression or ')' here, for the '(' at column 8"),
        ("(total", 6, "expected ')' here, for the '(' at column 1"),
        ("f(a, b[1)", 8, "expected ']' before ')'"),
        ("total)", 5, "there is no '(' for this ')'"),
        ("a +* 2", 3, "expected an expression between '+' and '*'"),
        ("* 2", 0, "expected an expression before '*'"),
        ("f(a, )", 5, "expected an expression between ',' and ')'"),
        ("name.", 5, "expected a name after '.'"),
        ("name..length()", 5, "expected a name between '.' and '.'"),
        ("new ", 0, "expected a class after new"),
        ("new Base", 8, "expected the arguments in ( )"),
        ("x instanceof", 2, "expected a class after instanceof"),
        ("yes ? 1", 7, "expected ':' here, for the '?' at column 5"),
        ("(yes ? 1)", 8, "expected ':' before ')'"),
        ('"abc', 0, "the string that begins here is not closed"),
        ("a + 'x", 4, "the character that begins here is not closed"),
        ("a @ b", 2, "'@' means nothing in Java"),
        ("0x + 1", 0, "0x is not a number"),
        ("int", 0, "int is a type"),
        ("super", 0, "super needs a member"),
        ("this(1)", 0, "a constructor cannot be called here"),
        ("for (;;", 7, "expected ')' here"),
    ],
)
def test_the_place_and_what_was_expected(text: str, column: int, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        parser.parse_code(text)
    assert message in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "text",
    [
        "new HashMap<String, List<? extends Number>>()",
        "new int[] {1, 2,}",
        "(byte) (int) -x + +y",
        "a < b ? c : d > e ? f : g",
        "for (int i = 0; i < 3; i++) { f(i); } x",
        "switch (x) { case 1, 2 -> 3; default -> { yield 4; } }",
        'f("(", \')\', """\n  ]""")',
    ],
)
def test_what_is_java_is_not_complained_about(text: str) -> None:
    parser.parse_code(text)
