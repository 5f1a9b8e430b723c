# SPDX-License-Identifier: Apache-2.0
"""The stops of a session: made from the router's stop sets, delivered to callers, resumed, ended.

Owns the list of current stops, the queue of those not yet delivered, and the state of the session
as far as stops change it. Changes to a stack (pop frame, force return) are `stack_changes`'.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug import acting, display
from jvmdebug.breakpoints import BreakpointHit
from jvmdebug.errors import ConnectionLost, StateError
from jvmdebug.session.causes import ClaimedCause, Paused
from jvmdebug.session.collection_calls import CollectionCalls
from jvmdebug.session.events import BreakpointChanged, Continued, Stopped
from jvmdebug.session.state import Operation, SessionState, StateEvent, next_state, require
from jvmdebug.session.stop_watchdog import StopWatchdog
from jvmdebug.session.suspension import Suspension

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.events import Cause, StopSet
    from jvmdebug.session.services import Services
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle

_WITHOUT_LINK: Final = (Operation.ARM, Operation.WAIT_FOR_STOP, Operation.DETACH)
"""Operations that wait until the link is back, or need none."""

StopT = TypeVar("StopT", bound="Stop | None")


class StopRegistry:
    """All stops of one session."""

    def __init__(self, services: Services) -> None:
        self.state = SessionState.CONNECTING
        self._end = ""
        self.link_lost = ""
        """A sentence while the link to the program is lost."""
        self.until_next_stop: set[Breakpoint] = set()
        """Breakpoints that any stop removes: where `run_to` is to end."""
        self._services = services
        self._router = services.router
        self._feed = services.feed
        self._stops: list[Stop] = []
        self._waiting: dict[str | None, deque[Stop]] = {None: deque()}
        """Those that were not returned yet, to the owner of the session (None) and to each guest,
        which is given those that are current when it comes.
        """
        self._changed = asyncio.Event()
        self._is_finished = False
        self._ignores_stops = False
        self._last_thread: ThreadHandle | None = None
        self._shows_collections = False
        self._watchdog = StopWatchdog(
            self.resume, lambda each: self._feed.post(BreakpointChanged(each, "changed"))
        )

    @property
    def current(self) -> tuple[Stop, ...]:
        """Current stops, oldest first."""
        return tuple(self._stops)

    @property
    def nothing_runs(self) -> bool:
        """Whether no thread can go on: it is held at its start, or a stop holds all of them."""
        return self.state is SessionState.HELD or self._all_held

    @property
    def _all_held(self) -> bool:
        return any(stop.suspension.nothing_runs for stop in self._stops)

    def change_state(self, event: StateEvent) -> None:
        """Change the state of the session by an event."""
        self.state = next_state(self.state, event)

    def require(self, operation: Operation) -> None:
        """Raise StateError, which says why, unless `operation` is allowed now."""
        if operation not in _WITHOUT_LINK:
            self.require_link()
        require(operation, self.state, self._end)

    def require_link(self) -> None:
        """Raise StateError while the link to the program is lost."""
        if self.link_lost:
            raise StateError(self.link_lost)

    def stop_of(self, thread: ThreadHandle) -> Stop | None:
        """The newest current stop that holds the thread."""
        holding = (s for s in reversed(self._stops) if s.suspension.holds(thread.thread))
        return next(holding, None)

    # making

    async def take(self, stop_set: StopSet) -> None:
        """The router's stop sink: a new Stop, unless an operation claims one of its causes."""
        causes = stop_set.causes
        claims = [cause for cause in causes if isinstance(cause, ClaimedCause)]
        if any(cause.claim(stop_set) for cause in claims):
            return
        causes = tuple(cause for cause in causes if cause not in claims)
        if self._ignores_stops or not causes:
            await self._router.resume(stop_set)
            return
        thread = stop_set.thread
        if thread is None:
            raise StateError(f"{stop_set} names no thread")
        await self.end_steps_and_temporary(stop_set)
        await self._services.breakpoints.refresh_hits()
        stop = self._made(causes, self._services.threads.handle(thread), stop_set)
        await stop.fetch()
        self.begin(stop)

    def _made(self, causes: tuple[Cause, ...], thread: ThreadHandle, stop_set: StopSet) -> Stop:
        from jvmdebug.session.stop import Stop  # noqa: PLC0415 - slow to import

        if not self._shows_collections:
            self._shows_collections = True
            display.use_calls(self._services.vm, CollectionCalls(self))
        return Stop(self._services, causes, thread, Suspension(stop_set))

    async def end_steps_and_temporary(self, stop_set: StopSet) -> None:
        """End the steps of the threads that it holds and remove temporary breakpoints, those of
        `run_to` too.
        """
        self._services.stepper.cancel(None if stop_set.suspends_all else stop_set.thread)
        over = self.until_next_stop | _temporary_hit(stop_set.causes)
        self.until_next_stop.clear()
        try:
            await asyncio.gather(*(breakpoint_.remove() for breakpoint_ in over))
        except ConnectionLost:
            return  # the VM has ended: there is nothing to end

    def begin(self, stop: Stop, *, deliver: bool = True) -> None:
        """Make `stop` current and post it; without `deliver` the caller has it already."""
        for guest in self._feed.guests - self._waiting.keys():
            self._waiting[guest] = deque(self._stops)
        own = acting.name()
        self._stops.append(stop)
        self._last_thread = stop.thread
        self.change_state(StateEvent.STOP)
        for who, waiting in self._waiting.items():
            if deliver or who != own:
                waiting.append(stop)
        self._feed.post(Stopped(stop))
        self._changed.set()
        if (limit_s := self._services.settings.stop_watchdog_s) is not None:
            self._watchdog.watch(stop, limit_s)

    async def undivided(
        self, making: Coroutine[Any, Any, StopT], hurry: Callable[[], object] | None = None
    ) -> StopT:
        """A stop that the caller makes. Threads are held or changed before there is the stop: if
        the caller is cancelled then, it is made all the same, and delivered by `next`. `hurry` is
        called then.
        """
        task = asyncio.create_task(making, name="making a stop")
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if hurry is not None:
                hurry()
            task.add_done_callback(self._deliver_unclaimed)
            await asyncio.wait((task,))
            raise

    def _deliver_unclaimed(self, task: asyncio.Task[StopT]) -> None:
        if task.cancelled() or task.exception() is not None:
            return
        stop = task.result()
        waiting = self._own_waiting
        if stop is not None and stop in self._stops and stop not in waiting:
            waiting.append(stop)
            self._changed.set()

    async def suspend_all(self) -> Stop:
        """Suspend all threads; the newest stop of all threads if there is one already."""
        for stop in reversed(self._stops):
            if stop.all_threads:
                return stop
        return await self.undivided(self._suspended_all())

    async def _suspended_all(self) -> Stop:
        stop_set = await self._router.suspend_all()
        self._services.stepper.cancel()
        await self._services.breakpoints.refresh_hits()
        thread = await self._thread_to_show()
        stop = self._made((Paused(),), thread, stop_set)
        await stop.fetch()
        self.begin(stop, deliver=False)
        return stop

    async def suspend_thread(self, thread: ThreadHandle) -> Stop:
        """Suspend one thread; its stop if it has one already."""
        self.require(Operation.SUSPEND)
        held = self.stop_of(thread)
        if held is not None:
            return held
        return await self.undivided(self._suspended(thread))

    async def _suspended(self, thread: ThreadHandle) -> Stop:
        stop_set = await self._router.suspend_thread(thread.thread)
        self._services.stepper.cancel(thread.thread)
        stop = self._made((Paused(),), thread, stop_set)
        await stop.fetch()
        self.begin(stop, deliver=False)
        return stop

    # ending

    async def resume(
        self, stop: Stop, why: str = "it was resumed", notice: str | None = None
    ) -> None:
        """Resume what a stop holds; `notice`: why, if nobody has asked for it."""
        self.forget(stop, f"{why}; use the new stop")
        if not self._stops:
            self.change_state(StateEvent.LAST_STOP_RESUMED)
        named = None if stop.all_threads else stop.thread
        all_threads = stop.all_threads and not self._stops
        by = acting.name()
        self._feed.post(Continued(named, all_threads=all_threads, notice=notice, by=by))
        await stop.suspension.resume(self._router)

    async def ignore_stops(self) -> None:
        """Resume all stops, and from now on each new one at once."""
        self._ignores_stops = True
        self._services.stepper.cancel()
        await self.resume_all()

    async def resume_all(self) -> None:
        """Resume all current stops, the oldest first."""
        for stop in self.current:
            await self.resume(stop)

    async def resume_thread(self, thread: ThreadHandle) -> None:
        """Resume one thread, from all stops that hold it."""
        self.require(Operation.RESUME)
        for stop in self.current:
            if not stop.all_threads and stop.thread == thread:
                self.forget(stop, "its thread was resumed; use the new stop")
        await self._router.resume_thread(thread.thread)
        if not self._stops:
            self.change_state(StateEvent.LAST_STOP_RESUMED)
        self._feed.post(Continued(thread, all_threads=False, by=acting.name()))

    def forget(self, stop: Stop, why: str) -> None:
        """Remove a stop from the lists and refuse its handles."""
        stop.end(why)
        if stop in self._stops:
            self._stops.remove(stop)
        for waiting in self._waiting.values():
            if stop in waiting:
                waiting.remove(stop)

    def end_all(self, why: str) -> None:
        """The VM has ended or the session detached: no stop is current."""
        for stop in self.current:
            self.forget(stop, why)

    def went_on(self) -> None:
        """All threads run, though nobody has resumed them here."""
        self.change_state(StateEvent.LAST_STOP_RESUMED)

    def finish(self, why: str = "") -> None:
        """The session is over: callers waiting for a stop get None. `why` is for those who ask for
        something later.
        """
        self._end = why
        self.link_lost = ""
        self._is_finished = True
        self._watchdog.close()
        self.change_state(StateEvent.END)
        self._changed.set()

    # delivery to callers

    @property
    def _own_waiting(self) -> deque[Stop]:
        """The stops that were not returned yet to who acts."""
        who = acting.name()
        if who not in self._waiting:
            self._waiting[who] = deque(self._stops)
        return self._waiting[who]

    def forget_guest(self, name: str) -> None:
        """A guest has left: no stops wait for it."""
        self._waiting.pop(name, None)

    async def resume_delivered(self) -> None:
        """Resume the current stops that were delivered and not resumed."""
        for stop in self.current:
            if stop not in self._own_waiting and stop.is_current:
                await self.resume(stop)

    async def next(self, timeout_s: float | None) -> Stop | None:
        """See Session.next_stop."""
        async with asyncio.timeout(timeout_s):
            while True:
                if waiting := self._own_waiting:
                    return waiting.popleft()
                if self._is_finished:
                    return None
                if self._all_held and not self.link_lost:
                    self.require(Operation.WAIT_FOR_STOP)
                self._changed.clear()
                await self._changed.wait()

    async def _thread_to_show(self) -> ThreadHandle:
        """The thread that was stopped last, else `main`, else the first with Java frames."""
        threads = await self._services.threads.live(())
        first = [t for t in threads if t == self._last_thread]
        first += [t for t in threads if t.name == "main"]
        for thread in dict.fromkeys([*first, *threads]):
            if await thread.thread.frame_count():
                return thread
        if not threads:
            raise StateError("the VM has no live threads")
        return threads[0]


def _temporary_hit(causes: Iterable[Cause]) -> set[Breakpoint]:
    hit = {cause.breakpoint for cause in causes if isinstance(cause, BreakpointHit)}
    return {breakpoint_ for breakpoint_ in hit if breakpoint_.once}
