# SPDX-License-Identifier: Apache-2.0
"""Guava: immutable collections, multimaps, multisets, tables, bidirectional maps, Optional."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.arrays import ArrayBacked
from jvmdebug.display.views.fields import PairMap, Single
from jvmdebug.display.views.immutable import Fixed
from jvmdebug.display.views.view import Entry, View, walked
from jvmdebug.display.views.wrapper import Wrapper
from jvmdebug.model.page import Walk

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import ObjectReference

_COLLECT: Final = "com.google.common.collect."


@dataclass(frozen=True, slots=True)
class EntryArray:
    """RegularImmutableMap: an array of entries, each with `key` and `value`."""

    array: str
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The length of the array."""
        array = await layout.read_array(reference, self.array)
        return 0 if array is None else await array.length()

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Read by the agent, else entry by entry."""
        way = Walk(path=(self.array,), parts=("key", "value"))
        found = await walked(reference, way, start, count)
        if found is not None:
            return found
        array = await layout.read_array(reference, self.array)
        values = [] if array is None else await layout.read_range(array, start, count)
        nodes = [each for each in map(layout.as_object, values) if each is not None]
        read = await layout.read_all(nodes, "key", "value")
        return [Entry(value, key, node) for node, (key, value) in zip(nodes, read, strict=True)]


@dataclass(frozen=True, slots=True)
class EntryChain:
    """HashBiMap: entries in the order of insertion."""

    first: str
    after: str
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The size that the map has counted."""
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Read by the agent, else entry by entry."""
        way = Walk(path=(self.first,), after=self.after, parts=("key", "value"))
        found = await walked(reference, way, start, count)
        if found is not None:
            return found
        entries: list[Entry] = []
        node = await layout.read_object(reference, self.first)
        while node is not None and len(entries) < start + count:
            key, value, following = await layout.read(node, "key", "value", self.after)
            entries.append(Entry(value, key, node))
            node = layout.as_object(following)
        return entries[start:]


async def _count(reference: ObjectReference, _line: Line) -> str:
    """How often an element is in a multiset."""
    return str(await layout.read_int(reference, "value"))


async def _present(reference: ObjectReference, line: Line) -> str:
    (value,) = await layout.read(reference, "reference")
    return f"Optional[{await line.part(value, line.room)}]"


async def _absent(_reference: ObjectReference, _line: Line) -> str:
    return "Optional.empty"


TEXTS: Final[dict[str, TextOf]] = {
    f"{_COLLECT}Count": _count,
    "com.google.common.base.Present": _present,
    "com.google.common.base.Absent": _absent,
}
VIEWS: Final[dict[str, View | Wrapper]] = {
    f"{_COLLECT}RegularImmutableList": ArrayBacked("array"),
    f"{_COLLECT}SingletonImmutableList": Fixed(("element",)),
    f"{_COLLECT}ImmutableList$SubList": Wrapper("this$0", is_cut=True, length="length"),
    f"{_COLLECT}RegularImmutableSet": ArrayBacked("elements", is_indexed=False),
    f"{_COLLECT}SingletonImmutableSet": Fixed(("element",), is_indexed=False),
    f"{_COLLECT}RegularImmutableSortedSet": Wrapper("elements"),
    f"{_COLLECT}RegularImmutableMap": EntryArray("entries"),
    f"{_COLLECT}RegularImmutableBiMap": EntryArray("entries"),
    f"{_COLLECT}JdkBackedImmutableMap": Wrapper("delegateMap"),
    f"{_COLLECT}JdkBackedImmutableSet": Wrapper("delegate"),
    f"{_COLLECT}SingletonImmutableBiMap": PairMap("singleKey", "singleValue"),
    f"{_COLLECT}HashBiMap": EntryChain("firstInKeyInsertionOrder", "nextInKeyInsertionOrder"),
    f"{_COLLECT}AbstractMapBasedMultimap": Wrapper("map"),
    f"{_COLLECT}ImmutableMultimap": Wrapper("map"),
    f"{_COLLECT}AbstractMapBasedMultiset": Wrapper("backingMap"),
    f"{_COLLECT}StandardTable": Wrapper("backingMap"),
    f"{_COLLECT}EvictingQueue": Wrapper("delegate"),
    "com.google.common.base.Present": Single(field="reference"),
}
