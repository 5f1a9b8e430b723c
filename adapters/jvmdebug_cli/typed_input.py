# SPDX-License-Identifier: Apache-2.0
"""The terminal's input while the program runs. The prompt has the terminal to itself while it is
stopped. Used by the shell.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import sys
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.terminal import is_interactive

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK_BYTES = 4096


@contextlib.contextmanager
def typed_to(session: jvmdebug.Session) -> Iterator[None]:
    """What is typed while the context is active is the program's input, Ctrl-D the end of it.

    A line that is not finished when the program stops is there at the prompt.
    """
    if not is_interactive() or session.owner is not None or not session.takes_input:
        yield
        return
    loop = asyncio.get_running_loop()
    descriptor = sys.stdin.fileno()
    decoder = codecs.getincrementaldecoder(sys.stdin.encoding)(errors="replace")
    sending: set[asyncio.Task[None]] = set()

    def read() -> None:
        data = os.read(descriptor, _CHUNK_BYTES)
        task = asyncio.ensure_future(_send(session, decoder.decode(data) if data else None))
        sending.add(task)
        task.add_done_callback(sending.discard)
        if not data:
            loop.remove_reader(descriptor)

    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


async def _send(session: jvmdebug.Session, text: str | None) -> None:
    with contextlib.suppress(jvmdebug.JvmDebugError):  # the program has closed its input
        await session.write_stdin(text)
