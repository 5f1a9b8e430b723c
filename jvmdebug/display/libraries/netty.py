# SPDX-License-Identifier: Apache-2.0
"""Netty: buffers, as they write themselves; one in the heap opens to its readable bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry, View
from jvmdebug.model.values import ArrayReference

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.display.views.wrapper import Wrapper
    from jvmdebug.model.values import ObjectReference

_BUFFER: Final = "io.netty.buffer.AbstractByteBuf"


@dataclass(frozen=True, slots=True)
class Readable:
    """The bytes between the reader's and the writer's index: in `array`, pooled in `memory`."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """How many bytes can be read."""
        await self._array(reference)
        reader, writer = await layout.read_integers(reference, "readerIndex", "writerIndex")
        return max(writer - reader, 0)

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """One range of the array."""
        array, offset = await self._array(reference)
        first = offset + await layout.read_int(reference, "readerIndex") + start
        return [Entry(each) for each in await layout.read_range(array, first, count)]

    async def _array(self, reference: ObjectReference) -> tuple[ArrayReference, int]:
        name = await layout.field_name(reference, "array", "memory")
        (array,) = await layout.read(reference, name)
        offset = await layout.read_int(reference, "offset") if name == "memory" else 0
        if not isinstance(array, ArrayReference):
            raise layout.UnknownLayoutError("a buffer outside of the heap")
        return array, offset


async def _buffer(reference: ObjectReference, line: Line) -> str:
    """`PooledUnsafeHeapByteBuf(ridx: 0, widx: 3, cap: 64)`"""
    reader, writer = await layout.read_integers(reference, "readerIndex", "writerIndex")
    name = line.style.class_name((await reference.type()).name).rpartition("$")[2]
    capacity = await _capacity(reference)
    more = "" if capacity is None else f", cap: {capacity}"
    return f"{name}(ridx: {reader}, widx: {writer}{more})"


async def _capacity(reference: ObjectReference) -> int | None:
    try:
        name = await layout.field_name(reference, "length", "capacity", "array")
        (value,) = await layout.read(reference, name)
        if isinstance(value, ArrayReference):
            return await value.length()
        return layout.integer(value)
    except layout.UnknownLayoutError:
        return None  # a part of another buffer


TEXTS: Final[dict[str, TextOf]] = {_BUFFER: _buffer}
VIEWS: Final[dict[str, View | Wrapper]] = {_BUFFER: Readable()}
