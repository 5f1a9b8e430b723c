# SPDX-License-Identifier: Apache-2.0
"""Late binding: members are looked up in the run-time class where the static type lacks them.

Java rejects `object.name()` if `object` is declared as Object; a debugger has the object and can
use its class. This also helps with class files without generic signatures, and with other
languages. It is used only if static binding failed with MissingMemberError; what binds statically
keeps its static types. Operands are evaluated one by one, from left to right; each value gets a
name that cannot occur in a text, and the rest is bound again. Called by `expression`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.errors import MissingMemberError
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.run.groovy import GroovyMembers
from jvmdebug.evaluator.run.values import run_time_type
from jvmdebug.evaluator.symbols import types
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
    from jvmdebug.evaluator.symbols.types import ValueType
    from jvmdebug.model.values import Value


async def evaluate(root: syntax.Expression, run: Run, scope: FrameScope) -> Value:
    """The value of an expression that cannot be bound by static types alone."""
    run.pins_results = True
    binder = _LateBinder(run, scope)
    return await run.result(await run.step(await binder.bind(await binder.bindable(root))))


class _LateBinder:
    def __init__(self, run: Run, scope: FrameScope) -> None:
        self._run = run
        self._scope = scope
        self._groovy = GroovyMembers(run, self) if scope.is_dynamic else None
        self._foreign: dict[str, LoadedTypes] = {}
        """By the name of an object whose class has a namesake here: the types as that class sees
        them."""

    async def bind(self, node: syntax.Expression) -> Bound:
        source = self._source_of(node) or self._run.source
        binder = binder_for(self._scope, source, is_read_only=self._run.is_read_only)
        return await binder.bind(node)

    def _source_of(self, node: syntax.Expression) -> LoadedTypes | None:
        target = node.target if isinstance(node, syntax.FieldAccess | syntax.MethodCall) else None
        return self._foreign.get(target.identifier) if isinstance(target, syntax.Name) else None

    async def bindable(self, node: syntax.Expression) -> syntax.Expression:
        """The node, with parts evaluated as far as necessary to bind it."""
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
                return await self._result(await self._found(await self._member(node, node.target)))
            case syntax.MethodCall(target=target) if target is not None:
                member = await self._member(node, target)
                reduced = await self._with_operands(member, skip=("target",))
                return await self._result(reduced)
            case _:
                return await self._with_operands(node)

    async def _found(self, reduced: syntax.Expression) -> syntax.Expression:
        """The node, whose operands are evaluated, or what it means in Groovy."""
        try:
            await self.bind(reduced)
        except MissingMemberError as missing:
            if self._groovy is None:
                raise
            match reduced:
                case syntax.Name() | syntax.MethodCall(target=None):
                    return await self._groovy.of_frame(reduced, missing)
                case syntax.FieldAccess() | syntax.MethodCall():
                    return await self._groovy.of_object(reduced, missing)
                case syntax.ArrayAccess():
                    return await self._groovy.element(reduced, missing)
                case _:
                    raise
        return reduced

    async def _choice(self, node: syntax.Binary | syntax.Conditional) -> syntax.Expression:
        """Only the chosen operand is evaluated and bound late."""
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
        """Evaluate the target, unless its static type has the member."""
        reduced = replace(node, target=await self.bindable(target))
        try:
            await self.bind(reduced)
        except MissingMemberError as missing:
            if reduced.target is None or isinstance(reduced.target, syntax.Super):
                raise
            known = await self.evaluated(reduced.target, by_runtime=True)
            type_ = self._scope.extra[known.identifier]
            if type_ == types.OBJECT:
                raise  # null or an instance of Object itself
            late = replace(reduced, target=known)
            if isinstance(type_, types.ClassType) and _is_anonymous(type_.name):
                try:
                    await self.bind(late)
                except MissingMemberError:
                    raise missing from None  # the static type has a name
            return late
        return reduced

    async def _result(self, node: syntax.Expression) -> syntax.Expression:
        """The value of a member of an object with a foreign class: its name means nothing later."""
        if self._source_of(node) is None:
            return node
        return await self.evaluated(node, by_runtime=True)

    async def _with_operands(
        self, node: syntax.Expression, skip: tuple[str, ...] = ()
    ) -> syntax.Expression:
        """Evaluate the operands from left to right, and bind the operation with their values."""
        changed: dict[str, object] = {}
        is_operator = isinstance(node, syntax.Binary | syntax.Unary | syntax.ArrayAccess)
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            if field.name in skip:
                continue
            if isinstance(value, syntax.Expression):
                operand = await self.bindable(value)
                changed[field.name] = await self.evaluated(operand, by_runtime=is_operator)
            elif isinstance(value, tuple):
                changed[field.name] = tuple(
                    [
                        await self.evaluated(await self.bindable(each))
                        if isinstance(each, syntax.Expression)
                        else each
                        for each in value
                    ]
                )
        reduced = replace(node, **changed)  # type: ignore[arg-type] # the fields of its own class
        return await self._found(reduced)

    async def evaluated(self, node: syntax.Expression, *, by_runtime: bool = False) -> syntax.Name:
        """Evaluate a node; the name that stands for its value from now on."""
        bound_node = await self.bind(node)
        value = await self._run.step(bound_node)
        static = bound_node.type
        type_: ValueType
        if by_runtime or isinstance(static, types.NullType | types.VoidType):
            type_ = await run_time_type(value)
        else:
            type_ = static
        found = self.named(value, type_, node)
        foreign = await self._foreign_class(value) if by_runtime else None
        if foreign is not None:
            self._foreign[found.identifier] = foreign
        return found

    async def _foreign_class(self, value: RunValue) -> LoadedTypes | None:
        """What the class of an object sees, if another class has its name here."""
        if not isinstance(value, ObjectReference):
            return None
        type_ = await value.type()
        known = await self._run.source.declaration(type_.name)
        if known is None or known.origin in (None, type_):
            return None
        return self._run.source.seen_by(type_)

    def type_of(self, name: syntax.Name) -> ValueType:
        """The type of a value that has such a name; Object for any other name."""
        return self._scope.extra.get(name.identifier, types.OBJECT)

    def named(self, value: RunValue, type_: ValueType, node: syntax.Expression) -> syntax.Name:
        """The name that stands for a value."""
        name = f"#{len(self._run.extra)}"
        self._define(name, value, type_)
        return syntax.Name(node.span, name)

    def _define(self, name: str, value: RunValue, type_: ValueType) -> None:
        self._run.extra[name] = value
        self._scope = replace(self._scope, extra={**self._scope.extra, name: type_})

    async def _condition(self, node: syntax.Expression) -> bool:
        """Evaluate a condition; its pattern variables are in scope from now on."""
        binder = binder_for(self._scope, self._run.source, is_read_only=self._run.is_read_only)
        value = await self._run.step(await binder.condition(node))
        if not isinstance(value, PrimitiveValue):
            raise TypeError(f"a condition gave {value}")
        is_true = bool(value.value)
        for pattern in flow.introduced(node, when=is_true):
            variable = binder.block_scopes.of_pattern(pattern)
            self._define(variable.name, self._run.declared[variable], variable.type)
        return is_true


def _is_anonymous(name: str) -> bool:
    return name.rpartition("$")[2].isdigit() or "/" in name
