# SPDX-License-Identifier: Apache-2.0
"""Scala 2.12, 2.13 and 3: lists, vectors, buffers, maps, sets, tuples, Option.

Private fields that other classes use are called `scala$collection$…$$table`; see
`layout.field_name`. The tries of 2.12's maps and vectors are shown by their fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.libraries.scala_tries import Trie, Vector
from jvmdebug.display.views.arrays import ArrayBacked
from jvmdebug.display.views.fields import Empty, Single
from jvmdebug.display.views.view import Entry, View, walked
from jvmdebug.model.page import Walk

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.display.views.wrapper import Wrapper
    from jvmdebug.model.values import ObjectReference, Value

_IMMUTABLE: Final = "scala.collection.immutable."
_MUTABLE: Final = "scala.collection.mutable."
_MOST_COUNTED: Final = 10_000
_ELEMENTS: Final = ("Ref", "Int", "Long", "Double", "Char", "Byte", "Short", "Float", "Boolean")


@dataclass(frozen=True, slots=True)
class Linked:
    """List: a node is the list from there on. It has no count: nodes are read to its end."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """UnknownLayoutError behind the most nodes that are counted."""
        return len(await nodes(reference, _MOST_COUNTED, is_whole=True))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Read by the agent, else nodes from the first on."""
        return await _page(reference, (), start, count)


async def _page(
    reference: ObjectReference, path: tuple[str, ...], start: int, count: int
) -> list[Entry]:
    """A page of a list that has these elements, which is where the path leads to."""
    first = reference
    for name in path:
        inner = await layout.read_object(first, name)
        if inner is None or not await _is_node(inner):
            return []
        first = inner
    after = await layout.field_name(first, "next", "tl")
    way = Walk(path=path, after=after, parts=("head",))
    found = await walked(reference, way, start, count)
    return (await nodes(first, start + count))[start:] if found is None else found


async def nodes(first: ObjectReference | None, most: int, *, is_whole: bool = False) -> list[Entry]:
    """The elements of a list, at most so many."""
    found: list[Entry] = []
    if first is None or not await _is_node(first):
        return found
    after = await layout.field_name(first, "next", "tl")
    kind = (await first.type()).signature
    at: ObjectReference | None = first
    while at is not None and len(found) < most:
        head, following = await layout.read(at, "head", after)
        found.append(Entry(head))
        at = layout.as_object(following)
        if at is not None and (await at.type()).signature != kind:
            return found
    if is_whole and at is not None:
        raise layout.UnknownLayoutError("too long a list to be counted")
    return found


async def _is_node(reference: ObjectReference) -> bool:
    return (await reference.type()).name.endswith("$colon$colon")


@dataclass(frozen=True, slots=True)
class Buffer:
    """ListBuffer: a list that is counted."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The size that the buffer has counted."""
        return await layout.read_int(reference, "len")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Read by the agent, else nodes from the first on."""
        name = await layout.field_name(reference, "first", "start")
        return await _page(reference, (name,), start, count)


@dataclass(frozen=True, slots=True)
class Small:
    """Map1 to Map4 and Set1 to Set4: each key, value or element in a field of its own."""

    keys: tuple[str, ...]
    values: tuple[str, ...] = ()
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """How many fields there are."""
        await self._read(reference, self.keys)
        return len(self.keys)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """All fields are read."""
        keys = await self._read(reference, self.keys)
        if not self.values:
            return [Entry(each) for each in keys][start : start + count]
        values = await self._read(reference, self.values)
        found = [Entry(value, key) for key, value in zip(keys, values, strict=True)]
        return found[start : start + count]

    async def _read(self, reference: ObjectReference, names: tuple[str, ...]) -> list[Value]:
        fields = [await layout.field_name(reference, each) for each in names]
        return list(await layout.read(reference, *fields))


@dataclass(frozen=True, slots=True)
class Table:
    """mutable.HashMap and HashSet: a table of chains, whose nodes 2.12 and 2.13 call otherwise."""

    has_values: bool
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The size that the table has counted."""
        name = await layout.field_name(reference, "contentSize", "tableSize")
        return await layout.read_int(reference, name)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Read by the agent, else bucket by bucket."""
        table = await layout.field_name(reference, "table")
        array = await layout.read_array(reference, table)
        values = [] if array is None else await layout.read_range(array, 0, await array.length())
        heads = [each for each in map(layout.as_object, values) if each is not None]
        if not heads:
            return []
        prefix = "_" if await _has(heads[0], "_key") else ""
        names = [f"{prefix}key", *([f"{prefix}value"] if self.has_values else [])]
        way = Walk(path=(table,), parts=tuple(names), after=f"{prefix}next")
        found = await walked(reference, way, start, count)
        if found is not None:
            return found
        entries: list[Entry] = []
        for head in heads:
            at: ObjectReference | None = head
            while at is not None and len(entries) < start + count:
                *parts, following = await layout.read(at, *names, f"{prefix}next")
                entries.append(Entry(parts[-1], parts[0] if self.has_values else None))
                at = layout.as_object(following)
        return entries[start:]


async def _has(reference: ObjectReference, name: str) -> bool:
    try:
        await layout.field_name(reference, name)
    except layout.UnknownLayoutError:
        return False
    return True


async def _some(reference: ObjectReference, line: Line) -> str:
    (value,) = await layout.read(reference, await layout.field_name(reference, "value", "x"))
    return f"Some({await line.part(value, line.room)})"


async def _none(_reference: ObjectReference, _line: Line) -> str:
    return "None"


async def _tuple(reference: ObjectReference, line: Line) -> str:
    """`("a", 1)`; a specialized tuple has its numbers in fields of their own."""
    type_ = await reference.type()
    fields = [each for each in await type_.fields() if each.name.startswith("_")]
    if not fields:
        raise layout.UnknownLayoutError("a tuple without elements")
    values = await layout.read(reference, *(each.name for each in fields))
    return f"({', '.join([await line.part(each, line.room) for each in values])})"


TEXTS: Final[dict[str, TextOf]] = {
    "scala.Some": _some,
    "scala.None$": _none,
    **{f"scala.Tuple{size}": _tuple for size in range(1, 23)},
}
VIEWS: Final[dict[str, View | Wrapper]] = {
    "scala.Some": Single(),
    f"{_IMMUTABLE}$colon$colon": Linked(),
    f"{_IMMUTABLE}Nil$": Empty(),
    **{
        f"{_IMMUTABLE}Map$Map{size}": Small(
            tuple(f"key{at}" for at in range(1, size + 1)),
            tuple(f"value{at}" for at in range(1, size + 1)),
        )
        for size in range(1, 5)
    },
    **{
        f"{_IMMUTABLE}Set$Set{size}": Small(tuple(f"elem{at}" for at in range(1, size + 1)))
        for size in range(1, 5)
    },
    f"{_IMMUTABLE}Map$EmptyMap$": Empty(),
    f"{_IMMUTABLE}Set$EmptySet$": Empty(),
    f"{_IMMUTABLE}HashMap": Trie(has_values=True),
    f"{_IMMUTABLE}HashSet": Trie(has_values=False),
    **{f"{_IMMUTABLE}Vector{depth}": Vector(depth) for depth in range(7)},
    **{f"{_IMMUTABLE}ArraySeq$of{each}": ArrayBacked("unsafeArray") for each in _ELEMENTS},
    f"{_MUTABLE}ArrayBuffer": ArrayBacked("array", "size0"),
    f"{_MUTABLE}ListBuffer": Buffer(),
    f"{_MUTABLE}HashMap": Table(has_values=True),
    f"{_MUTABLE}HashSet": Table(has_values=False),
}
