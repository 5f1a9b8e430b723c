# SPDX-License-Identifier: Apache-2.0
"""Logical views: what a collection holds, by reading its fields.

A view knows how many entries an object has and reads a page of them. To add one: 1. a class here
or in a `views_*` module, with `size` and `page`, 2. its line in the table of `known_views`, 3. a
debuggee value in tests/e2e/evaluate. Nothing here runs code in the debuggee.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.model.values import NULL, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.model.values import ObjectReference, Value

_LONG_MASK: Final = 2**64 - 1


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
class Chained:
    """LinkedList: nodes from `first` by `next`, or back from `last` when that is nearer.

    A page far from both ends costs the way there.
    """

    length: str = "size"
    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, self.length)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        size = await self.size(reference)
        count = max(0, min(count, size - start))
        if size - start - count >= start:
            return await self._walk(reference, "first", "next", start, count)
        from_end = await self._walk(reference, "last", "prev", size - start - count, count)
        return from_end[::-1]

    async def _walk(
        self, reference: ObjectReference, begin: str, step: str, skip: int, count: int
    ) -> list[Entry]:
        node = await layout.read_object(reference, begin)
        entries: list[Entry] = []
        position = 0
        while node is not None and len(entries) < count:
            item, following = await layout.read(node, "item", step)
            if position >= skip:
                entries.append(Entry(item))
            position += 1
            node = layout.as_object(following)
        return entries


@dataclass(frozen=True, slots=True)
class Queued:
    """LinkedBlockingQueue: nodes behind `head`, which holds nothing; counted in an atomic."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        counter = await layout.read_object(reference, "count")
        if counter is None:
            raise UnknownLayoutError("a queue without a counter")
        return await layout.read_int(counter, "value")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        head = await layout.read_object(reference, "head")
        node = None if head is None else await layout.read_object(head, "next")
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
class Part:
    """A sub-list: `size` elements of the list `root`, from `offset` on."""

    whole: View
    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        root = await layout.read_object(reference, "root")
        if root is None:
            return []
        offset = await layout.read_int(reference, "offset")
        return await self.whole.page(root, offset + start, count)


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
            if words[at // 64] >> at % 64 & 1
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
        if self.has_values:
            return [Entry(values[at + 1], values[at]) for at in found]
        return [Entry(values[at]) for at in found]

    async def _order(self, reference: ObjectReference, length: int) -> Iterable[int]:
        salt = await _salt_of(reference) if self.is_salted else None
        if salt is None:
            return range(length)
        multiplier, is_reversed = salt
        first = multiplier * length >> 32
        if is_reversed:
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
        if salt is not None and salt[1]:
            values.reverse()
        return [Entry(value) for value in values[start : start + count]]


async def _salt_of(reference: ObjectReference) -> tuple[int, bool] | None:
    """`SALT32L` and `REVERSE` of java.util.ImmutableCollections; None where it has them not (JDK
    11 iterates from the beginning).
    """
    for type_ in await reference.vm.classes_by_signature("Ljava/util/ImmutableCollections;"):
        wanted = [each for each in await type_.fields() if each.name in {"SALT32L", "REVERSE"}]
        if len(wanted) == 2:
            read = functools.partial(type_.static_values, wanted)
            values = dict(zip(wanted, await type_.derived("salt", read), strict=True))
            by_name = {field.name: layout.integer(value) for field, value in values.items()}
            return by_name["SALT32L"], bool(by_name["REVERSE"])
    return None


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
