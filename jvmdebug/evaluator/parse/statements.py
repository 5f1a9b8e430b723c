# SPDX-License-Identifier: Apache-2.0
"""tree-sitter's nodes to the evaluator's own tree: statements, patterns and switch.

A function per family of nodes, over a Reader, which has the text and the expressions. Called by
`parser` and `expressions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.parse.grammar import code

if TYPE_CHECKING:
    from collections.abc import Callable

    import tree_sitter

    from jvmdebug.evaluator.parse.expressions import Reader

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


def statement(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    """One statement."""
    if node.type in _FOR_COMPILER:
        raise reader.needs_compiler(_FOR_COMPILER[node.type], node)
    conversion = _STATEMENTS.get(node.type)
    if conversion is None:
        words = node.type.replace("_", " ")
        raise reader.fail(f"expected a statement, found {words} {reader.text(node)!r}", node)
    with reader.deeper(node):
        return conversion(reader, node)


def block(reader: Reader, node: tree_sitter.Node) -> syntax.Block:
    return syntax.Block(reader.span(node), _statements(reader, node.children))


def _statements(reader: Reader, nodes: list[tree_sitter.Node]) -> tuple[syntax.Statement, ...]:
    return tuple(statement(reader, child) for child in code(nodes) if child.is_named)


def _declaration(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    type_node = reader.field(node, "type")
    is_final = any(
        "final" in reader.text(each) for each in node.children if each.type == "modifiers"
    )
    declared = tuple(
        _declarator(reader, child, type_node, is_final=is_final)
        for child in node.children_by_field_name("declarator")
    )
    if len(declared) == 1:
        return declared[0]
    return syntax.Block(reader.span(node), declared, opens_scope=False)


def _declarator(
    reader: Reader, node: tree_sitter.Node, type_node: tree_sitter.Node, *, is_final: bool
) -> syntax.LocalDeclaration:
    name = reader.field(node, "name")
    written = _declared_type(reader, type_node, node.child_by_field_name("dimensions"))
    value = node.child_by_field_name("value")
    initial: syntax.Expression | None = None
    if value is not None and value.type == "array_initializer":
        initial = _array_value(reader, value, written)
    elif value is not None:
        initial = reader.convert(value)
    if written is None and initial is None:
        raise reader.fail("var needs a value, which tells the type", name)
    return syntax.LocalDeclaration(
        reader.span(node), written, reader.text(name), reader.span(name), initial, is_final
    )


def _declared_type(
    reader: Reader, node: tree_sitter.Node, dimensions: tree_sitter.Node | None = None
) -> syntax.TypeSyntax | None:
    """None for `var`."""
    if node.type == "type_identifier" and reader.text(node) == "var":
        return None
    written = reader.types.read(node)
    if dimensions is None:
        return written
    count = sum(1 for token in dimensions.children if token.type == "[")
    return syntax.ArrayTypeSyntax(reader.span(node), written, count)


def _array_value(
    reader: Reader, node: tree_sitter.Node, written: syntax.TypeSyntax | None
) -> syntax.Expression:
    """`int[] a = {1, 2}` is `new int[] {1, 2}`."""
    if not isinstance(written, syntax.ArrayTypeSyntax):
        raise reader.fail("an array initialiser needs an array type before the name", node)
    dimensions, element = written.dimensions, written.element
    while isinstance(element, syntax.ArrayTypeSyntax):
        dimensions, element = dimensions + element.dimensions, element.element
    initializer = reader.array_initializer(node)
    return syntax.NewArray(reader.span(node), element, (), dimensions, initializer)


def _expression_statement(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.ExpressionStatement(reader.span(node), reader.convert(_inner(node)))


def _switch_statement(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.ExpressionStatement(reader.span(node), switch(reader, node))


def _inner(node: tree_sitter.Node) -> tree_sitter.Node:
    return code(node.named_children)[0]


def _condition(reader: Reader, node: tree_sitter.Node) -> syntax.Expression:
    return reader.convert(_inner(reader.field(node, "condition")))


def _if(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    otherwise = node.child_by_field_name("alternative")
    return syntax.If(
        reader.span(node),
        _condition(reader, node),
        statement(reader, reader.field(node, "consequence")),
        None if otherwise is None else statement(reader, otherwise),
    )


def _while(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    body = statement(reader, reader.field(node, "body"))
    tests_first = node.type == "while_statement"
    return syntax.Loop(
        reader.span(node), (), _condition(reader, node), (), body, tests_first=tests_first
    )


def _for(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    first: list[syntax.Statement] = []
    for child in node.children_by_field_name("init"):
        if child.type == "local_variable_declaration":
            first.append(_declaration(reader, child))
        elif child.is_named:
            first.append(syntax.ExpressionStatement(reader.span(child), reader.convert(child)))
    condition = node.child_by_field_name("condition")
    return syntax.Loop(
        reader.span(node),
        tuple(first),
        None if condition is None else reader.convert(condition),
        tuple(
            reader.convert(child)
            for child in node.children_by_field_name("update")
            if child.is_named
        ),
        statement(reader, reader.field(node, "body")),
    )


def _for_each(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    name = reader.field(node, "name")
    return syntax.ForEach(
        reader.span(node),
        _declared_type(reader, reader.field(node, "type"), node.child_by_field_name("dimensions")),
        reader.text(name),
        reader.span(name),
        reader.operand(node, "value"),
        statement(reader, reader.field(node, "body")),
    )


def _labeled(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    parts = code(node.children)
    label, body = parts[0], parts[-1]
    return syntax.Labeled(reader.span(node), reader.text(label), statement(reader, body))


def _jump(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    labels = code(node.named_children)
    label = reader.text(labels[0]) if labels else None
    return syntax.Jump(reader.span(node), node.children[0].type, label)


def _return(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    values = code(node.named_children)
    return syntax.Return(reader.span(node), reader.convert(values[0]) if values else None)


def _yield(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Yield(reader.span(node), reader.convert(_inner(node)))


def _throw(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Throw(reader.span(node), reader.convert(_inner(node)))


def _empty(reader: Reader, node: tree_sitter.Node) -> syntax.Statement:
    return syntax.Block(reader.span(node), ())


# --- switch ---------------------------------------------------------------------------------------


def switch(reader: Reader, node: tree_sitter.Node) -> syntax.Switch:
    """A switch, as an expression or as a statement."""
    body = reader.field(node, "body")
    groups = code(body.named_children)
    cases: list[syntax.Case] = []
    for group in groups:
        labels = [child for child in code(group.named_children) if child.type == "switch_label"]
        others = [child for child in code(group.named_children) if child.type != "switch_label"]
        statements = _statements(reader, others)
        # Labels that follow each other share the statements of the last.
        for number, label in enumerate(labels, 1):
            cases.append(_case(reader, label, statements if number == len(labels) else ()))
    is_arrow = bool(groups) and groups[0].type == "switch_rule"
    return syntax.Switch(reader.span(node), _condition(reader, node), tuple(cases), is_arrow)


def _case(
    reader: Reader, label: tree_sitter.Node, body: tuple[syntax.Statement, ...]
) -> syntax.Case:
    labels: list[syntax.Expression | syntax.Pattern] = []
    is_default = label.children[0].type == "default"
    guard: syntax.Expression | None = None
    for child in code(label.named_children):
        if child.type == "guard":
            guard = reader.convert(_inner(child))
        elif child.type == "pattern":
            labels.append(pattern(reader, _inner(child)))
        elif child.type == "identifier" and reader.text(child) == "default":
            is_default = True
        else:
            labels.append(reader.convert(child))
    return syntax.Case(reader.span(label), tuple(labels), is_default, guard, body)


# --- patterns -------------------------------------------------------------------------------------


def pattern(reader: Reader, node: tree_sitter.Node) -> syntax.Pattern:
    """A type pattern, a record pattern or `_`."""
    span = reader.span(node)
    match node.type:
        case "record_pattern":
            type_node, body = code(node.named_children)
            components = tuple(pattern(reader, child) for child in code(body.named_children))
            return syntax.RecordPattern(span, reader.types.read(type_node), components)
        case "underscore_pattern":
            return syntax.TypePattern(span, None, None, span)
        case "pattern":
            return pattern(reader, _inner(node))
        case "type_pattern" | "record_pattern_component":
            parts = [child for child in code(node.named_children) if child.type != "modifiers"]
            if len(parts) == 1 and reader.text(parts[0]) == "_":
                return syntax.TypePattern(span, None, None, span)
            type_node, name = parts[0], parts[-1]
            text = None if name.type == "underscore_pattern" else reader.text(name)
            return syntax.TypePattern(
                span,
                _declared_type(reader, type_node),
                None if text == "_" else text,
                reader.span(name),
            )
        case _:
            raise reader.fail(f"expected a pattern, found {reader.text(node)!r}", node)


_STATEMENTS: Final[dict[str, Callable[[Reader, tree_sitter.Node], syntax.Statement]]] = {
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
