# SPDX-License-Identifier: Apache-2.0
"""Bytes of the debuggee that can be read and written: primitive arrays, and ByteBuffers.

Elements of an array are shown in little-endian order, as the processors that JVMs run on keep them.
A heap buffer is the array behind it. What a direct buffer holds is outside of the heap: its own
methods copy it, on a thread that is stopped at a breakpoint or a step. Called by `Variable.memory`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import StateError
from jvmdebug.jdwp.generated import array_reference
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import ArrayId
from jvmdebug.jdwp.ids import Value as WireValue
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.reference_type import ArrayType
from jvmdebug.model.values import ArrayReference, ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.session.stop import Stop

_FORMATS: Final = {
    "[Z": "?", "[B": "b", "[C": "H", "[S": "h", "[I": "i", "[J": "q", "[F": "f", "[D": "d",
}  # fmt: skip
_CALL_TIMEOUT_S: Final = 5.0
_BUFFER: Final = "java.nio.ByteBuffer"


class Memory(Protocol):
    """A range of bytes. Reads and writes are clipped to it."""

    @property
    def owner(self) -> ObjectReference:
        """The object; equal for the same memory."""

    async def size(self) -> int:
        """How many bytes there are."""

    async def read(self, offset: int, count: int) -> bytes:
        """The bytes from `offset` on, fewer where it ends."""

    async def write(self, offset: int, content: bytes) -> int:
        """Writes as many as fit; how many."""


async def memory_of(stop: Stop, value: Value) -> Memory | None:
    """The memory of a value; None if it has none."""
    if isinstance(value, ArrayReference):
        form = _FORMATS.get((await value.type()).signature)
        return None if form is None else ArrayMemory(value, form)
    if not isinstance(value, ObjectReference) or not await _is_buffer(value):
        return None
    try:
        array, start = await layout.read(value, "hb", "offset")
        capacity = await layout.read_int(value, "capacity")
    except UnknownLayoutError:
        return None
    if isinstance(array, ArrayReference):
        return ArrayMemory(array, "b", layout.integer(start), capacity)
    return BufferMemory(value, capacity, stop)


async def _is_buffer(value: ObjectReference) -> bool:
    return any(each.name == _BUFFER for each in await (await value.type()).superclasses())


class ArrayMemory:
    """The elements of a primitive array, or `length` bytes of a byte array from `start` on."""

    def __init__(
        self, array: ArrayReference, form: str, start: int = 0, length: int | None = None
    ) -> None:
        self._array = array
        self._form = form
        self._width = struct.calcsize(f"<{form}")
        self._start = start
        self._length = length

    @property
    def owner(self) -> ObjectReference:
        return self._array

    async def size(self) -> int:
        if self._length is not None:
            return self._length
        return await self._array.length() * self._width

    async def read(self, offset: int, count: int) -> bytes:
        first, end = await self._range(offset, count)
        if first >= end:
            return b""
        begin = first // self._width
        content = await self._elements(begin, -(-end // self._width) - begin)
        skipped = first - begin * self._width
        return content[skipped : skipped + end - first]

    async def write(self, offset: int, content: bytes) -> int:
        first, end = await self._range(offset, len(content))
        if first >= end:
            return 0
        begin, last = first // self._width, -(-end // self._width)
        # Elements of which only a part is written keep the rest.
        whole = bytearray(await self._elements(begin, last - begin))
        skipped = first - begin * self._width
        whole[skipped : skipped + end - first] = content[: end - first]
        numbers = struct.unpack(f"<{last - begin}{self._form}", whole)
        signature = (await self._array.type()).signature
        tag = Tag(ord(signature[1]))
        values = tuple(WireValue(tag, each) for each in numbers)
        command = array_reference.SetValues(ArrayId(self._array.id), begin, values)
        await self._array.vm.request(command)
        return end - first

    async def _range(self, offset: int, count: int) -> tuple[int, int]:
        size = await self.size()
        first = min(max(offset, 0), size) + self._start
        return first, min(max(offset + count, 0), size) + self._start

    async def _elements(self, begin: int, count: int) -> bytes:
        """Read elements as bytes, straight from the reply: no object is made for each."""
        command = array_reference.GetValues(ArrayId(self._array.id), begin, count)
        reply = await self._array.vm.request(command)
        return struct.pack(f"<{count}{self._form}", *reply.values.values)


class BufferMemory:
    """What a direct ByteBuffer holds."""

    def __init__(self, buffer: ObjectReference, capacity: int, stop: Stop) -> None:
        self._buffer = buffer
        self._capacity = capacity
        self._stop = stop

    @property
    def owner(self) -> ObjectReference:
        return self._buffer

    async def size(self) -> int:
        return self._capacity

    async def read(self, offset: int, count: int) -> bytes:
        first, count = self._range(offset, count)
        if count <= 0:
            return b""
        return await self._copied(first, bytes(count), "get")

    async def write(self, offset: int, content: bytes) -> int:
        first, count = self._range(offset, len(content))
        if count <= 0:
            return 0
        await self._copied(first, content[first - offset :][:count], "put")
        return count

    def _range(self, offset: int, count: int) -> tuple[int, int]:
        first = min(max(offset, 0), self._capacity)
        return first, min(offset + count, self._capacity) - first

    async def _copied(self, first: int, content: bytes, method: str) -> bytes:
        """Through an array of the debuggee and a duplicate, whose position is its own."""
        vm = self._buffer.vm
        self._stop.require_current(self._stop.thread)
        (type_,) = await vm.classes_by_signature("[B") or (None,)
        if not isinstance(type_, ArrayType):
            raise StateError("the debuggee has no byte array yet: nothing can be copied")
        array = await type_.new_instance(len(content))
        if not isinstance(array, ArrayReference):
            raise StateError("the debuggee made no array")
        await array.disable_collection()
        try:
            memory = ArrayMemory(array, "b")
            await memory.write(0, content)
            async with self._stop.thread.lock:
                await self._call_on_duplicate(first, array, method)
            return await memory.read(0, len(content))
        finally:
            await array.enable_collection()

    async def _call_on_duplicate(self, first: int, array: ArrayReference, method: str) -> None:
        thread = self._stop.thread.thread
        position = PrimitiveValue(PrimitiveKind.INT, first)
        duplicate = await _call(self._buffer, thread, "duplicate", "()Ljava/nio/ByteBuffer;")
        if not isinstance(duplicate, ObjectReference):
            raise StateError("the buffer made no duplicate")
        await _call(duplicate, thread, "clear", "()Ljava/nio/Buffer;")
        await _call(duplicate, thread, "position", "(I)Ljava/nio/Buffer;", position)
        await _call(duplicate, thread, method, "([B)Ljava/nio/ByteBuffer;", array)


async def _call(
    target: ObjectReference, thread: Thread, name: str, signature: str, *arguments: Value
) -> Value:
    for method in await (await target.type()).all_methods():
        if (method.name, method.signature) == (name, signature):
            return await target.invoke(method, arguments, thread, timeout_s=_CALL_TIMEOUT_S)
    raise StateError(f"{(await target.type()).name} has no method {name}{signature}")
