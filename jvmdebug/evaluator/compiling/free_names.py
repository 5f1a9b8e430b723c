# SPDX-License-Identifier: Apache-2.0
"""The names that a text uses and declares; those used and not declared are its free names.

By the tree-sitter tree alone; `rewriting` resolves the free names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.parse.grammar import without_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

    from jvmdebug.evaluator.parse.grammar import WrappedText


class Role(Enum):
    """What a name may mean where it is used."""

    VALUE_OR_TYPE = auto()
    """A simple name, or the first part of `a.b`."""
    METHOD = auto()
    """The name of a method called without target."""
    TYPE = auto()
    THIS = auto()
    QUALIFIED_THIS = auto()
    SUPER = auto()


@dataclass(frozen=True, slots=True)
class NameUse:
    """A use of a name. `bodies` are the enclosing anonymous classes, innermost first: they may
    have inherited a member of that name.
    """

    node: tree_sitter.Node
    role: Role
    bodies: tuple[tree_sitter.Node, ...]


@dataclass(slots=True)
class Names:
    """The names that a text declares and uses."""

    types: set[str] = field(default_factory=set)
    uses: list[NameUse] = field(default_factory=list)
    assigned: set[str] = field(default_factory=set)
    """Simple names that are assigned to, anywhere in the text."""
    declared: dict[tuple[bool, str], list[tree_sitter.Node]] = field(default_factory=dict)
    """(is a method, name) → the blocks, lambdas and classes that declare it."""

    def declares(self, name_use: NameUse, name: str) -> bool:
        """Whether a declaration of the text is in scope for that use."""
        node, is_method = name_use.node, name_use.role is Role.METHOD
        return any(
            scope.start_byte <= node.start_byte and node.end_byte <= scope.end_byte
            for scope in self.declared.get((is_method, name), ())
        )

    def declare(self, name: str, scope: tree_sitter.Node, *, is_method: bool = False) -> None:
        """Add a variable or method that is in scope in that part of the text."""
        self.declared.setdefault((is_method, name), []).append(scope)


# Where an identifier declares a variable: (type of the parent, field in it).
_VARIABLES: Final = frozenset(
    {
        ("variable_declarator", "name"),
        ("formal_parameter", "name"),
        ("catch_formal_parameter", "name"),
        ("enhanced_for_statement", "name"),
        ("lambda_expression", "parameters"),
        ("inferred_parameters", None),
        ("instanceof_expression", "name"),
        ("resource", "name"),
        ("record_pattern_component", None),
        ("type_pattern", None),
    }
)
_TYPES: Final = (
    "class_declaration",
    "record_declaration",
    "enum_declaration",
    "interface_declaration",
)
# Nodes that end the scope of names declared in them. (Not of pattern variables: JLS 6.3.)
_SCOPES: Final = (
    *("block", "lambda_expression", "for_statement", "enhanced_for_statement", "catch_clause"),
    *("switch_rule", "try_with_resources_statement", "method_declaration", "class_body"),
    *("constructor_declaration", "record_declaration"),
)
# Where an identifier is neither: labels, members after a dot, constants of a switch.
_NOT_NAMES: Final = frozenset(
    {
        ("field_access", "field"),
        ("break_statement", None),
        ("continue_statement", None),
        ("switch_label", None),
        ("element_value_pair", "key"),
        ("annotation", "name"),
        ("marker_annotation", "name"),
        ("scoped_identifier", "name"),
        ("scoped_identifier", "scope"),
        ("enum_constant", "name"),
        ("constructor_declaration", "name"),
    }
)


def find_names(source: WrappedText, root: tree_sitter.Node) -> Names:
    """Find all names in the tree of a text."""
    names = Names()
    for visit in _visits(_Visit(root, None, None, (), root)):
        _note(source, visit, names)
    return names


@dataclass(frozen=True, slots=True)
class _Visit:
    node: tree_sitter.Node
    parent: tree_sitter.Node | None
    field: str | None
    bodies: tuple[tree_sitter.Node, ...]
    scope: tree_sitter.Node


def _visits(visit: _Visit) -> Iterator[_Visit]:
    yield visit
    node, bodies = visit.node, visit.bodies
    if node.type == "class_body" and visit.parent is not None:
        bodies = (visit.parent, *bodies)
    scope = node if node.type in _SCOPES else visit.scope
    for number, child in enumerate(node.children):
        name = node.field_name_for_child(number)
        yield from _visits(_Visit(child, node, name, bodies, scope))


def _note(source: WrappedText, visit: _Visit, names: Names) -> None:
    node, parent = visit.node, visit.parent
    text = source.span(node).text(source.text)
    position = (parent.type if parent is not None else "", visit.field)
    if node.type in ("assignment_expression", "update_expression"):
        target = without_comments(node.named_children)[0]
        if target.type == "identifier":
            names.assigned.add(source.span(target).text(source.text))
        return
    if position == ("binary_expression", "right") and _follows_dot(source, parent):
        return
    role = _role(visit, position)
    if role is not None:
        names.uses.append(NameUse(node, role, visit.bodies))
    elif node.type == "identifier":
        if position in _VARIABLES:
            names.declare(text, visit.scope)
        elif position == ("method_declaration", "name"):
            body = visit.bodies[0].child_by_field_name("body") if visit.bodies else None
            names.declare(text, body or visit.scope, is_method=True)
        elif position[0] in _TYPES and visit.field == "name":
            names.types.add(text)


def _follows_dot(source: WrappedText, parent: tree_sitter.Node | None) -> bool:
    """`b` in `(a.b) + 1`: see WrappedText."""
    operator = None if parent is None else parent.child_by_field_name("operator")
    return operator is not None and source.is_dot(operator)


def _role(visit: _Visit, position: tuple[str, str | None]) -> Role | None:
    node, parent = visit.node, visit.parent
    match node.type:
        case "this":
            return None if parent is not None and _is_qualified(parent) else Role.THIS
        case "super":
            return Role.SUPER
        case "field_access" if _is_qualified(node):
            return Role.QUALIFIED_THIS
        case "type_identifier":
            is_inner = position[0] == "scoped_type_identifier" and not _is_first(node, parent)
            return None if is_inner else Role.TYPE
        case "identifier":
            return _identifier_role(node, parent, position)
        case _:
            return None


def _identifier_role(
    node: tree_sitter.Node, parent: tree_sitter.Node | None, position: tuple[str, str | None]
) -> Role | None:
    if parent is None or position in _VARIABLES or position in _NOT_NAMES:
        return None
    if position == ("method_invocation", "name"):
        return Role.METHOD if parent.child_by_field_name("object") is None else None
    is_first = _is_first(node, parent)
    match parent.type:
        case "record_pattern":
            return Role.TYPE
        case kind if kind == "method_declaration" or kind in _TYPES:
            is_name = False
        case "method_reference":
            is_name = is_first
        case "labeled_statement":
            is_name = not is_first
        case _:
            is_name = not _is_qualified(parent)
    return Role.VALUE_OR_TYPE if is_name else None


def _is_qualified(node: tree_sitter.Node) -> bool:
    """`Outer.this`."""
    member = node.child_by_field_name("field") if node.type == "field_access" else None
    return member is not None and member.type == "this"


def _is_first(node: tree_sitter.Node, parent: tree_sitter.Node | None) -> bool:
    return parent is not None and without_comments(parent.children)[0] == node
