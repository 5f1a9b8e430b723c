# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy between a JDWP client and a debuggee that counts packets and bytes.

Owns the counting, by reading packet headers as the bytes pass; the bytes are not changed. Used
by the benchmarks, so that both clients are counted by the same rule and neither counts itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_HANDSHAKE = len(b"JDWP-Handshake")
_HEADER = 11
_CHUNK = 1 << 16


@dataclass(slots=True)
class Traffic:
    """What has passed so far."""

    commands: int = 0
    """Commands from the client: each is a round trip, unless several are under way at once."""
    events: int = 0
    """Composite events from the agent."""
    bytes: int = 0
    """Bytes in both directions."""

    def __sub__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.commands - other.commands, self.events - other.events, self.bytes - other.bytes
        )

    def copy(self) -> Traffic:
        return Traffic(self.commands, self.events, self.bytes)


class _Packets:
    """Counts the packets of one direction."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._handshake = False

    def feed(self, data: bytes) -> int:
        """The number of command packets (not replies) that these bytes complete."""
        self._rest += data
        if not self._handshake:
            if len(self._rest) < _HANDSHAKE:
                return 0
            del self._rest[:_HANDSHAKE]
            self._handshake = True
        commands = 0
        while len(self._rest) >= _HEADER:
            length = int.from_bytes(self._rest[:4], "big")
            if len(self._rest) < length:
                break
            commands += not self._rest[8] & 0x80
            del self._rest[:length]
        return commands


@contextlib.asynccontextmanager
async def counting_proxy(port: int) -> AsyncIterator[tuple[int, Traffic]]:
    """Listen on loopback and forward one client to the debuggee on `port`.

    Gives the port to connect to, and the counters, which grow as bytes pass.
    """
    traffic = Traffic()
    connected: list[asyncio.Task[None]] = []

    async def forward(client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        agent, out = await asyncio.open_connection("127.0.0.1", port)

        async def pump(
            source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, is_agent: bool
        ) -> None:
            packets = _Packets()
            while data := await source.read(_CHUNK):
                count = packets.feed(data)
                traffic.bytes += len(data)
                if is_agent:
                    traffic.events += count
                else:
                    traffic.commands += count
                sink.write(data)
                await sink.drain()
            sink.close()

        try:
            with contextlib.suppress(ConnectionError):
                await asyncio.gather(
                    pump(client, out, is_agent=False), pump(agent, back, is_agent=True)
                )
        finally:  # a reset of one side is the end of the other
            out.close()
            back.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.append(asyncio.create_task(forward(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], traffic
    finally:
        server.close()
        for task in connected:
            task.cancel()
        await asyncio.gather(*connected, return_exceptions=True)
        await server.wait_closed()
