# SPDX-License-Identifier: Apache-2.0
"""A text for the compiler: its tree, and the source of the class that it becomes.

Called by `rewriting`, which writes that source, and by `compiled_code`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse.grammar import (
    EXPRESSION,
    OPEN_STATEMENTS,
    STATEMENTS,
    WrappedText,
    without_comments,
)

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.bind.scope import LocalInScope
    from jvmdebug.evaluator.compiling.edits import EditedText


@dataclass(frozen=True, slots=True)
class Source:
    """The class to compile. Its method takes `this` (unless `has_this` is False), the `locals`, the
    `extra` variables and an Object[] for the new values of the `assigned` variables.
    """

    class_name: str
    text: str
    has_this: bool
    locals: tuple[LocalInScope, ...]
    extra: tuple[str, ...]
    assigned: tuple[LocalInScope, ...]
    body: EditedText
    body_offset: int
    variants: int = 1
    """How many ways there are to write it: see `enclosing_calls`."""

    def original_column(self, line: int, column: int) -> int | None:
        """The column in the user's text; None for positions outside of it."""
        lines = self.text.split("\n")
        offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - self.body_offset
        if not 0 <= offset <= len(self.body.text):
            return None
        return self.body.original_offset(offset)


def parsed(text: str) -> tuple[WrappedText, tree_sitter.Node, tuple[str, str]]:
    """The text as an expression if it is one, else as statements."""
    for wrapper in (EXPRESSION, STATEMENTS, OPEN_STATEMENTS):
        wrapped = WrappedText(text, wrapper)
        block = wrapped.body
        statements = [] if block is None else without_comments(block.named_children)
        if block is None or not statements:
            continue
        if wrapper is not EXPRESSION:
            return wrapped, block, wrapper
        inner = without_comments(statements[0].named_children)
        if len(statements) == 1 and len(inner) == 1:
            return wrapped, inner[0], wrapper
    raise EvaluationError("this is not Java", column=0)


def creation_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The `new T()` or `new T<U>()` of a type name; None if it is none."""
    parent = node.parent
    if (
        parent is not None
        and parent.type == "generic_type"
        and without_comments(parent.children)[0] == node
    ):
        parent = parent.parent
    if parent is None or parent.type != "object_creation_expression":
        return None
    type_node = parent.child_by_field_name("type")
    return parent if type_node in (node, node.parent) else None


def returns_in(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The return statements of the text itself, not those of lambdas and classes in it."""
    if node.type == "return_statement":
        return [node]
    if node.type in ("lambda_expression", "class_body"):
        return []
    return [each for child in node.children for each in returns_in(child)]
