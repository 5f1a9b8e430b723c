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
    from collections.abc import AsyncIterator

    from jvmdebug.model.values import ObjectReference, Value

_BUCKETS_AT_LEAST: Final = 16
_BUCKETS_AT_MOST: Final = 4_096
_MOST_IN_TREE: Final = 5_000


@dataclass(frozen=True, slots=True)
class HashTable:
    """`table` of nodes with `key`, `value`, `next`; the number of entries is in `length`."""

    length: str = "size"
    value: str = "value"
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
            for entry in await self._buckets(
                [each for each in map(layout.as_object, heads) if each]
            ):
                yield entry

    async def _buckets(self, heads: list[ObjectReference]) -> list[Entry]:
        """The entries of buckets, bucket by bucket, read one depth of all chains at a time."""
        chains: list[list[Entry]] = [[] for _ in heads]
        pending = list(zip(chains, heads, strict=True))
        while pending:
            read = await layout.read_all([node for _, node in pending], "key", self.value, "next")
            following: list[tuple[list[Entry], ObjectReference]] = []
            for (chain, node), (key, value, next_node) in zip(pending, read, strict=True):
                # ConcurrentHashMap's special nodes (moved, tree roots) have no key.
                if layout.as_object(value) is not None or layout.as_object(key) is not None:
                    chain.append(Entry(value, key, node))
                after = layout.as_object(next_node)
                if after is not None:
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


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """LinkedHashMap: the nodes of a HashMap, in the order of `head` and `after`."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        node = await layout.read_object(reference, "head")
        entries: list[Entry] = []
        position = 0
        while node is not None and len(entries) < count:
            key, value, after = await layout.read(node, "key", "value", "after")
            if position >= start:
                entries.append(Entry(value, key, node))
            position += 1
            node = layout.as_object(after)
        return entries


@dataclass(frozen=True, slots=True)
class SortedTree:
    """TreeMap: a binary tree from `root`, read level by level."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        size = await layout.read_int(reference, "size")
        if size > _MOST_IN_TREE:
            raise UnknownLayoutError(f"a tree of {size} entries is too large to be read at once")
        return size

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        root = await layout.read_object(reference, "root")
        known: dict[ObjectReference, tuple[Value, ...]] = {}
        level = [] if root is None else [root]
        while level:
            read = await layout.read_all(level, "left", "right", "key", "value")
            known |= zip(level, read, strict=True)
            children = (layout.as_object(side) for found in read for side in found[:2])
            level = [each for each in children if each is not None]
        ordered: list[Entry] = []
        path: list[ObjectReference] = []
        node = root
        while node is not None or path:
            while node is not None:
                path.append(node)
                node = layout.as_object(known[node][0])
            node = path.pop()
            ordered.append(Entry(known[node][3], known[node][2], node))
            node = layout.as_object(known[node][1])
        return ordered[start : start + count]
