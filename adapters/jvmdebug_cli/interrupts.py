# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C: one handler for a whole session, so that none is lost.

The terminal makes a signal of the key, except while the line editor reads keys. Whoever waits for
something waits here and is told; the innermost does if there are several. An interrupt that comes
while nobody waits (between two prompts, while output is written) is kept for the next wait. Owns
no decision on what an interrupt stops: see docs/how-to/terminal.md. Used by the console, the shell
and the subcommands that watch a program.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from jvmdebug.platform.signals import INTERRUPT, handled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Interrupts:
    """Presses of Ctrl-C, and who is told of them."""

    def __init__(self) -> None:
        self._is_kept = False
        self._waiters: list[asyncio.Future[None]] = []
        self._readers: list[Callable[[], bool]] = []

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """A context in which SIGINT comes here. Needs the running event loop."""
        with handled(INTERRUPT, self.press):  # asyncio's own cancels the main task
            yield

    def press(self) -> None:
        """Tell the innermost waiter; keep it if there is none that does not know yet."""
        if self._readers and self._readers[-1]():
            return
        if self._waiters and not self._waiters[-1].done():
            self._waiters[-1].set_result(None)
        else:
            self._is_kept = True

    def take(self) -> bool:
        """Whether one is kept; it is not any more."""
        taken, self._is_kept = self._is_kept, False
        return taken

    async def come_during(self, work: asyncio.Future[Any]) -> bool:
        """Wait until the work is done; True as soon as Ctrl-C is pressed before. The work goes on
        then, and its owner decides what becomes of it.
        """
        pressed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.take():
            pressed.set_result(None)
        self._waiters.append(pressed)
        came = False
        try:
            await asyncio.wait((work, pressed), return_when=asyncio.FIRST_COMPLETED)
            came = not work.done()
        finally:
            self._waiters.remove(pressed)
            self._is_kept |= pressed.done() and not came
            pressed.cancel()
        return came

    @contextlib.contextmanager
    def read_by(self, reader: Callable[[], bool]) -> Iterator[None]:
        """A context in which the reader is asked first whether it takes an interrupt."""
        self._readers.append(reader)
        try:
            yield
        finally:
            self._readers.remove(reader)
