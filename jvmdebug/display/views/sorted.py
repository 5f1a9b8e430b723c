# SPDX-License-Identifier: Apache-2.0
"""Logical views of the JDK's sorted maps, TreeMap and ConcurrentSkipListMap, and of parts of them.

Which entries are between two keys is found without running a comparator, for keys in their natural
order or the reverse of it that are strings, numbers or enum constants.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.texts.language import BOXES
from jvmdebug.display.texts.numbers import total_of
from jvmdebug.display.views.maps import is_worth_reading_at_once, objects_of
from jvmdebug.display.views.streamed import Stream, streamed
from jvmdebug.display.views.view import Entry, View, walked
from jvmdebug.model.page import Walk
from jvmdebug.model.values import NULL, ObjectReference, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from jvmdebug.model.values import Value

_LEVELS_AT_ONCE: Final = 6
_DEEPEST_TREE: Final = 128
"""Deeper than any red-black tree that fits into memory."""
_MAX_COMPARED: Final = 2_000
_REVERSE: Final = "java.util.Collections$ReverseComparator"
_Rank: TypeAlias = bytes | tuple[bool, float, float] | int
_TREE: Final = Walk(path=("root",), before="left", after="right", parts=("key", "value"))
_TREE_STREAM: Final = Stream("java.util.TreeMap")
_LIST_STREAM: Final = Stream("java.util.concurrent.ConcurrentSkipListMap", makes_entries=True)
_LOWEST_LEVEL: Final = Walk(path=("head", "node"), after="next", holds="val", parts=("key", "val"))


@dataclass(frozen=True, slots=True)
class SortedTree:
    """TreeMap: a binary tree from `root`, read a few levels at a time as far as it is needed."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        found = await walked(reference, _TREE, start, count)
        if found is None:
            found = await streamed(reference, _TREE_STREAM, start, count, start + count)
        return await self._read_page(reference, start, count) if found is None else found

    async def _read_page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        known: dict[ObjectReference, tuple[Value, ...]] = {}
        entries: list[Entry] = []
        path: list[ObjectReference] = []
        node, size = await asyncio.gather(
            layout.read_object(reference, "root"), self.size(reference)
        )
        if node is not None and is_worth_reading_at_once(size, start + count):
            await self._read(node, known, _DEEPEST_TREE)
        position = 0
        while (node is not None or path) and len(entries) < count:
            while node is not None:
                path.append(node)
                if len(path) > _DEEPEST_TREE:
                    raise UnknownLayoutError("not a tree: it was changed without a lock")
                node = layout.as_object((await self._read(node, known))[0])
            node = path.pop()
            _, right, key, value = known.pop(node)
            if position >= start:
                entries.append(Entry(value, key, node))
            position += 1
            node = layout.as_object(right)
        return entries

    async def _read(
        self,
        node: ObjectReference,
        known: dict[ObjectReference, tuple[Value, ...]],
        levels: int = _LEVELS_AT_ONCE,
    ) -> tuple[Value, ...]:
        """Left, right, key and value of a node; what is below it comes along."""
        level = [node] if node not in known else []
        for _ in range(levels):
            read = await layout.read_nodes(level, "left", "right", "key", "value")
            known |= zip(level, read, strict=True)
            below = objects_of([side for found in read for side in found[:2]])
            level = [each for each in below if each not in known]
            if not level:
                break
        return known[node]


@dataclass(frozen=True, slots=True)
class SkipList:
    """ConcurrentSkipListMap: nodes by `next`, in which no value means that it was removed.

    The lists of shortcuts above them lead to many nodes at once; a huge map is followed node by
    node. JDK 11 and later count the entries in an adder.
    """

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        adder = await layout.read_object(reference, "adder")
        return 0 if adder is None else max(await total_of(adder), 0)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        found = await walked(reference, _LOWEST_LEVEL, start, count)
        if found is None:
            found = await streamed(reference, _LIST_STREAM, start, count, start + count)
        return await self._read_page(reference, start, count) if found is None else found

    async def _read_page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        head = await layout.read_object(reference, "head")
        if head is None:
            return []
        known: dict[ObjectReference, tuple[Value, ...]] = {}
        if is_worth_reading_at_once(await self.size(reference), start + count):
            known = await self._read_all(head)
        entries: list[Entry] = []
        node = await layout.read_object(head, "node")
        while node is not None and len(entries) < start + count:
            key, value, following = known.get(node) or await layout.read(node, *_NODE)
            if NULL not in (key, value):
                entries.append(Entry(value, key, node))
            node = layout.as_object(following)
        return entries[start:]

    async def _read_all(self, head: ObjectReference) -> dict[ObjectReference, tuple[Value, ...]]:
        """Every node, by as many round trips as the longest way between two shortcuts."""
        shortcuts = {head}
        nodes: set[ObjectReference] = set()
        level = [head]
        while level:
            read = await layout.read_nodes(level, "node", "down", "right")
            nodes.update(objects_of([node for node, _, _ in read]))
            ahead = objects_of([each for _, *ways in read for each in ways])
            level = list(dict.fromkeys(each for each in ahead if each not in shortcuts))
            shortcuts.update(level)
        known: dict[ObjectReference, tuple[Value, ...]] = {}
        level = list(nodes)
        while level:
            found = await layout.read_nodes(level, *_NODE)
            known |= zip(level, found, strict=True)
            level = [each for each in objects_of([it[2] for it in found]) if each not in known]
        return known


