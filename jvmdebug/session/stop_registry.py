# SPDX-License-Identifier: Apache-2.0
"""The stops of a session: made from the router's stop sets, handed out, resumed, ended.

Owns the list of current stops, the queue of those not handed out yet, and the state of the session
as far as stops move it. Changes to a stack (pop frame, force return) are `stack_changes`'.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionLost, StateError
from jvmdebug.model.values import VOID
from jvmdebug.session.events import Continued, Stopped
from jvmdebug.session.state import Happening, Operation, SessionState, move, require
from jvmdebug.session.stop import Stop, StopReason
from jvmdebug.session.stop_reasons import cause_of
from jvmdebug.session.suspension import Suspension

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.breakpoints.arming import BreakpointTable
    from jvmdebug.events import Router, StopSet
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.stop import StopOwner
    from jvmdebug.session.threads import ThreadHandle, Threads
    from jvmdebug.stepping import Stepper


class StopRegistry:
    """All stops of one session."""

    def __init__(
        self,
        router: Router,
        owner: StopOwner,
        *,
        stepper: Stepper,
        settings: SessionSettings,
        feed: EventFeed,
    ) -> None:
        self.state = SessionState.CONNECTING
        self.own_breakpoints: dict[Breakpoint, StopReason] = {}
        """Breakpoints that the session set for itself; any stop ends those of RUN_TO."""
        self._router = router
        self._owner = owner
        self._stepper = stepper
        self._settings = settings
        self._feed = feed
        self._stops: list[Stop] = []
        self._waiting: deque[Stop] = deque()
        self._news = asyncio.Event()
        self._is_finished = False
        self._lets_go = False
        self._last_thread: ThreadHandle | None = None
        self.table: BreakpointTable
        self.threads: Threads

    @property
    def current(self) -> tuple[Stop, ...]:
        """Current stops, oldest first."""
        return tuple(self._stops)

    def moved(self, happening: Happening) -> None:
        """Move the state of the session."""
        self.state = move(self.state, happening)

    def stop_of(self, thread: ThreadHandle) -> Stop | None:
        """The newest current stop that holds the thread."""
        holding = (s for s in reversed(self._stops) if s.suspension.holds(thread.thread))
        return next(holding, None)

    # making

    async def take(self, stop_set: StopSet) -> None:
        """The router's stop sink: make a Stop of what stands still and tell of it."""
        if self._lets_go:
            await self._router.resume(stop_set)
            return
        thread = stop_set.thread
        if thread is None:
            raise StateError(f"{stop_set} names no thread")
        cause = cause_of(stop_set, self.table, self.own_breakpoints, self._stepper)
        returned = self._stepper.returned(thread) if cause.reason is StopReason.STEP else None
        unknown = self._stepper.why_not_returned(thread)
        hit = (*cause.breakpoints, *cause.own_breakpoints)
        if not stop_set.suspends_all and self._wants_all(hit, thread):
            await self._router.widen(stop_set)
        await self._tidy_up(None if stop_set.suspends_all else thread, hit)
        handle = self.threads.handle(thread)
        stop = Stop(self._owner, cause.reason, handle, Suspension(stop_set), cause.breakpoints)
        if cause.exception is not None:
            stop.exception_caught = cause.exception.is_caught
        exception = cause.exception.exception if cause.exception is not None else None
        await stop.look(exception, cause.access)
        if returned is not None and stop.has_frames and returned[1] != VOID:
            stop.returned = stop.frame.variable_of_return(returned[1], returned[0])
        if cause.reason is StopReason.STEP:
            stop.why_not_returned = unknown
        self.begin(stop)

    def begin(self, stop: Stop, *, hand_out: bool = True) -> None:
        """Make `stop` current and tell of it; without `hand_out` the caller has it already."""
        self._stops.append(stop)
        self._last_thread = stop.thread
        self.moved(Happening.STOP)
        if hand_out:
            self._waiting.append(stop)
        self._feed.post(Stopped(stop))
        self._news.set()

    async def suspend_all(self) -> Stop:
        """Suspend all threads; the newest stop of all threads if there is one already."""
        for stop in reversed(self._stops):
            if stop.all_threads:
                return stop
        stop_set = await self._router.suspend_all()
        self._stepper.call_off()
        thread = await self._thread_to_show()
        stop = Stop(self._owner, StopReason.PAUSE, thread, Suspension(stop_set))
        await stop.look()
        self.begin(stop, hand_out=False)
        return stop

    async def suspend_thread(self, thread: ThreadHandle) -> Stop:
        """Suspend one thread; its stop if it has one already."""
        held = self.stop_of(thread)
        if held is not None:
            return held
        stop_set = await self._router.suspend_thread(thread.thread)
        self._stepper.call_off(thread.thread)
        stop = Stop(self._owner, StopReason.PAUSE, thread, Suspension(stop_set))
        await stop.look()
        self.begin(stop, hand_out=False)
        return stop

    # ending

    async def resume(self, stop: Stop, why: str = "it was resumed") -> None:
        """Undo a stop's suspension."""
        self.forget(stop, why)
        if not self._stops:
            self.moved(Happening.LAST_STOP_RESUMED)
        named = None if stop.all_threads else stop.thread
        self._feed.post(Continued(named, all_threads=stop.all_threads and not self._stops))
        await stop.suspension.resume(self._router)

    async def let_go(self) -> None:
        """Resume everything, and from now on whatever would still stop."""
        self._lets_go = True
        await self.resume_all()

    async def resume_all(self) -> None:
        """Undo all suspensions, the oldest first."""
        for stop in self.current:
            await self.resume(stop)

    async def resume_thread(self, thread: ThreadHandle) -> None:
        """Let one thread run, whatever holds it."""
        for stop in self.current:
            if not stop.all_threads and stop.thread == thread:
                self.forget(stop, "its thread was resumed")
        await self._router.resume_thread(thread.thread)
        if not self._stops:
            self.moved(Happening.LAST_STOP_RESUMED)
        self._feed.post(Continued(thread, all_threads=False))

    def forget(self, stop: Stop, why: str) -> None:
        """Take a stop off the lists and refuse its handles."""
        stop.end(why)
        if stop in self._stops:
            self._stops.remove(stop)
        if stop in self._waiting:
            self._waiting.remove(stop)

    def end_all(self, why: str) -> None:
        """The VM is gone or left to itself: no stop is current."""
        for stop in self.current:
            self.forget(stop, why)

    def finish(self) -> None:
        """The session is over: whoever waits for a stop gets None."""
        self._is_finished = True
        self.moved(Happening.END)
        self._news.set()

    # handing out

    async def resume_handed_out(self) -> None:
        """Resume the current stops that somebody has got and left as they were."""
        for stop in self.current:
            if stop not in self._waiting and stop.is_current:
                await self.resume(stop)

    async def next(self, timeout_s: float | None) -> Stop | None:
        """See Session.next_stop."""
        async with asyncio.timeout(timeout_s):
            while True:
                if self._waiting:
                    return self._waiting.popleft()
                if self._is_finished:
                    return None
                if any(stop.suspension.lets_nothing_run for stop in self._stops):
                    require(Operation.WAIT_FOR_STOP, self.state)
                self._news.clear()
                await self._news.wait()

    def _wants_all(self, breakpoints: tuple[Breakpoint, ...], thread: Thread) -> bool:
        return self._stepper.suspends_all(thread) or any(map(self.suspends_all, breakpoints))

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Whether a stop at it suspends all threads."""
        return (breakpoint_.suspend or self._settings.suspend) == "all"

    async def _tidy_up(self, thread: Thread | None, hit: tuple[Breakpoint, ...]) -> None:
        """End what a stop ends: steps, breakpoints for once, what `run_to` had set."""
        own = [b for b, reason in self.own_breakpoints.items() if reason is StopReason.RUN_TO]
        for breakpoint_ in own:
            del self.own_breakpoints[breakpoint_]
        over = [*own, *(breakpoint_ for breakpoint_ in hit if breakpoint_.once)]
        self._stepper.call_off(thread)
        try:
            await asyncio.gather(*(breakpoint_.remove() for breakpoint_ in over))
        except ConnectionLost:
            return  # then there is nothing to end

    async def _thread_to_show(self) -> ThreadHandle:
        """The thread that was stopped last, else `main`, else the first with Java frames."""
        threads = await self.threads.live(())
        first = [t for t in threads if t == self._last_thread]
        first += [t for t in threads if t.name == "main"]
        for thread in dict.fromkeys([*first, *threads]):
            if await thread.thread.frame_count():
                return thread
        if not threads:
            raise StateError("the VM has no live threads")
        return threads[0]
