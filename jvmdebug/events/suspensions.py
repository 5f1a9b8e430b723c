# SPDX-License-Identifier: Apache-2.0
"""Suspending and resuming threads, and undoing suspensions exactly as they were made.

JDWP counts suspensions for each thread: a set with policy ALL adds one everywhere, and one resume
takes one away everywhere. Owns the current StopSets and this arithmetic, and is the only module
that sends Suspend and Resume (a house test checks). The router decides; this carries it out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from jvmdebug.errors import (
    ConnectionLost,
    InvalidObjectError,
    InvalidThreadError,
    StateError,
    ThreadNotAliveError,
    VmDeadError,
)
from jvmdebug.events.stop_set import StopSet
from jvmdebug.jdwp.generated import thread_reference, virtual_machine
from jvmdebug.jdwp.generated.constants import SuspendPolicy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

LOGGER = logging.getLogger("jvmdebug.events")


class Suspensions:
    """The stops of one VM. Most public methods are the Router's; see there."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._stops: list[StopSet] = []
        self.reacting: Thread | None = None
        """Held by an event set whose reactions run; the router sets it."""
        vm.is_still = lambda: self.nothing_runs

    @property
    def current(self) -> tuple[StopSet, ...]:
        """Current stops, oldest first."""
        return tuple(self._stops)

    def holds(self, thread: Thread) -> bool:
        """Whether a current stop holds this thread."""
        return any(stop.holds(thread) for stop in self._stops)

    def holds_all_but_released(self, thread: Thread | None) -> bool:
        """Whether a stop of all threads is current that `thread` was not released from."""
        return any(
            stop.suspends_all and (thread is None or thread not in stop.released)
            for stop in self._stops
        )

    @property
    def nothing_runs(self) -> bool:
        """Whether a stop of all threads is current that no thread was resumed from."""
        return any(
            stop.suspends_all and not stop.released and not stop.lent for stop in self._stops
        )

    def begin(self, stop: StopSet) -> StopSet:
        """The stop is current from now on."""
        self._stops.append(stop)
        return stop

    def end_all(self) -> None:
        """The VM has ended: no stop is current."""
        for stop in self.current:
            self._end(stop)

    async def resume(self, stop: StopSet) -> None:
        """See Router.resume."""
        if not stop.is_current:
            raise StateError("this stop is over: it was resumed, or the VM has ended")
        self._end(stop)
        running = stop.released | stop.lent
        if stop.suspends_all:
            # They run already: one more suspension makes the common resume neutral for them.
            await asyncio.gather(*(_tolerant(self._suspend(thread)) for thread in running))
        elif stop.thread in running:
            return
        await self.resume_set(stop.suspend_policy, stop.thread)

    async def resume_thread(self, thread: Thread) -> None:
        """See Router.resume_thread."""
        for stop in self.current:
            is_lent = thread in stop.lent
            if not (stop.holds(thread) or is_lent):
                continue
            stop.lent.discard(thread)
            if stop.suspends_all:
                stop.released.add(thread)
            else:
                self._end(stop)
            if not is_lent:
                await _tolerant(self._resume(thread))

    async def suspend_all(self) -> StopSet:
        """See Router.suspend_all."""
        await self._vm.request(virtual_machine.Suspend())
        return self.begin(StopSet(SuspendPolicy.ALL, None))

    async def suspend_thread(self, thread: Thread) -> StopSet:
        """See Router.suspend_thread."""
        await self._suspend(thread)
        return self.begin(StopSet(SuspendPolicy.EVENT_THREAD, thread))

    async def widen(self, stop: StopSet) -> None:
        """Make a stop of one thread hold all threads, as if the event had suspended them.

        Except those that run a method for the debugger, which waits for it.
        """
        if stop.suspends_all or stop.thread is None:
            return
        await self._vm.request(virtual_machine.Suspend())
        stop.suspend_policy = SuspendPolicy.ALL
        for thread in self._vm.invocations.threads:
            stop.released.add(thread)
            await self.undo(SuspendPolicy.EVENT_THREAD, thread.id)
        # Its own thread is now held twice. It does not run in between, so its frames stay valid.
        await self.undo(SuspendPolicy.EVENT_THREAD, stop.thread.id)

    async def narrow(self, thread_id: ThreadId) -> None:
        """Of what an event set with policy ALL has suspended, keep only this thread."""
        await self._vm.request(thread_reference.Suspend(thread_id))
        await self.undo(SuspendPolicy.ALL, None)

    @contextlib.asynccontextmanager
    async def others_running(self, thread: Thread) -> AsyncIterator[None]:
        """See Router.others_running. Threads of event sets that wait for a stop stay suspended."""
        lent: list[tuple[StopSet, Thread]] = []
        try:
            for other in await self._vm.all_threads():
                for stop in self.current:
                    if other is not thread and stop.holds(other):
                        stop.lent.add(other)
                        lent.append((stop, other))
                        await _tolerant(self._resume(other))
            yield
        finally:
            for stop, other in lent:
                if stop.is_current and other in stop.lent:
                    stop.lent.discard(other)
                    await _tolerant(self._suspend(other))

    @contextlib.asynccontextmanager
    async def suspended_once(self, thread: Thread) -> AsyncIterator[None]:
        """Inside, only one of the current stops holds `thread`.

        For a method that it runs for the debugger: an invocation takes back one suspension.
        """
        lent = [stop for stop in self._stops if stop.holds(thread)][1:]
        try:
            for stop in lent:
                stop.lent.add(thread)
                await self.undo(SuspendPolicy.EVENT_THREAD, thread.id)
            yield
        finally:
            for stop in lent:
                if stop.is_current and thread in stop.lent:
                    stop.lent.discard(thread)
                    await _tolerant(self._suspend(thread))

    @contextlib.asynccontextmanager
    async def all_suspended(
        self, resume: Callable[[StopSet], Awaitable[None]]
    ) -> AsyncIterator[None]:
        """See `Router.all_suspended`."""
        if self.nothing_runs:
            yield
            return
        stop = await self.suspend_all()
        try:
            yield
        finally:
            if stop.is_current:  # else the VM has ended
                await resume(stop)

    async def resume_set(self, policy: SuspendPolicy, thread: Thread | None) -> None:
        """Undoes the suspensions of an event set of `thread`, and invalidates what is cached of
        resumed threads.
        """
        if policy is SuspendPolicy.ALL and not any(stop.suspends_all for stop in self._stops):
            held = {stop.thread for stop in self._stops if stop.thread is not None}
            if self.reacting is not None:
                held.add(self.reacting)
            self._vm.invalidate_suspended_state(but=held)
        elif policy is not SuspendPolicy.NONE and thread is not None and not self.holds(thread):
            thread.invalidate()
        await self.undo(policy, None if thread is None else thread.id)

    async def undo(self, policy: SuspendPolicy, thread_id: ThreadId | None) -> None:
        """Undoes exactly the suspensions that a set with this policy has made."""
        if policy is SuspendPolicy.ALL:
            await _tolerant(self._vm.request(virtual_machine.Resume()))
        elif policy is SuspendPolicy.EVENT_THREAD and thread_id is not None:
            await _tolerant(self._vm.request(thread_reference.Resume(thread_id)))

    async def _suspend(self, thread: Thread) -> None:
        await self._vm.request(thread_reference.Suspend(thread.id))

    async def _resume(self, thread: Thread) -> None:
        thread.invalidate()
        await self._vm.request(thread_reference.Resume(thread.id))

    def _end(self, stop: StopSet) -> None:
        stop.is_current = False
        if stop in self._stops:
            self._stops.remove(stop)


async def _tolerant(work: Awaitable[object]) -> None:
    """A thread or VM that has ended has nothing left to resume."""
    try:
        await work
    except (
        InvalidThreadError,
        InvalidObjectError,
        ThreadNotAliveError,
        VmDeadError,
        ConnectionLost,
    ) as error:
        LOGGER.debug("nothing left to resume: %s", error)
