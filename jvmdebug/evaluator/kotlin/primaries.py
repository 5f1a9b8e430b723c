# SPDX-License-Identifier: Apache-2.0
"""Nodes of Kotlin's tree: names, members, calls and literals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.names import Package
from jvmdebug.evaluator.kotlin import calls, literals, names, operators
from jvmdebug.evaluator.kotlin.parsing import LAMBDAS, without_comments
from jvmdebug.evaluator.kotlin.types import named
from jvmdebug.evaluator.kotlin.workspace import Operand
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.kotlin.evaluation import Walk
    from jvmdebug.evaluator.kotlin.names import Meaning


async def name_(walk: Walk, node: tree_sitter.Node) -> Meaning:
    name, span = walk.code.text_of(node), walk.code.span(node)
    if name in walk.declared:
        return walk.declared[name]
    if name in ("true", "false"):
        return walk.workspace.boolean(span, value=name == "true")
    if name == "null":
        return walk.workspace.null(span)
    return await names.meaning(walk.workspace, name, span)


async def this(walk: Walk, node: tree_sitter.Node) -> Operand:
    labels = without_comments(node)
    label = walk.code.text_of(labels[0]) if labels else None
    return await names.this(walk.workspace, label, walk.code.span(node))


async def navigation(walk: Walk, node: tree_sitter.Node) -> Meaning:
    before, *_, last = node.children
    operator = node.children[1].type
    name, span = walk.code.text_of(last), walk.code.span(last)
    if operator == "::":
        return await _class_reference(walk, node, before)
    if _is_class_object(before) and name in ("java", "javaObjectType"):
        return await walk.meaning(before)
    target = await walk.meaning(before)
    if operator == "?." and isinstance(target, Operand) and target.is_null:
        return walk.workspace.null(span)
    return await names.member(walk.workspace, target, name, span)


def _is_class_object(node: tree_sitter.Node) -> bool:
    return node.type == "navigation_expression" and node.children[1].type == "::"


async def _class_reference(walk: Walk, node: tree_sitter.Node, before: tree_sitter.Node) -> Operand:
    """`Part::class.java`: the class object of Java; Kotlin's own is not made here."""
    span = walk.code.span(node)
    if walk.code.text_of(node.children[-1]) != "class":
        raise walk.code.fail("a reference to a function cannot be evaluated", node)
    target = await walk.meaning(before)
    if isinstance(target, Operand):
        call = syntax.MethodCall(span, target.runtime, "getClass", span, ())
        return await walk.workspace.step(call)
    name = walk.code.text_of(before)
    literal = syntax.ClassLiteral(span, named(name, span))
    return await walk.workspace.step(literal)


async def call(walk: Walk, node: tree_sitter.Node) -> Operand:
    callee, *rest = without_comments(node)
    for each in rest:
        if each.type in LAMBDAS:
            await walk.meaning(each)
    passed = next((each for each in rest if each.type == "value_arguments"), None)
    span = walk.code.span(callee)
    if callee.type == "identifier" and walk.code.text_of(callee) not in walk.declared:
        arguments = await _arguments(walk, passed)
        return await names.called(walk.workspace, walk.code.text_of(callee), arguments, span)
    if callee.type != "navigation_expression" or callee.children[1].type == "::":
        function = await walk.value(callee)
        arguments = await _arguments(walk, passed)
        return await calls.on_object(walk.workspace, function, "invoke", arguments, span)
    target = await walk.meaning(callee.children[0])
    last = callee.children[-1]
    name, name_span = walk.code.text_of(last), walk.code.span(last)
    if isinstance(target, Operand):
        if target.is_null and callee.children[1].type == "?.":
            return target
        arguments = await _arguments(walk, passed)
        return await calls.on_object(walk.workspace, target, name, arguments, name_span)
    arguments = await _arguments(walk, passed)
    if isinstance(target, Package):
        made = await names.member(walk.workspace, target, name, name_span)
        if not isinstance(made, TypeDeclaration):
            await names.value(walk.workspace, target, walk.code.span(callee.children[0]))
            raise walk.code.fail(f"there is no class {target.name}.{name}", callee)
        return await calls.created(walk.workspace, made, arguments, name_span)
    return await calls.on_class(walk.workspace, target, name, arguments, name_span)


async def _arguments(walk: Walk, node: tree_sitter.Node | None) -> list[calls.Argument]:
    found: list[calls.Argument] = []
    for each in [] if node is None else without_comments(node):
        parts = without_comments(each)
        is_named = any(child.type == "=" for child in each.children)
        if any(child.type == "*" for child in each.children):
            raise walk.code.fail("spreading an array cannot be evaluated", each)
        name = walk.code.text_of(parts[0]) if is_named else None
        found.append(calls.Argument(name, await walk.value(parts[-1])))
    return found


async def index(walk: Walk, node: tree_sitter.Node) -> Operand:
    target, *indexes = without_comments(node)
    return await operators.element(
        walk.workspace,
        await walk.value(target),
        [await walk.value(each) for each in indexes],
        walk.code.span(node),
    )


async def number(walk: Walk, node: tree_sitter.Node) -> Operand:
    try:
        kind, value = literals.number(walk.code.text_of(node))
    except ValueError as error:
        raise walk.code.fail(str(error), node) from error
    code = syntax.PrimitiveLiteral(walk.code.span(node), kind, value)
    return await walk.workspace.step(code)


async def character(walk: Walk, node: tree_sitter.Node) -> Operand:
    try:
        value = literals.character(walk.code.text_of(node))
    except ValueError as error:
        raise walk.code.fail(str(error), node) from error
    code = syntax.PrimitiveLiteral(walk.code.span(node), types.CHAR.kind, value)
    return await walk.workspace.step(code)


async def string(walk: Walk, node: tree_sitter.Node) -> Operand:
    span = walk.code.span(node)
    code: syntax.Expression = syntax.StringLiteral(span, "")
    try:
        parts = literals.parts(walk.code, node)
    except ValueError as error:
        raise walk.code.fail(str(error), node) from error
    for part in parts:
        if isinstance(part, literals.Text):
            added: syntax.Expression = syntax.StringLiteral(span, part.text)
        elif isinstance(part, literals.Reference):
            meaning = (
                walk.declared.get(part.name) or await names.meaning(walk.workspace, part.name, span)
                if part.name != "this"
                else await names.this(walk.workspace, None, span)
            )
            added = (await names.value(walk.workspace, meaning, span)).static
        else:
            added = (await walk.value(part)).static
        code = syntax.Binary(span, "+", code, added, span)
    return await walk.workspace.step(code)
