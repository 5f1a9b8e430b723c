# SPDX-License-Identifier: Apache-2.0
"""Forwards the core's events to the client, in order.

The state table changes as soon as the core reports an event; the messages are queued while a
request that causes them is being answered (`holding`), so that the client gets the response first.
`convert.events` translates; this module only keeps the order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap import visit
from jvmdebug_dap.convert.events import Announcement, announcements
from jvmdebug_dap.states import LINK_LOST, StateEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from jvmdebug_dap.models.base import Model
    from jvmdebug_dap.session import AdapterSession

_LOG = logging.getLogger(__name__)


class EventPump:
    """Forwards the events of the core session; one for each connection."""

    def __init__(self, session: AdapterSession) -> None:
        self._session = session
        self._queue: asyncio.Queue[jvmdebug.SessionEvent | Announcement] = asyncio.Queue()
        self._holds = 0
        self._may_send = asyncio.Event()
        self._may_send.set()
        self._unsubscribe: Callable[[], None] | None = None
        self._is_restarting = False
        self._unsent: dict[jvmdebug.ThreadHandle, jvmdebug.ThreadStarted] = {}
        """The starts of threads that are in the queue. If such a thread ends, neither is sent."""
        self._kept: list[jvmdebug.SessionEvent] = []
        """The end of the old program while it is being restarted."""

    def watch(self, core: jvmdebug.Session) -> None:
        """Forward the events of `core`, and no longer those of another session."""
        self.unwatch()
        self._is_restarting = False
        self._kept.clear()
        self._unsent.clear()
        self._session.late.clear()
        self._unsubscribe = core.subscribe(self.take, batches=True)

    def tell_of_stops(self) -> None:
        """Forward the breakpoints and stops that there are in a session that was joined."""
        for each in self._session.core.breakpoints:
            self.take(jvmdebug.BreakpointChanged(each, "new", each.set_by))
        for stop in self._session.core.current_stops:
            self.take(jvmdebug.Stopped(stop))

    def unwatch(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def expect_restart(self) -> None:
        """The end of the current program will not end the client's session."""
        self._is_restarting = True

    def forget_restart(self) -> None:
        """Notes that it is not restarted after all; if it has ended meanwhile, the client is told
        now.
        """
        self._is_restarting = False
        kept, self._kept = self._kept, []
        for event in kept:
            self.take(event)

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

    def announce(self, name: str, body: Model | None = None) -> None:
        """Send an event of the adapter; after the response of a request that holds events."""
        if self._holds:
            self._queue.put_nowait((name, body))
        else:
            self._session.channel.send_event(name, body)

    async def drained(self) -> None:
        """Wait until all events reported so far have been sent."""
        await self._queue.join()

    async def run(self) -> None:
        """Send messages until the server cancels this, with the connection."""
        while True:
            event = await self._queue.get()
            await self._may_send.wait()
            try:
                if isinstance(event, jvmdebug.ThreadStarted) and not self._is_unsent(event):
                    continue
                if isinstance(event, jvmdebug.Exited):
                    self._session.note("exited", exitCode=event.exit_code)
                for name, body in await self._announcements(event):
                    self._session.channel.send_event(name, body)
                await self._session.channel.drain()
            except ConnectionError:
                return  # the client is gone; the server notices that itself
            except Exception:  # noqa: BLE001 - the loop top: the next event is sent all the same
                _LOG.exception("cannot send the event %r to the client", event)
            finally:
                self._queue.task_done()

    async def _announcements(
        self, event: jvmdebug.SessionEvent | Announcement
    ) -> list[Announcement]:
        if isinstance(event, tuple):
            return [event]
        return await announcements(self._session, event)

    def _is_unsent(self, event: jvmdebug.ThreadStarted) -> bool:
        """Whether a start is still to be sent. False if the thread has ended since."""
        is_unsent = self._unsent.get(event.thread) is event
        if is_unsent:
            del self._unsent[event.thread]
        return is_unsent

    def _forget_what_was_stopped(self) -> None:
        session = self._session
        session.references.drop_stale()
        session.memory.drop_unused()
        if not session.core.current_stops:
            session.state.move(StateEvent.RESUMED)

    def _goes_on(self, event: jvmdebug.Stopped) -> bool:
        """Whether a late request was kept for this stop. It is done now, and the stop is not told
        unless that fails.
        """
        late = self._session.late
        kept = late.ended_by(event.stop)
        if kept is None:
            return False

        async def go_on() -> None:
            with self.holding():
                if not await late.finish(event.stop, kept):
                    self._queue.put_nowait(event)

        self._session.run_beside(go_on(), "late request")
        return True

    def _end(self, event: jvmdebug.Ended) -> None:
        session = self._session
        session.references.drop_stale()
        session.late.clear()
        if session.visit is not None:
            session.run_beside(visit.drop(session), "leaving the past")
        if event.reason is jvmdebug.EndReason.CONNECTION_LOST:
            session.state.end = LINK_LOST
        session.state.move(StateEvent.ENDED)
        session.fail_configuration(event.message or f"the program {event.reason}")

    def _is_handled(self, event: jvmdebug.Stopped) -> bool:
        """Note a stop. Whether the client is not told: the past ends there, or a request was kept
        for it.
        """
        session = self._session
        if session.visit is not None and session.visit.ends_at(event.stop):
            session.run_beside(visit.end(session), "back to the present")
            return True
        session.state.move(StateEvent.STOPPED)
        session.warm_up_soon()
        return self._goes_on(event)

    def take(self, event: jvmdebug.SessionEvent) -> Coroutine[object, object, object] | None:
        """Called by the core, on the event loop. Lines of log points are read no faster than they
        are sent.
        """
        if self._is_restarting and isinstance(event, jvmdebug.Exited | jvmdebug.Ended):
            self._kept.append(event)
            return None
        match event:
            case jvmdebug.Stopped():
                if self._is_handled(event):
                    return None
            case jvmdebug.Continued():
                self._forget_what_was_stopped()
                if self._holds and event.by is None:
                    return None  # the response of the current request implies it
            case jvmdebug.ThreadStarted():
                self._unsent[event.thread] = event
            case jvmdebug.ThreadEnded():
                if self._unsent.pop(event.thread, None) is not None:
                    return None
            case jvmdebug.Ended():
                self._end(event)
            case _:
                pass
        self._queue.put_nowait(event)
        return self.drained() if isinstance(event, jvmdebug.BreakpointLogged) else None
