# SPDX-License-Identifier: Apache-2.0
"""The core's events on their way to the client, in order.

The state table moves at once, when the core tells us; the messages wait in a queue while a request
that causes them is being answered (`holding`), so that a client sees the answer first. Translation
is `convert.events`; this module only knows order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.convert.events import announcements
from jvmdebug_dap.states import Happening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug_dap.session import AdapterSession

_LOG = logging.getLogger(__name__)
_OF_THE_END = (jvmdebug.Exited, jvmdebug.Ended)


class EventPump:
    """Sends what the core tells; one for each connection."""

    def __init__(self, session: AdapterSession) -> None:
        self._session = session
        self._queue: asyncio.Queue[jvmdebug.SessionEvent] = asyncio.Queue()
        self._holds = 0
        self._may_send = asyncio.Event()
        self._may_send.set()
        self._unsubscribe: Callable[[], None] | None = None
        self._is_restarting = False

    def watch(self, core: jvmdebug.Session) -> None:
        """Follow `core`, and no other one any more."""
        self.unwatch()
        self._is_restarting = False
        self._unsubscribe = core.subscribe(self._take)

    def unwatch(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def expect_restart(self) -> None:
        """The end of the program that is watched is not the end of the client's session."""
        self._is_restarting = True

    @contextlib.contextmanager
    def holding(self) -> Iterator[None]:
        """Queue messages while a request is being answered; several may hold at once."""
        self._holds += 1
        self._may_send.clear()
        try:
            yield
        finally:
            self._holds -= 1
            if self._holds == 0:
                self._may_send.set()

    async def drained(self) -> None:
        """Wait until everything that the core has told so far was sent."""
        await self._queue.join()

    async def run(self) -> None:
        """Send messages for ever; the server cancels it with the connection."""
        while True:
            event = await self._queue.get()
            await self._may_send.wait()
            try:
                for name, body in await announcements(self._session, event):
                    self._session.channel.send_event(name, body)
                await self._session.channel.drain()
            except ConnectionError:
                return  # the client is gone; the server notices by itself
            except Exception:  # noqa: BLE001 - the loop top: the next event is told all the same
                _LOG.exception("cannot tell the client about %r", event)
            finally:
                self._queue.task_done()

    def _take(self, event: jvmdebug.SessionEvent) -> None:
        """Called by the core, on the event loop."""
        if self._is_restarting and isinstance(event, _OF_THE_END):
            return
        session = self._session
        match event:
            case jvmdebug.Stopped():
                session.state.move(Happening.STOPPED)
            case jvmdebug.Continued():
                session.references.drop_stale()
                session.memory.drop_unused()
                if not session.core.current_stops:
                    session.state.move(Happening.RESUMED)
                if self._holds:
                    return  # a request is being served that implies it: its answer tells
            case jvmdebug.Ended():
                session.references.drop_stale()
                session.state.move(Happening.ENDED)
                session.fail_configuration(event.message or f"the program {event.reason}")
            case _:
                pass
        self._queue.put_nowait(event)
