# SPDX-License-Identifier: Apache-2.0
"""Logical views of the JDK's hash maps: HashMap, LinkedHashMap, WeakHashMap, ConcurrentHashMap.

Nodes are read many at a time. A page far from the start costs reading all nodes before it, since
buckets have no count.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.streamed import Stream, cost, streamed
from jvmdebug.display.views.view import Entry, walked
from jvmdebug.model.page import Walk
from jvmdebug.model.values import NULL
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.model.values import ArrayReference, ObjectReference, Value

_BUCKETS_AT_LEAST: Final = 16
_BUCKETS_AT_MOST: Final = 4_096
_MAX_LINKED_AT_ONCE: Final = 20_000
_NODES_FOR_A_STEP: Final = 16
_CONCURRENT: Final = Stream(
    "java.util.concurrent.ConcurrentHashMap", parts=("key", "val"), makes_entries=True
)


@dataclass(frozen=True, slots=True)
class HashTable:
    """`table` of nodes with `key`, `value`, `next`; the number of entries is in `length`."""

    length: str = "size"
    value: str = "value"
    key: str = "key"
    is_backwards: bool = False
    """Whether the program sees the buckets from the last to the first."""
    is_indexed: bool = False
    redirects: tuple[tuple[str, str], ...] = ()
    """Nodes in the table that are no entries: their class, and what leads from them to some."""
    stream: Stream | None = None

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, self.length)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        way = Walk(
            path=("table",),
            parts=(self.key, self.value),
            after="next",
            is_backwards=self.is_backwards,
            redirects=self.redirects,
        )
        found = await walked(reference, way, start, count)
        return await self._read_page(reference, start, count) if found is None else found

    async def _read_page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        table, size = await asyncio.gather(
            layout.read_array(reference, "table"), self.size(reference)
        )
        length = 0 if table is None else await table.length()
        wanted = start + count
        nodes = cost(wanted, size, length)
        found = await streamed(reference, self.stream, start, count, nodes)
        if found is not None or table is None:
            return found or []
        entries: list[Entry] = []
        position = 0
        usual = wanted * length // max(size, 1) * 5 // 4
        async for entry in self._entries(table, length, usual):
            if position >= start:
                entries.append(entry)
            position += 1
            if position in (size, wanted):
                break
        return entries

    async def _entries(
        self, table: ArrayReference, length: int, usual: int
    ) -> AsyncIterator[Entry]:
        """All entries, by buckets; at first of as many buckets as `usual`."""
        done, count = 0, min(max(usual, _BUCKETS_AT_LEAST), _BUCKETS_AT_MOST)
        while done < length:
            count = min(count, length - done)
            first = length - done - count if self.is_backwards else done
            heads = enumerate(await table.get(first, count), first)
            found = [
                (index, head)
                for index, head in ((index, layout.as_object(it)) for index, it in heads)
                if head is not None
            ]
            if self.is_backwards:
                found.reverse()
            done, count = done + count, min(count * 2, _BUCKETS_AT_MOST)
            for entry in await self._buckets(await self._first_nodes(found, length)):
                yield entry

    async def _first_nodes(
        self, heads: list[tuple[int, ObjectReference]], _length: int
    ) -> list[ObjectReference]:
        """The nodes that chains begin with, where a bucket of a table may hold something else.

        `heads` are the first nodes of buckets, with the indexes of the buckets.
        """
        return [head for _, head in heads]

    async def _buckets(self, heads: list[ObjectReference]) -> list[Entry]:
        """The entries of buckets, bucket by bucket, read one depth of all chains at a time."""
        chains: list[list[Entry]] = [[] for _ in heads]
        seen = set(heads)
        pending = list(zip(chains, heads, strict=True))
        while pending:
            nodes = [node for _, node in pending]
            read = await layout.read_nodes(nodes, self.key, self.value, "next")
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
class WeakTable(HashTable):
    """WeakHashMap: nodes are references to the keys. The key null is represented by an object of
    its own.
    """

    key: str = "referent"

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        masks = await layout.statics(reference, "java.util.WeakHashMap", "NULL_KEY") or ()
        entries = await HashTable.page(self, reference, start, count)
        return [
            Entry(each.value, NULL, each.node) if each.key in masks else each for each in entries
        ]


@dataclass(frozen=True, slots=True)
class ConcurrentTable(HashTable):
    """ConcurrentHashMap: the number of entries is spread over counters."""

    length: str = "baseCount"
    value: str = "val"
    stream: Stream | None = _CONCURRENT
    redirects: tuple[tuple[str, str], ...] = (
        ("Ljava/util/concurrent/ConcurrentHashMap$TreeBin;", "first"),
        ("Ljava/util/concurrent/ConcurrentHashMap$ReservationNode;", "next"),
        # To a table, not to a node: the page is then read node by node.
        ("Ljava/util/concurrent/ConcurrentHashMap$ForwardingNode;", "nextTable"),
    )

    async def size(self, reference: ObjectReference) -> int:
        base = await layout.read_int(reference, self.length)
        cells = await layout.read_array(reference, "counterCells")
        found = () if cells is None else await cells.get()
        counters = [each for each in map(layout.as_object, found) if each is not None]
        counts = await layout.read_nodes(counters, "value")
        return max(base + sum(layout.integer(count) for (count,) in counts), 0)

    async def _first_nodes(
        self, heads: list[tuple[int, ObjectReference]], length: int
    ) -> list[ObjectReference]:
        """A bucket of many is a TreeBin, which has the `first` node. While the table grows, one
        that was moved leads to the next table, where its entries are in two. Others have no key.
        """
        hashes = await layout.read_nodes([head for _, head in heads], "hash")
        found = await together(
            self._of_bucket(index, head, layout.integer(hash_), length)
            for (index, head), (hash_,) in zip(heads, hashes, strict=True)
        )
        return [node for nodes in found for node in nodes]

    async def _of_bucket(
        self, index: int, head: ObjectReference, hash_: int, length: int
    ) -> list[ObjectReference]:
        if hash_ >= 0:
            return [head]
        kind = (await head.type()).name
        if kind.endswith("$TreeBin"):
            first = await layout.read_object(head, "first")
            return [] if first is None else [first]
        table = None
        if kind.endswith("$ForwardingNode"):
            table = await layout.read_array(head, "nextTable")
        if table is None or await table.length() < 2 * length:
            return []
        pair = await together(table.get(each, 1) for each in (index, index + length))
        moved = [
            (at, node)
            for at, (value,) in zip((index, index + length), pair, strict=True)
            if (node := layout.as_object(value)) is not None
        ]
        return await self._first_nodes(moved, await table.length())


_LINKED: Final = Stream("java.util.LinkedHashMap")
_FORWARDS: Final = Walk(path=("head",), after="after", parts=("key", "value"))
_BACKWARDS: Final = Walk(path=("tail",), after="before", parts=("key", "value"))


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """LinkedHashMap: the nodes of a HashMap, in the order of `head` and `after`.

    A chain is read node by node, each a round trip. So the table is read first, many nodes at a
    time, unless the page is near an end of it or the map is huge.
    """

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        size = await self.size(reference)
        count = max(0, min(count, size - start))
        behind = size - start - count
        way, skip = (_FORWARDS, start) if start <= behind else (_BACKWARDS, behind)
        found = await walked(reference, way, skip, count)
        if found is not None:
            return found if way is _FORWARDS else found[::-1]
        found = await streamed(reference, _LINKED, start, count, min(start, behind) + count)
        if found is not None:
            return found
        is_worth_it = is_worth_reading_at_once(size, min(start, behind) + count)
        known = await self._table(reference) if is_worth_it else {}
        if start <= behind:
            return await _follow(reference, ("head", "after"), start, count, known)
        return (await _follow(reference, ("tail", "before"), behind, count, known))[::-1]

    async def _table(self, reference: ObjectReference) -> dict[ObjectReference, Linked]:
        """Every node, by as many round trips as the longest bucket is deep."""
        table = await layout.read_array(reference, "table")
        if table is None or await table.length() > _MAX_LINKED_AT_ONCE * _NODES_FOR_A_STEP:
            return {}  # a large one, for few nodes: it is shorter from node to node
        level = objects_of(await table.get())
        known: dict[ObjectReference, Linked] = {}
        while level:
            read = await layout.read_nodes(level, "key", "value", "after", "before", "next")
            known |= {
                node: Linked(key, value, {"after": after, "before": before})
                for node, (key, value, after, before, _) in zip(level, read, strict=True)
            }
            level = [node for node in objects_of([each[-1] for each in read]) if node not in known]
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


def is_worth_reading_at_once(size: int, steps: int) -> bool:
    """Whether reading `size` nodes together is better than `steps` of them one after the other."""
    return size <= min(_MAX_LINKED_AT_ONCE, steps * _NODES_FOR_A_STEP)


def objects_of(values: Sequence[Value]) -> list[ObjectReference]:
    return [each for each in map(layout.as_object, values) if each is not None]
