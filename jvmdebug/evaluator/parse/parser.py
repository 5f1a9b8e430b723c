# SPDX-License-Identifier: Apache-2.0
"""Text to the evaluator's own tree, through tree-sitter-java: one expression, or statements.

What the grammar cannot read is refused with the column and with what was expected there. Nothing
is resolved here. Called by `evaluation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse import errors, flow, statements, syntax
from jvmdebug.evaluator.parse.expressions import Reader, check_assignable
from jvmdebug.evaluator.parse.grammar import (
    EXPRESSION,
    OPEN_STATEMENTS,
    STATEMENTS,
    Wrapped,
    code,
    first_error,
    first_of,
)

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["as_statement", "check_assignable", "expression_of", "parse", "parse_code"]

_STATEMENT_NODES: Final = ("_statement", "_declaration")
_MISSING: Final = {"identifier": "an expression", "type_identifier": "a type"}
_FIRST_WORDS: Final = (
    "if", "for", "while", "do", "return", "throw", "try", "break", "continue", "final", "var",
    "yield", "assert", "synchronized", "{",
)  # fmt: skip


def parse(text: str) -> syntax.Expression:
    """The tree of `text`; EvaluationError with the column when it is not one Java expression."""
    _require_text(text)
    source = Wrapped(text, EXPRESSION)
    block = source.body
    if block is None:
        raise _refusal(source)
    statements = code(block.named_children)
    if len(statements) != 1:
        # Another statement follows: point at the semicolon before it.
        at = statements[0].children[-1] if len(statements) > 1 else None
        raise source.fail("expected one expression, without ; and statements", at)
    inner = code(statements[0].named_children)
    if len(inner) != 1:
        raise EvaluationError("expected an expression: there is only a comment", column=0)
    return Reader(source).convert(inner[0])


def parse_code(text: str) -> syntax.Expression | syntax.Block:
    """The tree of one expression, or of statements; the last may lack its semicolon.

    EvaluationError with the column when it is neither.
    """
    _require_text(text)
    try:
        root = parse(text)
    except EvaluationError as error:
        found = _statements(text)
        if found is not None:
            return found
        if not _looks_like_statements(text):
            raise
        refused = error
    else:
        return as_statement(root) if _is_statement(root) else root
    raise _refusal(Wrapped(text, STATEMENTS), "statement") from refused


def expression_of(source: Wrapped, node: tree_sitter.Node) -> syntax.Expression:
    """The tree of a part of a text."""
    return Reader(source).convert(node)


def as_statement(root: syntax.Expression) -> syntax.Block:
    """The expression as the only statement."""
    return syntax.Block(root.span, (syntax.ExpressionStatement(root.span, root),))


def _is_statement(root: syntax.Expression) -> bool:
    return isinstance(root, syntax.Switch) and not flow.gives_value(root)


def _statements(text: str) -> syntax.Block | None:
    """None when the text is not a sequence of statements; what is in them may still be refused."""
    for around in (STATEMENTS, OPEN_STATEMENTS):
        source = Wrapped(text, around)
        block = source.body
        if block is not None and code(block.named_children):
            if around is OPEN_STATEMENTS and source.lacks_statement:
                raise source.fail("expected a statement here", None)
            # An expression with an error in it is no sequence: its own error says more.
            return statements.block(Reader(source), block)
    return None


def _looks_like_statements(text: str) -> bool:
    return ";" in text or text.lstrip().startswith(_FIRST_WORDS)


def _require_text(text: str) -> None:
    if not text.strip(" \t\f\r\n;"):
        raise EvaluationError("there is nothing to evaluate: the expression is empty", column=0)


def _refusal(source: Wrapped, wanted: str = "expression") -> EvaluationError:
    """Say where the text stops being an expression or a statement, and what it is instead."""
    article = "an" if wanted == "expression" else "a"
    node = first_error(source.root)
    if node is None:
        return EvaluationError(f"expected one {wanted}", column=0)
    told = errors.expected(source.text)
    if told is not None:
        message, column = told
        return EvaluationError(message, column=column)
    if node.is_missing:
        missing = _MISSING.get(node.type, repr(node.type))
        return source.fail(f"expected {missing} here", node)
    if wanted == "expression":
        statement = _found_statement(source)
        if statement is not None:
            words = statement.type.replace("_", " ")
            return source.fail(f"expected an expression, found a {words}", statement)
    start = source.span(node)
    found = start.text(source.text).split("\n")[0].strip()
    # tree-sitter wraps the whole text when it cannot recover: then the position says nothing.
    if source.is_before_text(node) or not found:
        return source.fail(f"this is not a Java {wanted}: something is missing or left open", None)
    return EvaluationError(f"did not expect {found!r} in {article} {wanted}", column=start.column)


def _found_statement(source: Wrapped) -> tree_sitter.Node | None:
    skip = ("return_statement", "method_declaration")
    found = first_of(source, source.root, _STATEMENT_NODES, skip)
    return None if found is None or found.type == "class_declaration" else found
