# SPDX-License-Identifier: Apache-2.0
"""tree-sitter's Java grammar: texts to trees, positions, and looking around. Used by `parser` and
the readers.

The grammar has no public start symbol for an expression or a statement: `Wrapped` puts the text
into a method and maps positions back to the text.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import tree_sitter
import tree_sitter_java

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.syntax import Span

JAVA: Final = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
EXPRESSION: Final = ("class $ { Object $() { return\n", "\n; } }")
STATEMENTS: Final = ("class $ { Object $() {\n", "\n} }")
OPEN_STATEMENTS: Final = ("class $ { Object $() {\n", "\n; } }")
"""The last statement has no semicolon."""


class Wrapped:
    """A text as the inside of a method, character for character, and its tree.

    Java's names may have currency signs and connectors (`€`), which the grammar does not know:
    letters stand for them in the tree, so texts must be taken from the original by their positions.
    """

    def __init__(self, text: str, around: tuple[str, str]) -> None:
        self.text = text
        self._prefix, suffix = around
        known = "".join("a" if _is_odd_letter(character) else character for character in text)
        self._bytes = (self._prefix + known + suffix).encode("utf-8", "surrogatepass")
        self.root = JAVA.parse(self._bytes).root_node

    @property
    def body(self) -> tree_sitter.Node | None:
        """The block of the method; None when the text does not leave one class with one method."""
        if self.root.has_error:
            return None
        method = _only_child(_only_child(self.root, "class_declaration"), "method_declaration")
        return None if method is None else method.child_by_field_name("body")

    def is_before_text(self, node: tree_sitter.Node) -> bool:
        return node.start_byte < len(self._prefix)

    def span(self, node: tree_sitter.Node) -> Span:
        return Span(self._offset(node.start_byte), self._offset(node.end_byte))

    def _offset(self, byte: int) -> int:
        before = self._bytes[:byte].decode("utf-8", "surrogatepass")
        return min(max(len(before) - len(self._prefix), 0), len(self.text))

    def fail(self, message: str, node: tree_sitter.Node | None) -> EvaluationError:
        """An error at the node; at the end of the text without one."""
        column = self.span(node).column if node is not None else len(self.text)
        return EvaluationError(message, column=column)


def _is_odd_letter(character: str) -> bool:
    return character > "\x7f" and unicodedata.category(character) in ("Sc", "Pc")


def code(nodes: list[tree_sitter.Node]) -> list[tree_sitter.Node]:
    return [node for node in nodes if node.type not in ("line_comment", "block_comment")]


def _only_child(node: tree_sitter.Node | None, kind: str) -> tree_sitter.Node | None:
    """The single child of that type; None when there is another child that is code."""
    if node is None:
        return None
    scope = node.child_by_field_name("body") or node
    children = code(scope.named_children)
    return children[0] if len(children) == 1 and children[0].type == kind else None


def first_error(node: tree_sitter.Node) -> tree_sitter.Node | None:
    if node.is_missing:
        return node
    for child in node.children:
        if child.has_error or child.is_missing:
            found = first_error(child)
            if found is not None:
                return found
    return node if node.is_error else None


def first_of(
    source: Wrapped, node: tree_sitter.Node, endings: tuple[str, ...], skip: tuple[str, ...]
) -> tree_sitter.Node | None:
    """The first node of the text whose type ends so."""
    for child in node.named_children:
        is_wanted = child.type.endswith(endings) and child.type not in skip
        if is_wanted and not source.is_before_text(child):
            return child
        found = first_of(source, child, endings, skip)
        if found is not None:
            return found
    return None
