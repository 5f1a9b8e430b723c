# SPDX-License-Identifier: Apache-2.0
"""Finds the loaded types that extend or implement given ones.

Costs two short commands for each loaded class, many of them sent at once; the model caches the
result. Called by the resolver, for methods that others implement, and by the check of conditions.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from jvmdebug.errors import (
    ClassNotPreparedError,
    InvalidClassError,
    InvalidMethodIdError,
    InvalidObjectError,
)
from jvmdebug.model.reference_type import ArrayType

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable

    from jvmdebug.model.reference_type import ReferenceType

P = ParamSpec("P")
T = TypeVar("T")

_JDK_PREFIXES: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
_PROXIES: Final = ("jdk.proxy", "com.sun.proxy.")
"""The packages in which java.lang.reflect.Proxy puts its classes."""
_AT_ONCE: Final = 200


def is_of_jdk(name: str) -> bool:
    """Whether a class of this name is part of the JDK, and not a proxy that it made of others."""
    return name.startswith(_JDK_PREFIXES) and not name.startswith(_PROXIES)


async def loaded_subtypes(
    roots: Collection[str], loaded: Iterable[ReferenceType]
) -> list[ReferenceType]:
    """The types of `loaded` that are subtypes of a type named in `roots`."""
    in_jdk = any(map(is_of_jdk, roots))
    likely = [
        each
        for each in loaded
        if not isinstance(each, ArrayType) and (in_jdk or not is_of_jdk(each.name))
    ]
    subtypes: list[ReferenceType] = []
    for first in range(0, len(likely), _AT_ONCE):
        some = likely[first : first + _AT_ONCE]
        found = await asyncio.gather(*(_supertype_names(each) for each in some))
        subtypes += [
            each for each, above in zip(some, found, strict=True) if not above.isdisjoint(roots)
        ]
    return subtypes


UNLOADED: Final = (InvalidClassError, InvalidObjectError, InvalidMethodIdError)
"""The errors with which a VM answers a question about a type that it has unloaded."""


async def if_loaded(
    read: Callable[P, Awaitable[T]], /, *arguments: P.args, **named: P.kwargs
) -> T | None:
    """Return what `read` returns about a type; None if the VM has unloaded the type meanwhile.

    It takes a function and not a coroutine, because a coroutine that is cancelled before it starts
    is never awaited.
    """
    try:
        return await read(*arguments, **named)
    except UNLOADED:
        return None


async def is_loaded(type_: ReferenceType) -> bool:
    """Whether the VM has not unloaded it."""
    return await if_loaded(type_.status) is not None


async def is_prepared(type_: ReferenceType) -> bool:
    """Whether its methods can be read. If not yet, its class prepare event will follow."""
    try:
        await type_.methods()
    except (ClassNotPreparedError, *UNLOADED):
        return False
    return True


async def _supertype_names(type_: ReferenceType) -> set[str]:
    """The names of its supertypes; none for a type that is not prepared, whose class prepare event
    will follow.
    """
    try:
        await type_.methods()
        return {each.name for each in await type_.supertypes()}
    except (ClassNotPreparedError, *UNLOADED):
        return set()
