# SPDX-License-Identifier: Apache-2.0
"""Text of one Java expression to the evaluator's own tree, through tree-sitter-java.

The grammar has no public start symbol for an expression, so the text is wrapped into a method;
whatever does not leave exactly one `return` statement in exactly one method is refused. Columns
are mapped back to the user's text. Nothing is resolved here. Called by `evaluation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator import literals, syntax
from jvmdebug.evaluator.grammar import (
    JAVA,
    PREFIX,
    code,
    first_error,
    first_of,
    only_child,
    wrapped,
)
from jvmdebug.evaluator.type_syntax import TypeReader
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

_ASSIGNABLE: Final = "only a variable, a field or an array element can be assigned to"

# What parses as Java and is not evaluated, by tree-sitter's node type.
UNSUPPORTED: Final = {
    "lambda_expression": "a lambda",
    "method_reference": "a method reference",
    "switch_expression": "a switch expression",
    "template_expression": "a string template",
    "class_body": "an anonymous class",
    "record_pattern": "a record pattern",
    "type_pattern": "a pattern",
    "annotated_type": "a type annotation",
}
_DEEPEST: Final = 100
"""Levels of nesting: binding and running take several Python frames for each."""
_STATEMENTS: Final = ("_statement", "_declaration")


def parse(text: str) -> syntax.Expression:
    """The tree of `text`; EvaluationError with the column when it is not one Java expression."""
    return _Reader(text).expression()


class _Reader:
    """Converts one parsed text. A method per family of nodes; the table below dispatches."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = wrapped(text)
        self._depth = 0
        self._types = TypeReader(text, self.span, self.fail)

    def expression(self) -> syntax.Expression:
        if not self._text.strip():
            raise EvaluationError("there is nothing to evaluate: the expression is empty", column=0)
        tree = JAVA.parse(self._bytes)
        body = only_child(only_child(tree.root_node, "class_declaration"), "method_declaration")
        if tree.root_node.has_error or body is None:
            self._refuse(tree.root_node)
        block = body.child_by_field_name("body") if body is not None else None
        statements = code(block.named_children) if block is not None else []
        if len(statements) != 1:
            # Another statement follows: point at the semicolon before it.
            at = statements[0].children[-1] if len(statements) > 1 else None
            raise self.fail("expected one expression, without ; and statements", at)
        inner = code(statements[0].named_children)
        if len(inner) != 1:
            raise EvaluationError("expected an expression: there is only a comment", column=0)
        return self.convert(inner[0])

    # --- errors and positions ----------------------------------------------------------------

    def span(self, node: tree_sitter.Node) -> syntax.Span:
        return syntax.Span(self._offset(node.start_byte), self._offset(node.end_byte))

    def _offset(self, byte: int) -> int:
        characters = len(self._bytes[:byte].decode("utf-8", "surrogatepass")) - len(PREFIX)
        return min(max(characters, 0), len(self._text))

    def fail(self, message: str, node: tree_sitter.Node | None) -> EvaluationError:
        column = self.span(node).column if node is not None else len(self._text)
        return EvaluationError(message, column=column)

    def _refuse(self, root: tree_sitter.Node) -> None:
        """Say where the text stops being an expression, and what it is instead."""
        node = first_error(root)
        if node is None:
            raise EvaluationError("expected one expression", column=0)
        if node.is_missing:
            wanted = "an expression" if node.type == "identifier" else repr(node.type)
            raise self.fail(f"expected {wanted} here", node)
        statement = first_of(root, _STATEMENTS, skip=("return_statement", "method_declaration"))
        if statement is not None and statement.type != "class_declaration":
            words = statement.type.replace("_", " ")
            raise self.fail(f"expected an expression, found a {words}", statement)
        start = self.span(node)
        found = start.text(self._text).split("\n")[0].strip()
        # tree-sitter wraps the whole text when it cannot recover: then the position says nothing.
        is_whole = node.start_byte < len(PREFIX)
        if is_whole or not found:
            raise self.fail(
                "this is not a Java expression: something is missing or left open", None
            )
        raise EvaluationError(f"did not expect {found!r} in an expression", column=start.column)

    # --- nodes -------------------------------------------------------------------------------

    def convert(self, node: tree_sitter.Node) -> syntax.Expression:
        if node.type in UNSUPPORTED:
            raise self.fail(f"{UNSUPPORTED[node.type]} cannot be evaluated yet", node)
        conversion = _CONVERSIONS.get(node.type)
        if conversion is None:
            words = node.type.replace("_", " ")
            raise self.fail(f"expected an expression, found {words} {self._source(node)!r}", node)
        if self._depth >= _DEEPEST:
            raise self.fail(f"the expression is nested more than {_DEEPEST} levels deep", node)
        self._depth += 1
        converted = conversion(self, node)
        self._depth -= 1
        return converted

    def _source(self, node: tree_sitter.Node) -> str:
        return self.span(node).text(self._text)

    def _field(self, node: tree_sitter.Node, name: str) -> tree_sitter.Node:
        child = node.child_by_field_name(name)
        if child is None:
            raise self.fail(f"the {name} is missing in {self._source(node)!r}", node)
        return child

    def _operand(self, node: tree_sitter.Node, name: str) -> syntax.Expression:
        return self.convert(self._field(node, name))

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
            kind, value = literals.integer(self._source(node), negated=negated)
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(span, kind, value)

    def floating(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            kind, value = literals.floating(self._source(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(self.span(node), kind, value)

    def character(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            value = literals.character(self._source(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.PrimitiveLiteral(self.span(node), PrimitiveKind.CHAR, value)

    def string(self, node: tree_sitter.Node) -> syntax.Expression:
        try:
            value = literals.string(self._source(node))
        except ValueError as error:
            raise self.fail(str(error), node) from error
        return syntax.StringLiteral(self.span(node), value)

    def class_literal(self, node: tree_sitter.Node) -> syntax.Expression:
        named = code(node.named_children)[0]
        return syntax.ClassLiteral(self.span(node), self._types.read(named))

    def name(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Name(self.span(node), self._source(node))

    def this(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.This(self.span(node))

    def super(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Super(self.span(node))

    def parenthesized(self, node: tree_sitter.Node) -> syntax.Expression:
        inner = code(node.named_children)
        return syntax.Parenthesized(self.span(node), self.convert(inner[0]))

    def field_access(self, node: tree_sitter.Node) -> syntax.Expression:
        target, field = self._field(node, "object"), self._field(node, "field")
        if field.type == "this":
            return syntax.This(self.span(node), self._qualifier(target))
        owner = self._target(node, target)
        return syntax.FieldAccess(self.span(node), owner, self._source(field), self.span(field))

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
            parts.insert(0, self._source(self._field(rest, "field")))
            rest = self._field(rest, "object")
        if rest.type != "identifier":
            raise self.fail(f"expected a class name, found {self._source(node)!r}", node)
        return syntax.NamedTypeSyntax(self.span(node), (self._source(rest), *parts))

    def array_access(self, node: tree_sitter.Node) -> syntax.Expression:
        array, index = self._operand(node, "array"), self._operand(node, "index")
        return syntax.ArrayAccess(self.span(node), array, index)

    def method_call(self, node: tree_sitter.Node) -> syntax.Expression:
        target = node.child_by_field_name("object")
        name = self._field(node, "name")
        type_arguments = node.child_by_field_name("type_arguments")
        return syntax.MethodCall(
            self.span(node),
            self._target(node, target) if target is not None else None,
            self._source(name),
            self.span(name),
            self._arguments(node),
            self._types.arguments(type_arguments) if type_arguments is not None else (),
        )

    def _arguments(self, node: tree_sitter.Node) -> tuple[syntax.Expression, ...]:
        return tuple(
            self.convert(child)
            for child in code(self._field(node, "arguments").children)
            if child.is_named
        )

    def new_object(self, node: tree_sitter.Node) -> syntax.Expression:
        for child in node.named_children:
            if child.type == "class_body":
                raise self.fail("an anonymous class cannot be evaluated yet", child)
        type_node = self._field(node, "type")
        named = self._types.read(type_node)
        if not isinstance(named, syntax.NamedTypeSyntax):
            raise self.fail("only a class can be instantiated with new T(…)", type_node)
        first = code(node.named_children)[0]
        outer = self.convert(first) if node.children[0].type != "new" else None
        return syntax.NewObject(self.span(node), named, self._arguments(node), outer)

    def new_array(self, node: tree_sitter.Node) -> syntax.Expression:
        lengths: list[syntax.Expression] = []
        open_dimensions = 0
        for child in node.children_by_field_name("dimensions"):
            if child.type == "dimensions_expr":
                lengths.append(self.convert(code(child.named_children)[0]))
            else:
                open_dimensions += sum(1 for token in child.children if token.type == "[")
        value = node.child_by_field_name("value")
        initializer = self.array_initializer(value) if value is not None else None
        element = self._types.read(self._field(node, "type"))
        return syntax.NewArray(
            self.span(node), element, tuple(lengths), open_dimensions, initializer
        )

    def array_initializer(self, node: tree_sitter.Node) -> syntax.ArrayInitializer:
        elements = tuple(
            self.array_initializer(child)
            if child.type == "array_initializer"
            else self.convert(child)
            for child in code(node.named_children)
        )
        return syntax.ArrayInitializer(self.span(node), elements)

    def unary(self, node: tree_sitter.Node) -> syntax.Expression:
        operator, operand = self._field(node, "operator").type, self._field(node, "operand")
        if operator == "-" and operand.type in _INTEGERS:
            return self._integer(operand, self.span(node), negated=True)
        return syntax.Unary(self.span(node), operator, self.convert(operand))

    def update(self, node: tree_sitter.Node) -> syntax.Expression:
        is_prefix = node.children[0].type in ("++", "--")
        operator = node.children[0].type if is_prefix else node.children[-1].type
        operand = self.convert(code(node.named_children)[0])
        check_assignable(operand)
        return syntax.Update(self.span(node), operator, operand, is_prefix)

    def binary(self, node: tree_sitter.Node) -> syntax.Expression:
        operator = self._field(node, "operator")
        left, right = self._operand(node, "left"), self._operand(node, "right")
        return syntax.Binary(self.span(node), operator.type, left, right, self.span(operator))

    def conditional(self, node: tree_sitter.Node) -> syntax.Expression:
        return syntax.Conditional(
            self.span(node),
            self._operand(node, "condition"),
            self._operand(node, "consequence"),
            self._operand(node, "alternative"),
        )

    def cast(self, node: tree_sitter.Node) -> syntax.Expression:
        types = tuple(self._types.read(child) for child in node.children_by_field_name("type"))
        return syntax.Cast(self.span(node), types, self._operand(node, "value"))

    def instance_of(self, node: tree_sitter.Node) -> syntax.Expression:
        binding = node.child_by_field_name("name") or node.child_by_field_name("pattern")
        if binding is not None:
            raise self.fail("instanceof with a pattern cannot be evaluated yet", binding)
        tested = self._types.read(self._field(node, "right"))
        return syntax.InstanceOf(self.span(node), self._operand(node, "left"), tested)

    def assignment(self, node: tree_sitter.Node) -> syntax.Expression:
        operator = self._field(node, "operator")
        target, value = self._operand(node, "left"), self._operand(node, "right")
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

_CONVERSIONS: Final[dict[str, Callable[[_Reader, tree_sitter.Node], syntax.Expression]]] = {
    **dict.fromkeys(_INTEGERS, _Reader.integer),
    "null_literal": _Reader.null_literal,
    "true": _Reader.boolean,
    "false": _Reader.boolean,
    "decimal_floating_point_literal": _Reader.floating,
    "hex_floating_point_literal": _Reader.floating,
    "character_literal": _Reader.character,
    "string_literal": _Reader.string,
    "class_literal": _Reader.class_literal,
    "identifier": _Reader.name,
    "this": _Reader.this,
    "super": _Reader.super,
    "parenthesized_expression": _Reader.parenthesized,
    "field_access": _Reader.field_access,
    "array_access": _Reader.array_access,
    "method_invocation": _Reader.method_call,
    "object_creation_expression": _Reader.new_object,
    "array_creation_expression": _Reader.new_array,
    "unary_expression": _Reader.unary,
    "update_expression": _Reader.update,
    "binary_expression": _Reader.binary,
    "ternary_expression": _Reader.conditional,
    "cast_expression": _Reader.cast,
    "instanceof_expression": _Reader.instance_of,
    "assignment_expression": _Reader.assignment,
}
