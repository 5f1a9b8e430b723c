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
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec

from jvmdebug.errors import (
    ConnectionLost,
    InvalidObjectError,
    InvalidThreadError,
    JvmDebugError,
    StateError,
    ThreadNotAliveError,
    VmDeadError,
    VmError,
)
from jvmdebug.events.stop_set import StopSet
from jvmdebug.jdwp.generated import thread_reference, virtual_machine
from jvmdebug.jdwp.generated.constants import SuspendPolicy
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

    from jvmdebug.events.requests import RequestTable
    from jvmdebug.events.with_resume import SentWithResume
    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

P = ParamSpec("P")

LOGGER = logging.getLogger("jvmdebug.events")


@dataclass(slots=True)
class _Taken:
    """The suspension of a thread that the agent has taken to run a method in it. The agent gives it
    back when the method returns, which may be after the suspension was undone.
    """

    own: StopSet | None
    """The stop that has made the suspension."""
    is_undone: bool = False
    """Whether it was undone meanwhile, which had no effect."""


class Suspensions:
    """The stops of one VM. Most public methods are the Router's; see there."""

    def __init__(self, vm: VirtualMachine, requests: RequestTable) -> None:
        self._vm = vm
        self._requests = requests
        self._stops: list[StopSet] = []
        self.reacting: Thread | None = None
        """The thread of the event set whose reactions run now; set by the router."""
        self._unowned: dict[Thread, _Taken] = {}
        """The suspensions of such event sets that an invocation has taken."""
        self._borrowers = 0
        """The number of invocations that need the other threads to run."""
        self._are_lent = False
        self._lending = asyncio.Lock()
        vm.is_still = lambda: self.nothing_runs

    @property
    def current(self) -> tuple[StopSet, ...]:
        """The current stops, oldest first."""
        return tuple(self._stops)

    def holds(self, thread: Thread) -> bool:
        """Whether a current stop holds this thread."""
        return any(stop.holds(thread) for stop in self._stops)

    def holds_all_but_released(self, thread: Thread | None) -> bool:
        """Whether a stop of all threads is current from which `thread` was not released."""
        return any(
            stop.suspends_all and (thread is None or thread not in stop.released)
            for stop in self._stops
        )

    @property
    def nothing_runs(self) -> bool:
        """Whether a stop of all threads is current from which no thread was resumed."""
        return any(stop.holds_everything for stop in self._stops)

    def begin(self, stop: StopSet) -> StopSet:
        """Make the stop current."""
        self._stops.append(stop)
        taken = self._unowned.get(stop.thread) if stop.thread and stop.occurrences else None
        if taken is not None and stop.thread is not None:
            # A condition was given up, and the method that it has called still runs.
            taken.own = stop
            stop.invoking.add(stop.thread)
        return stop

    def end_all(self) -> None:
        """Note that the VM has ended, so that no stop is current."""
        for stop in self.current:
            self._end(stop)

    async def resume(self, stop: StopSet) -> None:
        """Resume what a stop holds, see Router.resume."""
        if not stop.is_current:
            raise StateError("this stop is over: it was resumed, or the VM has ended")
        self._end(stop)
        if stop.kept is not None:
            # The other threads run already (`others_running`).
            for thread in stop.kept - stop.released - stop.invoking:
                await _tolerant(self._resume, thread)
        elif stop.suspends_all:
            # These threads run already. One more suspension makes the common resume neutral for
            # them. What an invocation gives back at its end is undone then (`suspended_once`).
            running = stop.released | stop.lent | stop.invoking
            await asyncio.gather(*(_tolerant(self._suspend, thread) for thread in running))
            await self.resume_set(stop.suspend_policy, stop.thread)
        elif stop.thread not in stop.released | stop.lent | stop.invoking:
            await self.resume_set(stop.suspend_policy, stop.thread)

    async def resume_thread(self, thread: Thread) -> None:
        """Resume one thread, see Router.resume_thread."""
        for stop in self.current:
            if thread in stop.released or not (stop.suspends_all or stop.thread is thread):
                continue
            is_lent = not stop.holds(thread)
            stop.lent.discard(thread)
            if stop.suspends_all:
                stop.released.add(thread)
            else:
                self._end(stop)
            if not is_lent and thread not in stop.invoking:
                await _tolerant(self._resume, thread)

    async def suspend_all(self) -> StopSet:
        """Suspend all threads, see Router.suspend_all."""
        await self._vm.request(virtual_machine.Suspend())
        return self.begin(StopSet(SuspendPolicy.ALL, None))

    async def suspend_thread(self, thread: Thread) -> StopSet:
        """Suspend one thread, see Router.suspend_thread."""
        await self._suspend(thread)
        return self.begin(StopSet(SuspendPolicy.EVENT_THREAD, thread))

    async def widen(self, stop: StopSet) -> None:
        """Make a stop of one thread hold all threads, as if the event had suspended them.

        It leaves out threads that run a method for the debugger, which waits for the method.
        """
        if stop.suspends_all or stop.thread is None:
            return
        await self._vm.request(virtual_machine.Suspend())
        stop.suspend_policy = SuspendPolicy.ALL
        for thread in self._vm.invocations.threads:
            if thread is not stop.thread:
                stop.released.add(thread)
                await self.undo(SuspendPolicy.EVENT_THREAD, thread.id)
        # The stop's own thread is now held twice, or once if it still runs a method for a
        # condition. In the first case it does not run in between, so its frames stay valid.
        await self.undo(SuspendPolicy.EVENT_THREAD, stop.thread.id)

    async def narrow(self, thread_id: ThreadId) -> None:
        """Hold only this thread of those that an event set with policy ALL has suspended."""
        await self._vm.request(thread_reference.Suspend(thread_id))
        await self.undo(SuspendPolicy.ALL, None)

    @contextlib.asynccontextmanager
    async def others_running(self, thread: Thread) -> AsyncIterator[None]:
        """A context in which other threads run, see Router.others_running. Threads of event sets
        that wait for a stop stay suspended.

        Threads that a stop of all threads has suspended are resumed by one command, not one by one:
        only then do new threads begin to run, and virtual threads that the debugger does not know.
        """
        self._borrowers += 1
        try:
            await _whole(self._settle(thread))
            yield
        finally:
            self._borrowers -= 1
            await _whole(self._settle(thread))

    async def _settle(self, thread: Thread) -> None:
        """Have the other threads run as long as an invocation needs them."""
        async with self._lending:
            if self._borrowers and not self._are_lent:
                self._are_lent = True
                for stop in self.current:
                    await self._lend(stop, thread)
            elif not self._borrowers and self._are_lent:
                self._are_lent = False
                for stop in self.current:
                    await self._take_back(stop)

    async def _lend(self, stop: StopSet, but: Thread) -> None:
        """Resume the threads that the stop holds, except `but` and threads that run a method."""
        invoking = {*self._vm.invocations.threads, *stop.invoking, but}
        if not stop.suspends_all:
            if stop.thread is not None and stop.thread not in invoking and stop.holds(stop.thread):
                stop.kept = frozenset()
                await _tolerant(self._resume, stop.thread)
            return
        stop.kept = frozenset(each for each in invoking if stop.holds(each))
        # This is neutral for these threads, even if their methods return just now.
        unchanged = stop.released | stop.lent | stop.kept
        await asyncio.gather(*(_tolerant(self._suspend, each) for each in unchanged))
        held = {each.thread for each in self._stops if each.thread and each.holds(each.thread)}
        if self.reacting is not None:
            held.add(self.reacting)
        self._vm.invalidate_suspended_state(but=held | stop.kept)
        await self.undo(SuspendPolicy.ALL, None)

    async def _take_back(self, stop: StopSet) -> None:
        """Suspend the threads again that `_lend` has resumed."""
        kept, stop.kept = stop.kept, None
        if kept is None:
            return
        if not stop.suspends_all:
            if stop.thread is not None:
                await _tolerant(self._suspend, stop.thread)
            return
        # Threads whose invocations began on what another stop holds, as in `widen`.
        new = {*self._vm.invocations.threads} - kept - stop.lent
        stop.released |= new
        unchanged = stop.released | stop.lent | kept
        await _tolerant(self._vm.request, virtual_machine.Suspend())
        for each in unchanged:
            await self.undo(SuspendPolicy.EVENT_THREAD, each.id)

    @contextlib.asynccontextmanager
    async def suspended_once(self, thread: Thread) -> AsyncIterator[None]:
        """A context in which only one of the current stops holds `thread`.

        For a method that it runs for the debugger: an invocation takes one suspension, and gives it
        back at the end. If the stop was resumed meanwhile, that one is undone then.
        """
        holding = [stop for stop in self._stops if stop.holds(thread)]
        taken, lent = self._take(thread, next(iter(holding), None)), holding[1:]
        try:
            for stop in lent:
                stop.lent.add(thread)
                await self.undo(SuspendPolicy.EVENT_THREAD, thread.id)
            yield
        finally:
            await self._give_back(thread, taken)
            for stop in lent:
                if stop.is_current and thread in stop.lent:
                    stop.lent.discard(thread)
                    if stop.kept is not None:
                        stop.kept |= {thread}
                    await _tolerant(self._suspend, thread)

    def _take(self, thread: Thread, own: StopSet | None) -> _Taken:
        """Note that the agent takes the suspension that `own` has made, or else the event set whose
        reactions run.
        """
        if own is not None and thread in own.invoking:
            return _Taken(None)  # the agent refuses a second invocation
        taken = _Taken(own)
        if own is not None:
            own.invoking.add(thread)
        elif thread is self.reacting:
            self._unowned[thread] = taken
        return taken

    async def _give_back(self, thread: Thread, taken: _Taken) -> None:
        """Note that the agent has given the suspension back, and undo it if that was wanted
        meanwhile.
        """
        if self._unowned.get(thread) is taken:
            del self._unowned[thread]
        if (own := taken.own) is not None:
            own.invoking.discard(thread)
            taken.is_undone = not own.is_current or thread in own.released
        if taken.is_undone:
            await _tolerant(self._resume, thread)

    @contextlib.asynccontextmanager
    async def all_suspended(
        self, resume: Callable[[StopSet], Awaitable[None]]
    ) -> AsyncIterator[None]:
        """A context in which all threads are suspended, see `Router.all_suspended`."""
        if self.nothing_runs:
            yield
            return
        stop = await self.suspend_all()
        try:
            yield
        finally:
            if stop.is_current:  # else the VM has ended
                await resume(stop)

    async def resume_unclaimed(self, policy: SuspendPolicy, thread: Thread | None) -> None:
        """Undo the suspensions of an event set of `thread` for which no reaction has stopped."""
        if thread in self._unowned:
            self._unowned[thread].is_undone = True
        await self.resume_set(policy, thread)

    async def resume_set(self, policy: SuspendPolicy, thread: Thread | None) -> None:
        """Undo the suspensions of an event set of `thread`, and invalidate what is cached of
        resumed threads.
        """
        if policy is SuspendPolicy.ALL and not any(stop.suspends_all for stop in self._stops):
            held = {stop.thread for stop in self._stops if stop.thread is not None}
            if self.reacting is not None:
                held.add(self.reacting)
            self._vm.invalidate_suspended_state(but=held)
        elif policy is not SuspendPolicy.NONE and thread is not None:
            is_held = self.holds(thread) or thread is self.reacting
            if not is_held:
                thread.invalidate()
        await self.undo(policy, None if thread is None else thread.id)

    async def undo(self, policy: SuspendPolicy, thread_id: ThreadId | None) -> None:
        """Undo exactly the suspensions that a set with this policy has made."""
        if policy is SuspendPolicy.ALL:
            await _tolerant(self._send_resume, None)
        elif policy is SuspendPolicy.EVENT_THREAD and thread_id is not None:
            await _tolerant(self._send_resume, thread_id)

    async def _suspend(self, thread: Thread) -> None:
        await self._vm.request(thread_reference.Suspend(thread.id))

    async def _resume(self, thread: Thread) -> None:
        thread.invalidate()
        await self._send_resume(thread.id)

    async def _send_resume(self, thread: ThreadId | None) -> None:
        """Resume a thread, or all, with the requests that were to be made and cleared with it."""
        sent = self._requests.take_with_resume()
        if sent is None:
            await self._vm.request(_resuming(thread))
        else:  # whole: nobody would know the numbers of the requests
            await _whole(self._send_with(sent, thread))

    async def _send_with(self, sent: SentWithResume, thread: ThreadId | None) -> None:
        """Resume all the same if a request is refused, and raise the reason."""
        if not self._vm.agent_can(AgentCapability.RESUME_WITH):
            making = [asyncio.ensure_future(self._vm.request(each)) for each in sent.commands()]
            resuming = asyncio.ensure_future(self._vm.request(_resuming(thread)))
            await asyncio.wait([*making, resuming])
            failure = resuming.exception()
            sent.made_one_by_one(making)
            if failure is not None:
                raise failure
            return
        try:
            sent.made(await self._vm.request(sent.command(thread)))
        except JvmDebugError as error:
            sent.failed(error)
            if isinstance(error, VmError):  # the agent has resumed nothing
                await self._vm.request(_resuming(thread))
            raise

    def _end(self, stop: StopSet) -> None:
        stop.is_current = False
        if stop in self._stops:
            self._stops.remove(stop)


def _resuming(thread: ThreadId | None) -> Command[None]:
    return virtual_machine.Resume() if thread is None else thread_reference.Resume(thread)


async def _whole(work: Coroutine[object, object, None]) -> None:
    """Do all of it, even if the caller is cancelled meanwhile, because suspensions must stay
    balanced.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


async def _tolerant(
    ask: Callable[P, Awaitable[object]], /, *arguments: P.args, **named: P.kwargs
) -> None:
    """Send a command to a thread. One that has ended, with the VM or alone, has nothing left to
    resume.
    """
    try:
        await ask(*arguments, **named)
    except (
        InvalidThreadError,
        InvalidObjectError,
        ThreadNotAliveError,
        VmDeadError,
        ConnectionLost,
    ) as error:
        LOGGER.debug("nothing left to resume: %s", error)
