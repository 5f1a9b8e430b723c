# SPDX-License-Identifier: Apache-2.0
"""An adapter that listens, as a process. `dap_client` has the clients and adapters on stdio."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from tests.support.dap_client import TIMEOUT_S, adapter_process, end_process

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@contextlib.asynccontextmanager
async def listening_server(*options: str) -> AsyncIterator[tuple[str, int, str]]:
    """An adapter process with `--listen`; its address and token, as it prints them."""
    process = await adapter_process("--listen", "127.0.0.1:0", *options)
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
        assert line.startswith("listening on "), line
        host, _, port = line.removeprefix("listening on ").strip().rpartition(":")
        token = ""
        if not options or options[0] == "--audit-log":
            line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
            assert line.startswith("token "), line
            token = line.removeprefix("token ").strip()
        yield host, int(port), token
    finally:
        await end_process(process)
