# SPDX-License-Identifier: Apache-2.0
"""Values of an evaluation that goes on, under names that Java code can use.

An Operand is a value with a static and a run-time type; a step is a Java expression over operands.
Where the static type does not have what a step needs, the run-time type may.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.run.values import run_time_type
from jvmdebug.evaluator.symbols import types
from jvmdebug.model.values import NULL, NullValue, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.types import JavaType, ValueType


class NothingBindsError(EvaluationError):
    """None of the ways to write a step as Java has a meaning; the first one's error."""


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """An evaluated expression: as Java code with its static type, and with its run-time type."""

    static: syntax.Expression
    runtime: syntax.Expression
    value: RunValue
    type: JavaType
    runtime_type: JavaType

    @property
    def is_null(self) -> bool:
        """Whether the value is null."""
        return isinstance(self.value, NullValue)

    @property
    def codes(self) -> tuple[syntax.Expression, ...]:
        """The ways to write it, the static one first."""
        return (self.static,) if self.static is self.runtime else (self.static, self.runtime)

    @property
    def types(self) -> tuple[JavaType, ...]:
        """The types of a value, the run-time one first."""
        if self.type == self.runtime_type:
            return (self.type,)
        return (self.runtime_type, self.type)


class Workspace:
    """One evaluation."""

    def __init__(self, run: Run, scope: FrameScope) -> None:
        self.run = run
        self.scope = scope
        run.pins_results = True

    @property
    def binder(self) -> Binder:
        """A binder that knows the operands."""
        return binder_for(self.scope, self.run.source, is_read_only=self.run.is_read_only)

    async def step(self, *codes: syntax.Expression) -> Operand:
        """Run the first of these that has a meaning; the error of the first if none has."""
        errors: list[EvaluationError] = []
        for code in codes:
            try:
                found = await self.binder.bind(code)
            except EvaluationError as error:
                errors.append(error)
                continue
            return await self.taken(found)
        raise NothingBindsError(str(errors[0]), errors[0].column) from errors[0]

    async def taken(self, node: Bound) -> Operand:
        """The value of a bound node."""
        if isinstance(node, bound.NullConstant):
            return self.null(node.span)
        return await self.named(await self.run.step(node), node.type, node.span)

    async def named(self, value: RunValue, static: JavaType, span: syntax.Span) -> Operand:
        """An operand for a value."""
        if isinstance(value, NullValue):
            known = static if isinstance(static, types.NullType) else _known(static)
            return replace(self.null(span), type=known)
        dynamic: ValueType
        if isinstance(value, PrimitiveValue):
            dynamic = types.PRIMITIVES[value.kind.java_name]
        else:
            dynamic = await run_time_type(value)
        known = _known(static, dynamic)
        names = [self._define(value, each, span) for each in dict.fromkeys((known, dynamic))]
        return Operand(names[0], names[-1], value, known, dynamic)

    def null(self, span: syntax.Span) -> Operand:
        """The operand null."""
        code = syntax.NullLiteral(span)
        return Operand(code, code, NULL, types.NULL, types.NULL)

    def boolean(self, span: syntax.Span, *, value: bool) -> Operand:
        """A boolean that was computed here."""
        made = PrimitiveValue(types.BOOLEAN.kind, value)
        code = syntax.PrimitiveLiteral(span, types.BOOLEAN.kind, value)
        return Operand(code, code, made, types.BOOLEAN, types.BOOLEAN)

    def _define(self, value: RunValue, type_: ValueType, span: syntax.Span) -> syntax.Name:
        name = f"#{len(self.run.extra)}"
        self.run.extra[name] = value
        self.scope = replace(self.scope, extra={**self.scope.extra, name: type_})
        return syntax.Name(span, name)


def _known(static: JavaType, dynamic: ValueType = types.OBJECT) -> ValueType:
    if isinstance(static, types.VoidType | types.NullType):
        return dynamic
    return static


def alternatives(groups: Iterable[Operand]) -> list[tuple[syntax.Expression, ...]]:
    """The same operands by their static types, and by those at run time."""
    every = tuple(groups)
    static, runtime = tuple(each.static for each in every), tuple(each.runtime for each in every)
    return [static] if all(map(lambda a, b: a is b, static, runtime)) else [static, runtime]
