# SPDX-License-Identifier: Apache-2.0
"""tree-sitter nodes to syntax tree: expressions.

A Converter knows one text and maps its nodes to columns of the user's text. No name is resolved
here. Statements, patterns and switch are in `statements`. Called by `parser`.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.errors import NeedsCompilerError
from jvmdebug.evaluator.parse import literals, statements, syntax
from jvmdebug.evaluator.parse.grammar import WrappedText, without_comments
from jvmdebug.evaluator.parse.types import TypeConverter
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import tree_sitter

_ASSIGNABLE: Final = "only a variable, a field or an array element can be assigned to"

# Valid Java that is not interpreted, by tree-sitter's node type.
FOR_COMPILER: Final = {
    "lambda_expression": "a lambda",
    "method_reference": "a method reference",
    "class_body": "an anonymous class",
}
UNSUPPORTED: Final = {
    "template_expression": "a string template",
    "annotated_type": "a type annotation",
}
_WORDS: Final = (
    "abstract assert break case catch class const continue default do else enum extends final "
    "finally for goto if implements import interface native package private protected public "
    "return static strictfp switch synchronized throw throws transient try volatile while"
)
_RESERVED: Final = frozenset(_WORDS.split())
_DEEPEST: Final = 100
"""Nesting limit: binding and running take several Python frames per level; javac allows more."""


class Converter:
    """Converts one parsed text. A method per kind of node; the table below dispatches."""

    def __init__(self, source: WrappedText) -> None:
        self.source = source
        self._text = source.text
        self._depth = 0
        self.types = TypeConverter(source.text, self.span, self.fail)

    # --- errors and positions ----------------------------------------------------------------

    def span(self, node: tree_sitter.Node) -> syntax.Span:
        return self.source.span(node)

    def fail(self, message: str, node: tree_sitter.Node | None) -> EvaluationError:
        return self.source.fail(message, node)

    def needs_compiler(self, what: str, node: tree_sitter.Node) -> NeedsCompilerError:
        """The error for a construct that is not interpreted; `what` names it."""
        column = self.span(node).column
        return NeedsCompilerError(f"{what} can only be compiled, and not here", column)

    # --- nodes -------------------------------------------------------------------------------

    def convert(self, node: tree_sitter.Node) -> syntax.Expression:
        if node.type in FOR_COMPILER:
            raise self.needs_compiler(FOR_COMPILER[node.type], node)
        if node.type in UNSUPPORTED:
            raise self.fail(f"{UNSUPPORTED[node.type]} cannot be evaluated", node)
        conversion = _CONVERSIONS.get(node.type)
        if conversion is None:
            words = node.type.replace("_", " ")
            raise self.fail(f"expected an expression, found {words} {self.text(node)!r}", node)
        with self.deeper(node):
            return conversion(self, node)

    @contextlib.contextmanager
    def deeper(self, node: tree_sitter.Node) -> Iterator[None]:
        """A context with one more level of nesting."""
        if self._depth >= _DEEPEST:
            raise self.needs_compiler(f"what is nested more than {_DEEPEST} levels deep", node)
        self._depth += 1
        yield
        self._depth -= 1

    def text(self, node: tree_sitter.Node) -> str:
        return self.span(node).text(self._text)

    def field(self, node: tree_sitter.Node, name: str) -> tree_sitter.Node:
        child = node.child_by_field_name(name)
        if child is None:
            raise self.fail(f"the {name} is missing in {self.text(node)!r}", node)
        return child

    def operand(self, node: tree_sitter.Node, name: str) -> syntax.Expression:
        return self.convert(self.field(node, name))

    def null_literal(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.NullLiteral(self.span(node))

    def boolean(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.PrimitiveLiteral(self.span(node), PrimitiveKind.BOOLEAN, node.type == "true")

    def integer(self, node: tree_sitter.Node) -> syntax.Expression:
        return self._integer(node, self.span(node), negated=False)

    def _integer(
        self, node: tree_sitter.Node, span: syntax.Span, *, negated: bool
    ) -> syntax.Expression:
        try:
            kind, value = literals.integer(self.text(node), negated=negated)
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(span, kind, value)

    def floating(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            kind, value = literals.floating(self.text(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(self.span(node), kind, value)

    def character(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            value = literals.character(self.text(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(self.span(node), PrimitiveKind.CHAR, value)

    def string(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            value = literals.string(self.text(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.StringLiteral(self.span(node), value)

    def class_literal(self, node: tree_sitter.Node) -> syntax.Expression:
        named = without_comments(node.named_children)[0]
        return syntax.ClassLiteral(self.span(node), self.types.convert(named))

    def name(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Name(self.span(node), self._name(node))

    def _name(self, node: tree_sitter.Node) -> str:
        identifier = self.text(node)
        if identifier in _RESERVED:
            raise self.fail(f"{identifier} is a word of Java, not a name", node)
        return identifier

    def this(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.This(self.span(node))

    def super(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Super(self.span(node))

    def parenthesized(self, node: tree_sitter.Node) -> syntax.Expression:
        inner = without_comments(node.named_children)
        return syntax.Parenthesized(self.span(node), self.convert(inner[0]))

    def field_access(self, node: tree_sitter.Node) -> syntax.Expression:
        target, field = self.field(node, "object"), self.field(node, "field")
        if field.type == "this":
            return syntax.This(self.span(node), self._qualifier(target))
        owner = self._target(node, target)
        return syntax.FieldAccess(self.span(node), owner, self.text(field), self.span(field))

    def _target(self, node: tree_sitter.Node, target: tree_sitter.Node) -> syntax.Expression:
        """`Outer.super.x`: tree-sitter gives `Outer` as the object and `super` as a sibling."""
        is_super = any(child.type == "super" for child in node.children if child != target)
        if is_super:
            return syntax.Super(self.span(target), self._qualifier(target))
        return self.convert(target)

    def _qualifier(self, node: tree_sitter.Node) -> syntax.NamedTypeSyntax:
        parts: list[str] = []
        rest = node
        while rest.type == "field_access":
            parts.insert(0, self.text(self.field(rest, "field")))
            rest = self.field(rest, "object")
        if rest.type != "identifier":
            raise self.fail(f"expected a class name, found {self.text(node)!r}", node)
        return syntax.NamedTypeSyntax(self.span(node), (self.text(rest), *parts))

    def array_access(self, node: tree_sitter.Node) -> syntax.Expression:
        array, index = self.operand(node, "array"), self.operand(node, "index")
        return syntax.ArrayAccess(self.span(node), array, index)

    def method_call(self, node: tree_sitter.Node) -> syntax.Expression:
        target = node.child_by_field_name("object")
        name = self.field(node, "name")
        type_arguments = node.child_by_field_name("type_arguments")
        return syntax.MethodCall(
            self.span(node),
            self._target(node, target) if target is not None else None,
            self._name(name),
            self.span(name),
            self._arguments(node),
            self.types.arguments(type_arguments) if type_arguments is not None else (),
        )

    def _arguments(self, node: tree_sitter.Node) -> tuple[syntax.Expression, ...]:
        return tuple(
            self.convert(child)
            for child in without_comments(self.field(node, "arguments").children)
            if child.is_named
        )

    def new_object(self, node: tree_sitter.Node) -> syntax.Expression:
        for child in node.named_children:
            if child.type == "class_body":
                raise self.needs_compiler(FOR_COMPILER["class_body"], child)
        type_node = self.field(node, "type")
        named = self.types.convert(type_node)
        if not isinstance(named, syntax.NamedTypeSyntax):
            raise self.fail("only a class can be instantiated with new T(…)", type_node)
        first = without_comments(node.named_children)[0]
        outer = self.convert(first) if node.children[0].type != "new" else None
        return syntax.NewObject(self.span(node), named, self._arguments(node), outer)

    def new_array(self, node: tree_sitter.Node) -> syntax.Expression:
        lengths: list[syntax.Expression] = []
        open_dimensions = 0
        for child in node.children_by_field_name("dimensions"):
            if child.type == "dimensions_expr":
                lengths.append(self.convert(without_comments(child.named_children)[0]))
            else:
                open_dimensions += sum(1 for token in child.children if token.type == "[")
        value = node.child_by_field_name("value")
        initializer = self.array_initializer(value) if value is not None else None
        element = self.types.convert(self.field(node, "type"))
        return syntax.NewArray(
            self.span(node), element, tuple(lengths), open_dimensions, initializer
        )

    def array_initializer(self, node: tree_sitter.Node) -> syntax.ArrayInitializer:
        elements = tuple(
            self.array_initializer(child)
            if child.type == "array_initializer"
            else self.convert(child)
            for child in without_comments(node.named_children)
        )
        return syntax.ArrayInitializer(self.span(node), elements)

    def unary(self, node: tree_sitter.Node) -> syntax.Expression:
        operator, operand = self.field(node, "operator").type, self.field(node, "operand")
        if operator == "-" and operand.type in _INTEGERS:
            return self._integer(operand, self.span(node), negated=True)
        return syntax.Unary(self.span(node), operator, self.convert(operand))

    def update(self, node: tree_sitter.Node) -> syntax.Expression:
        is_prefix = node.children[0].type in ("++", "--")
        operator = node.children[0].type if is_prefix else node.children[-1].type
        operand = self.convert(without_comments(node.named_children)[0])
        if is_prefix:
            check_assignable(operand)
            return syntax.Update(self.span(node), operator, operand, is_prefix=True)
        return self._postfix(self.span(node), operator, operand)

    def _postfix(
        self, span: syntax.Span, operator: str, operand: syntax.Expression
    ) -> syntax.Expression:
        """`-i++` is `-(i++)`, `(byte) i++` is `(byte) (i++)`; the grammar parses them otherwise."""
        if isinstance(operand, syntax.Unary | syntax.Cast):
            end = syntax.Span(operand.operand.span.start, span.end)
            inner = self._postfix(end, operator, operand.operand)
            return replace(operand, span=span, operand=inner)
        check_assignable(operand)
        return syntax.Update(span, operator, operand, is_prefix=False)

    def binary(self, node: tree_sitter.Node) -> syntax.Expression:
        operator = self.field(node, "operator")
        left, member = self.operand(node, "left"), self.field(node, "right")
        if self.source.is_dot(operator):
            span = self.span(member)
            return syntax.FieldAccess(self.span(node), left, self.text(member), span)
        right = self.convert(member)
        return syntax.Binary(self.span(node), operator.type, left, right, self.span(operator))

    def conditional(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Conditional(
            self.span(node),
            self.operand(node, "condition"),
            self.operand(node, "consequence"),
            self.operand(node, "alternative"),
        )

    def cast(self, node: tree_sitter.Node) -> syntax.Expression:
        types = tuple(self.types.convert(child) for child in node.children_by_field_name("type"))
        return syntax.Cast(self.span(node), types, self.operand(node, "value"))

    def instance_of(self, node: tree_sitter.Node) -> syntax.Expression:
        operand = self.operand(node, "left")
        pattern = node.child_by_field_name("pattern")
        if pattern is not None:
            return syntax.InstanceOf(self.span(node), operand, statements.pattern(self, pattern))
        tested = self.types.convert(self.field(node, "right"))
        name = node.child_by_field_name("name")
        if name is None:
            return syntax.InstanceOf(self.span(node), operand, tested)
        span = syntax.Span(tested.span.start, self.span(name).end)
        named = syntax.TypePattern(span, tested, self.text(name), self.span(name))
        return syntax.InstanceOf(self.span(node), operand, named)

    def assignment(self, node: tree_sitter.Node) -> syntax.Expression:
        operator = self.field(node, "operator")
        target, value = self.operand(node, "left"), self.operand(node, "right")
        check_assignable(target)
        return syntax.Assignment(self.span(node), operator.type, target, value, self.span(operator))


def check_assignable(target: syntax.Expression) -> None:
    """Raise EvaluationError unless the expression is a name, field access or array access."""
    inner = target
    while isinstance(inner, syntax.Parenthesized):
        inner = inner.inner
    if not isinstance(inner, syntax.Name | syntax.FieldAccess | syntax.ArrayAccess):
        raise EvaluationError(_ASSIGNABLE, column=target.span.column)


_INTEGERS: Final = (
    "decimal_integer_literal",
    "hex_integer_literal",
    "octal_integer_literal",
    "binary_integer_literal",
)

_CONVERSIONS: Final[dict[str, Callable[[Converter, tree_sitter.Node], syntax.Expression]]] = {
    **dict.fromkeys(_INTEGERS, Converter.integer),
    "null_literal": Converter.null_literal,
    "true": Converter.boolean,
    "false": Converter.boolean,
    "decimal_floating_point_literal": Converter.floating,
    "hex_floating_point_literal": Converter.floating,
    "character_literal": Converter.character,
    "string_literal": Converter.string,
    "class_literal": Converter.class_literal,
    "identifier": Converter.name,
    "this": Converter.this,
    "super": Converter.super,
    "parenthesized_expression": Converter.parenthesized,
    "field_access": Converter.field_access,
    "array_access": Converter.array_access,
    "method_invocation": Converter.method_call,
    "object_creation_expression": Converter.new_object,
    "array_creation_expression": Converter.new_array,
    "unary_expression": Converter.unary,
    "update_expression": Converter.update,
    "binary_expression": Converter.binary,
    "ternary_expression": Converter.conditional,
    "cast_expression": Converter.cast,
    "instanceof_expression": Converter.instance_of,
    "assignment_expression": Converter.assignment,
    "switch_expression": statements.switch,
}
