# SPDX-License-Identifier: Apache-2.0
"""Overload resolution by the phases of JLS 15.12.2, by erasure.

Strict invocation, then loose (boxing), then variable arity; within a phase the most specific
method. Accessible methods are tried before inaccessible ones: a debugger may call private methods,
but never in place of an accessible one. Used by `calls` and `creation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, JavaType, PrimitiveType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.symbols.hierarchy import Hierarchy, MethodMember
    from jvmdebug.evaluator.symbols.types import ValueType


class Phase(Enum):
    """How arguments may be converted."""

    STRICT = auto()
    LOOSE = auto()
    VARIABLE_ARITY = auto()


@dataclass(frozen=True, slots=True)
class Selection:
    """The method and the phase that found it: in VARIABLE_ARITY the last arguments are packed."""

    member: MethodMember
    phase: Phase

    def parameter_types(self, count: int) -> tuple[ValueType, ...]:
        """One parameter type for each of `count` arguments."""
        return _parameters(self.member, count, self.phase)


class NoneApplicableError(Exception):
    """No method of the name takes these arguments."""


class AmbiguousError(Exception):
    """Several methods are equally specific."""

    def __init__(self, candidates: Sequence[MethodMember]) -> None:
        super().__init__()
        self.candidates = candidates


async def select(
    hierarchy: Hierarchy,
    candidates: Sequence[MethodMember],
    arguments: Sequence[JavaType],
    site: str,
) -> Selection:
    """The method that Java would call from the class `site`, with arguments of these types.

    Raises NoneApplicableError or AmbiguousError.
    """
    accessible = [each for each in candidates if await hierarchy.is_accessible(each.method, site)]
    hidden = [each for each in candidates if each not in accessible]
    for group in (accessible, hidden):
        for phase in Phase:
            applicable = [
                each for each in group if await _is_applicable(hierarchy, each, arguments, phase)
            ]
            if applicable:
                chosen = await _most_specific(hierarchy, applicable, len(arguments), phase)
                return Selection(chosen, phase)
    raise NoneApplicableError


async def _is_applicable(
    hierarchy: Hierarchy, member: MethodMember, arguments: Sequence[JavaType], phase: Phase
) -> bool:
    if phase is Phase.VARIABLE_ARITY:
        if not member.method.is_varargs or len(arguments) < len(member.parameters) - 1:
            return False
    elif len(arguments) != len(member.parameters):
        return False
    parameters = _parameters(member, len(arguments), phase)
    for argument, parameter in zip(arguments, parameters, strict=True):
        if not await is_compatible(hierarchy, argument, parameter, strict=phase is Phase.STRICT):
            return False
    return True


def _parameters(member: MethodMember, count: int, phase: Phase) -> tuple[ValueType, ...]:
    if phase is not Phase.VARIABLE_ARITY:
        return member.parameters
    *fixed, last = member.parameters
    element = last.element if isinstance(last, ArrayType) else last
    return (*fixed, *([element] * (count - len(fixed))))


def _erased(member: MethodMember, count: int, phase: Phase) -> list[JavaType]:
    """The parameters without the type parameters of the method, which are named arbitrarily."""
    own = {each.name: types.erased_reference(each) for each in member.method.type_parameters}
    return [types.substitute(each, own) for each in _parameters(member, count, phase)]


async def is_compatible(
    hierarchy: Hierarchy, argument: JavaType, parameter: ValueType, *, strict: bool
) -> bool:
    """Strict (JLS 5.3: identity, widening) or loose (also boxing) invocation conversion."""
    if await hierarchy.is_subtype(argument, parameter):
        return True
    if strict:
        return False
    if isinstance(argument, PrimitiveType):
        return not isinstance(parameter, PrimitiveType) and await hierarchy.is_subtype(
            types.boxed(argument), parameter
        )
    primitive = types.unboxed(argument)
    return primitive is not None and await hierarchy.is_subtype(primitive, parameter)


async def _most_specific(
    hierarchy: Hierarchy, applicable: Sequence[MethodMember], count: int, phase: Phase
) -> MethodMember:
    best: list[MethodMember] = []
    for each in applicable:
        is_best = True
        for other in applicable:
            if other is not each and not await _is_more_specific(
                hierarchy, each, other, count, phase
            ):
                is_best = False
                break
        if is_best:
            best.append(each)
    if not best:
        raise AmbiguousError(applicable)
    # Several only when their parameters are the same: several interfaces of a type may declare a
    # method. Prefer one that has code, and the most specific result.
    chosen = best[0]
    for each in best[1:]:
        if chosen.method.is_abstract != each.method.is_abstract:
            chosen = each if chosen.method.is_abstract else chosen
        elif chosen.result != each.result and await hierarchy.is_subtype(
            each.result, chosen.result
        ):
            chosen = each
    return chosen


async def _is_more_specific(
    hierarchy: Hierarchy, member: MethodMember, other: MethodMember, count: int, phase: Phase
) -> bool:
    if phase is Phase.VARIABLE_ARITY:
        count = max(count, len(member.parameters), len(other.parameters))
    own, its = _erased(member, count, phase), _erased(other, count, phase)
    for mine, theirs in zip(own, its, strict=True):
        if not await hierarchy.is_subtype(mine, theirs):
            return False
    return True
