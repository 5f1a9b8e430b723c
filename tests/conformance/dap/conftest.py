# SPDX-License-Identifier: Apache-2.0
"""An adapter inside the test, in front of a program that is not there."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_dap.server import serve_connection
from tests.support.dap_client import DapClient, tcp_client
from tests.support.stub_core import StubCore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def core(monkeypatch: pytest.MonkeyPatch) -> StubCore:
    stub = StubCore()
    for opener in ("launch", "attach"):
        monkeypatch.setattr(jvmdebug, opener, stub.open)
    return stub


@pytest.fixture
async def client(core: StubCore) -> AsyncIterator[DapClient]:
    """A client whose connection the adapter serves; after the test nothing may be left of it."""
    del core
    connections: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        with contextlib.suppress(asyncio.CancelledError):
            await serve_connection(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        async with tcp_client(host, port) as connected:
            yield connected
        await asyncio.wait_for(asyncio.gather(*connections), 10)
        left = {t.get_name() for t in asyncio.all_tasks()} & {"dap events", "debuggee", "dap end"}
        assert not left
    finally:
        server.close()
        await server.wait_closed()


@pytest.fixture
async def stopped(client: DapClient, core: StubCore) -> DapClient:
    """A client whose program has stopped."""
    await client.configured(await client.begin_debugging("launch", mainClass="shop.Main"))
    await client.request("threads")
    core.session.hit(jvmdebug.StopReason.PAUSE)
    await client.event("stopped")
    return client
