# SPDX-License-Identifier: Apache-2.0
"""The lines on which a Java source declares types, fields, local variables and parameters.

Class files do not have these lines. Pure: a text in, lines from 1 out. Called by the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_java

from jvmdebug.source_text import MOST_PARSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TYPES: Final = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
_NAMED: Final = frozenset(
    {
        "variable_declarator",
        "formal_parameter",
        "catch_formal_parameter",
        "enhanced_for_statement",
        "resource",
        "instanceof_expression",
    }
)
_ANONYMOUS: Final = frozenset({"inferred_parameters", "type_pattern", "lambda_expression"})
"""Their names are children that are just identifiers."""


def type_line(text: str, names: Sequence[str]) -> int | None:
    """The line of the name of a type: `("Cart", "Item")` for Cart.Item."""
    found = _type(_root(text), names)
    return None if found is None else _name_line(found)


def field_line(text: str, names: Sequence[str], field: str) -> int | None:
    """The line that declares a field, enum constant or record component of a type."""
    found = _type(_root(text), names)
    if found is None:
        return None
    wanted = field.encode()
    components = found.child_by_field_name("parameters")
    for node in components.named_children if components is not None else ():
        if _name(node) == wanted:
            return _name_line(node)
    for member in _members(found):
        if member.type == "enum_constant" and _name(member) == wanted:
            return _name_line(member)
        if member.type in ("field_declaration", "constant_declaration"):
            for node in member.children_by_field_name("declarator"):
                if _name(node) == wanted:
                    return _name_line(node)
    return None


def variable_line(text: str, name: str, at_line: int) -> int | None:
    """The line that declares the local variable or parameter `name` that is in scope at a line.

    The last declaration at or before the line, in the innermost type body around it.
    """
    wanted, best = name.encode(), None
    for node in _walk(_root(text)):
        if node.start_point[0] + 1 > at_line:
            continue
        names: list[tree_sitter.Node] = []
        if node.type in _NAMED:
            own = node.child_by_field_name("name")
            names = [] if own is None else [own]
        elif node.type in _ANONYMOUS:
            names = [each for each in node.named_children if each.type == "identifier"]
            if node.type == "lambda_expression":
                names = [each for each in names if each == node.child_by_field_name("parameters")]
        for each in names:
            line = each.start_point[0] + 1
            if each.text == wanted and line <= at_line and _is_seen(node, at_line):
                best = max(best or 0, line)
    return best


def _is_seen(node: tree_sitter.Node, line: int) -> bool:
    """Whether the line is in the block, loop or method that the declaration belongs to."""
    around = node.parent
    while around is not None and not around.type.endswith(
        ("block", "_body", "method_declaration", "constructor_declaration", "lambda_expression",
         "for_statement", "catch_clause", "try_with_resources_statement")
    ):  # fmt: skip
        around = around.parent
    return around is None or around.start_point[0] < line <= around.end_point[0] + 1


def _root(text: str) -> tree_sitter.Node:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    parsed = text if len(text) <= MOST_PARSED else ""
    return parser.parse(parsed.encode("utf-8", "surrogatepass")).root_node


def _walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.named_children)


def _type(root: tree_sitter.Node, names: Sequence[str]) -> tree_sitter.Node | None:
    """The declaration of a nested type; the members of local classes are found by their name."""
    found = root
    for name in names:
        inside = (each for each in _walk(found) if each.type in _TYPES and each != found)
        match = next((each for each in inside if _name(each) == name.encode()), None)
        if match is None:
            return None
        found = match
    return found if names else None


def _members(type_: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    body = type_.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        yield member
        if member.type == "enum_body_declarations":
            yield from member.named_children


def _name(node: tree_sitter.Node) -> bytes | None:
    name = node.child_by_field_name("name")
    return None if name is None else name.text


def _name_line(node: tree_sitter.Node) -> int:
    name = node.child_by_field_name("name") or node
    return name.start_point[0] + 1
