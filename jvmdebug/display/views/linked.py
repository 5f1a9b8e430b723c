# SPDX-License-Identifier: Apache-2.0
"""Logical views of chains of nodes: LinkedList, and the queues and deques of java.util.concurrent.

A chain is read node by node, each a round trip: a page far from both ends costs reading the nodes
before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views.streamed import Stream, streamed
from jvmdebug.display.views.view import Entry, walked
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.page import Walk

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference

_MAX_COUNTED: Final = 1_000
"""A chain that keeps no count is shown by its fields when it has more nodes."""
_MAX_COUNTED_AT_ONCE: Final = 1_000_000
"""The same where the agent counts them."""
_HELD: Final = Walk(path=("head",), after="next", holds="item", parts=("item",))


async def _page(
    reference: ObjectReference, path: tuple[str, ...], step: str, skip: int, count: int
) -> list[Entry]:
    """The items of `count` nodes from where the path leads to, by the field `step`."""
    found = await walked(reference, Walk(path=path, after=step, parts=("item",)), skip, count)
    if found is not None:
        return found
    node: ObjectReference | None = reference
    for name in path:
        node = None if node is None else await layout.read_object(node, name)
    return await _items(node, step, skip, count)


async def _items(node: ObjectReference | None, step: str, skip: int, count: int) -> list[Entry]:
    """The items of `count` nodes, from `node` on by the field `step`, behind the first `skip`."""
    entries: list[Entry] = []
    position = 0
    while node is not None and len(entries) < count:
        item, following = await layout.read(node, "item", step)
        if position >= skip:
            entries.append(Entry(item))
        position += 1
        node = layout.as_object(following)
    return entries


@dataclass(frozen=True, slots=True)
class Chained:
    """LinkedList: nodes from `first` by `next`, or back from `last` when that is nearer.

    A page far from both ends costs reading the nodes before it.
    """

    length: str = "size"
    is_indexed: bool = True
    stream: Stream | None = None

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, self.length)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        size = await self.size(reference)
        count = max(0, min(count, size - start))
        behind = size - start - count
        if not reference.vm.agent_can(AgentCapability.PAGE):
            nearest = min(start, behind) + count
            found = await streamed(reference, self.stream, start, count, nearest)
            if found is not None:
                return found
        if behind >= start:
            return await _page(reference, ("first",), "next", start, count)
        return (await _page(reference, ("last",), "prev", behind, count))[::-1]


@dataclass(frozen=True, slots=True)
class Queued:
    """LinkedBlockingQueue: nodes behind `head`, which holds nothing; counted in an atomic."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        counter = await layout.read_object(reference, "count")
        if counter is None:
            raise UnknownLayoutError("a queue without a counter")
        return await layout.read_int(counter, "value")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        if not reference.vm.agent_can(AgentCapability.PAGE):
            await streamed(reference, None, start, count, start + count)
        return await _page(reference, ("head", "next"), "next", start, count)


@dataclass(frozen=True, slots=True)
class Unlocked:
    """ConcurrentLinkedQueue and its like: nodes from `head`, some of them removed already.

    A removed node has no item any more (or itself, after a transfer). A node that was
    unlinked leads to itself: what is behind it is reached from the head alone.
    """

    is_indexed: bool = False
    is_from_head: bool = True
    """Whether `head` is before all others."""

    async def size(self, reference: ObjectReference) -> int:
        if self.is_from_head:
            found = await layout.count(reference, _HELD, _MAX_COUNTED_AT_ONCE)
            if found == _MAX_COUNTED_AT_ONCE:
                raise UnknownLayoutError("a chain too long to be counted")
            if found is not None:
                return found
        return len(await self.page(reference, 0, _MAX_COUNTED))

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        if self.is_from_head:
            found = await walked(reference, _HELD, start, count)
            if found is not None:
                return found
        entries: list[Entry] = []
        node = await self._first(reference)
        seen = 0
        while node is not None and len(entries) < start + count:
            item, following = await layout.read(node, "item", "next")
            if layout.as_object(item) is not None and item != node:
                entries.append(Entry(item))
            after = layout.as_object(following)
            node = None if after == node else after
            seen += 1
            if seen > _MAX_COUNTED:
                raise UnknownLayoutError("a chain too long to be counted")
        return entries[start:]

    async def _first(self, reference: ObjectReference) -> ObjectReference | None:
        return await layout.read_object(reference, "head")


@dataclass(frozen=True, slots=True)
class UnlockedDeque(Unlocked):
    """ConcurrentLinkedDeque, whose `head` is near the first node."""

    is_from_head: bool = False

    async def _first(self, reference: ObjectReference) -> ObjectReference | None:
        node = await layout.read_object(reference, "head")
        for _ in range(_MAX_COUNTED):
            before = None if node is None else await layout.read_object(node, "prev")
            if before is None or before == node:
                break
            node = before
        return node
