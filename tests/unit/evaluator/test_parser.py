# SPDX-License-Identifier: Apache-2.0
"""Text to syntax tree: what parses, where errors are, what needs the compiler."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse import parser, syntax


def shape(node: object) -> str:
    """The tree as text: class names and what the nodes hold, without spans."""
    match node:
        case syntax.Node():
            fields = [
                shape(getattr(node, field.name))
                for field in dataclasses.fields(node)
                if field.type != "Span" and not field.name.endswith("span")
            ]
            return f"{type(node).__name__}({', '.join(fields)})"
        case tuple():
            return f"[{', '.join(map(shape, node))}]"
        case _:
            return getattr(node, "name", None) or repr(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b", "FieldAccess(Name('a'), 'b')"),
        ("f()", "MethodCall(None, 'f', [], [])"),
        ("a.<T>f(b)", "MethodCall(Name('a'), 'f', [Name('b')], [NamedTypeSyntax(['T'], None)])"),
        ("a[1]", "ArrayAccess(Name('a'), PrimitiveLiteral(INT, 1))"),
        ("this.x", "FieldAccess(This(None), 'x')"),
        ("A.B.this", "This(NamedTypeSyntax(['A', 'B'], None))"),
        ("super.f()", "MethodCall(Super(None), 'f', [], [])"),
        ("A.super.f()", "MethodCall(Super(NamedTypeSyntax(['A'], None)), 'f', [], [])"),
        ("-2147483648", "PrimitiveLiteral(INT, -2147483648)"),
        ("- x", "Unary('-', Name('x'))"),
        ("(int) x", "Cast([PrimitiveTypeSyntax(INT)], Name('x'))"),
        ("x instanceof A", "InstanceOf(Name('x'), NamedTypeSyntax(['A'], None))"),
        ("A[][].class", "ClassLiteral(ArrayTypeSyntax(NamedTypeSyntax(['A'], None), 2))"),
        ("x++", "Update('++', Name('x'), False)"),
        ("--x", "Update('--', Name('x'), True)"),
        ("a = b += c", "Assignment('=', Name('a'), Assignment('+=', Name('b'), Name('c')))"),
        ("a ? b : c", "Conditional(Name('a'), Name('b'), Name('c'))"),
        ("int[].class", "ClassLiteral(ArrayTypeSyntax(PrimitiveTypeSyntax(INT), 1))"),
        ("new A<>(x)", "NewObject(NamedTypeSyntax(['A'], []), [Name('x')], None)"),
        ("o.new B()", "NewObject(NamedTypeSyntax(['B'], None), [], Name('o'))"),
        ("new int[n][]", "NewArray(PrimitiveTypeSyntax(INT), [Name('n')], 1, None)"),
        (
            "new A[]{x}",
            "NewArray(NamedTypeSyntax(['A'], None), [], 1, ArrayInitializer([Name('x')]))",
        ),
        (
            "(java.util.List<? extends T>) x",
            (
                "Cast([NamedTypeSyntax(['java', 'util', 'List'], "
                "[WildcardSyntax(NamedTypeSyntax(['T'], None), None)])], Name('x'))"
            ),
        ),
        ("a + b * c", "Binary('+', Name('a'), Binary('*', Name('b'), Name('c')))"),
        ("/* what */ a // why", "Name('a')"),
        ("größe", "Name('größe')"),
        ("€.a‿b", "FieldAccess(Name('€'), 'a‿b')"),
        ("(Preis€) '€'", "Cast([NamedTypeSyntax(['Preis€'], None)], PrimitiveLiteral(CHAR, 8364))"),
    ],
)
def test_trees(text: str, expected: str) -> None:
    assert shape(parser.parse(text)) == expected


def test_spans_count_characters() -> None:
    call = parser.parse('"ä😀" + größe.länge()')
    assert isinstance(call, syntax.Binary)
    assert call.right.span.text('"ä😀" + größe.länge()') == "größe.länge()"
    assert isinstance(call.right, syntax.MethodCall)
    assert call.right.name_span.column == 13


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 0, "nothing to evaluate"),
        ("  \n ", 0, "nothing to evaluate"),
        ("// only", 0, "only a comment"),
        ("1 2", 2, "expected an operator before 2"),
        ("a +", 3, "expected an expression"),
        ("f(1, ", 5, ""),
        ("a; b", 1, "without ;"),
        ("1; } Object $2() { return 2", 0, "expected one expression"),
        ("1; } } class X { int y = 1", 0, ""),
        ("int x = 5", 0, ""),
        ("if (a) b", 0, ""),
        ("return 1", 0, ""),
        ("1 = 2", 2, "only a variable, a field or an array element"),
        ("f()++", 0, "only a variable"),
        ("2147483648", 0, "write L behind it"),
        ("1 + 'ab'", 4, "one UTF-16 unit"),
        ("x -> x", 0, "a lambda can only be compiled"),
        ("list.map(A::b)", 9, "a method reference can only be compiled"),
        ("new A() { }", 8, "an anonymous class can only be compiled"),
        ("'a", 0, ""),
        ('"abc', 0, ""),
    ],
)
def test_invalid_expressions(text: str, column: int, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        parser.parse(text)
    assert message in str(caught.value)
    if message:
        assert caught.value.column == column
    assert caught.value.column is not None
    assert 0 <= caught.value.column <= len(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("int x = 5; x +", 14, "expected an expression after '+'"),
        ("if (a b) c();", 4, "did not expect 'a'"),
        ("try { a(); } finally { }", 0, "a try statement can only be compiled"),
        ("int x; class A { }", 7, "a local class can only be compiled"),
        ("var x;", 4, "var needs a value"),
        ("for (int i = 0; i < 3; i++ { }", 0, ""),
        ("x; y -> y", 3, "a lambda can only be compiled"),
        ("int x = {1};", 8, "needs an array type"),
        ("a + ; b", 4, "did not expect ';'"),
        ("return 1 2", 0, ""),
    ],
)
def test_invalid_statements(text: str, column: int, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        parser.parse_code(text)
    assert message in str(caught.value)
    if message:
        assert caught.value.column == column
    assert caught.value.column is not None
    assert 0 <= caught.value.column <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "int x = 5",
        "a(); b()",
        "if (a) b(); else c()",
        "for (;;) { }",
        "switch (a) { case 1: return 2; default: b(); }",
        "switch (a) { case 1 -> { b(); } default -> c(); }",
        "l: while (true) break l;",
    ],
)
def test_statements(text: str) -> None:
    assert isinstance(parser.parse_code(text), syntax.Block)


@pytest.mark.parametrize("text", ["a", "a()", "x = 5", "switch (a) { case 1 -> 2; default -> 3; }"])
def test_an_expression_alone_is_not_a_statement(text: str) -> None:
    assert isinstance(parser.parse_code(text), syntax.Expression)


@given(st.text(alphabet='ab1+=(),;{}<:?" \nifwhlfornetusc', max_size=40))
def test_any_code_gives_a_tree_or_an_error_with_a_column(text: str) -> None:
    column: int | None = 0
    try:
        parser.parse_code(text)
    except EvaluationError as error:
        column = error.column
    assert column is not None
    assert 0 <= column <= len(text)


@given(st.text(alphabet="ab1+-*/%().,;[]{}<>=!&|?:\"'\\ \nnewintthis", max_size=30))
def test_any_text_gives_a_tree_or_an_error_with_a_column(text: str) -> None:
    column: int | None
    try:
        tree = parser.parse(text)
    except EvaluationError as error:
        column = error.column
    else:
        column = tree.span.column
        assert tree.span.start < tree.span.end <= len(text)
    assert column is not None
    assert 0 <= column <= len(text)