_NODE: Final = ("key", "val", "next")


@dataclass(frozen=True, slots=True)
class SortedPart:
    """subMap, headMap, tailMap, descendingMap: the part of the map `m` between `lo` and `hi`."""

    whole: View
    has_ends: bool = False
    """Whether it says by `fromStart` and `toEnd` that there is no bound; else the bound is null."""
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        of = await self._map(reference)
        if await self._bounds(reference) == (None, None):
            return await self.whole.size(of)
        return len(await self._within(reference, of))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        of = await self._map(reference)
        is_descending = await self._is_descending(reference)
        if await self._bounds(reference) != (None, None):
            found = await self._within(reference, of)
            return (found[::-1] if is_descending else found)[start : start + count]
        if not is_descending:
            return await self.whole.page(of, start, count)
        size = await self.whole.size(of)
        first = max(0, size - start - count)
        return (await self.whole.page(of, first, size - start - first))[::-1]

    async def _map(self, reference: ObjectReference) -> ObjectReference:
        found = await layout.read_object(reference, "m")
        if found is None:
            raise UnknownLayoutError("a part of no map")
        return found

    async def _is_descending(self, reference: ObjectReference) -> bool:
        if not self.has_ends:
            return bool(await layout.read_int(reference, "isDescending"))
        return "Descending" in (await reference.type()).name

    async def _bounds(self, reference: ObjectReference) -> tuple[Value | None, Value | None]:
        """The bounds; None where there is none."""
        low, high = await layout.read(reference, "lo", "hi")
        if not self.has_ends:
            return None if low == NULL else low, None if high == NULL else high
        from_start, to_end = await layout.read(reference, "fromStart", "toEnd")
        return (
            None if layout.integer(from_start) else low,
            None if layout.integer(to_end) else high,
        )

    async def _within(self, reference: ObjectReference, of: ObjectReference) -> list[Entry]:
        """The entries between the bounds, in the order of the map."""
        size = await self.whole.size(of)
        if size > _MAX_COMPARED:
            raise UnknownLayoutError("a part of a map too large to be compared")
        comparator = await layout.read_object(of, "comparator")
        is_reverse = comparator is not None and (await comparator.type()).name == _REVERSE
        if comparator is not None and not is_reverse:
            raise UnknownLayoutError("an order that only the program knows")
        bounds = await self._bounds(reference)
        inclusive = await layout.read(reference, "loInclusive", "hiInclusive")
        ranks = [None if each is None else await _rank(each) for each in bounds]
        low, high = ranks[::-1] if is_reverse else ranks
        with_low, with_high = (
            bool(layout.integer(each)) for each in (inclusive[::-1] if is_reverse else inclusive)
        )
        found = []
        for entry in await self.whole.page(of, 0, size):
            rank = await _rank(NULL if entry.key is None else entry.key)
            if low is not None and (_less(rank, low) or (rank == low and not with_low)):
                continue
            if high is not None and (_less(high, rank) or (rank == high and not with_high)):
                continue
            found.append(entry)
        return found


def _less(one: _Rank, other: _Rank) -> bool:
    if isinstance(one, bytes) and isinstance(other, bytes):
        return one < other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one < other
    if isinstance(one, int) and isinstance(other, int):
        return one < other
    raise UnknownLayoutError("keys of different kinds")


async def _rank(key: Value) -> _Rank:
    """A Python value that is ordered as Java orders such keys."""
    if isinstance(key, StringReference):
        return (await key.as_text()).encode("utf-16-be", "surrogatepass")
    if not isinstance(key, ObjectReference):
        raise UnknownLayoutError("a key that has no order")
    type_ = await key.type()
    if type_.name in BOXES:
        (value,) = await layout.read(key, "value")
        if isinstance(value, PrimitiveValue):
            number = value.value
            if isinstance(number, float):  # NaN is the greatest, -0.0 is less than 0.0
                is_nan = math.isnan(number)
                return is_nan, 0.0 if is_nan else number, math.copysign(1.0, number)
            return int(number)
    if any(each.name == "java.lang.Enum" for each in await type_.superclasses()):
        (ordinal,) = await layout.read(key, "ordinal", of="java.lang.Enum")
        return layout.integer(ordinal)
    raise UnknownLayoutError("keys whose order only the program knows")
