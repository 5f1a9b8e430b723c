# SPDX-License-Identifier: Apache-2.0
"""Text to syntax tree, through tree-sitter-java: one expression, or statements.

A text that the grammar rejects raises an error with the column and what was expected there. No name
is resolved here. Called by `evaluation`, `expression`, `completion` and `compiling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse import errors, flow, statements, syntax
from jvmdebug.evaluator.parse.expressions import Converter, check_assignable
from jvmdebug.evaluator.parse.grammar import (
    EXPRESSION,
    OPEN_STATEMENTS,
    STATEMENTS,
    WrappedText,
    first_error,
    first_of,
    without_comments,
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
    source = WrappedText(text, EXPRESSION)
    block = source.body
    if block is None:
        raise _syntax_error(source)
    statements = without_comments(block.named_children)
    if len(statements) != 1:
        # Another statement follows: point at the semicolon before it.
        at = statements[0].children[-1] if len(statements) > 1 else None
        raise source.fail("expected one expression, without ; and statements", at)
    inner = without_comments(statements[0].named_children)
    if len(inner) != 1:
        raise EvaluationError("expected an expression: there is only a comment", column=0)
    return Converter(source).convert(inner[0])


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
        rejected = error
    else:
        return as_statement(root) if _is_statement(root) else root
    raise _syntax_error(WrappedText(text, STATEMENTS), "statement") from rejected


def expression_of(source: WrappedText, node: tree_sitter.Node) -> syntax.Expression:
    """The tree of a tree-sitter node."""
    return Converter(source).convert(node)


def as_statement(root: syntax.Expression) -> syntax.Block:
    """A block with the expression as its only statement."""
    return syntax.Block(root.span, (syntax.ExpressionStatement(root.span, root),))


def _is_statement(root: syntax.Expression) -> bool:
    return isinstance(root, syntax.Switch) and not flow.gives_value(root)


def _statements(text: str) -> syntax.Block | None:
    """None when the text is not a sequence of statements; what is in them may still be rejected."""
    for wrapper in (STATEMENTS, OPEN_STATEMENTS):
        source = WrappedText(text, wrapper)
        block = source.body
        if block is not None and without_comments(block.named_children):
            if wrapper is OPEN_STATEMENTS and source.lacks_statement:
                raise source.fail("expected a statement here", None)
            # Errors of conversion are raised: they say more than a syntax error would.
            return statements.block(Converter(source), block)
    return None


def _looks_like_statements(text: str) -> bool:
    return ";" in text or text.lstrip().startswith(_FIRST_WORDS)


def _require_text(text: str) -> None:
    if not text.strip(" \t\f\r\n;"):
        raise EvaluationError("there is nothing to evaluate: the expression is empty", column=0)


def _syntax_error(source: WrappedText, wanted: str = "expression") -> EvaluationError:
    """Says where the text stops being valid, and what was found or expected there."""
    article = "an" if wanted == "expression" else "a"
    node = first_error(source.root)
    if node is None:
        return EvaluationError(f"expected one {wanted}", column=0)
    diagnosis = errors.diagnose(source.text)
    if diagnosis is not None:
        message, column = diagnosis
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
    # When tree-sitter cannot recover, the error node is the whole text: its position says nothing.
    if source.is_before_text(node) or not found:
        return source.fail(f"this is not a Java {wanted}: something is missing or left open", None)
    return EvaluationError(f"did not expect {found!r} in {article} {wanted}", column=start.column)


def _found_statement(source: WrappedText) -> tree_sitter.Node | None:
    skip = ("return_statement", "method_declaration")
    found = first_of(source, source.root, _STATEMENT_NODES, skip)
    return None if found is None or found.type == "class_declaration" else found
