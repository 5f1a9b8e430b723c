# SPDX-License-Identifier: Apache-2.0
"""Logical views: what a collection holds, by reading its fields.

A view knows how many entries an object has and reads a page of them. To add one: 1. a class here
or in a `views_*` module, with `size` and `page`, 2. its line in the table of `known_views`, 3. a
debuggee value in tests/e2e/evaluate. Nothing here runs code in the debuggee.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.display import layout
from jvmdebug.model.values import NULL, PrimitiveKind, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.model.values import ObjectReference, Value

_LONG_MASK: Final = 2**64 - 1
_IMMUTABLE: Final = "java.util.ImmutableCollections"


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
class Ring:
    """ArrayBlockingQueue: `count` elements of `items` from `takeIndex` on, around the end."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "count")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await layout.read_array(reference, "items")
        if array is None or count <= 0:
            return []
        length = await array.length()
        first = (await layout.read_int(reference, "takeIndex") + start) % length
        values = await layout.read_range(array, first, min(count, length - first))
        if len(values) < count:
            values += await layout.read_range(array, 0, count - len(values))
        return [Entry(value) for value in values]


@dataclass(frozen=True, slots=True)
class EnumKeys:
    """EnumMap: the constants in `keyUniverse` whose place in `vals` is not null."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        keys = await layout.read_array(reference, "keyUniverse")
        values = await layout.read_array(reference, "vals")
        if keys is None or values is None:
            return []
        pairs = zip(await keys.get(), await values.get(), strict=True)
        found = [Entry(value, key) for key, value in pairs if layout.as_object(value)]
        return [await self._unmasked(each) for each in found[start : start + count]]

    async def _unmasked(self, entry: Entry) -> Entry:
        """A null value is kept as an object that stands for it."""
        value = layout.as_object(entry.value)
        is_mask = value is not None and (await value.type()).name == "java.util.EnumMap$1"
        return Entry(NULL, entry.key) if is_mask else entry


@dataclass(frozen=True, slots=True)
class EnumBits:
    """EnumSet: a bit in `elements` for each constant in `universe`."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return sum(word.bit_count() for word in await self._words(reference))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        universe = await layout.read_array(reference, "universe")
        words = await self._words(reference)
        constants = () if universe is None else await universe.get()
        found = [
            Entry(constant)
            for at, constant in enumerate(constants)
            if at // 64 < len(words) and words[at // 64] >> at % 64 & 1
        ]
        return found[start : start + count]

    async def _words(self, reference: ObjectReference) -> list[int]:
        (elements,) = await layout.read(reference, "elements")
        if isinstance(elements, PrimitiveValue):
            return [layout.integer(elements) & _LONG_MASK]
        array = await layout.read_array(reference, "elements")
        found = () if array is None else await array.get()
        return [layout.integer(each) & _LONG_MASK for each in found]


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
    """MapN and SetN: an open hash table, keys and values in turn, null where there is none.

    Those of `ImmutableCollections` are iterated from a place and in a direction that each VM draws
    at its start; here, too, so that the order is the one that the program sees.
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
        places = (at * step for at in order if layout.as_object(values[at * step]) is not None)
        found = itertools.islice(places, start, start + count)
        if not self.has_values:
            return [Entry(values[at]) for at in found]
        masks = await layout.statics(reference, "java.util.IdentityHashMap", "NULL_KEY") or ()
        return [Entry(values[at + 1], NULL if values[at] in masks else values[at]) for at in found]

    async def _order(self, reference: ObjectReference, length: int) -> Iterable[int]:
        salt = await _salt_of(reference) if self.is_salted else None
        if salt is None:
            return range(length)
        first = salt.place(length)
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
    """What ImmutableCollections has drawn: a number, and a direction."""

    number: int
    is_ascending: bool
    is_old: bool = False
    """Of JDK 11, where the sign of the number is the direction."""

    def place(self, length: int) -> int:
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


@dataclass(frozen=True, slots=True)
class Bits:
    """BitSet: the numbers of the bits that are set in `words`."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return sum(word.bit_count() for word in await self._words(reference))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        words = await self._words(reference)
        numbers = (
            at * 64 + bit for at, word in enumerate(words) for bit in range(64) if word >> bit & 1
        )
        found = itertools.islice(numbers, start, start + count)
        return [Entry(PrimitiveValue(PrimitiveKind.INT, number)) for number in found]

    async def _words(self, reference: ObjectReference) -> list[int]:
        words = await layout.read_array(reference, "words")
        used = await layout.read_int(reference, "wordsInUse")
        found = () if words is None else await layout.read_range(words, 0, used)
        return [layout.integer(each) & _LONG_MASK for each in found]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Collections.nCopies: one element, `n` times over."""

    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "n")

    async def page(self, reference: ObjectReference, _start: int, count: int) -> list[Entry]:
        (element,) = await layout.read(reference, "element")
        return [Entry(element)] * count


@dataclass(frozen=True, slots=True)
class Single:
    """Optional: nothing or one value. Primitive ones say by a boolean whether there is one."""

    present: str | None = None
    getter: str = "get()"
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
