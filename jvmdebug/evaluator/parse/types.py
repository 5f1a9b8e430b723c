# SPDX-License-Identifier: Apache-2.0
"""tree-sitter nodes to syntax tree: types, as written. `bind.type_names` resolves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import without_comments
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

    from jvmdebug.errors import EvaluationError


class _Fail(Protocol):
    def __call__(self, message: str, node: tree_sitter.Node | None) -> EvaluationError: ...


class TypeConverter:
    """Converts types; `span` and `fail` are those of the Converter."""

    def __init__(
        self, source: str, span: Callable[[tree_sitter.Node], syntax.Span], fail: _Fail
    ) -> None:
        self._source = source
        self._span = span
        self._fail = fail

    def convert(self, node: tree_sitter.Node) -> syntax.TypeSyntax:
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
        return tuple(self.convert(child) for child in without_comments(node.named_children))

    def _parts(self, node: tree_sitter.Node) -> tuple[str, ...]:
        if node.type in ("type_identifier", "identifier"):
            return (self._text(node),)
        parts: list[str] = []
        for child in without_comments(node.named_children):
            if child.type in ("type_identifier", "identifier", "scoped_type_identifier"):
                parts.extend(self._parts(child))
            elif child.type == "generic_type":
                parts.extend(self._generic(child).parts)
            else:
                raise self._fail(f"expected a class name, found {self._text(child)!r}", child)
        return tuple(parts)

    def _array(self, node: tree_sitter.Node) -> syntax.ArrayTypeSyntax:
        element = node.child_by_field_name("element")
        dimensions = node.child_by_field_name("dimensions")
        if element is None or dimensions is None:
            raise self._fail("expected an array type", node)
        count = sum(1 for token in dimensions.children if token.type == "[")
        return syntax.ArrayTypeSyntax(self._span(node), self.convert(element), count)

    def _generic(self, node: tree_sitter.Node) -> syntax.NamedTypeSyntax:
        children = without_comments(node.named_children)
        named = self.convert(children[0])
        if not isinstance(named, syntax.NamedTypeSyntax):
            raise self._fail("only a class has type arguments", node)
        return syntax.NamedTypeSyntax(self._span(node), named.parts, self.arguments(children[-1]))

    def _wildcard(self, node: tree_sitter.Node) -> syntax.WildcardSyntax:
        span = self._span(node)
        children = without_comments(node.children)
        if len(children) == 1:
            return syntax.WildcardSyntax(span)
        bound = self.convert(children[-1])
        if any(child.type == "super" for child in children):
            return syntax.WildcardSyntax(span, lower=bound)
        return syntax.WildcardSyntax(span, upper=bound)
