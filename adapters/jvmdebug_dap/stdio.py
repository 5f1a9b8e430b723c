# SPDX-License-Identifier: Apache-2.0
"""One client on standard input and output, as editors start the adapter.

Owns the streams: standard output carries the protocol only. Imports what serves the client after
`initialize` has been answered. Called by `command`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING

from jvmdebug.platform.signals import END, handled
from jvmdebug.platform.streams import reader_of, writer_of
from jvmdebug_dap.greeting import CHUNK_BYTES, greet

if TYPE_CHECKING:
    from jvmdebug_dap.access import Access


async def serve_stdio(access: Access | None = None) -> None:
    """Serve one client on standard input and output."""
    protocol_out = os.dup(sys.stdout.fileno())
    # Accidental prints go to standard error, not between two messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    reader, _ = await reader_of(sys.stdin.buffer, CHUNK_BYTES)
    writer = await writer_of(os.fdopen(protocol_out, "wb"))
    serving = asyncio.create_task(_serve(reader, writer, access), name="dap stdio")
    with handled(END, serving.cancel), contextlib.suppress(asyncio.CancelledError):
        await serving


async def _serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, access: Access | None
) -> None:
    greeting = await greet(reader, writer)
    from jvmdebug_dap.server import serve_connection  # noqa: PLC0415 - see the module

    await serve_connection(reader, writer, access, greeting)
