# SPDX-License-Identifier: Apache-2.0
"""A connection while its first bytes are exchanged; a protocol of the caller takes it over then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    import ssl

MOST_BYTES: Final = 64 * 1024
"""Of what has arrived and was not read: what sends more is no peer of ours."""


class ByteStream(asyncio.Protocol):
    """Reads and writes until `hand_over`."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._has_ended = False
        self._arrived = asyncio.Event()
        self._gone = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        self._received += data
        if len(self._received) > MOST_BYTES:
            self.close()
        self._arrived.set()

    def eof_received(self) -> None:
        """Called by asyncio."""
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        del exc
        self._end()
        self._gone.set()

    def _end(self) -> None:
        self._has_ended = True
        self._arrived.set()

    async def read(self, size: int) -> bytes:
        """Read so many bytes; fewer if the peer ends the connection."""
        while len(self._received) < size and not self._has_ended:
            self._arrived.clear()
            await self._arrived.wait()
        found = bytes(self._received[:size])
        del self._received[:size]
        return found

    def write(self, data: bytes) -> None:
        """Send bytes, if the connection is still open."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def close(self) -> None:
        """End the connection; what was written is sent before."""
        if self.transport is not None:
            self.transport.close()

    async def abort(self) -> None:
        """End the connection at once, and wait until it is gone."""
        if self.transport is not None:
            self.transport.abort()
            await self._gone.wait()

    @property
    def tls(self) -> ssl.SSLObject | None:
        """What TLS knows of the peer."""
        made = None if self.transport is None else self.transport.get_extra_info("ssl_object")
        return cast("ssl.SSLObject | None", made)

    def hand_over(self, protocol: asyncio.Protocol | asyncio.BufferedProtocol) -> None:
        """The connection is that protocol's from now on. Raises ConnectionResetError if it has
        ended, or the peer has sent more than was read.
        """
        if self.transport is None or self._has_ended or self._received:
            self.close()
            raise ConnectionResetError("it ended the connection, or sent what was not asked for")
        self.transport.set_protocol(protocol)
        protocol.connection_made(self.transport)
