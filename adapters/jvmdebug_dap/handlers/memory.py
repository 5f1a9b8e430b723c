# SPDX-License-Identifier: Apache-2.0
"""Bytes: readMemory, writeMemory."""

import base64
import binascii
from typing import Final

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import ReadMemoryArguments, WriteMemoryArguments
from jvmdebug_dap.models.generated.bodies import ReadMemoryBody, WriteMemoryBody
from jvmdebug_dap.models.generated.events import MemoryEventBody
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED

_MAX_BYTES: Final = 1 << 24


@request(
    "readMemory",
    when=STARTED,
    lane=Lane.CALL,
    supports=Capabilities(supports_read_memory_request=True),
    progress="Reading memory",
)
async def read_memory(session: AdapterSession, arguments: ReadMemoryArguments) -> ReadMemoryBody:
    """Reads at most 16 MiB; bytes outside of the memory are unreadable."""
    memory, address = session.memory.memory(arguments.memory_reference)
    offset, count = arguments.offset or 0, arguments.count
    if count < 0:
        text = f"arguments.count: should not be negative, got {count}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    content = b""
    if offset >= 0:
        content = await memory.read(offset, min(count, _MAX_BYTES))
    return ReadMemoryBody(
        address=f"{max(address + offset, 0):#x}",
        data=base64.b64encode(content).decode(),
        unreadable_bytes=count - len(content) or None,
    )


@request(
    "writeMemory",
    when=STARTED,
    holds_events=True,
    supports=Capabilities(supports_write_memory_request=True),
    progress="Writing memory",
)
async def write_memory(session: AdapterSession, arguments: WriteMemoryArguments) -> WriteMemoryBody:
    """Writes all or nothing; with `allowPartial`, the bytes that fit."""
    memory, _ = session.memory.memory(arguments.memory_reference)
    offset = arguments.offset or 0
    try:
        content = base64.b64decode(arguments.data, validate=True)
    except binascii.Error as error:
        text = f"arguments.data: should be base64: {error}"
        raise RequestError(ErrorId.ILL_FORMED, text) from error
    size = await memory.size()
    fits = offset >= 0 and offset + len(content) <= size
    if not fits and not arguments.allow_partial:
        text = f"{len(content)} bytes at offset {offset} do not fit: the memory has {size}"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    skipped = min(max(-offset, 0), len(content))
    first = offset + skipped
    written = await memory.write(first, content[skipped:]) if first <= size else 0
    if written and session.client.supports_memory_event:
        body = MemoryEventBody(
            memory_reference=arguments.memory_reference, offset=first, count=written
        )
        session.channel.send_event("memory", body)
    if written:
        session.tell_of_changed_values()
    return WriteMemoryBody(offset=first if arguments.allow_partial else None, bytes_written=written)
