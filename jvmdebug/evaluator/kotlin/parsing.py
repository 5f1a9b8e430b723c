# SPDX-License-Identifier: Apache-2.0
"""Kotlin text to tree-sitter's tree. Called by `expression`, for frames of Kotlin code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse.syntax import Span

if TYPE_CHECKING:
    import tree_sitter

_BEFORE: Final = b"fun f() {\n"
_AFTER: Final = b"\n}"
LAMBDAS: Final = ("annotated_lambda", "lambda_literal", "anonymous_function", "callable_reference")
_DEEPEST: Final = 120
"""Of nested nodes: evaluating takes several Python frames for each."""
_COMMENTS: Final = ("line_comment", "block_comment", "comment")
_OWN_NAMES: Final = re.compile(rb'"(?:\\.|[^"\\])*"|\$(?=[A-Za-z_])')
_ONLY_JAVA: Final = frozenset({"instanceof", "new"})
"""Words that are names for Kotlin's grammar."""
NOT_EVALUATED: Final = {
    **dict.fromkeys(LAMBDAS, "a Kotlin lambda"),
    "when_expression": "`when`",
    "object_literal": "an object expression",
    "for_statement": "a loop",
    "while_statement": "a loop",
    "do_while_statement": "a loop",
    "try_expression": "`try`",
    "super_expression": "`super`",
}
"""What needs Kotlin's compiler, and what it is called."""


@dataclass(frozen=True, slots=True, eq=False)
class KotlinCode:
    """One expression, or several statements; the value is that of the last."""

    text: str
    source: bytes
    statements: tuple[tree_sitter.Node, ...]
    is_evaluated: bool
    """Whether nothing in it needs Kotlin's compiler."""

    def span(self, node: tree_sitter.Node) -> Span:
        """The place where a node is in the text, in characters."""
        start, end = (
            len(self.source[len(_BEFORE) : at].decode()) for at in (node.start_byte, node.end_byte)
        )
        return Span(start, max(end, start))

    def text_of(self, node: tree_sitter.Node) -> str:
        """The text of a node; a name without its backquotes."""
        text = self.source[node.start_byte : node.end_byte].decode()
        return text.strip("`") if node.type == "identifier" else text

    def fail(self, message: str, node: tree_sitter.Node) -> EvaluationError:
        """The error at the node's column."""
        return EvaluationError(message, self.span(node).column)


def parse(text: str) -> KotlinCode | None:
    """The tree of a text; None if it is not Kotlin."""
    try:
        source = _BEFORE + text.encode() + _AFTER
    except UnicodeEncodeError:
        return None  # an unpaired surrogate
    # Names such as $exception; their first character is a token of its own for the grammar.
    masked = _OWN_NAMES.sub(lambda found: b"_" if found[0] == b"$" else found[0], source)
    root = _parser().parse(masked).root_node
    names, kinds, depth = _scanned(root, source)
    if root.has_error or names & _ONLY_JAVA or depth > _DEEPEST:
        return None
    block = root.named_children[0].named_children[-1] if root.named_children else None
    while block is not None and block.type == "function_body":
        block = block.named_children[0] if block.named_children else None
    if block is None or block.type != "block" or len(root.named_children) != 1:
        return None
    found = tuple(without_comments(block))
    return KotlinCode(text, source, found, kinds.isdisjoint(NOT_EVALUATED)) if found else None


def without_comments(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The named children that mean something."""
    return [each for each in node.named_children if each.type not in _COMMENTS]


def _scanned(root: tree_sitter.Node, source: bytes) -> tuple[set[str], set[str], int]:
    """The identifiers in a tree, the types of its nodes, and how deep it is."""
    names: set[str] = set()
    kinds: set[str] = set()
    deepest = 0
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        kinds.add(node.type)
        if node.type == "identifier":
            names.add(source[node.start_byte : node.end_byte].decode())
        pending += ((each, depth + 1) for each in node.named_children)
    return names, kinds, deepest


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter  # noqa: PLC0415 # most programs have no Kotlin
    import tree_sitter_kotlin  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_kotlin.language()))
