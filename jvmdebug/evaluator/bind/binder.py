# SPDX-License-Identifier: Apache-2.0
"""The binder: turns syntax nodes into bound nodes, at one location of the program.

Has the state that the functions per node class share (scopes, jump targets, type names), and calls
them through the table of `dispatch`. Reads the debuggee through TypeSource only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions
from jvmdebug.evaluator.bind.block_scopes import BlockScopes
from jvmdebug.evaluator.bind.closures import declares_closure, is_in_static_method
from jvmdebug.evaluator.bind.conversions import require_value
from jvmdebug.evaluator.bind.jump_targets import JumpTargets
from jvmdebug.evaluator.bind.type_names import TypeNames
from jvmdebug.evaluator.errors import ReadOnlyError
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import Hierarchy, enclosing_names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.bind.bound_statements import Statement
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration, TypeSource

# Each function takes the node class of its key, which the type of the table cannot express.
BindFunction: TypeAlias = Callable[["Binder", Any], Awaitable["Bound"]]
BindTable: TypeAlias = Mapping[type[syntax.Expression], BindFunction]
BindStatement: TypeAlias = Callable[["Binder", Any], Awaitable["Statement"]]
BindStatementTable: TypeAlias = Mapping[type[syntax.Statement], BindStatement]


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A class that encloses the location, and the expression for its instance there.

    `instance` is None when there is none: in a static method, outside of a static nested class,
    or when javac omitted the reference because the class does not use it (JDK-8271623, 18 on).
    """

    declaration: TypeDeclaration
    instance: Bound | None


class Binder:
    """Binds code at one location. With `is_read_only`, side effects are errors."""

    def __init__(
        self,
        scope: FrameScope,
        source: TypeSource,
        table: BindTable,
        statements: BindStatementTable,
        *,
        is_read_only: bool = False,
    ) -> None:
        self.scope = scope
        self.source = source
        self.hierarchy = Hierarchy(source)
        self.type_names = TypeNames(scope, source, self.hierarchy)
        self.is_read_only = is_read_only
        self.block_scopes = BlockScopes(scope)
        self.jump_targets = JumpTargets()
        self._table = table
        self._statements = statements

    @contextlib.contextmanager
    def assuming(self, condition: syntax.Expression, *, when: bool) -> Iterator[None]:
        """A context with the pattern variables in scope that exist when the condition is `when`."""
        with self.block_scopes.block():
            self.block_scopes.introduce(flow.introduced(condition, when=when))
            yield

    async def bind(self, node: syntax.Expression) -> Bound:
        """The bound expression; its type is void only for the call of a void method."""
        function = self._table.get(type(node))
        if function is None:
            name = type(node).__name__
            raise EvaluationError(f"{name} is not allowed here", node.span.column)
        return await function(self, node)

    async def statement(self, node: syntax.Statement) -> Statement:
        """The bound statement; what it declares is in scope until its block ends."""
        bound_node = await self._statements[type(node)](self, node)
        self.block_scopes.introduce(flow.introduced_after(node))
        return bound_node

    async def sequence(self, nodes: Sequence[syntax.Statement]) -> tuple[Statement, ...]:
        """The bound statements of the innermost block, in order."""
        bound_nodes: list[Statement] = []
        is_reached = True
        for node in nodes:
            if not is_reached:
                raise EvaluationError("this statement can never be reached", node.span.column)
            bound_nodes.append(await self.statement(node))
            is_reached = flow.completes_normally(node)
        return tuple(bound_nodes)

    async def value(self, node: syntax.Expression) -> Bound:
        """Binds as `bind` does; void is an error."""
        return require_value(await self.bind(node))

    async def condition(self, node: syntax.Expression) -> Bound:
        """Binds as `bind` does, for a boolean; a Boolean is unboxed."""
        operand = await self.value(node)
        if operand.type == types.BOOLEAN:
            return operand
        if types.is_boolean(operand.type):
            return bound.Unboxing(operand.span, types.BOOLEAN, operand, types.BOOLEAN)
        raise EvaluationError(f"expected boolean, found {operand.type}", node.span.column)

    def refuse_effect(self, what: str, span: syntax.Span) -> None:
        """Raise EvaluationError in read-only evaluations; call before binding a side effect."""
        if self.is_read_only:
            raise ReadOnlyError(
                f"{what} may change the program, and only reading is allowed here", span.column
            )

    async def enclosing(self, span: syntax.Span) -> AsyncIterator[Enclosing]:
        """The class of the frame's method and its enclosing classes, innermost first."""
        declaration = await self.source.declaration(self.scope.declaring_type)
        instance: Bound | None = None
        if declaration is not None and not self.scope.is_static:
            instance = bound.This(span, declaration.this_type)
        while declaration is not None:
            yield Enclosing(declaration, instance)
            outer = declaration.outer_instance_field()
            if outer is not None and isinstance(outer.type, types.ClassType):
                inner_name = declaration.name
                declaration = await self.source.load(outer.type.name)
                if declaration is None:
                    raise EvaluationError(
                        f"the class {outer.type}, which encloses {inner_name}, is not loaded",
                        span.column,
                    )
                if instance is not None:
                    instance = bound.InstanceField(span, declaration.this_type, instance, outer)
            else:
                around = await self._lexically_around(declaration.name)
                instance = await self._owner(declaration, instance, around)
                declaration = around

    async def around_closures(self, span: syntax.Span) -> Enclosing | None:
        """The class that `this` and `super` are about: in a closure of Groovy that around it."""
        async for each in self.enclosing(span):
            if not self.scope.is_dynamic or not declares_closure(each.declaration):
                return each
        return None

    async def visible(self, span: syntax.Span) -> AsyncIterator[Enclosing]:
        """The classes of `enclosing` whose members have their simple names here."""
        async for each in self.enclosing(span):
            if not self.scope.asks_owner_first and not declares_closure(each.declaration):
                return
            yield each

    async def _owner(
        self, closure: TypeDeclaration, instance: Bound | None, around: TypeDeclaration | None
    ) -> Bound | None:
        """The instance of the class around a closure of Groovy; None for any other class."""
        if instance is None or around is None or not declares_closure(closure):
            return None
        if is_in_static_method(closure, around):
            return None  # the owner is the class
        for member in await self.hierarchy.field(closure.this_type, "owner"):
            owner = bound.InstanceField(instance.span, around.this_type, instance, member.field)
            return conversions.restored(owner, types.OBJECT)
        return None

    async def _lexically_around(self, name: str) -> TypeDeclaration | None:
        for candidate in enclosing_names(name)[1:]:
            found = await self.source.load(candidate)
            if found is not None:
                return found
        return None
