# SPDX-License-Identifier: Apache-2.0
"""Which classes have a logical view.

By class name, of the object's class or a superclass; wrappers lead to what they wrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views import (
    ArrayBacked,
    Chained,
    Circular,
    Empty,
    Entry,
    EnumBits,
    EnumKeys,
    Fixed,
    PairMap,
    Part,
    ProbedTable,
    Queued,
    Ring,
    Single,
    SmallSet,
    View,
)
from jvmdebug.display.views_maps import ConcurrentTable, HashTable, LinkedTable, SortedTree

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference

_MOST_WRAPPERS: Final = 8


@dataclass(frozen=True, slots=True)
class Wrapper:
    """An object that shows another collection, which is in `field`; of a map perhaps a part."""

    field: str
    part: Literal["keys", "values", "nodes"] | None = None
    is_reversed: bool = False


_ELEMENTS_KEPT: Final = ArrayBacked("elementData", "size")
_FULL_ARRAY: Final = ArrayBacked("array")
_COLLECTIONS: Final = "java.util.Collections$"
_IMMUTABLE: Final = "java.util.ImmutableCollections$"
_CONCURRENT: Final = "java.util.concurrent."

_VIEWS: Final[dict[str, View | Wrapper]] = {
    "java.util.ArrayList": _ELEMENTS_KEPT,
    "java.util.ArrayList$SubList": Part(_ELEMENTS_KEPT),
    "java.util.Vector": ArrayBacked("elementData", "elementCount"),
    "java.util.Arrays$ArrayList": ArrayBacked("a"),
    "java.util.LinkedList": Chained(),
    "java.util.ArrayDeque": Circular(),
    "java.util.PriorityQueue": ArrayBacked("queue", "size", is_indexed=False),
    "java.util.LinkedHashMap": LinkedTable(),
    "java.util.HashMap": HashTable(),
    "java.util.WeakHashMap": HashTable(key="referent"),
    "java.util.Hashtable": HashTable("count"),
    "java.util.Properties": Wrapper("map"),
    "java.util.IdentityHashMap": ProbedTable("table", has_values=True, is_salted=False),
    "java.util.TreeMap": SortedTree(),
    "java.util.EnumMap": EnumKeys(),
    "java.util.EnumSet": EnumBits(),
    "java.util.HashSet": Wrapper("map", "keys"),
    "java.util.TreeSet": Wrapper("m", "keys"),
    "java.util.Optional": Single(),
    "java.util.OptionalInt": Single("isPresent", "getAsInt()"),
    "java.util.OptionalLong": Single("isPresent", "getAsLong()"),
    "java.util.OptionalDouble": Single("isPresent", "getAsDouble()"),
    f"{_CONCURRENT}ConcurrentHashMap": ConcurrentTable(),
    f"{_CONCURRENT}CopyOnWriteArrayList": _FULL_ARRAY,
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
    f"{_IMMUTABLE}SubList": Part(ArrayBacked("elements")),
    f"{_IMMUTABLE}Set12": SmallSet(),
    f"{_IMMUTABLE}SetN": ProbedTable("elements", has_values=False),
    f"{_IMMUTABLE}Map1": PairMap("k0", "v0"),
    f"{_IMMUTABLE}MapN": ProbedTable("table", has_values=True),
    f"{_COLLECTIONS}EmptyList": Empty(),
    f"{_COLLECTIONS}EmptySet": Empty(),
    f"{_COLLECTIONS}EmptyMap": Empty(),
    f"{_COLLECTIONS}SingletonList": Fixed(("element",)),
    f"{_COLLECTIONS}SingletonSet": Fixed(("element",), is_indexed=False),
    f"{_COLLECTIONS}SingletonMap": PairMap("k", "v"),
    f"{_COLLECTIONS}SetFromMap": Wrapper("m", "keys"),
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
    "java.util.HashMap$KeySet": Wrapper("this$0", "keys"),
    "java.util.HashMap$Values": Wrapper("this$0", "values"),
    "java.util.HashMap$EntrySet": Wrapper("this$0", "nodes"),
    "java.util.LinkedHashMap$LinkedKeySet": Wrapper("this$0", "keys"),
    "java.util.LinkedHashMap$LinkedValues": Wrapper("this$0", "values"),
    "java.util.LinkedHashMap$LinkedEntrySet": Wrapper("this$0", "nodes"),
    "java.util.TreeMap$KeySet": Wrapper("m", "keys"),
    "java.util.TreeMap$Values": Wrapper("this$0", "values"),
    "java.util.TreeMap$EntrySet": Wrapper("this$0", "nodes"),
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
    part: Literal["keys", "values", "nodes"] | None
    is_reversed: bool
    size: int

    @property
    def is_indexed(self) -> bool:
        """Whether the program reaches an element by its index: `get(i)`."""
        return self.view.is_indexed and self.part is None

    async def page(self, start: int, count: int) -> list[Entry]:
        """Entries from `start`; a page that reaches behind the end is shorter."""
        count = max(0, min(count, self.size - start))
        if self.is_reversed:
            start = self.size - start - count
        entries = await self.view.page(self.holder, start, count) if count else []
        if self.is_reversed:
            entries = entries[::-1]
        match self.part:
            case "keys":
                return [Entry(entry.key) for entry in entries if entry.key is not None]
            case "values":
                return [Entry(entry.value) for entry in entries]
            case "nodes":
                return [Entry(entry.node) for entry in entries if entry.node is not None]
            case _:
                return entries


async def contents(reference: ObjectReference) -> Contents | None:
    """The logical view of an object; None when there is none, or its class looks otherwise."""
    part: Literal["keys", "values", "nodes"] | None = None
    is_reversed = False
    holder = reference
    try:
        for _ in range(_MOST_WRAPPERS):
            found = await _view_of(await holder.type())
            if found is None:
                return None
            if not isinstance(found, Wrapper):
                return Contents(found, holder, part, is_reversed, await found.size(holder))
            part = part or found.part
            is_reversed ^= found.is_reversed
            wrapped = await layout.read_object(holder, found.field)
            if wrapped is None:
                return None
            holder = wrapped
    except UnknownLayoutError:
        return None
    return None


def has_own_view(type_: ReferenceType) -> bool:
    """Whether the class itself is a known one: nothing of its superclasses is needed to tell."""
    return type_.name in _VIEWS


async def _view_of(type_: ReferenceType) -> View | Wrapper | None:
    own = _VIEWS.get(type_.name)
    if own is not None:
        return own
    if type_.name.startswith("java.lang.") or type_.name.startswith("["):
        return None
    for superclass in await type_.superclasses():
        found = _VIEWS.get(superclass.name)
        if found is not None:
            return found
    return None
