# SPDX-License-Identifier: Apache-2.0
"""An adapter in the process of the test, with a stub in place of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.dap_client import DapClient, local_client
from tests.support.stub_core import StubCore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def core(monkeypatch: pytest.MonkeyPatch) -> StubCore:
    stub = StubCore()
    for opener in ("launch_prepared", "attach"):
        monkeypatch.setattr(jvmdebug, opener, stub.open)
    monkeypatch.setattr(jvmdebug, "prepare", stub.prepare)
    monkeypatch.setenv("JVMDEBUG_JOIN", "off")  # nobody can join a session that is not there
    return stub


@pytest.fixture
async def client(core: StubCore) -> AsyncIterator[DapClient]:
    """A client whose connection the adapter serves."""
    del core
    async with local_client() as connected:
        yield connected


@pytest.fixture
async def stopped(client: DapClient, core: StubCore) -> DapClient:
    """A client whose program has stopped."""
    await client.configured(await client.begin_debugging("launch", mainClass="shop.Main"))
    await client.request("threads")
    core.session.hit(jvmdebug.StopReason.PAUSE)
    await client.event("stopped")
    return client
