# SPDX-License-Identifier: Apache-2.0
"""One client on standard input and output, as editors start the adapter.

Owns the streams: standard output carries the protocol only. Imports what serves the client after
`initialize` has been answered. Called by `command`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

from jvmdebug_dap.greeting import CHUNK_BYTES, greet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug_dap.access import Access


async def serve_stdio(access: Access | None = None) -> None:
    """Serve one client on standard input and output."""
    loop = asyncio.get_running_loop()
    protocol_out = os.dup(sys.stdout.fileno())
    # Accidental prints go to standard error, not between two messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    reader = asyncio.StreamReader(limit=CHUNK_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader(), loop=loop),
        os.fdopen(protocol_out, "wb"),
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    serving = asyncio.create_task(_serve(reader, writer, access), name="dap stdio")
    with cancelled_by_signals(serving.cancel), contextlib.suppress(asyncio.CancelledError):
        await serving


async def _serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, access: Access | None
) -> None:
    greeting = await greet(reader, writer)
    from jvmdebug_dap.server import serve_connection  # noqa: PLC0415 - see the module

    await serve_connection(reader, writer, access, greeting)


@contextlib.contextmanager
def cancelled_by_signals(cancel: Callable[[], object]) -> Iterator[None]:
    """SIGINT and SIGTERM close the sessions instead of leaving programs behind."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, cancel)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
