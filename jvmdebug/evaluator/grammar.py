# SPDX-License-Identifier: Apache-2.0
"""tree-sitter's Java grammar, and looking around in its trees. Used by `parser` only.

The grammar has no public start symbol for an expression: `wrapped` puts the text into a method.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import tree_sitter
import tree_sitter_java

JAVA: Final = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
PREFIX: Final = "class $ { Object $() { return\n"
_SUFFIX: Final = "\n; } }"


def wrapped(text: str) -> bytes:
    """A source file in which the expression stands behind PREFIX, character for character.

    Java's names may have currency signs and connectors (`€`), which the grammar does not know:
    letters stand for them here, so texts must be taken from the original by their positions.
    """
    known = "".join("a" if _is_odd_letter(character) else character for character in text)
    return (PREFIX + known + _SUFFIX).encode("utf-8", "surrogatepass")


def _is_odd_letter(character: str) -> bool:
    return character > "\x7f" and unicodedata.category(character) in ("Sc", "Pc")


def code(nodes: list[tree_sitter.Node]) -> list[tree_sitter.Node]:
    return [node for node in nodes if node.type not in ("line_comment", "block_comment")]


def only_child(node: tree_sitter.Node | None, kind: str) -> tree_sitter.Node | None:
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
    node: tree_sitter.Node, endings: tuple[str, ...], skip: tuple[str, ...]
) -> tree_sitter.Node | None:
    for child in node.named_children:
        if (
            child.type.endswith(endings)
            and child.type not in skip
            and (child.start_byte >= len(PREFIX))
        ):
            return child
        found = first_of(child, endings, skip)
        if found is not None:
            return found
    return None
