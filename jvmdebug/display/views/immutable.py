# SPDX-License-Identifier: Apache-2.0
"""Logical views of `java.util.ImmutableCollections`: List.of, Set.of and Map.of.

Their sets and maps are iterated from a position and in a direction that each VM draws at its start.
The views do the same, so that elements are shown in the order that the program sees.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry
from jvmdebug.model.values import NULL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.model.values import ObjectReference, Value

_IMMUTABLE: Final = "java.util.ImmutableCollections"


@dataclass(frozen=True, slots=True)
class Fixed:
    """As many elements as fields: List.of(a, b), Set.of(a), singletons. Absent ones are `empty`."""

    fields: tuple[str, ...]
    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return len(await self._values(reference))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        return [Entry(value) for value in (await self._values(reference))[start : start + count]]

    async def _values(self, reference: ObjectReference) -> list[Value]:
        values = list(await layout.read(reference, *self.fields))
        # ImmutableCollections.List12 and Set12 of one element have null (JDK 11) or an object that
        # stands for it in the second field.
        if len(values) > 1:
            absent = await layout.statics(reference, _IMMUTABLE, "EMPTY")
            if values[-1] in (NULL, *(absent or ())):
                values.pop()
        return values


@dataclass(frozen=True, slots=True)
class ProbedTable:
    """MapN and SetN: an open hash table, keys and values in turn, null where there is none.

    Those of `ImmutableCollections` are iterated from an index and in a direction that each VM draws
    at its start; this view follows it, so that the order is the one that the program sees.
    """

    array: str
    has_values: bool
    is_salted: bool = True
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await layout.read_array(reference, self.array)
        length = 0 if array is None else await array.length()
        if array is None or not length:
            return []
        step = 2 if self.has_values else 1
        values = await layout.read_range(array, 0, length)
        order = await self._order(reference, length // step)
        indexes = (at * step for at in order if layout.as_object(values[at * step]) is not None)
        found = itertools.islice(indexes, start, start + count)
        if not self.has_values:
            return [Entry(values[at]) for at in found]
        masks = await layout.statics(reference, "java.util.IdentityHashMap", "NULL_KEY") or ()
        return [Entry(values[at + 1], NULL if values[at] in masks else values[at]) for at in found]

    async def _order(self, reference: ObjectReference, length: int) -> Iterable[int]:
        salt = await _salt_of(reference) if self.is_salted else None
        if salt is None:
            return range(length)
        first = salt.start_index(length)
        if salt.is_ascending:
            return (at % length for at in range(first + 1, first + 1 + length))
        return (at % length for at in range(first - 1 + length, first - 1, -1))


@dataclass(frozen=True, slots=True)
class SmallSet(Fixed):
    """Set.of(a) and Set.of(a, b), of which each VM draws the order at its start."""

    fields: tuple[str, ...] = ("e0", "e1")
    is_indexed: bool = False

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        values = await self._values(reference)
        salt = await _salt_of(reference)
        if salt is not None and salt.is_ascending:
            values.reverse()
        return [Entry(value) for value in values[start : start + count]]


@dataclass(frozen=True, slots=True)
class Salt:
    """The random salt of ImmutableCollections: a number and a direction."""

    number: int
    is_ascending: bool
    is_old: bool = False
    """Of JDK 11, where the sign of the number is the direction."""

    def start_index(self, length: int) -> int:
        """Where an iteration of a table begins."""
        return self.number % length if self.is_old else self.number * length >> 32


async def _salt_of(reference: ObjectReference) -> Salt | None:
    found = await layout.statics(reference, _IMMUTABLE, "SALT32L", "REVERSE")
    if found is not None:
        number, is_reversed = map(layout.integer, found)
        return Salt(number, bool(is_reversed))
    found = await layout.statics(reference, _IMMUTABLE, "SALT")
    if found is None:
        return None
    number = layout.integer(found[0])
    return Salt(number, number >= 0, is_old=True)
