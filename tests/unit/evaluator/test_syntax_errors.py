# SPDX-License-Identifier: Apache-2.0
"""Messages for syntax errors: the position, and what was expected there."""

from __future__ import annotations

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse import parser, syntax


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
        (";", 0, "there is nothing to evaluate"),
        ("1 /* c", 2, "the comment that begins here is not closed"),
        ('a + """\nb', 4, "the text block that begins here is not closed"),
        ("''", 0, "a char holds one UTF-16 unit; '' has nothing"),
        ("1 + 08", 4, "08 is not an octal number"),
        ("1_ + 2", 0, "an underscore must be between two digits"),
        ("f(a b)", 4, "expected an operator or ',' before b"),
        ("x as String", 2, "expected an operator or ',' before as"),
        ("a[]", 2, "expected an expression between '[' and ']'"),
        ("new int[]", 8, "expected an expression between '[' and ']'"),
        ("1 + ()", 5, "expected an expression between '(' and ')'"),
        ("if () x();", 4, "expected an expression between '(' and ')'"),
        ("5 = x", 2, "only a variable, a field or an array element"),
        ("f() = x", 4, "only a variable, a field or an array element"),
        ("this = x", 5, "only a variable, a field or an array element"),
        ("x = throw y", 4, "throw begins a statement"),
        ("f(return 1)", 2, "return begins a statement"),
        ("A::", 3, "expected a name after '::'"),
        ("if (a)", 6, "expected a statement here"),
        ("for (;;)", 8, "expected a statement here"),
        ("while (true)", 12, "expected a statement here"),
        ("a; l: for (int i : b)", 21, "expected a statement here"),
        ("const + 1", 0, "const is a word of Java"),
        ("x.enum()", 2, "enum is a word of Java"),
        ("\u00a0x", 0, "means nothing in Java"),
        ('"\U0001f600" + )', 6, "between '+' and ')'"),
    ],
)
def test_position_and_message(text: str, column: int, message: str) -> None:
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
        "(a.b) + 1",
        "while (x) ;",
        "for (T each : list) f(each);",
        "x instanceof Point(int a, T b) && f(a, b)",
        "switch (x) { case Point(T a, U b) -> f(a); default -> 2; }",
        "1__0 + 0_17 + 0xF_FL + a_b",
        "f(new int[] {1}, int[].class, a[1])",
    ],
)
def test_valid_java_has_no_error(text: str) -> None:
    parser.parse_code(text)


@pytest.mark.parametrize(
    ("text", "operator"),
    [("(a.b) + 1", "+"), ("(a . b.c)-1", "-"), ("f((a.b) - 1)", "-"), ("(größe.b) + 1", "+")],
)
def test_a_sign_after_a_name_in_parentheses_is_no_cast(text: str, operator: str) -> None:
    root = parser.parse(text)
    if isinstance(root, syntax.MethodCall):
        (root,) = root.arguments
    assert isinstance(root, syntax.Binary)
    assert root.operator == operator
    assert isinstance(root.left, syntax.Parenthesized)
    member = root.left.inner
    assert isinstance(member, syntax.FieldAccess)
    assert member.name == text[member.name_span.start : member.name_span.end]


def test_components_without_a_name() -> None:
    for text in ("a instanceof Line(Point(int x, _), _)", "a instanceof Line(_, Point _)"):
        root = parser.parse(text)
        assert isinstance(root, syntax.InstanceOf)
        assert isinstance(root.tested, syntax.RecordPattern)
        assert isinstance(root.tested.components[1], syntax.TypePattern)
        assert root.tested.components[1].name is None


def test_underscores_in_numbers() -> None:
    for text, value in (("1__0", 10), ("0_17", 15), ("0xF__F", 255), ("0b1_1", 3)):
        root = parser.parse(text)
        assert isinstance(root, syntax.PrimitiveLiteral)
        assert root.value == value


def test_a_text_of_any_depth_and_length_is_parsed_or_rejected() -> None:
    deep = 3000
    for text in (
        "(" * deep + "1" + ")" * deep,
        "{" * deep + "}" * deep,
        "x -> " * deep + "1",
        "if (a) " * deep + "b();",
        "a" + ".b()" * deep,
        "1" + " + x" * 20_000,
    ):
        with pytest.raises(EvaluationError, match="nested more than"):
            parser.parse_code(text)
    assert isinstance(parser.parse_code("é = 1;" * deep), syntax.Block)
