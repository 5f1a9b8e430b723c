# SPDX-License-Identifier: Apache-2.0
"""Least upper and greatest lower bounds of reference types (JLS 4.10.4, 5.1.10).

An intersection type is a TypeVariable whose bounds are its parts, in the order of javac: a class
first, then interfaces with many supertypes, then by name. Used by `inference`, and for the types of
conditionals and switches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    PrimitiveType,
    TypeVariable,
    Wildcard,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.symbols.hierarchy import Hierarchy
    from jvmdebug.evaluator.symbols.types import JavaType, ReferenceType, TypeArgument

_DEEPEST: Final = 2
"""Integer and String are both Comparable of themselves: the bound would be infinite."""


async def lub(
    hierarchy: Hierarchy, found: Sequence[ReferenceType], depth: int = 0
) -> ReferenceType:
    """The least upper bound of one or more types."""
    distinct = list(dict.fromkeys(found))
    if len(distinct) == 1:
        return distinct[0]
    if all(isinstance(each, ArrayType) for each in distinct):
        return await _lub_of_arrays(hierarchy, distinct, depth)
    common = await _common_supertypes(hierarchy, distinct)
    return intersection([await _parameterized(hierarchy, name, distinct, depth) for name in common])


async def glb(hierarchy: Hierarchy, found: Sequence[ReferenceType]) -> ReferenceType:
    """The greatest lower bound: the types that are no supertype of another."""
    distinct = list(dict.fromkeys(found))
    parts: list[ReferenceType] = []
    for number, each in enumerate(distinct):
        others = [*distinct[:number], *distinct[number + 1 :]]
        above = [one for one in others if await hierarchy.is_subtype(one, each)]
        below = [one for one in above if not await hierarchy.is_subtype(each, one)]
        is_repeated = any(one in distinct[:number] for one in above)
        if not below and not is_repeated:
            parts.append(each)
    return intersection(parts)


def intersection(parts: Sequence[ReferenceType]) -> ReferenceType:
    """`A & B`; the part itself when there is one, Object when there is none."""
    if len(parts) < 2:
        return parts[0] if parts else types.OBJECT
    return TypeVariable(" & ".join(map(str, parts)), tuple(parts))


async def common_type(hierarchy: Hierarchy, found: Sequence[JavaType]) -> JavaType:
    """The least upper bound of the types of values; null has no part in it."""
    references = [each for each in found if isinstance(each, ClassType | ArrayType | TypeVariable)]
    return await lub(hierarchy, references) if references else types.NULL


async def _lub_of_arrays(
    hierarchy: Hierarchy, arrays: Sequence[ReferenceType], depth: int
) -> ReferenceType:
    elements = [each.element for each in arrays if isinstance(each, ArrayType)]
    references = [each for each in elements if not isinstance(each, PrimitiveType)]
    if len(references) == len(elements):
        return ArrayType(await lub(hierarchy, references, depth))
    return intersection([ClassType("java.io.Serializable"), ClassType("java.lang.Cloneable")])


async def _common_supertypes(hierarchy: Hierarchy, found: Sequence[ReferenceType]) -> list[str]:
    """The most specific classes and interfaces that all types have, by name (JLS: MEC)."""
    first, *others = [await _supertypes(hierarchy, each) for each in found]
    shared = [name for name in first if all(name in other for other in others)]
    minimal = [
        name
        for name in shared
        if not any([other != name and await hierarchy.is_subclass(other, name) for other in shared])
    ]
    ranked = [(not first[name], await _rank(hierarchy, name), name) for name in minimal]
    return [name for _, _, name in sorted(ranked, key=lambda each: (each[0], -each[1], each[2]))]


async def _supertypes(hierarchy: Hierarchy, type_: ReferenceType) -> dict[str, bool]:
    """The names of all supertypes, and whether each is a class."""
    if isinstance(type_, ArrayType):
        return {
            "java.lang.Object": True,
            "java.io.Serializable": False,
            "java.lang.Cloneable": False,
        }
    supertypes: dict[str, bool] = {}
    for each in await hierarchy.ancestors(type_):
        supertypes[each.declaration.name] = not each.declaration.is_interface
    return {**supertypes, "java.lang.Object": True}


async def _rank(hierarchy: Hierarchy, name: str) -> int:
    """The length of the longest way up to Object."""
    ancestors = await hierarchy.ancestors(ClassType(name))
    above = [each.declaration.name for each in ancestors if each.declaration.name != name]
    if not above:
        return 0
    return 1 + max(
        [await _rank(hierarchy, each) for each in above if each != "java.lang.Object"], default=0
    )


async def _parameterized(
    hierarchy: Hierarchy, name: str, found: Sequence[ReferenceType], depth: int
) -> ClassType:
    """The class with type arguments that contain those of all types (JLS: lcp)."""
    seen = [
        None if isinstance(each, ArrayType) else await hierarchy.as_super(each, name)
        for each in found
    ]
    arguments = [each.arguments for each in seen if each is not None]
    if len(arguments) != len(found) or not all(arguments):
        return ClassType(name)
    columns = zip(*arguments, strict=True)
    return ClassType(name, tuple([await _containing(hierarchy, each, depth) for each in columns]))


async def _containing(
    hierarchy: Hierarchy, arguments: Sequence[TypeArgument], depth: int
) -> TypeArgument:
    """The least type argument that contains all (JLS: lcta)."""
    distinct = list(dict.fromkeys(arguments))
    if len(distinct) == 1:
        return distinct[0]
    lower = [each.lower for each in distinct if isinstance(each, Wildcard)]
    if len(lower) == len(distinct):
        bounds = [each for each in lower if each is not None]
        if len(bounds) == len(distinct):
            return Wildcard(lower=await glb(hierarchy, bounds))
    if depth >= _DEEPEST or any(each == Wildcard() for each in distinct):
        return Wildcard()
    upper = await lub(hierarchy, [types.readable(each) for each in distinct], depth + 1)
    return Wildcard() if upper == types.OBJECT else Wildcard(upper=upper)
