# SPDX-License-Identifier: Apache-2.0
"""Fixtures for tests of the core without a JVM: a fake agent, and what is connected to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp import transport
from jvmdebug.model import VirtualMachine
from tests.support.fake_vm import FakeVm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.jdwp.connection import Connection


@pytest.fixture
async def fake_vm() -> AsyncIterator[FakeVm]:
    """An agent that answers what a test scripts."""
    async with FakeVm() as fake:
        yield fake


@pytest.fixture
async def connection(fake_vm: FakeVm) -> AsyncIterator[Connection]:
    """Connected to the fake agent."""
    made = await transport.connect(fake_vm.host, fake_vm.port, timeout_s=5)
    yield made
    await made.close()


@pytest.fixture
async def vm(connection: Connection) -> AsyncIterator[VirtualMachine]:
    """The model of the fake agent's VM."""
    made = VirtualMachine(connection)
    await made.initialize()
    yield made
    await made.close()
