# SPDX-License-Identifier: Apache-2.0
"""Standard input and output as those of a server that listens: `jvmdebug dap --connect`.

For editors that start adapters and cannot send a token themselves: the token goes in front of the
first message, as a field of its header. Passes bytes and does not look at them.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Final

from jvmdebug.os_errors import reason
from jvmdebug.platform.streams import reader_of

_CHUNK_BYTES: Final = 64 * 1024


class RelayError(Exception):
    """The server cannot be reached; the message says why."""


async def relay(host: str, port: int, token: str | None) -> None:
    """Pass bytes in both directions until either side ends. Raises RelayError."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError as error:
        raise RelayError(f"cannot connect to {host}:{port}: {reason(error)}") from error
    if token is not None:
        writer.write(f"Token: {token}\r\n".encode())
    await pass_on(reader, writer)


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass standard input and output to a server that is connected, until either ends."""
    typed, _ = await reader_of(sys.stdin.buffer, _CHUNK_BYTES)

    async def to_server() -> None:
        while chunk := await typed.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        else:  # TLS ends both directions
            writer.close()

    async def from_server() -> None:
        while chunk := await reader.read(_CHUNK_BYTES):
            await asyncio.to_thread(_write, chunk)

    sending = asyncio.create_task(to_server(), name="relay to server")
    try:
        with contextlib.suppress(ConnectionError):
            await from_server()
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        writer.close()


def _write(chunk: bytes) -> None:
    sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()
