# SPDX-License-Identifier: Apache-2.0
"""Evaluation by run-time types, where the static ones do not know a member.

Java would refuse `object.name()` when `object` is declared as Object. A debugger has the object, so
it goes on with its class; also where a class file tells too little (no generic signatures, other
languages). Only when static binding has failed for that reason: the parts that bind statically keep
their static types. Each step evaluates one operand, from left to right, and gives it a name that
no text can have; the rest is then bound again.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.bind.scope import runtime_type
from jvmdebug.evaluator.errors import MissingMemberError
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.run.interpreter import NewString
from jvmdebug.evaluator.symbols import types
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.types import ValueType
    from jvmdebug.model.values import Value


async def evaluate(root: syntax.Expression, run: Run, scope: FrameScope) -> Value:
    """The value of an expression that cannot be bound by static types alone."""
    run.keeps = True
    steps = _Steps(run, scope)
    return await run.seen(await run.step(await steps.bind(await steps.bindable(root))))


class _Steps:
    def __init__(self, run: Run, scope: FrameScope) -> None:
        self._run = run
        self._scope = scope

    async def bind(self, node: syntax.Expression) -> Bound:
        binder = binder_for(self._scope, self._run.source, is_read_only=self._run.is_read_only)
        return await binder.bind(node)

    async def bindable(self, node: syntax.Expression) -> syntax.Expression:
        """The node with as much of it evaluated as is needed to bind it."""
        try:
            await self.bind(node)
        except MissingMemberError:
            pass
        else:
            return node
        match node:
            case syntax.Binary(operator="&&" | "||") | syntax.Conditional():
                return await self._choice(node)
            case syntax.Assignment():
                target = await self.bindable(node.target)
                return replace(node, target=target, value=await self.bindable(node.value))
            case syntax.FieldAccess():
                return await self._member(node, node.target)
            case syntax.MethodCall(target=target) if target is not None:
                reduced = await self._member(node, target)
                return await self._with_known_parts(reduced, skip=("target",))
            case _:
                return await self._with_known_parts(node)

    async def _choice(self, node: syntax.Binary | syntax.Conditional) -> syntax.Expression:
        """What is not chosen is not evaluated, nor bound by its run-time types."""
        if isinstance(node, syntax.Conditional):
            is_true = await self._condition(await self.bindable(node.condition))
            return await self.bindable(node.when_true if is_true else node.when_false)
        is_true = await self._condition(await self.bindable(node.left))
        left = syntax.PrimitiveLiteral(node.left.span, PrimitiveKind.BOOLEAN, is_true)
        if is_true == (node.operator == "||"):
            return left
        return replace(node, left=left, right=await self.bindable(node.right))

    async def _member(
        self, node: syntax.FieldAccess | syntax.MethodCall, target: syntax.Expression
    ) -> syntax.FieldAccess | syntax.MethodCall:
        """Evaluate what stands before the dot, unless the member is there statically."""
        reduced = replace(node, target=await self.bindable(target))
        try:
            await self.bind(reduced)
        except MissingMemberError:
            if reduced.target is None or isinstance(reduced.target, syntax.Super):
                raise
            known = await self._known(reduced.target, by_runtime=True)
            if self._scope.given[known.identifier] == types.OBJECT:
                raise  # null, or a plain Object: nothing more is known
            return replace(reduced, target=known)
        return reduced

    async def _with_known_parts(
        self, node: syntax.Expression, skip: tuple[str, ...] = ()
    ) -> syntax.Expression:
        """Evaluate the operands from left to right, and bind the operation over their values."""
        changed: dict[str, object] = {}
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            if field.name in skip:
                continue
            if isinstance(value, syntax.Expression):
                changed[field.name] = await self._known(await self.bindable(value))
            elif isinstance(value, tuple):
                changed[field.name] = tuple(
                    [
                        await self._known(await self.bindable(each))
                        if isinstance(each, syntax.Expression)
                        else each
                        for each in value
                    ]
                )
        reduced = replace(node, **changed)  # type: ignore[arg-type] # the fields of its own class
        await self.bind(reduced)
        return reduced

    async def _known(self, node: syntax.Expression, *, by_runtime: bool = False) -> syntax.Name:
        """Evaluate a node; the name under which its value is known from now on."""
        bound_node = await self.bind(node)
        value = await self._run.step(bound_node)
        static = bound_node.type
        type_: ValueType
        if by_runtime or isinstance(static, types.NullType | types.VoidType):
            type_ = types.STRING if isinstance(value, NewString) else await runtime_type(value)
        else:
            type_ = static
        return self._named(value, type_, node)

    def _named(self, value: RunValue, type_: ValueType, node: syntax.Expression) -> syntax.Name:
        name = f"#{len(self._run.given)}"
        self._give(name, value, type_)
        return syntax.Name(node.span, name)

    def _give(self, name: str, value: RunValue, type_: ValueType) -> None:
        self._run.given[name] = value
        self._scope = replace(self._scope, given={**self._scope.given, name: type_})

    async def _condition(self, node: syntax.Expression) -> bool:
        """Evaluate a condition; its pattern variables are known from now on."""
        binder = binder_for(self._scope, self._run.source, is_read_only=self._run.is_read_only)
        value = await self._run.step(await binder.condition(node))
        if not isinstance(value, PrimitiveValue):
            raise TypeError(f"a condition gave {value}")
        is_true = bool(value.value)
        for pattern in flow.introduced(node, when=is_true):
            variable = binder.own.of_pattern(pattern)
            self._give(variable.name, self._run.own[variable], variable.type)
        return is_true
