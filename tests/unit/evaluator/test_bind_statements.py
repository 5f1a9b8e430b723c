# SPDX-License-Identifier: Apache-2.0
"""Binding of statements: block scopes, jumps, reachability, pattern variables, switch."""

from __future__ import annotations

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, bound_statements
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.parse import parser, syntax
from tests.unit.evaluator.fake_types import FakeTypes, scope_in
from tests.unit.evaluator.test_binder import LOCALS


async def bind(text: str, *, read_only: bool = False) -> bound_statements.Statement:
    binder = binder_for(
        scope_in("shop.Cart", is_static=False, **LOCALS), FakeTypes(), is_read_only=read_only
    )
    root = parser.parse_code(text)
    if not isinstance(root, syntax.Block):
        root = parser.as_statement(root)
    return await binder.statement(root)


@pytest.mark.parametrize(
    "text",
    [
        "int x = 1; x++;",
        "{ int x = 1; } int x = 2;",
        "for (int k = 0; ; k++) { } ",
        "for (int k = 0; k < 1; k++) { } int k = 1;",
        "for (String s : list) s.length();",
        "for (var s : list) s.length();",
        "for (int n : numbers) { n++; }",
        "for (Object o : raw) o.hashCode();",
        "if (object instanceof String s && s.length() > 0) s.length();",
        "if (!(object instanceof String s)) return 1; s.length();",
        "while (!(object instanceof String s)) { } s.length();",
        "if (object instanceof String s) { } else if (object instanceof Integer s) { }",
        "outer: for (;;) { while (flag) { if (flag) continue outer; break outer; } }",
        "while (flag) { break; } i++;",
        "int x = switch (i) { case 1 -> 2; default -> { yield 3; } }; x++;",
        "switch (i) { case 1: int x = 1; break; case 2: x = 2; }",
        'switch (text) { case null -> i++; case "a" -> i--; default -> { } }',
        "final int x = 1; switch (i) { case x -> i++; default -> i--; }",
        "return;",
        "throw null;",
    ],
)
async def test_valid_statements(text: str) -> None:
    await bind(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("int i = 1;", 4, "there is a variable i here already"),
        ("int x = 1; int x = 2;", 15, "there is a variable x here already"),
        ("for (int i = 0; ; ) { }", 9, "there is a variable i here already"),
        ("object instanceof String i", 25, "there is a variable i here already"),
        ("{ int x = 1; } x++;", 15, "there is no variable or class x"),
        ("if (object instanceof String s) { } s.length();", 36, "no variable or class s"),
        ("if (!(object instanceof String s)) s.length();", 35, "no variable or class s"),
        ("while (!(object instanceof String s)) { break; } s.length();", 49, "class s"),
        ("var x = null;", 4, "var needs a value that has a type"),
        ("int x = text;", 8, "java.lang.String cannot be converted to int"),
        ("final int x = 1; x = 2;", 17, "x is final"),
        ("break;", 0, "break is outside of any loop"),
        ("if (flag) continue;", 10, "continue is outside of any loop"),
        ("switch (i) { case 1: continue; }", 21, "continue is outside of any loop"),
        ("for (;;) { break other; }", 11, "there is no enclosing label other"),
        ("a: for (;;) { a: while (flag) { } }", 14, "there is an enclosing label a already"),
        ("yield 1;", 0, "yield is outside of any switch expression"),
        ("int x = switch (i) { default -> { return; } };", 34, "return cannot leave a switch"),
        ("int x = switch (i) { case 1 -> 2; };", 8, "this switch needs a default"),
        ("return; i++;", 8, "this statement can never be reached"),
        ("for (;;) { } i++;", 13, "this statement can never be reached"),
        ("for (;;) { break; i++; }", 18, "this statement can never be reached"),
        ("for (int n : object) { }", 13, "expected an array or an Iterable"),
        ("if (i) { }", 4, "expected boolean, found int"),
        ("throw text;", 6, "expected an exception to throw"),
        ("switch (d) { default -> i++; }", 8, "a switch needs an int, char, String"),
        ('switch (i) { case "a" -> i++; }', 18, "int is never equal to a java.lang.String"),
        ("switch (i) { case i -> i++; }", 18, "expected a constant after case"),
        ("i + 1; unknown", 7, "there is no variable or class unknown"),
    ],
)
async def test_errors(text: str, column: int, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        await bind(text)
    assert message in str(caught.value)
    assert caught.value.column == column


async def test_read_only_rejects_assignments_in_statements() -> None:
    with pytest.raises(EvaluationError, match="only reading is allowed"):
        await bind("if (flag) { i = 1; }", read_only=True)


async def test_labels_of_loops() -> None:
    block = await bind("a: b: for (;;) { continue a; }")
    assert isinstance(block, bound_statements.Block)
    (labeled,) = block.statements
    while isinstance(labeled, bound_statements.Labeled):
        labeled = labeled.body
    assert isinstance(labeled, bound_statements.Loop)
    assert labeled.labels == ("a", "b")


async def test_each_declaration_is_a_variable_of_its_own() -> None:
    block = await bind("{ int x = 1; x++; } { int x = 2; }")
    assert isinstance(block, bound_statements.Block)
    first, second = (each for each in block.statements)
    assert isinstance(first, bound_statements.Block)
    assert isinstance(second, bound_statements.Block)
    declared, used = first.statements
    (other,) = second.statements
    assert isinstance(declared, bound_statements.Declare)
    assert isinstance(other, bound_statements.Declare)
    assert isinstance(used, bound_statements.Evaluate)
    assert isinstance(used.expression, bound.CompoundAssign)
    assert isinstance(used.expression.target, bound.DeclaredLocal)
    assert used.expression.target.variable is declared.variable
    assert declared.variable is not other.variable
