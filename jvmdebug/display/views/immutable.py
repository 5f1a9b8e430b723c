# SPDX-License-Identifier: Apache-2.0
"""Logical views of `java.util.ImmutableCollections`: List.of, Set.of and Map.of.

Their sets and maps are iterated from a position and in a direction that each VM draws at its start.
The views do the same, so that elements are shown in the order that the program sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.streamed import Stream, cost, streamed
from jvmdebug.display.views.view import Entry, walked
from jvmdebug.model.page import Walk
from jvmdebug.model.values import NULL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.model.values import ArrayReference, ObjectReference, Value

_IMMUTABLE: Final = "java.util.ImmutableCollections"
_SLOTS_AT_ONCE: Final = 4_096


@dataclass(frozen=True, slots=True)
class Fixed:
    """A view of as many elements as fields: List.of(a, b), singletons. Absent ones are `empty`."""

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
    stream: Stream | None = None

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await layout.read_array(reference, self.array)
        length = 0 if array is None else await array.length()
        if array is None or not length:
            return []
        step = 2 if self.has_values else 1
        first, is_backwards = await self._beginning(reference, length // step)
        way = Walk(
            path=(self.array,),
            slot_size=step,
            first=first,
            is_backwards=is_backwards,
            skips_null=True,
        )
        found = await walked(reference, way, start, count)
        if found is None:
            nodes = cost(start + count, await self.size(reference), length // step)
            found = await streamed(reference, self.stream, start, count, nodes)
        if found is None:
            slots = length // step
            found = []
            async for entry in self._entries(array, slots, first, is_backwards=is_backwards):
                found.append(entry)
                if len(found) >= start + count:
                    break
            found = found[start:]
        if not self.has_values:
            return found
        masks = await layout.statics(reference, "java.util.IdentityHashMap", "NULL_KEY") or ()
        return [Entry(each.value, NULL if each.key in masks else each.key) for each in found]

    async def _entries(
        self, array: ArrayReference, slots: int, first: int, *, is_backwards: bool
    ) -> AsyncIterator[Entry]:
        """All entries from the slot `first` on, and around the end; read in pieces."""
        step = 2 if self.has_values else 1
        for begin, end in ((first, slots), (0, first)):
            for at in range(begin, end, _SLOTS_AT_ONCE):
                many = min(_SLOTS_AT_ONCE, end - at)
                lowest = slots - at - many if is_backwards else at
                values = await array.get(lowest * step, many * step)
                heads = range(0, len(values), step)
                for head in reversed(heads) if is_backwards else heads:
                    if layout.as_object(values[head]) is not None:
                        key = values[head] if self.has_values else None
                        yield Entry(values[head + step - 1], key)

    async def _beginning(self, reference: ObjectReference, length: int) -> tuple[int, bool]:
        """The slot that an iteration begins with, and whether they are numbered from the end."""
        salt = await _salt_of(reference) if self.is_salted else None
        if salt is None:
            return 0, False
        first = salt.start_index(length)
        if salt.is_ascending:
            return (first + 1) % length, False
        return (length - first) % length, True


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
        """The place where an iteration of a table begins."""
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
