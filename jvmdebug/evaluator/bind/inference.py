# SPDX-License-Identifier: Apache-2.0
"""Inference of the type arguments of generic methods and of `new C<>()` (JLS 18).

Each type parameter of the call becomes an inference variable. Arguments give bounds on them:
`String <: T`, `T = Integer`; an argument that is itself a generic call brings its own variables, so
`toList()` gets its type from `collect`. Bounds are combined until nothing new follows, then the
variables are resolved. Lambdas and method references have no part in it: the compiler reads texts
with those. Wildcards are read by their bounds where javac captures them. Used by `calls` and
`creation`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.least_upper_bound import glb, lub
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    NullType,
    PrimitiveType,
    TypeVariable,
    VoidType,
    Wildcard,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Bound, GenericCall
    from jvmdebug.evaluator.symbols.hierarchy import Hierarchy
    from jvmdebug.evaluator.symbols.types import (
        JavaType,
        ReferenceType,
        Substitution,
        TypeArgument,
    )

_MOST_BOUNDS: Final = 2000
"""Recursive bounds may give ever larger types; the rest is then left out."""


@dataclass(slots=True)
class _Bounds:
    equal: list[ReferenceType] = field(default_factory=list)
    lower: list[ReferenceType] = field(default_factory=list)
    upper: list[ReferenceType] = field(default_factory=list)

    def all(self) -> list[ReferenceType]:
        return [*self.equal, *self.lower, *self.upper]


async def inferred(hierarchy: Hierarchy, call: GenericCall) -> tuple[Substitution, bool]:
    """The type arguments of the call by the names of its type parameters.

    Also whether an argument of a raw type was converted: then the result is erased.
    """
    solver = _Solver(hierarchy)
    variables = await solver.enter(call)
    await solver.resolve()
    return {name: solver.solution[each.name] for name, each in variables.items()}, solver.unchecked


def generic_call(operand: Bound) -> GenericCall | None:
    """The generic call that an argument is, whose type depends on where it is used; else None."""
    if isinstance(operand, bound.ReferenceCast) and operand.is_implied:
        operand = operand.operand
    if isinstance(operand, bound.StaticCall | bound.InstanceCall | bound.NewObject):
        return operand.generic
    return None


class _Solver:
    """The bounds of one inference."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._bounds: dict[str, _Bounds] = {}
        self._count = 0
        self.solution: dict[str, ReferenceType] = {}
        self.unchecked = False

    async def enter(self, call: GenericCall) -> dict[str, TypeVariable]:
        """Add the variables of a call and the bounds by its arguments."""
        variables = {
            each.name: TypeVariable(f"{each.name}'{len(self._bounds) + number}")
            for number, each in enumerate(call.type_parameters)
        }
        self._bounds |= {each.name: _Bounds() for each in variables.values()}
        for parameter in call.type_parameters:
            for limit in parameter.bounds:
                above = types.substitute(limit, variables)
                if isinstance(above, ClassType | ArrayType | TypeVariable):
                    await self._add(variables[parameter.name].name, "upper", above)
        for argument, declared in zip(call.arguments, call.parameters, strict=True):
            await self._pass(argument, types.substitute(declared, variables))
        return variables

    async def _pass(self, argument: Bound, parameter: JavaType) -> None:
        """The argument is compatible with the parameter (JLS 18.2.1)."""
        if not self._mentions(parameter):
            return
        nested = generic_call(argument)
        if nested is not None:
            variables = await self.enter(nested)
            await self._compatible(types.substitute(nested.result, variables), parameter)
        elif isinstance(argument, bound.Conditional):
            await self._pass(argument.when_true, parameter)
            await self._pass(argument.when_false, parameter)
        else:
            await self._compatible(argument.type, parameter)

    async def _compatible(self, type_: JavaType, parameter: JavaType) -> None:
        if isinstance(type_, PrimitiveType):
            type_ = types.boxed(type_)
        if isinstance(type_, NullType | VoidType) or isinstance(
            parameter, PrimitiveType | NullType | VoidType
        ):
            return
        await self._subtype(type_, parameter)

    # --- reduction (JLS 18.2) --------------------------------------------------------------------

    async def _subtype(self, type_: ReferenceType, above: ReferenceType) -> None:
        if not self._mentions(type_) and not self._mentions(above):
            return
        if isinstance(type_, TypeVariable) and type_.name in self._bounds:
            await self._add(type_.name, "upper", above)
        elif isinstance(above, TypeVariable) and above.name in self._bounds:
            await self._add(above.name, "lower", type_)
        elif isinstance(above, TypeVariable):
            for limit in above.bounds:
                await self._subtype(type_, limit)
        elif isinstance(above, ClassType):
            await self._parameterized(type_, above)
        elif isinstance(type_, ArrayType):
            await self._elements(type_, above)

    async def _parameterized(self, type_: ReferenceType, above: ClassType) -> None:
        found = await self._hierarchy.as_super(type_, above.name)
        if found is None:
            return
        if not found.arguments:
            self.unchecked = self.unchecked or bool(above.arguments)
        elif len(found.arguments) == len(above.arguments):
            for own, wanted in zip(found.arguments, above.arguments, strict=True):
                await self._contained(own, wanted)

    async def _elements(self, array: ArrayType, above: ArrayType) -> None:
        own, wanted = array.element, above.element
        if not isinstance(own, PrimitiveType) and not isinstance(wanted, PrimitiveType):
            await self._subtype(own, wanted)

    async def _contained(self, own: TypeArgument, wanted: TypeArgument) -> None:
        """A type argument is contained by another (JLS 18.2.3)."""
        if not isinstance(wanted, Wildcard):
            await self._equal(types.readable(own), wanted)
        elif wanted.upper is not None:
            await self._subtype(types.readable(own), wanted.upper)
        elif wanted.lower is not None:
            if not isinstance(own, Wildcard):
                await self._subtype(wanted.lower, own)
            elif own.lower is not None:
                await self._subtype(wanted.lower, own.lower)

    async def _equal(self, own: ReferenceType, wanted: ReferenceType) -> None:
        if not self._mentions(own) and not self._mentions(wanted):
            return
        if isinstance(own, TypeVariable) and own.name in self._bounds:
            await self._add(own.name, "equal", wanted)
        elif isinstance(wanted, TypeVariable) and wanted.name in self._bounds:
            await self._add(wanted.name, "equal", own)
        elif isinstance(own, ArrayType) and isinstance(wanted, ArrayType):
            mine, its = own.element, wanted.element
            if not isinstance(mine, PrimitiveType) and not isinstance(its, PrimitiveType):
                await self._equal(mine, its)
        elif isinstance(own, ClassType) and isinstance(wanted, ClassType):
            for one, other in zip(own.arguments, wanted.arguments, strict=False):
                await self._equal_arguments(one, other)

    async def _equal_arguments(self, own: TypeArgument, wanted: TypeArgument) -> None:
        if not isinstance(own, Wildcard) and not isinstance(wanted, Wildcard):
            await self._equal(own, wanted)
        elif isinstance(own, Wildcard) and isinstance(wanted, Wildcard):
            if own.upper is not None and wanted.upper is not None:
                await self._equal(own.upper, wanted.upper)
            if own.lower is not None and wanted.lower is not None:
                await self._equal(own.lower, wanted.lower)

    # --- incorporation (JLS 18.3) ----------------------------------------------------------------

    async def _add(self, name: str, kind: str, type_: ReferenceType) -> None:
        known = self._bounds[name]
        added: list[ReferenceType] = getattr(known, kind)
        is_itself = isinstance(type_, TypeVariable) and type_.name == name
        if type_ in added or is_itself or self._count >= _MOST_BOUNDS:
            return
        added.append(type_)
        self._count += 1
        await self._mirror(TypeVariable(name), kind, type_)
        if kind == "equal":
            for other in [each for each in known.equal if each != type_]:
                await self._equal(other, type_)
            for below in list(known.lower):
                await self._subtype(below, type_)
            for above in list(known.upper):
                await self._subtype(type_, above)
            return
        for same in list(known.equal):
            await (self._subtype(type_, same) if kind == "lower" else self._subtype(same, type_))
        for other in list(known.upper if kind == "lower" else known.lower):
            await (self._subtype(type_, other) if kind == "lower" else self._subtype(other, type_))

    async def _mirror(self, variable: TypeVariable, kind: str, type_: ReferenceType) -> None:
        """A bound between two variables is one of both."""
        if isinstance(type_, TypeVariable) and type_.name in self._bounds:
            opposite = {"equal": "equal", "lower": "upper", "upper": "lower"}[kind]
            await self._add(type_.name, opposite, variable)

    # --- resolution (JLS 18.4) -------------------------------------------------------------------

    async def resolve(self) -> None:
        """Find a type for each variable."""
        while len(self.solution) < len(self._bounds):
            name = self._next()
            chosen = await self._chosen(self._bounds[name])
            self.solution[name] = chosen
            await self._add(name, "equal", chosen)

    def _next(self) -> str:
        """The variable whose bounds mention the fewest others that are not resolved."""
        open_ = [name for name in self._bounds if name not in self.solution]

        def unresolved(name: str) -> tuple[bool, int, int]:
            known = self._bounds[name]
            if self._proper(known.equal):
                return False, 0, 0
            waiting = sum(not self._is_proper(each) for each in known.lower)
            return True, waiting, sum(not self._is_proper(each) for each in known.all())

        return min(open_, key=unresolved)

    async def _chosen(self, known: _Bounds) -> ReferenceType:
        equal, lower = self._proper(known.equal), self._proper(known.lower)
        if equal:
            return equal[0]
        if lower:
            return await lub(self._hierarchy, lower)
        upper = self._proper(known.upper) or [
            types.erased_reference(each)
            for each in known.upper
            if not (isinstance(each, TypeVariable) and each.name in self._bounds)
        ]
        return await glb(self._hierarchy, upper) if upper else types.OBJECT

    def _proper(self, found: list[ReferenceType]) -> list[ReferenceType]:
        substituted = [types.substitute(each, self.solution) for each in found]
        return [
            each
            for each in substituted
            if isinstance(each, ClassType | ArrayType | TypeVariable) and not self._mentions(each)
        ]

    def _is_proper(self, type_: ReferenceType) -> bool:
        return bool(self._proper([type_]))

    def _mentions(self, type_: JavaType | TypeArgument) -> bool:
        """Whether it has an inference variable in it."""
        match type_:
            case TypeVariable(name=name):
                return name in self._bounds
            case ArrayType(element=element):
                return self._mentions(element)
            case ClassType(arguments=arguments):
                return any(self._mentions(each) for each in arguments)
            case Wildcard(upper=upper, lower=lower):
                return any(self._mentions(each) for each in (upper, lower) if each is not None)
            case _:
                return False
