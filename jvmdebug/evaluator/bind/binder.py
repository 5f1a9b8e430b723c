# SPDX-License-Identifier: Apache-2.0
"""The binder's state and the way into it; what the functions per construct share.

A Binder gives each node of the syntax tree its meaning and static type at one place of the program
(JLS 15). The work is done by functions per construct, which `dispatch` lists. The binder reads the
debuggee through TypeSource alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.block_scopes import OwnNames
from jvmdebug.evaluator.bind.conversions import require_value
from jvmdebug.evaluator.bind.jump_targets import Jumps
from jvmdebug.evaluator.bind.type_names import TypeNames
from jvmdebug.evaluator.parse import flow, syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import Hierarchy, enclosing_names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.bind.bound_statements import Statement
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration, TypeSource

# The functions take the node class of their table entry, which the table's type cannot express.
BindFunction: TypeAlias = Callable[["Binder", Any], Awaitable["Bound"]]
BindTable: TypeAlias = Mapping[type[syntax.Expression], BindFunction]
BindStatement: TypeAlias = Callable[["Binder", Any], Awaitable["Statement"]]
BindStatementTable: TypeAlias = Mapping[type[syntax.Statement], BindStatement]


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A class around the place, innermost first, and how to reach its instance from there.

    `instance` is None when there is none: in a static method, behind a static nested class, or when
    javac left the reference out because the program does not use it (JDK-8271623, 18 on).
    """

    declaration: TypeDeclaration
    instance: Bound | None


class Binder:
    """Binds expressions at one place. `is_read_only` refuses what could change the debuggee."""

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
        self.own = OwnNames(scope)
        self.jumps = Jumps()
        self._table = table
        self._statements = statements

    @contextlib.contextmanager
    def knowing(self, condition: syntax.Expression, *, when: bool) -> Iterator[None]:
        """Around what runs only when the condition is `when`: its pattern variables are there."""
        with self.own.block():
            self.own.introduce(flow.introduced(condition, when=when))
            yield

    async def bind(self, node: syntax.Expression) -> Bound:
        """The meaning of a node; of type void for the call of a void method only."""
        function = self._table.get(type(node))
        if function is None:
            name = type(node).__name__
            raise EvaluationError(f"{name} cannot stand here", node.span.column)
        return await function(self, node)

    async def statement(self, node: syntax.Statement) -> Statement:
        """The meaning of a statement; what it declares stays a name until its block ends."""
        meaning = await self._statements[type(node)](self, node)
        self.own.introduce(flow.introduced_after(node))
        return meaning

    async def sequence(self, nodes: Sequence[syntax.Statement]) -> tuple[Statement, ...]:
        """Statements one after the other, in the block that is open."""
        meanings: list[Statement] = []
        is_reached = True
        for node in nodes:
            if not is_reached:
                raise EvaluationError("this statement can never be reached", node.span.column)
            meanings.append(await self.statement(node))
            is_reached = flow.completes_normally(node)
        return tuple(meanings)

    async def value(self, node: syntax.Expression) -> Bound:
        """As `bind`, and not void."""
        return require_value(await self.bind(node))

    async def condition(self, node: syntax.Expression) -> Bound:
        """A boolean; a Boolean is unboxed."""
        operand = await self.value(node)
        if operand.type == types.BOOLEAN:
            return operand
        if types.is_boolean(operand.type):
            return bound.Unboxing(operand.span, types.BOOLEAN, operand, types.BOOLEAN)
        raise EvaluationError(f"expected boolean, found {operand.type}", node.span.column)

    def refuse_effect(self, what: str, span: syntax.Span) -> None:
        """Call before binding what runs code or changes something."""
        if self.is_read_only:
            raise EvaluationError(
                f"{what} may change the program, and only reading is allowed here", span.column
            )

    async def enclosing(self, span: syntax.Span) -> AsyncIterator[Enclosing]:
        """The class of the frame's method and the classes around it, from the inside out."""
        declaration = await self.source.declaration(self.scope.declaring_type)
        instance: Bound | None = None
        if declaration is not None and not self.scope.is_static:
            instance = bound.This(span, declaration.this_type)
        while declaration is not None:
            yield Enclosing(declaration, instance)
            outer = declaration.outer_instance_field()
            if outer is not None and isinstance(outer.type, types.ClassType):
                inner_name = declaration.name
                declaration = await self.source.declaration(outer.type.name)
                if declaration is None:
                    raise EvaluationError(
                        f"the class {outer.type}, around {inner_name}, is not loaded", span.column
                    )
                if instance is not None:
                    instance = bound.InstanceField(span, declaration.this_type, instance, outer)
            else:
                instance = None
                declaration = await self._lexically_around(declaration.name)

    async def _lexically_around(self, name: str) -> TypeDeclaration | None:
        for candidate in enclosing_names(name)[1:]:
            found = await self.source.declaration(candidate)
            if found is not None:
                return found
        return None
