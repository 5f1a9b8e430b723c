# SPDX-License-Identifier: Apache-2.0
"""One debugger and its agent: passes bytes in both directions, and ends both when one has ended.

A side that does not read makes the other wait. Who may send what is `permits`'s; the time that a
debugger may hold the program runs here. Used by the server.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

from jvmdebug._native import Codec, IdSizes, pack_command
from jvmdebug.jdwp.generated.agent import Ended
from jvmdebug.jdwp.silence import keep_alive
from jvmdebug.relay.permits import NotJdwpError

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from jvmdebug.relay.permits import Permits
    from jvmdebug.tls.byte_stream import ByteStream

_NOTICE_NUMBER: Final = 0x7FFFFFFF
_FLUSH_S: Final = 3.0
"""For what was written last to arrive."""


class _Side(asyncio.Protocol):
    """One of the two connections."""

    def __init__(self, received: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self.transport: asyncio.Transport | None = None
        self.other: _Side | None = None
        self._received = received
        self._ended = ended

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self.transport = cast("asyncio.Transport", transport)
        keep_alive(transport.get_extra_info("socket"))

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        self._received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        del exc
        self._ended()

    def pause_writing(self) -> None:
        """Called by asyncio: this side does not read."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def write(self, data: bytes | bytearray) -> None:
        """Send bytes, if there are any, and this side is still open."""
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)


class Link:
    """The link of one debugger. `close` may be called at any time."""

    def __init__(
        self, permits: Permits, *, longest_s: float | None, note: Callable[[str, str], None]
    ) -> None:
        """`longest_s`: how long the debugger may hold the program at once; None for as long as it
        likes. `note` gets event and command.
        """
        self.why = ""
        """Why it has ended."""
        self._permits = permits
        self._longest_s = longest_s
        self._note = note
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._debugger = _Side(self._from_debugger, lambda: self._end("the debugger has left"))
        self._agent = _Side(self._from_agent, lambda: self._end("the agent has closed"))
        self._debugger.other, self._agent.other = self._agent, self._debugger

    async def pass_on(
        self, stream: ByteStream, agent: socket.socket, accept: Callable[[], None]
    ) -> None:
        """Pass everything on until one side ends. `accept` tells the debugger that it may begin."""
        try:
            await self._loop.create_connection(lambda: self._agent, sock=agent)
            accept()
            stream.hand_over(self._debugger)
        except OSError as error:
            agent.close()
            self._end(str(error))
        await self._over.wait()

    def close(self) -> None:
        """End both connections."""
        self._end("the relay has ended")

    def _from_debugger(self, chunk: bytes) -> None:
        try:
            passed = self._permits.from_debugger(chunk)
        except NotJdwpError as error:
            self._refuse(str(error))
            return
        self._agent.write(passed.on)
        self._debugger.write(passed.back)
        for event, command in passed.noted:
            self._note(event, command)
        self._watch()

    def _from_agent(self, chunk: bytes) -> None:
        self._debugger.write(chunk)
        try:
            self._permits.from_agent(chunk)
        except NotJdwpError as error:
            self._refuse(str(error))
        self._watch()

    def _watch(self) -> None:
        """Begin or end the time that the debugger may hold the program."""
        if self._longest_s is None:
            return
        if not self._permits.holding.holds:
            self._stop_timer()
        elif self._timer is None and not self._over.is_set():
            self._timer = self._loop.call_later(self._longest_s, self._held_too_long)

    def _held_too_long(self) -> None:
        self._refuse(
            f"the program was held longer than {self._longest_s:g} s, which the role"
            f" {self._permits.role} may not: it runs again"
        )

    def _refuse(self, why: str) -> None:
        """End the link for a reason that the debugger is told."""
        content = Codec(IdSizes(8, 8, 8, 8, 8)).encode(Ended(why))
        self._debugger.write(pack_command(_NOTICE_NUMBER, Ended.COMMAND_SET, Ended.NUMBER, content))
        self._end(why)

    def _end(self, why: str) -> None:
        self.why = self.why or why
        self._stop_timer()
        for side in (self._agent, self._debugger):
            if side.transport is not None:
                side.transport.close()
                self._loop.call_later(_FLUSH_S, side.transport.abort)  # it may not read
        self._over.set()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
