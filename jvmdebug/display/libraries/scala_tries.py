# SPDX-License-Identifier: Apache-2.0
"""Scala 2.13's vectors and hash tries: trees of arrays. Used by `scala`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry
from jvmdebug.model.values import ArrayReference, ObjectReference
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.model.values import Value

_WIDTH: Final = 32
"""Of a node of a vector; those between its ends are full."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Vector0 to Vector6: arrays of rising depth to the middle, then of falling depth."""

    depth: int
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """Vector0 and Vector1 have no count of their own."""
        if self.depth > 1:
            return await layout.read_int(reference, "length0")
        array = await layout.read_array(reference, "prefix1")
        return 0 if array is None else await array.length()

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Only the arrays that the page touches are read."""
        found: list[Value] = []
        skipped = start
        for name, depth in self._parts():
            array = await layout.read_array(reference, name)
            if array is None or len(found) == count:
                continue
            held = await _held(array, depth)
            if skipped >= held:
                skipped -= held
                continue
            found += await _range(array, depth, skipped, min(count - len(found), held - skipped))
            skipped = 0
        return [Entry(each) for each in found]

    def _parts(self) -> list[tuple[str, int]]:
        if self.depth <= 1:
            return [("prefix1", 1)]
        ends = range(1, self.depth)
        prefixes = [(f"prefix{at}", at) for at in ends]
        suffixes = [(f"suffix{at}", at) for at in reversed(ends)]
        return [*prefixes, (f"data{self.depth}", self.depth), *suffixes]


async def _held(array: ArrayReference, depth: int) -> int:
    width: int = _WIDTH ** (depth - 1)
    return await array.length() * width


async def _range(array: ArrayReference, depth: int, start: int, count: int) -> list[Value]:
    if depth == 1:
        return await layout.read_range(array, start, count)
    each_holds = _WIDTH ** (depth - 1)
    first, last = start // each_holds, (start + count - 1) // each_holds
    inner = await layout.read_range(array, first, last - first + 1)
    parts = []
    for at, each in enumerate(inner, first):
        if not isinstance(each, ArrayReference):
            raise layout.UnknownLayoutError("a vector with a gap")
        begin = max(start - at * each_holds, 0)
        end = min(start + count - at * each_holds, each_holds)
        parts.append(_range(each, depth - 1, begin, end - begin))
    return [value for part in await together(parts) for value in part]


@dataclass(frozen=True, slots=True)
class Trie:
    """HashMap and HashSet: `content` has the entries of a node, and its subnodes from the end."""

    has_values: bool
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The size that the root has counted."""
        root = await layout.read_object(reference, "rootNode")
        if root is None:
            raise layout.UnknownLayoutError("a trie without a root")
        return await layout.read_int(root, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Nodes before the page are only counted."""
        root = await layout.read_object(reference, "rootNode")
        return [] if root is None else (await self._entries(root, start, count))

    async def _entries(self, node: ObjectReference, skip: int, count: int) -> list[Entry]:
        data, nodes = await layout.read_integers(node, "dataMap", "nodeMap")
        content = await layout.read_array(node, "content")
        if content is None:
            raise layout.UnknownLayoutError("a node without its content")
        width = 2 if self.has_values else 1
        held, below = (each & 0xFFFFFFFF for each in (data, nodes))
        values = await layout.read_range(content, 0, await content.length())
        own = [
            Entry(values[at + width - 1], values[at] if self.has_values else None)
            for at in range(0, held.bit_count() * width, width)
        ]
        found = own[skip : skip + count]
        skip = max(skip - len(own), 0)
        subnodes = values[len(values) - below.bit_count() :][::-1]
        for each in subnodes:
            if len(found) == count:
                break
            if not isinstance(each, ObjectReference):
                raise layout.UnknownLayoutError("a trie with a gap")
            size = await layout.read_int(each, "size")
            if skip < size:
                found += await self._entries(each, skip, count - len(found))
            skip = max(skip - size, 0)
        return found
