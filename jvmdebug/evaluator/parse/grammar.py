# SPDX-License-Identifier: Apache-2.0
"""tree-sitter's Java grammar: text to tree-sitter tree, positions, and walking the tree.

The grammar has no start symbol for an expression or a statement: `WrappedText` puts the text into a
method and maps positions back to the text. Used by all of `parse`, and by `compiling`.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from typing import Final

import tree_sitter
import tree_sitter_java

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.parse.syntax import Span

JAVA: Final = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
EXPRESSION: Final = ("class $ { Object $() { return\n", "\n; } }")
STATEMENTS: Final = ("class $ { Object $() {\n", "\n} }")
OPEN_STATEMENTS: Final = ("class $ { Object $() {\n", "\n; } }")
"""The last statement has no semicolon."""
_DEEPEST: Final = 400
"""Nesting limit of a tree: the recursive functions take a Python frame for each level."""
_LONGEST: Final = 100_000
"""Characters of a text: it is parsed more than once, and conditions are at each location."""
_NUMBER_UNDERSCORES: Final = re.compile(r"(?<=[0-9A-Fa-f])_+(?=[0-9A-Fa-f])")
_NAME: Final = r"\b(?!(?:this|super|class|new)\b)[^\W\d][\w$]*"
_PLUS_AFTER_NAME: Final = re.compile(rf"\(\s*{_NAME}(?:\s*\.\s*{_NAME})+\s*\)(?=\s*[+-](?![+-]))")
_BODIES: Final = (
    "if_statement", "while_statement", "for_statement", "enhanced_for_statement",
    "labeled_statement",
)  # fmt: skip


class WrappedText:
    """A text as the body of a method, and its tree.

    What the grammar does not accept is replaced before parsing by something of the same length, so
    take texts from the original by their positions: letters replace the currency signs and
    connectors (`€`) in Java's names, digits the underscores in numbers, and `+` each dot in
    `(a.b) + 1`, which the grammar would parse as a cast of `+ 1` (`is_dot` recognizes those).
    """

    def __init__(self, text: str, wrapper: tuple[str, str]) -> None:
        if len(text) > _LONGEST:
            raise EvaluationError(
                f"the text has {len(text):,} characters; {_LONGEST:,} are the most", column=0
            )
        self.text = text
        self._prefix, suffix = wrapper
        code = (self._prefix + _acceptable(text) + suffix).encode("utf-8", "surrogatepass")
        self._starts = _starts(code)
        self._suffix_start = len(code) - len(suffix.encode())
        self.root = JAVA.parse(code).root_node
        if _depth(self.root) > _DEEPEST:
            raise EvaluationError(f"the text is nested more than {_DEEPEST} levels deep", column=0)

    @property
    def body(self) -> tree_sitter.Node | None:
        """The block of the method; None on syntax errors, and when the text closes the method."""
        if self.root.has_error:
            return None
        method = _only_child(_only_child(self.root, "class_declaration"), "method_declaration")
        return None if method is None else method.child_by_field_name("body")

    def is_before_text(self, node: tree_sitter.Node) -> bool:
        return node.start_byte < len(self._prefix)

    def span(self, node: tree_sitter.Node) -> Span:
        return Span(self._offset(node.start_byte), self._offset(node.end_byte))

    def is_dot(self, operator: tree_sitter.Node) -> bool:
        """Whether an operator of the tree replaces a dot of the text."""
        return self.span(operator).text(self.text) == "."

    @property
    def lacks_statement(self) -> bool:
        """Whether the semicolon after the text became the body of a loop or an `if` in it."""
        node = self.root
        while node.children:
            last = [
                each
                for each in without_comments(node.children)
                if each.start_byte <= self._semicolon
            ][-1]
            if last.type == ";" and last.start_byte == self._semicolon:
                return node.type in _BODIES
            node = last
        return False

    @property
    def _semicolon(self) -> int:
        return self._suffix_start + 1  # after the newline

    def _offset(self, byte: int) -> int:
        before = byte if self._starts is None else bisect.bisect_left(self._starts, byte)
        return min(max(before - len(self._prefix), 0), len(self.text))

    def fail(self, message: str, node: tree_sitter.Node | None) -> EvaluationError:
        """An error at the node; without a node, at the end of the text."""
        column = self.span(node).column if node is not None else len(self.text)
        return EvaluationError(message, column=column)


def _acceptable(text: str) -> str:
    """The text as the grammar accepts it, of the same length."""
    accepted = "".join("a" if _is_unusual_letter(character) else character for character in text)
    accepted = _NUMBER_UNDERSCORES.sub(lambda found: "0" * len(found.group()), accepted)
    return _PLUS_AFTER_NAME.sub(lambda found: found.group().replace(".", "+"), accepted)


def _starts(code: bytes) -> list[int] | None:
    """The offset of the first byte of each character; None for ASCII text."""
    if code.isascii():
        return None
    return [at for at, byte in enumerate(code) if byte & 0xC0 != 0x80]


def _depth(root: tree_sitter.Node) -> int:
    cursor = root.walk()
    depth = deepest = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
            deepest = max(deepest, depth)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            depth -= 1


def _is_unusual_letter(character: str) -> bool:
    return character > "\x7f" and unicodedata.category(character) in ("Sc", "Pc")


def without_comments(nodes: list[tree_sitter.Node]) -> list[tree_sitter.Node]:
    return [node for node in nodes if node.type not in ("line_comment", "block_comment")]


def _only_child(node: tree_sitter.Node | None, kind: str) -> tree_sitter.Node | None:
    """The single child, if it is of that type; comments do not count."""
    if node is None:
        return None
    scope = node.child_by_field_name("body") or node
    children = without_comments(scope.named_children)
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
    source: WrappedText, node: tree_sitter.Node, endings: tuple[str, ...], skip: tuple[str, ...]
) -> tree_sitter.Node | None:
    """The first node in the text, in preorder, whose type has one of the endings."""
    for child in node.named_children:
        is_wanted = child.type.endswith(endings) and child.type not in skip
        if is_wanted and not source.is_before_text(child):
            return child
        found = first_of(source, child, endings, skip)
        if found is not None:
            return found
    return None
