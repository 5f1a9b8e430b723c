# SPDX-License-Identifier: Apache-2.0
"""Logical views: what a collection holds, by reading its fields.

A view knows how many entries an object has and reads a page of them. To add one: 1. a class here
or in a `views_*` module, with `size` and `page`, 2. its line in the table of `known_views`, 3. a
debuggee value in tests/e2e/evaluate. Nothing here runs code in the debuggee.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference, Value


_PLACES_AT_ONCE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One element. `key` is None for an element by index, else the key of a map's entry."""

    value: Value
    key: Value | None = None
    node: ObjectReference | None = None
    """The object that holds key and value, when the map has one."""


class View(Protocol):
    """How to read the contents of one class and its subclasses."""

    @property
    def is_indexed(self) -> bool:
        """Whether an element is denoted by its index: `get(i)` gives it."""

    async def size(self, reference: ObjectReference, /) -> int:
        """How many entries there are; UnknownLayoutError when the class looks otherwise."""

    async def page(self, reference: ObjectReference, start: int, count: int, /) -> list[Entry]:
        """Entries from `start`, at most `count`; within the size."""


@dataclass(frozen=True, slots=True)
class ArrayBacked:
    """A list in an array: ArrayList (`elementData`, `size`), Vector, Arrays.asList, List.of."""

    array: str
    length: str | None = None
    """The field with the number of elements; None: the array is full."""
    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        if self.length is not None:
            return await layout.read_int(reference, self.length)
        array = await layout.read_array(reference, self.array)
        return 0 if array is None else await array.length()

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await layout.read_array(reference, self.array)
        if array is None or count <= 0:
            return []
        return [Entry(value) for value in await layout.read_range(array, start, count)]


@dataclass(frozen=True, slots=True)
class Circular:
    """ArrayDeque: `elements` from `head` to `tail`, around the end; empty places are null."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        head, tail, length = await self._ends(reference)
        return (tail - head) % length if length else 0

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        head, _, length = await self._ends(reference)
        array = await layout.read_array(reference, "elements")
        if array is None or count <= 0:
            return []
        first = (head + start) % length
        values = await layout.read_range(array, first, min(count, length - first))
        if len(values) < count:
            values += await layout.read_range(array, 0, count - len(values))
        return [Entry(value) for value in values]

    async def _ends(self, reference: ObjectReference) -> tuple[int, int, int]:
        head, tail = await layout.read(reference, "head", "tail")
        array = await layout.read_array(reference, "elements")
        length = 0 if array is None else await array.length()
        return layout.integer(head), layout.integer(tail), length


@dataclass(frozen=True, slots=True)
class Chained:
    """LinkedList: nodes from `first` by `next`; a page far behind costs the way there."""

    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        node = await layout.read_object(reference, "first")
        entries: list[Entry] = []
        position = 0
        while node is not None and len(entries) < count:
            item, following = await layout.read(node, "item", "next")
            if position >= start:
                entries.append(Entry(item))
            position += 1
            node = layout.as_object(following)
        return entries


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
        # ImmutableCollections.List12 and Set12 of one element have a marker object (or null) in
        # the second field: a plain Object, which no real element of a List.of needs to be.
        if len(values) > 1:
            second = layout.as_object(values[-1])
            if second is None or (await second.type()).name == "java.lang.Object":
                values.pop()
        return values


@dataclass(frozen=True, slots=True)
class Empty:
    """Collections.emptyList() and its like."""

    is_indexed: bool = False

    async def size(self, _reference: ObjectReference) -> int:
        return 0

    async def page(self, _reference: ObjectReference, _start: int, _count: int) -> list[Entry]:
        return []


@dataclass(frozen=True, slots=True)
class PairMap:
    """Map.of(k, v) and Collections.singletonMap: one entry in two fields."""

    key: str
    value: str
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        await layout.read(reference, self.key)
        return 1

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        key, value = await layout.read(reference, self.key, self.value)
        return [Entry(value, key)][start : start + count]


@dataclass(frozen=True, slots=True)
class ProbedTable:
    """MapN and SetN: an open hash table, keys and values in turn, null where there is none."""

    array: str
    has_values: bool
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await layout.read_array(reference, self.array)
        length = 0 if array is None else await array.length()
        entries: list[Entry] = []
        for at in range(0, length, _PLACES_AT_ONCE):
            if array is None or len(entries) >= start + count:
                break
            values = await array.get(at, min(_PLACES_AT_ONCE, length - at))
            if self.has_values:
                pairs = zip(values[::2], values[1::2], strict=True)
                entries += [Entry(value, key) for key, value in pairs if layout.as_object(key)]
            else:
                entries += [Entry(value) for value in values if layout.as_object(value)]
        return entries[start : start + count]


@dataclass(frozen=True, slots=True)
class Single:
    """Optional: nothing or one value. Primitive ones say by a boolean whether there is one."""

    present: str | None = None
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        value = (await layout.read(reference, self.present or "value"))[0]
        if self.present is not None:
            return layout.integer(value)
        return 0 if layout.as_object(value) is None else 1

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        if not await self.size(reference):
            return []
        value = (await layout.read(reference, "value"))[0]
        return [Entry(value)][start : start + count]


__all__ = [
    "ArrayBacked",
    "Chained",
    "Circular",
    "Empty",
    "Entry",
    "Fixed",
    "PairMap",
    "ProbedTable",
    "Single",
    "UnknownLayoutError",
    "View",
]
