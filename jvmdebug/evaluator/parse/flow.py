# SPDX-License-Identifier: Apache-2.0
"""Scope of pattern variables (JLS 6.3) and reachability of statements (JLS 14.22).

Both follow from syntax alone. Called by `parser` and the binder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.parse import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator


def introduced(node: syntax.Expression, *, when: bool) -> list[syntax.TypePattern]:
    """The patterns whose variables are in scope when the condition is `when`."""
    match node:
        case syntax.InstanceOf(tested=syntax.Pattern() as pattern):
            return list(variables_of(pattern)) if when else []
        case syntax.Parenthesized(inner=inner):
            return introduced(inner, when=when)
        case syntax.Unary(operator="!", operand=operand):
            return introduced(operand, when=not when)
        case syntax.Binary(operator="&&" | "||" as operator, left=left, right=right):
            if when == (operator == "&&"):
                return [*introduced(left, when=when), *introduced(right, when=when)]
            return []
        case _:
            return []


def variables_of(pattern: syntax.Pattern) -> Iterator[syntax.TypePattern]:
    """The named type patterns in a pattern, itself included."""
    match pattern:
        case syntax.TypePattern():
            if pattern.name is not None:
                yield pattern
        case syntax.RecordPattern(components=components):
            for component in components:
                yield from variables_of(component)


def introduced_after(node: syntax.Statement) -> list[syntax.TypePattern]:
    """The patterns whose variables are in scope in the statements after this one (JLS 6.3.2)."""
    match node:
        case syntax.If(condition=condition, then=then, otherwise=otherwise):
            after_true = completes_normally(then)
            after_false = otherwise is None or completes_normally(otherwise)
            if after_false and not after_true:
                return introduced(condition, when=False)
            if otherwise is not None and after_true and not after_false:
                return introduced(condition, when=True)
            return []
        case syntax.Loop(condition=condition, body=body) if condition is not None:
            return [] if _breaks(body) else introduced(condition, when=False)
        case _:
            return []


def completes_normally(node: syntax.Statement) -> bool:
    """Whether the statement after it is reachable (JLS 14.22), as far as scopes depend on it."""
    match node:
        case syntax.Return() | syntax.Throw() | syntax.Jump() | syntax.Yield():
            return False
        case syntax.Block(statements=statements):
            return all(completes_normally(each) for each in statements)
        case syntax.If(then=then, otherwise=otherwise):
            return otherwise is None or completes_normally(then) or completes_normally(otherwise)
        case syntax.Labeled(label=label, body=body):
            return completes_normally(body) or any(
                jump.word == "break" and jump.label == label for jump, _ in _jumps(body)
            )
        case syntax.Loop(condition=None, body=body):
            return _breaks(body)
        case _:
            return True


def gives_value(node: syntax.Switch) -> bool:
    """Whether a switch that is the whole text is an expression, not a statement."""
    if any(isinstance(each, syntax.Return) for each, _ in _inside(node)):
        return False
    if any(isinstance(each, syntax.Yield) for each, _ in _inside(node)):
        return True
    return node.is_arrow and all(
        isinstance(each, syntax.ExpressionStatement | syntax.Throw)
        for case in node.cases
        for each in case.body
    )


def _breaks(body: syntax.Statement) -> bool:
    """Whether a `break` without label in it leaves the loop whose body it is."""
    return any(
        jump.word == "break" and jump.label is None and not is_nested
        for jump, is_nested in _jumps(body)
    )


def _jumps(node: syntax.Node) -> Iterator[tuple[syntax.Jump, bool]]:
    """All `break` and `continue`; and whether an inner loop or switch is their target."""
    return ((each, is_nested) for each, is_nested in _inside(node) if isinstance(each, syntax.Jump))


def _inside(node: syntax.Node, *, nested: bool = False) -> Iterator[tuple[syntax.Statement, bool]]:
    """The statements in a statement or switch, except those of switches in expressions."""
    if isinstance(node, syntax.Statement):
        yield node, nested
    for part, is_target in _parts(node):
        yield from _inside(part, nested=nested or is_target)


def _parts(node: syntax.Node) -> Iterator[tuple[syntax.Node, bool]]:
    """The direct parts of a statement, and whether it is the target of a `break` in them."""
    match node:
        case syntax.Block(statements=statements):
            yield from ((each, False) for each in statements)
        case syntax.If(then=then, otherwise=otherwise):
            yield from ((each, False) for each in (then, otherwise) if each is not None)
        case syntax.Labeled(body=body):
            yield body, False
        case syntax.Loop(body=body) | syntax.ForEach(body=body):
            yield body, True
        case syntax.ExpressionStatement(expression=syntax.Switch() as switch):
            yield switch, True
        case syntax.Switch(cases=cases):
            yield from ((each, True) for case in cases for each in case.body)
