# SPDX-License-Identifier: Apache-2.0
"""The lines of the statements, methods and inner classes of a Java or Kotlin source.

A breakpoint on a line without code stays in the statement that the line is in, else in the method:
compilers give no code to the last line of a `throw` whose message goes over several lines, for
example. Pure; made by `source_shape` from a syntax tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import tree_sitter

Lines: TypeAlias = tuple[int, int]
"""The first and the last line, from 1."""

_STATEMENTS: Final = frozenset(
    {
        "expression_statement",
        "local_variable_declaration",
        "return_statement",
        "throw_statement",
        "yield_statement",
        "assert_statement",
        "explicit_constructor_invocation",
        "field_declaration",
        "constant_declaration",
        "enum_constant",
        "property_declaration",
    }
)
_CALLABLES: Final = frozenset(
    {
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "static_initializer",
        "function_declaration",
        "secondary_constructor",
        "anonymous_initializer",
        "getter",
        "setter",
        "lambda_literal",
        "anonymous_function",
    }
)
_NAMED_CLASSES: Final = frozenset(
    {
        "class_declaration",
        "enum_declaration",
        "record_declaration",
        "interface_declaration",
        "annotation_type_declaration",
        "object_declaration",
        "companion_object",
    }
)
_OTHER_CLASSES: Final = frozenset({"lambda_literal", "anonymous_function", "object_literal"})
"""Nodes of Kotlin that may be classes of their own, and begin and end within a statement of
another.
"""
_ANONYMOUS_IN: Final = frozenset({"object_creation_expression", "enum_constant"})
_ENDS_OF_HEADS: Final = frozenset(
    {")", "parenthesized_expression", "when_subject", "resource_specification"}
)
_COMPOUND: Final = frozenset(
    {
        "if_statement",
        "while_statement",
        "for_statement",
        "enhanced_for_statement",
        "switch_expression",
        "synchronized_statement",
        "try_with_resources_statement",
        "catch_clause",
        "if_expression",
        "when_expression",
    }
)
_NOT_SIMPLE: Final = (
    _COMPOUND
    | _NAMED_CLASSES
    | {"function_declaration", "do_while_statement", "try_expression", "block", "line_comment"}
    | {"block_comment"}
)


@dataclass(frozen=True, slots=True)
class CodeExtents:
    """The lines of statements, of methods, and of what may be a class of its own."""

    statements: tuple[Lines, ...] = ()
    callables: tuple[Lines, ...] = ()
    """Methods, constructors, initializers, and lambdas with a block."""
    classes: tuple[Lines, ...] = ()
    """Classes without the lines that they share with the statement around them."""

    def is_in_callable(self, line: int) -> bool:
        """Whether the line is in a method or the like."""
        return any(_has(each, line) for each in self.callables)

    def nearest(self, line: int, code_lines: Collection[int]) -> int | None:
        """The line with code that stands for a line without code: in the same statement, else in
        the same method.

        The next such line there, else the last one before. None if there is none in the innermost
        class.
        """
        own = min((each for each in self.classes if _has(each, line)), key=_size, default=None)
        around = [
            each
            for each in sorted((*self.statements, *self.callables), key=_size)
            if _has(each, line) and (own is None or (own[0] <= each[0] and each[1] <= own[1]))
        ]
        if not around:
            return None
        hidden = [each for each in self.classes if not _has(each, line)]
        within = [
            each
            for each in code_lines
            if _has(around[-1], each) and not any(_has(other, each) for other in hidden)
        ]
        lambdas = [each for each in self.callables if not _has(each, line)]
        for lines in around:
            here = [each for each in within if _has(lines, each)]
            before = [each for each in here if each < line]
            outside = [
                each for each in before if not any(first < each <= last for first, last in lambdas)
            ]
            found = min((each for each in here if each > line), default=None)
            found = found or max(outside or before, default=None)
            if found is not None:
                return found
        return None


def code_extents(root: tree_sitter.Node) -> CodeExtents:
    """Read the extents from a syntax tree of Java or Kotlin."""
    statements: list[Lines] = []
    callables: list[Lines] = []
    classes: list[Lines] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.start_point[0] != node.end_point[0]:  # else all of it is on this line
            waiting.extend(node.named_children)
        if _is_callable(node):
            callables.append(_lines(node))
        statements.extend(_statements_of(node))
        if node.type in _NAMED_CLASSES:
            classes.append(_lines(node))
        elif _is_inner(node):
            first, last = _lines(node)
            if first + 1 < last:
                classes.append((first + 1, last - 1))
    return CodeExtents(tuple(statements), tuple(callables), tuple(classes))


def _is_callable(node: tree_sitter.Node) -> bool:
    if node.type == "block":
        parent = "" if node.parent is None else node.parent.type
        return parent in ("lambda_expression", "class_body", "enum_body_declarations")
    return node.type in _CALLABLES and (
        node.type != "method_declaration" or node.child_by_field_name("body") is not None
    )


def _is_inner(node: tree_sitter.Node) -> bool:
    parent = "" if node.parent is None else node.parent.type
    return (
        node.type in _OTHER_CLASSES
        or (node.type == "class_body" and parent in _ANONYMOUS_IN)
        or (node.type == "function_declaration" and parent == "block")
    )


def _statements_of(node: tree_sitter.Node) -> Iterator[Lines]:
    """The lines of a statement: of the node, of its head, or of statements in it that
    have no node.
    """
    parent = "" if node.parent is None else node.parent.type
    if node.type in _STATEMENTS:
        yield _lines(node)
    elif node.type in _COMPOUND:
        end = next((each for each in node.children if each.type in _ENDS_OF_HEADS), None)
        if end is not None:
            yield node.start_point[0] + 1, end.end_point[0] + 1
    elif _is_expression_of(node, parent):
        yield _lines(node)


def _is_expression_of(node: tree_sitter.Node, parent: str) -> bool:
    """Whether the node is the body of a lambda or function without a block, the condition of a
    `do`, or a statement of Kotlin.
    """
    if parent == "do_statement":
        return node.type == "parenthesized_expression"
    if parent == "lambda_expression":
        body = None if node.parent is None else node.parent.child_by_field_name("body")
        return body is not None and body == node and node.type != "block"
    in_kotlin = parent in ("block", "function_body", "lambda_literal", "when_entry")
    return in_kotlin and node.type not in _NOT_SIMPLE and not node.type.endswith("_statement")


def _lines(node: tree_sitter.Node) -> Lines:
    return node.start_point[0] + 1, node.end_point[0] + 1


def _has(lines: Sequence[int], line: int) -> bool:
    return lines[0] <= line <= lines[1]


def _size(lines: Lines) -> int:
    return lines[1] - lines[0]
