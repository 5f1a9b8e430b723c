# SPDX-License-Identifier: Apache-2.0
"""Types as they are written in an expression: tree-sitter nodes to TypeSyntax.

Used by `parser` only. Resolving the names is the binder's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from jvmdebug.evaluator.parse import syntax
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

    from jvmdebug.errors import EvaluationError


class _Fail(Protocol):
    def __call__(self, message: str, node: tree_sitter.Node | None) -> EvaluationError: ...


class TypeReader:
    """Reads types; positions and errors come from the parser of the whole text."""

    def __init__(
        self, source: str, span: Callable[[tree_sitter.Node], syntax.Span], fail: _Fail
    ) -> None:
        self._source = source
        self._span = span
        self._fail = fail

    def read(self, node: tree_sitter.Node) -> syntax.TypeSyntax:
        span = self._span(node)
        match node.type:
            case "integral_type" | "floating_point_type" | "boolean_type":
                return syntax.PrimitiveTypeSyntax(span, PrimitiveKind[self._text(node).upper()])
            case "void_type":
                return syntax.VoidTypeSyntax(span)
            case "type_identifier" | "identifier" | "scoped_type_identifier":
                return syntax.NamedTypeSyntax(span, self._parts(node))
            case "generic_type":
                return self._generic(node)
            case "array_type":
                return self._array(node)
            case "wildcard":
                return self._wildcard(node)
            case _:
                raise self._fail(f"expected a type, found {self._text(node)!r}", node)

    def _text(self, node: tree_sitter.Node) -> str:
        return self._span(node).text(self._source)

    def arguments(self, node: tree_sitter.Node) -> tuple[syntax.TypeSyntax, ...]:
        """The types between `<` and `>`; none for the diamond."""
        return tuple(self.read(child) for child in node.named_children if _is_code(child))

    def _parts(self, node: tree_sitter.Node) -> tuple[str, ...]:
        if node.type in ("type_identifier", "identifier"):
            return (self._text(node),)
        parts: list[str] = []
        for child in node.named_children:
            if child.type in ("type_identifier", "identifier", "scoped_type_identifier"):
                parts.extend(self._parts(child))
            elif child.type == "generic_type":
                parts.extend(self._generic(child).parts)
            elif _is_code(child):
                raise self._fail(f"expected a class name, found {self._text(child)!r}", child)
        return tuple(parts)

    def _array(self, node: tree_sitter.Node) -> syntax.ArrayTypeSyntax:
        element = node.child_by_field_name("element")
        dimensions = node.child_by_field_name("dimensions")
        if element is None or dimensions is None:
            raise self._fail("expected an array type", node)
        count = sum(1 for token in dimensions.children if token.type == "[")
        return syntax.ArrayTypeSyntax(self._span(node), self.read(element), count)

    def _generic(self, node: tree_sitter.Node) -> syntax.NamedTypeSyntax:
        children = [child for child in node.named_children if _is_code(child)]
        named = self.read(children[0])
        if not isinstance(named, syntax.NamedTypeSyntax):
            raise self._fail("only a class has type arguments", node)
        return syntax.NamedTypeSyntax(self._span(node), named.parts, self.arguments(children[-1]))

    def _wildcard(self, node: tree_sitter.Node) -> syntax.WildcardSyntax:
        span = self._span(node)
        children = [child for child in node.children if _is_code(child)]
        if len(children) == 1:
            return syntax.WildcardSyntax(span)
        bound = self.read(children[-1])
        if any(child.type == "super" for child in children):
            return syntax.WildcardSyntax(span, lower=bound)
        return syntax.WildcardSyntax(span, upper=bound)


def _is_code(node: tree_sitter.Node) -> bool:
    return node.type not in ("line_comment", "block_comment")
