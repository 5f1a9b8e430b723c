# SPDX-License-Identifier: Apache-2.0
"""tree-sitter nodes to syntax tree: statements, patterns and switch.

A function per kind of node. Each takes the Converter, which has the text and converts expressions.
Called by `parser` and `expressions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import without_comments

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

    from jvmdebug.evaluator.parse.expressions import Converter

_FOR_COMPILER: Final = {
    "try_statement": "a try statement",
    "try_with_resources_statement": "a try statement",
    "synchronized_statement": "a synchronized statement",
    "assert_statement": "an assertion",
    "class_declaration": "a local class",
    "record_declaration": "a local record",
    "enum_declaration": "a local enum",
    "interface_declaration": "a local interface",
}


def statement(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    """One statement."""
    if node.type in _FOR_COMPILER:
        raise converter.needs_compiler(_FOR_COMPILER[node.type], node)
    conversion = _STATEMENTS.get(node.type)
    if conversion is None:
        words = node.type.replace("_", " ")
        raise converter.fail(f"expected a statement, found {words} {converter.text(node)!r}", node)
    with converter.deeper(node):
        return conversion(converter, node)


def block(converter: Converter, node: tree_sitter.Node) -> syntax.Block:
    return syntax.Block(converter.span(node), _statements(converter, node.children))


def _statements(
    converter: Converter, nodes: list[tree_sitter.Node]
) -> tuple[syntax.Statement, ...]:
    return tuple(statement(converter, child) for child in without_comments(nodes) if child.is_named)


def _declaration(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    type_node = converter.field(node, "type")
    is_final = any(
        "final" in converter.text(each) for each in node.children if each.type == "modifiers"
    )
    declared = tuple(
        _declarator(converter, child, type_node, is_final=is_final)
        for child in node.children_by_field_name("declarator")
    )
    if len(declared) == 1:
        return declared[0]
    return syntax.Block(converter.span(node), declared, opens_scope=False)


def _declarator(
    converter: Converter, node: tree_sitter.Node, type_node: tree_sitter.Node, *, is_final: bool
) -> syntax.LocalDeclaration:
    name = converter.field(node, "name")
    written = _declared_type(converter, type_node, node.child_by_field_name("dimensions"))
    value = node.child_by_field_name("value")
    initial: syntax.Expression | None = None
    if value is not None and value.type == "array_initializer":
        initial = _array_value(converter, value, written)
    elif value is not None:
        initial = converter.convert(value)
    if written is None and initial is None:
        raise converter.fail("var needs a value, to infer the type from", name)
    return syntax.LocalDeclaration(
        converter.span(node), written, converter.text(name), converter.span(name), initial, is_final
    )


def _declared_type(
    converter: Converter, node: tree_sitter.Node, dimensions: tree_sitter.Node | None = None
) -> syntax.TypeSyntax | None:
    """None for `var`."""
    if node.type == "type_identifier" and converter.text(node) == "var":
        return None
    written = converter.types.convert(node)
    if dimensions is None:
        return written
    count = sum(1 for token in dimensions.children if token.type == "[")
    return syntax.ArrayTypeSyntax(converter.span(node), written, count)


def _array_value(
    converter: Converter, node: tree_sitter.Node, written: syntax.TypeSyntax | None
) -> syntax.Expression:
    """`int[] a = {1, 2}` is `new int[] {1, 2}`."""
    if not isinstance(written, syntax.ArrayTypeSyntax):
        raise converter.fail("an array initializer needs an array type before the name", node)
    dimensions, element = written.dimensions, written.element
    while isinstance(element, syntax.ArrayTypeSyntax):
        dimensions, element = dimensions + element.dimensions, element.element
    initializer = converter.array_initializer(node)
    return syntax.NewArray(converter.span(node), element, (), dimensions, initializer)


def _expression_statement(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.ExpressionStatement(converter.span(node), converter.convert(_inner(node)))


def _switch_statement(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.ExpressionStatement(converter.span(node), switch(converter, node))


def _inner(node: tree_sitter.Node) -> tree_sitter.Node:
    return without_comments(node.named_children)[0]


def _condition(converter: Converter, node: tree_sitter.Node) -> syntax.Expression:
    return converter.convert(_inner(converter.field(node, "condition")))


def _if(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    otherwise = node.child_by_field_name("alternative")
    return syntax.If(
        converter.span(node),
        _condition(converter, node),
        statement(converter, converter.field(node, "consequence")),
        None if otherwise is None else statement(converter, otherwise),
    )


def _while(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    body = statement(converter, converter.field(node, "body"))
    tests_first = node.type == "while_statement"
    return syntax.Loop(
        converter.span(node), (), _condition(converter, node), (), body, tests_first=tests_first
    )


def _for(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    first: list[syntax.Statement] = []
    for child in node.children_by_field_name("init"):
        if child.type == "local_variable_declaration":
            first.append(_declaration(converter, child))
        elif child.is_named:
            first.append(
                syntax.ExpressionStatement(converter.span(child), converter.convert(child))
            )
    condition = node.child_by_field_name("condition")
    return syntax.Loop(
        converter.span(node),
        tuple(first),
        None if condition is None else converter.convert(condition),
        tuple(
            converter.convert(child)
            for child in node.children_by_field_name("update")
            if child.is_named
        ),
        statement(converter, converter.field(node, "body")),
    )


def _for_each(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    name = converter.field(node, "name")
    return syntax.ForEach(
        converter.span(node),
        _declared_type(
            converter, converter.field(node, "type"), node.child_by_field_name("dimensions")
        ),
        converter.text(name),
        converter.span(name),
        converter.operand(node, "value"),
        statement(converter, converter.field(node, "body")),
    )


def _labeled(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    parts = without_comments(node.children)
    label, body = parts[0], parts[-1]
    return syntax.Labeled(converter.span(node), converter.text(label), statement(converter, body))


def _jump(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    labels = without_comments(node.named_children)
    label = converter.text(labels[0]) if labels else None
    return syntax.Jump(converter.span(node), node.children[0].type, label)


def _return(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    values = without_comments(node.named_children)
    return syntax.Return(converter.span(node), converter.convert(values[0]) if values else None)


def _yield(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Yield(converter.span(node), converter.convert(_inner(node)))


def _throw(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Throw(converter.span(node), converter.convert(_inner(node)))


def _empty(converter: Converter, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Block(converter.span(node), ())


# --- switch ---------------------------------------------------------------------------------------


def switch(converter: Converter, node: tree_sitter.Node) -> syntax.Switch:
    """A switch, as an expression or as a statement."""
    body = converter.field(node, "body")
    groups = without_comments(body.named_children)
    cases: list[syntax.Case] = []
    for group in groups:
        labels = [
            child
            for child in without_comments(group.named_children)
            if child.type == "switch_label"
        ]
        others = [
            child
            for child in without_comments(group.named_children)
            if child.type != "switch_label"
        ]
        statements = _statements(converter, others)
        # Consecutive labels share the statements of the last.
        for number, label in enumerate(labels, 1):
            cases.append(_case(converter, label, statements if number == len(labels) else ()))
    is_arrow = bool(groups) and groups[0].type == "switch_rule"
    return syntax.Switch(converter.span(node), _condition(converter, node), tuple(cases), is_arrow)


def _case(
    converter: Converter, label: tree_sitter.Node, body: tuple[syntax.Statement, ...]
) -> syntax.Case:
    labels: list[syntax.Expression | syntax.Pattern] = []
    is_default = label.children[0].type == "default"
    guard: syntax.Expression | None = None
    for child in without_comments(label.named_children):
        if child.type == "guard":
            guard = converter.convert(_inner(child))
        elif child.type == "pattern":
            labels.append(pattern(converter, _inner(child)))
        elif child.type == "identifier" and converter.text(child) == "default":
            is_default = True
        else:
            labels.append(converter.convert(child))
    return syntax.Case(converter.span(label), tuple(labels), is_default, guard, body)


# --- patterns -------------------------------------------------------------------------------------


def pattern(converter: Converter, node: tree_sitter.Node) -> syntax.Pattern:
    """A type pattern, a record pattern or `_`."""
    span = converter.span(node)
    match node.type:
        case "record_pattern":
            type_node, body = without_comments(node.named_children)
            components = tuple(
                pattern(converter, child) for child in without_comments(body.named_children)
            )
            return syntax.RecordPattern(span, converter.types.convert(type_node), components)
        case "underscore_pattern":
            return syntax.TypePattern(span, None, None, span)
        case "pattern":
            return pattern(converter, _inner(node))
        case "type_pattern" | "record_pattern_component":
            parts = [
                child
                for child in without_comments(node.named_children)
                if child.type != "modifiers"
            ]
            if len(parts) == 1 and converter.text(parts[0]) == "_":
                return syntax.TypePattern(span, None, None, span)
            type_node, name = parts[0], parts[-1]
            text = None if name.type == "underscore_pattern" else converter.text(name)
            return syntax.TypePattern(
                span,
                _declared_type(converter, type_node),
                None if text == "_" else text,
                converter.span(name),
            )
        case _:
            raise converter.fail(f"expected a pattern, found {converter.text(node)!r}", node)


_STATEMENTS: Final[dict[str, Callable[[Converter, tree_sitter.Node], syntax.Statement]]] = {
    "local_variable_declaration": _declaration,
    "expression_statement": _expression_statement,
    "switch_expression": _switch_statement,
    "block": block,
    "if_statement": _if,
    "while_statement": _while,
    "do_statement": _while,
    "for_statement": _for,
    "enhanced_for_statement": _for_each,
    "labeled_statement": _labeled,
    "break_statement": _jump,
    "continue_statement": _jump,
    "return_statement": _return,
    "yield_statement": _yield,
    "throw_statement": _throw,
    ";": _empty,
}
