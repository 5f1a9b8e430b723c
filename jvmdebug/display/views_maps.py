# SPDX-License-Identifier: Apache-2.0
"""Logical views of the JDK's maps of nodes: HashMap, LinkedHashMap, TreeMap, ConcurrentHashMap.

Nodes are read many at a time. A page far behind the start costs the way there, since only the
nodes know how many are in a bucket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views import Entry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.model.values import ObjectReference, Value

_BUCKETS_AT_LEAST: Final = 16
_BUCKETS_AT_MOST: Final = 4_096
_MOST_LINKED_AT_ONCE: Final = 20_000
_LEVELS_AT_ONCE: Final = 6
_DEEPEST_TREE: Final = 128
"""A red-black tree of as many nodes as there can be is less deep."""


@dataclass(frozen=True, slots=True)
class HashTable:
    """`table` of nodes with `key`, `value`, `next`; the number of entries is in `length`."""

    length: str = "size"
    value: str = "value"
    key: str = "key"
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, self.length)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        entries: list[Entry] = []
        position = 0
        async for entry in self.nodes(reference, start + count):
            if len(entries) == count:
                break
            if position >= start:
                entries.append(entry)
            position += 1
        return entries

    async def nodes(self, reference: ObjectReference, wanted: int) -> AsyncIterator[Entry]:
        """All entries, by buckets; at first as many as `wanted` entries usually are in."""
        table = await layout.read_array(reference, "table")
        length = 0 if table is None else await table.length()
        at, count = 0, min(max(wanted, _BUCKETS_AT_LEAST), _BUCKETS_AT_MOST)
        while table is not None and at < length:
            heads = await table.get(at, min(count, length - at))
            at, count = at + count, min(count * 2, _BUCKETS_AT_MOST)
            found = [each for each in map(layout.as_object, heads) if each is not None]
            for entry in await self._buckets(await self._first_nodes(found)):
                yield entry

    async def _first_nodes(self, heads: list[ObjectReference]) -> list[ObjectReference]:
        """What chains begin with, where a bucket may hold something else."""
        return heads

    async def _buckets(self, heads: list[ObjectReference]) -> list[Entry]:
        """The entries of buckets, bucket by bucket, read one depth of all chains at a time."""
        chains: list[list[Entry]] = [[] for _ in heads]
        seen = set(heads)
        pending = list(zip(chains, heads, strict=True))
        while pending:
            nodes = [node for _, node in pending]
            read = await layout.read_all(nodes, self.key, self.value, "next")
            following: list[tuple[list[Entry], ObjectReference]] = []
            for (chain, node), (key, value, next_node) in zip(pending, read, strict=True):
                chain.append(Entry(value, key, node))
                after = layout.as_object(next_node)
                # Threads that changed the map without a lock may have left a circle.
                if after is not None and after not in seen:
                    seen.add(after)
                    following.append((chain, after))
            pending = following
        return [entry for chain in chains for entry in chain]


@dataclass(frozen=True, slots=True)
class ConcurrentTable(HashTable):
    """ConcurrentHashMap: the number of entries is spread over counters."""

    length: str = "baseCount"
    value: str = "val"

    async def size(self, reference: ObjectReference) -> int:
        base = await layout.read_int(reference, self.length)
        cells = await layout.read_array(reference, "counterCells")
        found = () if cells is None else await cells.get()
        counters = [each for each in map(layout.as_object, found) if each is not None]
        counts = await layout.read_all(counters, "value")
        return max(base + sum(layout.integer(count) for (count,) in counts), 0)

    async def _first_nodes(self, heads: list[ObjectReference]) -> list[ObjectReference]:
        """A bucket of many is a TreeBin, which has the `first` node; others have no key."""
        hashes = [layout.integer(each) for (each,) in await layout.read_all(heads, "hash")]
        nodes: list[ObjectReference] = []
        for head, hash_ in zip(heads, hashes, strict=True):
            if hash_ >= 0:
                nodes.append(head)
            elif (await head.type()).name.endswith("$TreeBin"):
                first = await layout.read_object(head, "first")
                nodes += [] if first is None else [first]
        return nodes


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """LinkedHashMap: the nodes of a HashMap, in the order of `head` and `after`.

    A chain is read node by node, each a round trip. So the table is read first, many nodes at a
    time, unless the map is huge; it then is followed from the nearer end.
    """

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        size = await self.size(reference)
        count = max(0, min(count, size - start))
        behind = size - start - count
        known = await self._table(reference) if size <= _MOST_LINKED_AT_ONCE else {}
        if start <= behind:
            return await _follow(reference, ("head", "after"), start, count, known)
        found = await _follow(reference, ("tail", "before"), behind, count, known)
        return found[::-1]

    async def _table(self, reference: ObjectReference) -> dict[ObjectReference, Linked]:
        """Every node, by as many round trips as the longest bucket is deep."""
        table = await layout.read_array(reference, "table")
        level = [] if table is None else _objects(await table.get())
        known: dict[ObjectReference, Linked] = {}
        while level:
            read = await layout.read_all(level, "key", "value", "after", "before", "next")
            known |= {
                node: Linked(key, value, {"after": after, "before": before})
                for node, (key, value, after, before, _) in zip(level, read, strict=True)
            }
            level = [node for node in _objects([each[-1] for each in read]) if node not in known]
        return known


@dataclass(frozen=True, slots=True)
class Linked:
    """A node of a LinkedHashMap, and where it leads to in both directions."""

    key: Value
    value: Value
    to: dict[str, Value]


async def _follow(
    reference: ObjectReference,
    way: tuple[str, str],
    skip: int,
    count: int,
    known: dict[ObjectReference, Linked],
) -> list[Entry]:
    """Entries from one end of the chain, without the first `skip`."""
    begin, step = way
    node = await layout.read_object(reference, begin)
    entries: list[Entry] = []
    position = 0
    while node is not None and len(entries) < count:
        found = known.get(node)
        if found is None:
            key, value, following = await layout.read(node, "key", "value", step)
            found = Linked(key, value, {step: following})
        if position >= skip:
            entries.append(Entry(found.value, found.key, node))
        position += 1
        node = layout.as_object(found.to[step])
    return entries


def _objects(values: Sequence[Value]) -> list[ObjectReference]:
    return [each for each in map(layout.as_object, values) if each is not None]


@dataclass(frozen=True, slots=True)
class SortedTree:
    """TreeMap: a binary tree from `root`, read a few levels at a time as far as it is needed."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        known: dict[ObjectReference, tuple[Value, ...]] = {}
        entries: list[Entry] = []
        path: list[ObjectReference] = []
        node = await layout.read_object(reference, "root")
        position = 0
        while (node is not None or path) and len(entries) < count:
            while node is not None:
                path.append(node)
                if len(path) > _DEEPEST_TREE:
                    raise UnknownLayoutError("a tree that is none: it was changed without a lock")
                node = layout.as_object((await self._read(node, known))[0])
            node = path.pop()
            _, right, key, value = known.pop(node)
            if position >= start:
                entries.append(Entry(value, key, node))
            position += 1
            node = layout.as_object(right)
        return entries

    async def _read(
        self, node: ObjectReference, known: dict[ObjectReference, tuple[Value, ...]]
    ) -> tuple[Value, ...]:
        """Left, right, key and value of a node; what is below it comes along."""
        level = [node] if node not in known else []
        for _ in range(_LEVELS_AT_ONCE):
            read = await layout.read_all(level, "left", "right", "key", "value")
            known |= zip(level, read, strict=True)
            level = _objects([side for found in read for side in found[:2]])
            if not level:
                break
        return known[node]
