# SPDX-License-Identifier: Apache-2.0
"""Logical views of collections whose elements are in an array: lists, rings, enums, bits."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry
from jvmdebug.model.values import NULL, PrimitiveKind, PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference

_LONG_MASK: Final = 2**64 - 1


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
    """ArrayDeque: `elements` from `head` to `tail`, around the end; empty elements are null."""

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
    """EnumMap: the constants in `keyUniverse` whose element in `vals` is not null."""

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
        """A null value is represented by an object of its own."""
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
