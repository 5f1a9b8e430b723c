# SPDX-License-Identifier: Apache-2.0
"""A `jvmdebug` at a pseudo-terminal, as somebody sees it who sits there."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import termios
from typing import TYPE_CHECKING

from tests.support.prompt import JVMDEBUG, TIMEOUT_S

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>])")


class Terminal:
    """A `jvmdebug` that believes that somebody sits at it."""

    def __init__(self, descriptor: int, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._descriptor = descriptor
        self._shown = ""
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(descriptor, self._read)

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    async def see(self, pattern: str) -> None:
        """Wait until that has been shown since the last match."""
        async with asyncio.timeout(TIMEOUT_S):
            while (found := re.search(pattern, self._shown)) is None:
                self._news.clear()
                await self._news.wait()
        self._shown = self._shown[found.end() :]

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:  # the other end is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._descriptor)
        if b"\x1b[6n" in data:  # the line editor asks where the cursor is
            os.write(self._descriptor, b"\x1b[1;1R")
        self._shown += _ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        self._news.set()


@contextlib.asynccontextmanager
async def at_terminal(
    *arguments: str | Path, width: int = 120, env: Mapping[str, str] | None = None
) -> AsyncIterator[Terminal]:
    """Start `jvmdebug` with these arguments in a terminal of that width; it is ended afterwards."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (40, width))
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG,
        *map(str, arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **(env or {})},
        start_new_session=True,
        # Then Ctrl-C is what it is at a terminal: a key, or a signal while no editor reads keys.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    typed = Terminal(ours, process)
    try:
        yield typed
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        typed.close()
