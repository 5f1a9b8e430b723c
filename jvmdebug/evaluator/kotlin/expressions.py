# SPDX-License-Identifier: Apache-2.0
"""Nodes of Kotlin's tree: operators, `is`, `as`, `in`, `if` and assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.kotlin import facades, names, operators, properties
from jvmdebug.evaluator.kotlin.parsing import without_comments
from jvmdebug.evaluator.kotlin.types import type_syntax
from jvmdebug.evaluator.kotlin.workspace import NothingBindsError, Operand
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.symbols import types

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.kotlin.evaluation import Walk
    from jvmdebug.evaluator.kotlin.names import Meaning


async def parenthesized(walk: Walk, node: tree_sitter.Node) -> Operand:
    return await walk.value(without_comments(node)[0])


async def binary(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, right = without_comments(node)
    operator = node.children[1].type
    span = walk.code.span(node)
    first = await walk.value(left)
    match operator:
        case "?:":
            return await walk.value(right) if first.is_null else first
        case "&&" | "||":
            if operators.is_true(first, walk.code.span(left)) == (operator == "||"):
                return first
            second = await walk.value(right)
            operators.is_true(second, walk.code.span(right))
            return second
    return await operators.binary(walk.workspace, operator, first, await walk.value(right), span)


async def unary(walk: Walk, node: tree_sitter.Node) -> Meaning:
    inner = without_comments(node)[0]
    if node.id in walk.applied_later:
        return await walk.meaning(inner)
    is_postfix = node.children[0] == inner
    operator = node.children[-1].type if is_postfix else node.children[0].type
    return await with_operator(walk, operator, inner, node, is_postfix=is_postfix)


async def with_operator(
    walk: Walk,
    operator: str,
    inner: tree_sitter.Node,
    node: tree_sitter.Node,
    *,
    is_postfix: bool = False,
) -> Operand:
    span = walk.code.span(node)
    operand = await walk.value(inner)
    match operator:
        case "!!":
            if operand.is_null:
                text = walk.code.text_of(inner)
                raise JavaThrowsError(
                    "java.lang.NullPointerException", f"{text}!!: the value is null", span
                )
            return operand
        case "++" | "--":
            one = await walk.workspace.step(syntax.PrimitiveLiteral(span, types.INT.kind, 1))
            changed = await operators.binary(walk.workspace, operator[0], operand, one, span)
            kept = await _assign(walk, inner, changed)
            return operand if is_postfix else kept
        case "!":
            value = operators.is_true(operand, span)
            return walk.workspace.boolean(span, value=not value)
    return await walk.workspace.step(syntax.Unary(span, operator, operand.runtime))


async def infix(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, word, right = without_comments(node)
    return await operators.infix(
        walk.workspace,
        walk.code.text_of(word),
        await walk.value(left),
        await walk.value(right),
        walk.code.span(word),
    )


async def range_(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, right = without_comments(node)
    name = "rangeTo" if node.children[1].type == ".." else "rangeUntil"
    return await operators.range_(
        walk.workspace,
        name,
        await walk.value(left),
        await walk.value(right),
        walk.code.span(node),
    )


async def in_(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, right = without_comments(node)
    item, span = await walk.value(left), walk.code.span(node)
    if right.type == "range_expression":
        low, high = [await walk.value(each) for each in without_comments(right)]
        upper = "<=" if right.children[1].type == ".." else "<"
        found = await operators.is_between(walk.workspace, item, low, (upper, high), span)
    else:
        found = await operators.contains(walk.workspace, await walk.value(right), item, span)
    is_negated = any("!" in each.type for each in node.children)
    return walk.workspace.boolean(span, value=found != is_negated)


async def is_(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, right = without_comments(node)
    operand, span = await walk.value(left), walk.code.span(node)
    found = operand.is_null and right.type == "nullable_type"
    if not operand.is_null:
        wanted = type_syntax(walk.code, right)
        found = await operators.is_instance(walk.workspace, operand, wanted, span)
    is_negated = any("!" in each.type for each in node.children)
    return walk.workspace.boolean(span, value=found != is_negated)


async def as_(walk: Walk, node: tree_sitter.Node) -> Operand:
    left, right = without_comments(node)
    operand, span = await walk.value(left), walk.code.span(node)
    is_safe = any(each.type == "as?" for each in node.children)
    if operand.is_null:
        if is_safe or right.type == "nullable_type":
            return operand
        raise JavaThrowsError(
            "java.lang.NullPointerException", "null cannot be cast to a type without ?", span
        )
    wanted = type_syntax(walk.code, right)
    if is_safe and not await operators.is_instance(walk.workspace, operand, wanted, span):
        return walk.workspace.null(span)
    cast = syntax.Cast(span, (wanted,), operators.as_object(operand, span))
    return await walk.workspace.step(cast)


async def if_(walk: Walk, node: tree_sitter.Node) -> Operand:
    parts = without_comments(node)
    if len(parts) != len(("condition", "then", "else")):
        raise walk.code.fail("`if` without `else` has no value", node)
    condition = operators.is_true(await walk.value(parts[0]), walk.code.span(parts[0]))
    return await _block(walk, parts[1] if condition else parts[2])


async def _block(walk: Walk, node: tree_sitter.Node) -> Operand:
    if node.type not in ("block", "control_structure_body"):
        return await walk.value(node)
    result = None
    for each in without_comments(node):
        result = await walk.statement(each)
    if result is None:
        raise walk.code.fail("an empty block has no value", node)
    return result


async def assignment(walk: Walk, node: tree_sitter.Node) -> Operand:
    target, given = without_comments(node)
    operator = next(each.type for each in node.children if each.type.endswith("="))
    value = await walk.value(given)
    if operator != "=":
        old = await walk.value(target)
        span = walk.code.span(node)
        value = await operators.binary(walk.workspace, operator[:-1], old, value, span)
    return await _assign(walk, target, value)


async def _assign(walk: Walk, target: tree_sitter.Node, value: Operand) -> Operand:
    span = walk.code.span(target)
    workspace = walk.workspace
    workspace.binder.refuse_effect("an assignment", span)
    if target.type == "index_expression":
        holder, *indexes = without_comments(target)
        return await operators.set_element(
            workspace,
            await walk.value(holder),
            [await walk.value(each) for each in indexes],
            value,
            span,
        )
    if target.type == "navigation_expression":
        owner = await walk.value(target.children[0])
        name = walk.code.text_of(target.children[-1])
        return await properties.set_(workspace, owner, name, value, span)
    if target.type != "identifier":
        raise walk.code.fail("only a variable, a property or an element is assigned", target)
    name = walk.code.text_of(target)
    if name in walk.declared:
        walk.declared[name] = value
        return value
    backing = await names.backing_field(workspace, name, span)
    outside: syntax.Expression | None = None
    if workspace.scope.local(name) is None and backing is None:
        for receiver in await names.receivers(workspace, span):
            try:
                return await properties.set_(workspace, receiver, name, value, span)
            except NothingBindsError:
                raise
            except EvaluationError:
                continue
        outside = await facades.field_of_files(workspace, name, span)
    code = backing or outside or syntax.Name(span, name)
    return await workspace.step(
        *(syntax.Assignment(span, "=", code, each, span) for each in value.codes)
    )
