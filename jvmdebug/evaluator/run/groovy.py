# SPDX-License-Identifier: Apache-2.0
"""Names, properties and methods of Groovy that are known only when the program runs.

In a closure a name that is no variable is a property of its owner or its delegate, in the order
that the closure has been told. `x.label` is a field, else `getLabel()`, else the entry of a map.
What can be read is read; only the rest is asked of Groovy's runtime, which runs code. Called by
`late_binding`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind.closures import CLOSURE, is_closure
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols.types import ClassType
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import ClassObjectReference, ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.errors import MissingMemberError
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.types import ValueType
    from jvmdebug.model.values import Value

_RUNTIME: Final = ("org", "codehaus", "groovy", "runtime", "InvokerHelper")
_MISSING: Final = ("groovy.lang.MissingPropertyException", "groovy.lang.MissingMethodException")
_MAP: Final = "java.util.Map"
_LIST: Final = "java.util.List"
_HOLDERS: Final = {
    0: ("owner", "delegate"),
    1: ("delegate", "owner"),
    2: ("owner",),
    3: ("delegate",),
    4: (),
}
"""Whom a closure asks for a name, by its `resolveStrategy`."""
_OWNER_FIRST: Final = (0, 2)
_MAX_DEPTH: Final = 20
"""Of closures in closures, against an owner that is its own."""


async def _read(closure: ObjectReference, *names: str) -> tuple[Value, ...]:
    """Fields that every closure has."""
    (declaring,) = [
        each for each in await (await closure.type()).superclasses() if each.name == CLOSURE
    ]
    fields = {each.name: each for each in await declaring.fields()}
    return await closure.get_values([fields[each] for each in names])


class Binding(Protocol):
    """What this needs of the late binder."""

    async def bind(self, node: syntax.Expression) -> Bound:
        """See `late_binding`."""

    async def evaluated(self, node: syntax.Expression, *, by_runtime: bool = ...) -> syntax.Name:
        """See `late_binding`."""

    def named(self, value: RunValue, type_: ValueType, node: syntax.Expression) -> syntax.Name:
        """See `late_binding`."""

    def type_of(self, name: syntax.Name) -> ValueType:
        """See `late_binding`."""


async def asks_owner_first(run: Run) -> bool:
    """Whether names in this frame mean what they do in the code around it: always, but for a
    closure that is told to ask its delegate first, as `with` does.
    """
    this = await run.frame.this_object()
    if this is None or not await is_closure(run.source, run.frame.location.type.name):
        return True
    strategy, *_ = await _read(this, "resolveStrategy")
    return not isinstance(strategy, PrimitiveValue) or strategy.value in _OWNER_FIRST


class GroovyMembers:
    """Finds members for one evaluation."""

    def __init__(self, run: Run, binding: Binding) -> None:
        self._run = run
        self._binding = binding

    async def of_frame(
        self, node: syntax.Name | syntax.MethodCall, missing: MissingMemberError
    ) -> syntax.Expression:
        """The meaning of `name` or `name(…)`, whose arguments are evaluated. Raises `missing`."""
        this = await self._run.frame.this_object()
        if this is None:
            return await self._of_class(node, missing)
        own = self._binding.named(this, ClassType(self._run.frame.location.type.name), node)
        async for holder in self._holders(this, node, _MAX_DEPTH):
            found = await self._member(holder, node)
            if found is not None:
                return found
        return await self._by_groovy(own, node, missing)

    async def of_object(
        self, node: syntax.FieldAccess | syntax.MethodCall, missing: MissingMemberError
    ) -> syntax.Expression:
        """The meaning of `x.name` or `x.name(…)`, where `x` is evaluated. Raises `missing`."""
        if not isinstance(node.target, syntax.Name):
            raise missing
        found = await self._member(node.target, node)
        return found or await self._by_groovy(node.target, node, missing)

    async def element(
        self, node: syntax.ArrayAccess, missing: MissingMemberError
    ) -> syntax.Expression:
        """The meaning of `x[i]`, both evaluated. Raises `missing`."""
        if not isinstance(node.array, syntax.Name) or not isinstance(node.index, syntax.Name):
            raise missing
        index, array = self._run.extra[node.index.identifier], node.array
        place: syntax.Expression | None = None
        if await self._is_a(array, _MAP):
            place = node.index
        elif isinstance(index, PrimitiveValue) and await self._is_a(array, _LIST):
            place = node.index
            if int(index.value) < 0:  # from the end
                size = syntax.MethodCall(node.span, array, "size", node.span, ())
                place = syntax.Binary(node.span, "+", size, node.index, node.span)
        if place is not None:
            got = syntax.MethodCall(node.span, array, "get", node.span, (place,))
            return await self._binding.evaluated(got, by_runtime=True)
        call = syntax.MethodCall(node.span, array, "getAt", node.span, (node.index,))
        return await self._by_groovy(array, call, missing)

    async def _of_class(
        self, node: syntax.Name | syntax.MethodCall, missing: MissingMemberError
    ) -> syntax.Expression:
        """The same in a static method, which has the getters of its class."""
        owner = syntax.class_code(self._run.frame.location.type.name, node.span)
        found = None if isinstance(node, syntax.MethodCall) else await self._getter(owner, node)
        if found is None:
            raise missing
        return found

    async def _holders(
        self, closure: ObjectReference, node: syntax.Expression, depth: int
    ) -> AsyncIterator[syntax.Expression]:
        """The objects that a closure asks for a name; `this` alone in code that is in none."""
        type_ = await closure.type()
        if not await is_closure(self._run.source, type_.name):
            yield self._binding.named(closure, ClassType(type_.name), node)
            return
        strategy, owner, delegate = await _read(closure, "resolveStrategy", "owner", "delegate")
        number = int(strategy.value) if isinstance(strategy, PrimitiveValue) else 0
        for each in _HOLDERS.get(number, ()):
            holder = owner if each == "owner" else delegate
            if isinstance(holder, ClassObjectReference):
                yield syntax.class_code((await holder.reflected_type()).name, node.span)
            elif isinstance(holder, ObjectReference) and depth:
                async for inner in self._holders(holder, node, depth - 1):
                    yield inner

    async def _member(
        self,
        holder: syntax.Expression,
        node: syntax.Name | syntax.FieldAccess | syntax.MethodCall,
    ) -> syntax.Expression | None:
        if isinstance(node, syntax.MethodCall):
            return await self._first(replace(node, target=holder))
        name = node.identifier if isinstance(node, syntax.Name) else node.name
        if isinstance(holder, syntax.Name) and await self._is_a(holder, _MAP):
            key = syntax.StringLiteral(node.span, name)
            got = syntax.MethodCall(node.span, holder, "get", node.span, (key,))
            return await self._binding.evaluated(got, by_runtime=True)
        found = await self._first(syntax.FieldAccess(node.span, holder, name, node.span))
        return found or await self._getter(holder, node)

    async def _getter(
        self, holder: syntax.Expression, node: syntax.Name | syntax.FieldAccess
    ) -> syntax.Expression | None:
        name = node.identifier if isinstance(node, syntax.Name) else node.name
        after = f"{name[:1].upper()}{name[1:]}"
        return await self._first(
            *(
                syntax.MethodCall(node.span, holder, f"{prefix}{after}", node.span, ())
                for prefix in ("get", "is")
            )
        )

    async def _first(self, *candidates: syntax.Expression) -> syntax.Expression | None:
        """The first that has a meaning."""
        for each in candidates:
            try:
                await self._binding.bind(each)
            except EvaluationError:
                continue
            return each
        return None

    async def _is_a(self, name: syntax.Name, wanted: str) -> bool:
        type_ = self._binding.type_of(name)
        if not isinstance(type_, ClassType):
            return False
        ancestors = await self._run.hierarchy.ancestors(type_)
        return any(each.declaration.name == wanted for each in ancestors)

    async def _by_groovy(
        self,
        holder: syntax.Name,
        node: syntax.Name | syntax.FieldAccess | syntax.MethodCall,
        missing: MissingMemberError,
    ) -> syntax.Name:
        """What Groovy's runtime finds: of meta classes, categories, and its own methods."""
        if self._run.is_read_only:
            raise missing
        span = node.span
        more: list[syntax.Expression] = []
        if isinstance(node, syntax.MethodCall):
            called, name = "invokeMethod", node.name
            elements = syntax.ArrayInitializer(span, node.arguments)
            any_object = syntax.NamedTypeSyntax(span, ("java", "lang", "Object"))
            more.append(syntax.NewArray(span, any_object, (), 1, elements))
        else:
            called = "getProperty"
            name = node.identifier if isinstance(node, syntax.Name) else node.name
        owner: syntax.Expression = syntax.class_code(".".join(_RUNTIME), span)
        arguments = (holder, syntax.StringLiteral(span, name), *more)
        call = syntax.MethodCall(span, owner, called, span, arguments)
        try:
            return await self._binding.evaluated(call, by_runtime=True)
        except DebuggeeException as error:
            type_ = await error.exception.type()
            if any(each.name in _MISSING for each in (type_, *await type_.superclasses())):
                raise missing from None
            raise
