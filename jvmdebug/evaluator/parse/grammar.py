# SPDX-License-Identifier: Apache-2.0
"""tree-sitter's Java grammar: texts to trees, positions, and looking around. Used by `parser` and
the readers.

The grammar has no public start symbol for an expression or a statement: `Wrapped` puts the text
into a method and maps positions back to the text.
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
"""Levels of a tree that are followed: each takes a frame of Python's stack."""
_NUMBER_UNDERSCORES: Final = re.compile(r"(?<=[0-9A-Fa-f])_+(?=[0-9A-Fa-f])")
_NAME: Final = r"\b(?!(?:this|super|class|new)\b)[^\W\d][\w$]*"
_PLUS_NO_CAST: Final = re.compile(rf"\(\s*{_NAME}(?:\s*\.\s*{_NAME})+\s*\)(?=\s*[+-](?![+-]))")
_BODIES: Final = (
    "if_statement", "while_statement", "for_statement", "enhanced_for_statement",
    "labeled_statement",
)  # fmt: skip


class Wrapped:
    """A text as the inside of a method, character for character, and its tree.

    What the grammar does not know is written otherwise in the tree, with the same length, so texts
    must be taken from the original by their positions: letters stand for the currency signs and
    connectors (`€`) of Java's names, digits for the underscores in numbers, and a `+` for each dot
    in `(a.b) + 1`, which the grammar takes for a cast of `+ 1` (`is_dot` tells those).
    """

    def __init__(self, text: str, around: tuple[str, str]) -> None:
        self.text = text
        self._prefix, suffix = around
        code = (self._prefix + _known(text) + suffix).encode("utf-8", "surrogatepass")
        self._starts = _starts(code)
        self._suffix_start = len(code) - len(suffix.encode())
        self.root = JAVA.parse(code).root_node
        if _depth(self.root) > _DEEPEST:
            raise EvaluationError(f"the text is nested more than {_DEEPEST} levels deep", column=0)

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

    def is_dot(self, operator: tree_sitter.Node) -> bool:
        """Whether an operator of the tree is a dot in the text."""
        return self.span(operator).text(self.text) == "."

    @property
    def lacks_statement(self) -> bool:
        """Whether the semicolon behind the text is the body of a loop or condition in it."""
        node = self.root
        while node.children:
            last = [each for each in code(node.children) if each.start_byte <= self._semicolon][-1]
            if last.type == ";" and last.start_byte == self._semicolon:
                return node.type in _BODIES
            node = last
        return False

    @property
    def _semicolon(self) -> int:
        return self._suffix_start + 1  # behind the end of the line

    def _offset(self, byte: int) -> int:
        before = byte if self._starts is None else bisect.bisect_left(self._starts, byte)
        return min(max(before - len(self._prefix), 0), len(self.text))

    def fail(self, message: str, node: tree_sitter.Node | None) -> EvaluationError:
        """An error at the node; at the end of the text without one."""
        column = self.span(node).column if node is not None else len(self.text)
        return EvaluationError(message, column=column)


def _known(text: str) -> str:
    """The text as the grammar reads it, character for character."""
    known = "".join("a" if _is_odd_letter(character) else character for character in text)
    known = _NUMBER_UNDERSCORES.sub(lambda found: "0" * len(found.group()), known)
    return _PLUS_NO_CAST.sub(lambda found: found.group().replace(".", "+"), known)


def _starts(code: bytes) -> list[int] | None:
    """The first byte of each character; None when each has one byte."""
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
