# SPDX-License-Identifier: Apache-2.0
"""The table of classes that have a logical view, and how an object's view is found.

By the name of the object's class or a superclass; a wrapper shows what it wraps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout, libraries
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views.arrays import (
    ArrayBacked,
    Bits,
    Circular,
    EnumBits,
    EnumKeys,
    Ring,
)
from jvmdebug.display.views.fields import Empty, PairMap, Repeated, Single
from jvmdebug.display.views.immutable import Fixed, ProbedTable, SmallSet
from jvmdebug.display.views.linked import Chained, Queued, Unlocked, UnlockedDeque
from jvmdebug.display.views.maps import ConcurrentTable, HashTable, LinkedTable, WeakTable
from jvmdebug.display.views.recorded import recorded_view
from jvmdebug.display.views.sorted import SkipList, SortedPart, SortedTree
from jvmdebug.display.views.streamed import Stream
from jvmdebug.display.views.view import Entry, View
from jvmdebug.display.views.wrapper import Part, Wrapper

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference

_MAX_WRAPPERS: Final = 8


_ELEMENTS_KEPT: Final = ArrayBacked("elementData", "size")
_FULL_ARRAY: Final = ArrayBacked("array")
_COLLECTIONS: Final = "java.util.Collections$"
_IMMUTABLE: Final = "java.util.ImmutableCollections$"
_CONCURRENT: Final = "java.util.concurrent."
_PARTS: Final[tuple[tuple[str, Part], ...]] = (
    ("KeySet", "keys"),
    ("Values", "values"),
    ("EntrySet", "nodes"),
)

VIEWS: Final[dict[str, View | Wrapper]] = {
    "java.util.ArrayList": _ELEMENTS_KEPT,
    "java.util.ArrayList$SubList": Wrapper("root", is_cut=True),
    "java.util.AbstractList$SubList": Wrapper("root", is_cut=True),
    "java.util.Vector": ArrayBacked("elementData", "elementCount"),
    "java.util.Arrays$ArrayList": ArrayBacked("a"),
    "java.util.LinkedList": Chained(stream=Stream("java.util.LinkedList", None, ())),
    "java.util.ArrayDeque": Circular(),
    "java.util.PriorityQueue": ArrayBacked("queue", "size", is_indexed=False),
    "java.util.LinkedHashMap": LinkedTable(),
    "java.util.HashMap": HashTable(stream=Stream("java.util.HashMap")),
    "java.util.WeakHashMap": WeakTable(),
    "java.util.Hashtable": HashTable(
        "count", is_backwards=True, stream=Stream("java.util.Hashtable")
    ),
    "java.util.Properties": Wrapper("map"),
    "java.util.IdentityHashMap": ProbedTable(
        "table",
        has_values=True,
        is_salted=False,
        stream=Stream("java.util.IdentityHashMap", makes_entries=True, has_nodes=False),
    ),
    "java.util.TreeMap": SortedTree(),
    "java.util.TreeMap$NavigableSubMap": SortedPart(SortedTree(), has_ends=True),
    "java.util.BitSet": Bits(),
    "java.util.EnumMap": EnumKeys(),
    "java.util.EnumSet": EnumBits(),
    "java.util.HashSet": Wrapper("map", "keys"),
    "java.util.TreeSet": Wrapper("m", "keys"),
    "java.util.Optional": Single(),
    "java.util.OptionalInt": Single("isPresent", "getAsInt()"),
    "java.util.OptionalLong": Single("isPresent", "getAsLong()"),
    "java.util.OptionalDouble": Single("isPresent", "getAsDouble()"),
    f"{_CONCURRENT}ConcurrentHashMap": ConcurrentTable(),
    f"{_CONCURRENT}ConcurrentSkipListMap": SkipList(),
    f"{_CONCURRENT}ConcurrentSkipListMap$SubMap": SortedPart(SkipList()),
    f"{_CONCURRENT}ConcurrentSkipListSet": Wrapper("m", "keys"),
    f"{_CONCURRENT}ConcurrentLinkedQueue": Unlocked(),
    f"{_CONCURRENT}ConcurrentLinkedDeque": UnlockedDeque(),
    f"{_CONCURRENT}LinkedTransferQueue": Unlocked(),
    f"{_CONCURRENT}DelayQueue": Wrapper("q"),
    f"{_CONCURRENT}SynchronousQueue": Empty(),
    f"{_CONCURRENT}CopyOnWriteArrayList": _FULL_ARRAY,
    f"{_CONCURRENT}CopyOnWriteArrayList$COWSubList": Wrapper("this$0", is_cut=True),
    f"{_CONCURRENT}CopyOnWriteArraySet": Wrapper("al"),
    f"{_CONCURRENT}ArrayBlockingQueue": Ring(),
    f"{_CONCURRENT}LinkedBlockingQueue": Queued(),
    f"{_CONCURRENT}LinkedBlockingDeque": Chained("count", is_indexed=False),
    f"{_CONCURRENT}PriorityBlockingQueue": ArrayBacked("queue", "size", is_indexed=False),
    f"{_CONCURRENT}atomic.AtomicIntegerArray": _FULL_ARRAY,
    f"{_CONCURRENT}atomic.AtomicLongArray": _FULL_ARRAY,
    f"{_CONCURRENT}atomic.AtomicReferenceArray": _FULL_ARRAY,
    f"{_IMMUTABLE}ListN": ArrayBacked("elements"),
    f"{_IMMUTABLE}List12": Fixed(("e0", "e1")),
    f"{_IMMUTABLE}SubList": Wrapper("root", is_cut=True),
    f"{_IMMUTABLE}Set12": SmallSet(),
    f"{_IMMUTABLE}SetN": ProbedTable(
        "elements", has_values=False, stream=Stream(f"{_IMMUTABLE}SetN", None, ())
    ),
    f"{_IMMUTABLE}Map1": PairMap("k0", "v0"),
    f"{_IMMUTABLE}MapN": ProbedTable(
        "table",
        has_values=True,
        stream=Stream(f"{_IMMUTABLE}MapN", makes_entries=True, has_nodes=False),
    ),
    f"{_COLLECTIONS}EmptyList": Empty(),
    f"{_COLLECTIONS}EmptySet": Empty(),
    f"{_COLLECTIONS}EmptyMap": Empty(),
    f"{_COLLECTIONS}SingletonList": Fixed(("element",)),
    f"{_COLLECTIONS}SingletonSet": Fixed(("element",), is_indexed=False),
    f"{_COLLECTIONS}SingletonMap": PairMap("k", "v"),
    f"{_COLLECTIONS}SetFromMap": Wrapper("m", "keys"),
    f"{_COLLECTIONS}CopiesList": Repeated(),
    f"{_COLLECTIONS}AsLIFOQueue": Wrapper("q"),
    f"{_COLLECTIONS}CheckedMap$CheckedEntrySet": Wrapper("s"),
    **{
        f"{_COLLECTIONS}{kind}{what}": Wrapper(field)
        for kind in ("Unmodifiable", "Synchronized", "Checked")
        for what, field in (("Collection", "c"), ("Map", "m"))
    },
    # What reversed() gives since Java 21.
    "java.util.ReverseOrderListView": Wrapper("base", is_reversed=True),
    "java.util.ReverseOrderDequeView": Wrapper("base", is_reversed=True),
    "java.util.ReverseOrderSortedSetView": Wrapper("base", is_reversed=True),
    "java.util.LinkedHashMap$ReversedLinkedHashMapView": Wrapper("base", is_reversed=True),
    # What keySet(), values() and entrySet() give.
    **{
        f"java.util.{map_}${prefix}{kind}": Wrapper("this$0", part)
        for map_, prefix in (
            *(("HashMap", ""), ("LinkedHashMap", "Linked"), ("TreeMap", ""), ("Hashtable", "")),
            *(("WeakHashMap", ""), ("IdentityHashMap", ""), ("EnumMap", "")),
        )
        for kind, part in _PARTS
    },
    "java.util.Hashtable$ValueCollection": Wrapper("this$0", "values"),
    "java.util.TreeMap$KeySet": Wrapper("m", "keys"),
    "java.util.TreeMap$NavigableSubMap$EntrySetView": Wrapper("this$0", "nodes"),
    "java.util.AbstractMap$1": Wrapper("this$0", "keys"),
    "java.util.AbstractMap$2": Wrapper("this$0", "values"),
    f"{_IMMUTABLE}MapN$1": Wrapper("this$0", "nodes"),
    f"{_CONCURRENT}ConcurrentSkipListMap$KeySet": Wrapper("m", "keys"),
    f"{_CONCURRENT}ConcurrentSkipListMap$Values": Wrapper("m", "values"),
    f"{_CONCURRENT}ConcurrentSkipListMap$EntrySet": Wrapper("m", "nodes"),
    f"{_CONCURRENT}ConcurrentHashMap$KeySetView": Wrapper("map", "keys"),
    f"{_CONCURRENT}ConcurrentHashMap$ValuesView": Wrapper("map", "values"),
    f"{_CONCURRENT}ConcurrentHashMap$EntrySetView": Wrapper("map", "nodes"),
}


@dataclass(frozen=True, slots=True)
class Contents:
    """The entries of one object, through its view."""

    view: View
    holder: ObjectReference
    """The object that has them: not the collection itself when that is a wrapper."""
    size: int
    part: Part | None = None
    is_reversed: bool = False
    offset: int = 0
    """Where a sub-list begins."""

    @property
    def is_indexed(self) -> bool:
        """Whether the program reaches an element by its index: `get(i)`."""
        return self.view.is_indexed and self.part is None

    async def page(self, start: int, count: int) -> list[Entry]:
        """Entries from `start`; a page that reaches behind the end is shorter."""
        count = max(0, min(count, self.size - start))
        if self.is_reversed:
            start = self.size - start - count
        entries = await self.view.page(self.holder, self.offset + start, count) if count else []
        if self.is_reversed:
            entries = entries[::-1]
        match self.part:
            case "keys":
                return [Entry(entry.key) for entry in entries if entry.key is not None]
            case "values":
                return [Entry(entry.value) for entry in entries]
            case "nodes":  # some maps have no objects for their entries
                return [each if each.node is None else Entry(each.node) for each in entries]
            case _:
                return entries


async def contents(reference: ObjectReference) -> Contents | None:
    """The logical view of an object; None if it has none, or its class has an unknown layout."""
    wrappers: list[tuple[Wrapper, ObjectReference]] = []
    holder = reference
    try:
        while len(wrappers) < _MAX_WRAPPERS:
            found = await _view_of(await holder.type())
            if found is None:
                return None
            if not isinstance(found, Wrapper):
                whole = Contents(found, holder, await found.size(holder))
                return await _unwrapped(whole, wrappers)
            wrappers.append((found, holder))
            wrapped = await layout.read_object(holder, found.field)
            if wrapped is None:
                return None
            holder = wrapped
    except UnknownLayoutError:
        return None
    return None


async def _unwrapped(whole: Contents, wrappers: list[tuple[Wrapper, ObjectReference]]) -> Contents:
    """The contents that the outermost wrapper shows; the innermost one is the last."""
    part, is_reversed, offset, size = whole.part, False, 0, whole.size
    for wrapper, holder in reversed(wrappers):
        part = wrapper.part or part
        is_reversed ^= wrapper.is_reversed
        if wrapper.is_cut:
            begin, length = await layout.read(holder, "offset", wrapper.length)
            first = layout.integer(begin)
            offset += size - first - layout.integer(length) if is_reversed else first
            size = layout.integer(length)
    return Contents(whole.view, whole.holder, size, part, is_reversed, offset)


def has_own_view(type_: ReferenceType) -> bool:
    """Whether the class itself has a view, so that its superclasses need not be asked for."""
    return _of_name(type_.name) is not None


def _of_name(name: str) -> View | Wrapper | None:
    return VIEWS.get(name) or libraries.view_of(name)


async def _view_of(type_: ReferenceType) -> View | Wrapper | None:
    recorded = await recorded_view(type_)
    if recorded is not None:
        return recorded
    own = _of_name(type_.name)
    if own is not None:
        return own
    if type_.name.startswith("java.lang.") or type_.name.startswith("["):
        return None
    for superclass in await type_.superclasses():
        found = _of_name(superclass.name)
        if found is not None:
            return found
    return None
