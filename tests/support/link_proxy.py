# SPDX-License-Identifier: Apache-2.0
"""A proxy between a debugger and an agent whose link can be lost and found again.

Forwards any number of connections. `silence` drops what comes in both directions, which neither
side is told; `cut` ends the connections and refuses new ones; `mend` lets new ones through. Those
from before stay silent: they are the lost link.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_CHUNK = 1 << 16


class LinkProxy:
    """Listens on a port of its own. Use `link_proxy`."""

    def __init__(self, agent_port: int) -> None:
        self.agent_port = agent_port
        """Where connections lead to that come from now on."""
        self.port = 0
        self.connections = 0
        """Connections that were forwarded."""
        self._is_up = True
        self._silent: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    def silence(self) -> None:
        """Drop everything from now on."""
        self._is_up = False
        self._silent |= self._writers

    def cut(self) -> None:
        """End all connections."""
        self._is_up = False
        for writer in self._writers:
            writer.close()

    def mend(self) -> None:
        """Forward new connections."""
        self._is_up = True

    async def serve(self, reader: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Forward one connection."""
        if not self._is_up:
            back.close()
            return
        try:
            agent, out = await asyncio.open_connection("127.0.0.1", self.agent_port)
        except OSError:
            back.close()
            return
        self.connections += 1
        self._writers |= {out, back}
        try:
            await asyncio.gather(self._pump(reader, out), self._pump(agent, back))
        finally:
            for writer in (out, back):
                self._writers.discard(writer)
                writer.close()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(_CHUNK):
                if target not in self._silent:
                    target.write(data)
                    await target.drain()
        if target not in self._silent:
            target.close()


@contextlib.asynccontextmanager
async def link_proxy(agent_port: int) -> AsyncIterator[LinkProxy]:
    """A proxy in front of the agent."""
    proxy = LinkProxy(agent_port)
    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        served.add(task)
        try:
            await proxy.serve(reader, writer)
        except asyncio.CancelledError:
            writer.close()
        finally:
            served.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in list(served):
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)
