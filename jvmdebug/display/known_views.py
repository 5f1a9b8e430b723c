# SPDX-License-Identifier: Apache-2.0
"""Which classes have a logical view.

By class name, of the object's class or a superclass; wrappers lead to what they wrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views import (
    ArrayBacked,
    Chained,
    Circular,
    Empty,
    Entry,
    Fixed,
    PairMap,
    ProbedTable,
    Single,
    View,
)
from jvmdebug.display.views_maps import ConcurrentTable, HashTable, LinkedTable, SortedTree

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference

_MOST_WRAPPERS: Final = 8


@dataclass(frozen=True, slots=True)
class Wrapper:
    """An object that shows another collection: `fields` are where it may be. `only_keys` makes a
    set of a map.
    """

    fields: tuple[str, ...]
    only_keys: bool = False


_ELEMENTS_KEPT: Final = ArrayBacked("elementData", "size")
_COLLECTIONS: Final = "java.util.Collections$"
_IMMUTABLE: Final = "java.util.ImmutableCollections$"

_VIEWS: Final[dict[str, View | Wrapper]] = {
    "java.util.ArrayList": _ELEMENTS_KEPT,
    "java.util.Vector": ArrayBacked("elementData", "elementCount"),
    "java.util.Arrays$ArrayList": ArrayBacked("a"),
    "java.util.concurrent.CopyOnWriteArrayList": ArrayBacked("array"),
    "java.util.concurrent.CopyOnWriteArraySet": Wrapper(("al",)),
    "java.util.LinkedList": Chained(),
    "java.util.ArrayDeque": Circular(),
    "java.util.PriorityQueue": ArrayBacked("queue", "size", is_indexed=False),
    "java.util.LinkedHashMap": LinkedTable(),
    "java.util.HashMap": HashTable(),
    "java.util.Hashtable": HashTable("count"),
    "java.util.TreeMap": SortedTree(),
    "java.util.concurrent.ConcurrentHashMap": ConcurrentTable(),
    "java.util.HashSet": Wrapper(("map",), only_keys=True),
    "java.util.TreeSet": Wrapper(("m",), only_keys=True),
    "java.util.Optional": Single(),
    "java.util.OptionalInt": Single("isPresent"),
    "java.util.OptionalLong": Single("isPresent"),
    "java.util.OptionalDouble": Single("isPresent"),
    f"{_IMMUTABLE}ListN": ArrayBacked("elements"),
    f"{_IMMUTABLE}List12": Fixed(("e0", "e1")),
    f"{_IMMUTABLE}Set12": Fixed(("e0", "e1"), is_indexed=False),
    f"{_IMMUTABLE}SetN": ProbedTable("elements", has_values=False),
    f"{_IMMUTABLE}Map1": PairMap("k0", "v0"),
    f"{_IMMUTABLE}MapN": ProbedTable("table", has_values=True),
    f"{_COLLECTIONS}EmptyList": Empty(),
    f"{_COLLECTIONS}EmptySet": Empty(),
    f"{_COLLECTIONS}EmptyMap": Empty(),
    f"{_COLLECTIONS}SingletonList": Fixed(("element",)),
    f"{_COLLECTIONS}SingletonSet": Fixed(("element",), is_indexed=False),
    f"{_COLLECTIONS}SingletonMap": PairMap("k", "v"),
    f"{_COLLECTIONS}UnmodifiableCollection": Wrapper(("c",)),
    f"{_COLLECTIONS}UnmodifiableMap": Wrapper(("m",)),
    f"{_COLLECTIONS}SynchronizedCollection": Wrapper(("c",)),
    f"{_COLLECTIONS}SynchronizedMap": Wrapper(("m",)),
}


@dataclass(frozen=True, slots=True)
class Contents:
    """The entries of one object, through its view."""

    view: View
    holder: ObjectReference
    """The object that has them: not the collection itself when that is a wrapper."""
    only_keys: bool
    size: int

    @property
    def is_indexed(self) -> bool:
        return self.view.is_indexed and not self.only_keys

    async def page(self, start: int, count: int) -> list[Entry]:
        """Entries from `start`; a page that reaches behind the end is shorter."""
        count = max(0, min(count, self.size - start))
        entries = await self.view.page(self.holder, start, count) if count else []
        if not self.only_keys:
            return entries
        return [Entry(entry.key) for entry in entries if entry.key is not None]


async def contents(reference: ObjectReference) -> Contents | None:
    """The logical view of an object; None when there is none, or its class looks otherwise."""
    only_keys = False
    holder = reference
    try:
        for _ in range(_MOST_WRAPPERS):
            found = await _view_of(await holder.type())
            if found is None:
                return None
            if not isinstance(found, Wrapper):
                return Contents(found, holder, only_keys, await found.size(holder))
            only_keys = only_keys or found.only_keys
            wrapped = await layout.read_object(holder, found.fields[0])
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
