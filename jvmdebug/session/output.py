# SPDX-License-Identifier: Apache-2.0
"""The debuggee's output, buffered for subscribers. Owns what was written so far, up to a limit, so
that late subscribers miss nothing. Called by the session with each piece that the process wrote.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from jvmdebug.patience import changed_or_warned
from jvmdebug.session.events import Output

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from jvmdebug.launch.debuggee_process import StreamName

_MAX_CHARACTERS = 4 << 20


class OutputLog:
    """Everything that was written, oldest first; the oldest is dropped beyond the limit."""

    def __init__(self, first_listener: Callable[[Output], object] | None) -> None:
        self._pieces: deque[Output] = deque()
        self._characters = 0
        self._dropped = 0
        self._is_complete = False
        self._changed = asyncio.Event()
        self._listeners = [] if first_listener is None else [first_listener]

    @property
    def pieces(self) -> tuple[Output, ...]:
        """The pieces that are kept."""
        return tuple(self._pieces)

    def listen(self, listener: Callable[[Output], object]) -> None:
        """Call `listener` with each further piece."""
        self._listeners.append(listener)

    def write(self, stream: StreamName, text: str) -> None:
        """One more piece."""
        piece = Output(stream, text)
        self._pieces.append(piece)
        self._characters += len(text)
        while self._characters > _MAX_CHARACTERS and len(self._pieces) > 1:
            self._characters -= len(self._pieces.popleft().text)
            self._dropped += 1
        for listener in self._listeners:
            listener(piece)
        self._changed.set()

    def restart(self) -> None:
        """Another program writes from now on; what the last one wrote is dropped."""
        self._dropped += len(self._pieces)
        self._pieces.clear()
        self._characters = 0
        self._is_complete = False

    def complete(self) -> None:
        """Nothing more will be written."""
        self._is_complete = True
        self._changed.set()

    async def follow(self, why_silent: Callable[[], str | None]) -> AsyncIterator[Output]:
        """Every piece from the first kept one until `complete`. Warns if nothing can come."""
        position = 0
        has_warned = False
        while True:
            position = max(position, self._dropped)
            while position - self._dropped < len(self._pieces):
                piece = self._pieces[position - self._dropped]
                position += 1
                yield piece
                position = max(position, self._dropped)
            if self._is_complete:
                return
            self._changed.clear()
            if has_warned:
                await self._changed.wait()
            else:
                has_warned = await changed_or_warned(self._changed, why_silent)
