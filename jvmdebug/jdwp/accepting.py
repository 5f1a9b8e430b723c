# SPDX-License-Identifier: Apache-2.0
"""Waiting for the first of those who connect to us that is an agent.

Owns the handshakes that are under way at the same time. The socket and the connection are
transport.py's, which is the only caller.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.peer import user_of
from jvmdebug.platform.system import user_id

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.jdwp.transport import Listener

_LOG = logging.getLogger(__name__)
_MAX_AT_ONCE = 64
"""Handshakes; further peers wait in the queue of the socket."""


class Accepting:
    """One wait for an agent. `close` ends what is under way."""

    def __init__(
        self,
        listener: Listener,
        *,
        of_this_user: bool,
        on_refusal: Callable[[str], object] | None = None,
    ) -> None:
        """`on_refusal` is told of each peer that is not let in."""
        self._listener = listener
        self._of_this_user = of_this_user
        self._on_refusal = on_refusal
        self._peer: asyncio.Task[tuple[socket.socket, str]] | None = None
        self._handshakes: set[asyncio.Task[Connection]] = set()
        self.refused = ""
        """Who connected last and was no agent."""

    async def first(self) -> Connection:
        """The next peer that has done the handshake; others go on with theirs meanwhile."""
        while True:
            if self._peer is None and len(self._handshakes) < _MAX_AT_ONCE:
                self._peer = asyncio.create_task(self._listener.next_peer(), name="next peer")
            waiting = self._handshakes | ({self._peer} if self._peer is not None else set())
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if (connection := self._done()) is not None:
                return connection
            if self._peer is not None and self._peer.done():
                peer, self._peer = self._peer, None
                self._begin(*peer.result())

    async def close(self) -> None:
        """End the other handshakes."""
        if self._peer is not None:
            self._peer.cancel()
            await asyncio.gather(self._peer, return_exceptions=True)
        for task in self._handshakes:
            task.cancel()
        for ended in await asyncio.gather(*self._handshakes, return_exceptions=True):
            if not isinstance(ended, BaseException):
                await ended.close()

    def _begin(self, accepted: socket.socket, name: str) -> None:
        user = user_of(accepted) if self._of_this_user else None
        if user not in (None, 0, user_id()):
            self._refuse(f"{name} belongs to another user, {user}")
            accepted.close()
            return
        work = self._listener.shake_hands(accepted, name)
        self._handshakes.add(asyncio.create_task(work, name="handshake"))

    def _done(self) -> Connection | None:
        """The connection of a handshake that is done; those that failed are forgotten."""
        for task in [each for each in self._handshakes if each.done()]:
            self._handshakes.discard(task)
            error = task.exception()
            if error is None:
                return task.result()
            if not isinstance(error, JvmDebugError | OSError):
                raise error
            self._refuse(str(error))
        return None

    def _refuse(self, why: str) -> None:
        self.refused = why
        _LOG.warning("not a VM that is waited for: %s", why)
        if self._on_refusal is not None:
            self._on_refusal(why)
