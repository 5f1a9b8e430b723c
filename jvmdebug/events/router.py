# SPDX-License-Identifier: Apache-2.0
"""The router: the only module that decides whether the debuggee resumes.

Takes event sets in the order of their arrival: it calls all reactions to a set in order, then makes
one decision. If any answers with a cause, the set becomes a StopSet with the causes of all and goes
to the stop sink, widened to all threads if a cause wants that; else what the set suspended is
resumed. A reaction may send any command, invocations too, but must not wait for another event.
One that fails is reported and counts as RESUME, so no bug leaves the VM suspended.

Processed out of order, to avoid a deadlock (see `_arrived`): an event set of a thread that
runs a method for the debugger is resumed at once and counted as skipped, and while any such
invocation runs, a set that suspends all threads is narrowed to its own thread. Starts and ends of
many threads are handled together, beside the queue (`thread_events`).

While a StopSet that suspends all is current, other stops wait, except those of threads that were
resumed alone. Sets that only inform (class prepare, thread start …) never wait for a stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, TypeVar

from jvmdebug.errors import (
    ConnectionLost,
    JvmDebugError,
    StateError,
    ThreadNotSuspendedError,
    VmDeadError,
    VmError,
)
from jvmdebug.events.occurrences import (
    BreakpointOccurrence,
    ClassUnloadOccurrence,
    DisconnectOccurrence,
    Occurrence,
    StepOccurrence,
)
from jvmdebug.events.reading import from_wire, is_quiet, thread_of
from jvmdebug.events.requests import RequestHandle, RequestTable
from jvmdebug.events.stop_set import StopSet
from jvmdebug.events.suspensions import Suspensions
from jvmdebug.events.thread_events import ThreadEvents, only_informs_of_threads
from jvmdebug.events.verdicts import RESUME, Cause, Reaction, StopFor, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.jdwp.generated.event import Composite
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

LOGGER = logging.getLogger("jvmdebug.events")

_ENDING_S = 2.0
"""How long the end of a VM may take to arrive after its threads were resumed for it."""

OccurrenceT = TypeVar("OccurrenceT", bound=Occurrence)


def _log_error(error: Exception, attempt: str) -> None:
    LOGGER.error("%s failed", attempt, exc_info=error)


class Router:
    """The event sets of one VM. Call `start` once; `close` at the end."""

    def __init__(self, vm: VirtualMachine) -> None:
        self.vm = vm
        self._requests = RequestTable(vm)
        self._subscribers: dict[type[Occurrence], list[Reaction]] = {}
        self._suspensions = Suspensions(vm, self._requests)
        vm.invocations.use_suspensions(self._invoking)
        self.skipped: Counter[tuple[EventKind, RequestId]] = Counter()
        """How often events of each request occurred inside an invocation on their own thread."""
        self._queue: deque[Composite] = deque()
        self.thread_events = ThreadEvents()
        """The starts and ends of threads when there are many."""
        self._wake = asyncio.Event()
        self._is_disconnected = False
        self._main: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop_sink: Callable[[StopSet], Awaitable[None]] | None = None

    # Sinks and subscribers

    def set_stop_sink(self, sink: Callable[[StopSet], Awaitable[None]] | None) -> None:
        """Receives each StopSet, and must not wait for another: sets are processed one by one."""
        self._stop_sink = sink

    def subscribe(
        self,
        occurrence_class: type[OccurrenceT],
        reaction: Callable[[OccurrenceT], Awaitable[Verdict]],
    ) -> Callable[[], None]:
        """Reacts to every occurrence of exactly this class, of any request; call to end.

        Subscribers come after the request's own reaction. VmStart, VmDeath and Disconnect arrive
        without a request; DisconnectOccurrence is the last of all.
        """
        reactions = self._subscribers.setdefault(occurrence_class, [])
        reactions.append(reaction)

        def unsubscribe() -> None:
            if reaction in reactions:
                reactions.remove(reaction)

        return unsubscribe

    async def arm(
        self,
        kind: EventKind,
        modifiers: Sequence[Modifier],
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
    ) -> RequestHandle:
        """Makes an event request; `reaction` gets each event as the kind's occurrence class.

        Raises the VmError of the agent (InvalidLocationError, …). No event of it is missed, and the
        request is cleared when the caller is cancelled.
        """
        return await self._requests.arm(kind, modifiers, suspend_policy, reaction)

    async def arm_with_resume(
        self,
        kind: EventKind,
        modifiers: Sequence[Modifier],
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
        refused: Callable[[JvmDebugError], None] | None = None,
    ) -> RequestHandle:
        """Makes an event request with the next resume, in one command with it if the agent can do
        that, else right before it, without waiting for the reply. The handle has no number until
        then.

        `refused` is called if the agent refuses it. Without it the resume raises the reason, after
        the threads were resumed.
        """
        return await self._requests.arm_with_resume(
            kind, modifiers, suspend_policy, reaction, refused
        )

    # Life

    def start(self) -> None:
        """Begin to process event sets, including those that have arrived before."""
        if self._main is not None:
            raise StateError("the router was started already")
        self._main = asyncio.create_task(self._run(), name="event router")
        self.spawn(self._watch_connection(), "watching the connection")
        self.spawn(self._watch_unloads(), "watching for unloaded types")
        self.vm.connection.set_event_sink(self._arrived)

    async def wait_ended(self) -> None:
        """Waits until the connection has ended and all sets have been processed."""
        if self._main is not None:
            await asyncio.wait({self._main})

    async def close(self) -> None:
        """Ends all tasks. Suspended threads stay suspended unless the VM is disposed of."""
        self.vm.connection.set_event_sink(_ignore)
        main = [self._main] if self._main is not None else []
        tasks = [task for task in (*main, *self._tasks) if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._requests.close()
        self._suspensions.end_all()

    # Suspending and resuming, see `suspensions`

    @property
    def current_stops(self) -> tuple[StopSet, ...]:
        """The stops that hold threads now, oldest first."""
        return self._suspensions.current

    async def resume(self, stop: StopSet) -> None:
        """Resume what `stop` holds, except threads that another current stop holds.

        Raises StateError if it is not current any more.
        """
        try:
            await self._suspensions.resume(stop)
        finally:
            self._wake.set()

    async def resume_thread(self, thread: Thread) -> None:
        """Resume one thread from all stops that hold it; the others stay suspended."""
        try:
            await self._suspensions.resume_thread(thread)
        finally:
            self._wake.set()

    def went_on(self) -> None:
        """All threads run, as the agent has resumed them: no stop is current."""
        self._suspensions.end_all()
        self.vm.invalidate_suspended_state()
        self._wake.set()

    async def suspend_all(self) -> StopSet:
        """Suspends all threads."""
        return await self._suspensions.suspend_all()

    async def suspend_thread(self, thread: Thread) -> StopSet:
        """Suspends one thread."""
        return await self._suspensions.suspend_thread(thread)

    def all_suspended(self) -> AbstractAsyncContextManager[None]:
        """A context in which all threads are suspended; afterwards those that ran before are
        resumed.
        """
        return self._suspensions.all_suspended(self.resume)

    def others_running(self, thread: Thread) -> AbstractAsyncContextManager[None]:
        """A context in which all threads but this one run; then current stops hold theirs again.

        For a method that `thread` runs for the debugger and that waits for another thread.
        """
        return self._suspensions.others_running(thread)

    # Arrival

    def _arrived(self, event_set: Composite) -> None:
        """Take a set from the connection: queue it, or process it at once if an invocation would
        otherwise wait for ever.
        """
        invocations = self.vm.invocations
        if invocations.any_running:
            thread_id = thread_of(event_set)
            if is_quiet(event_set):
                self.spawn(self._process(event_set, may_stop=False), "informing set")
                return
            if thread_id is not None and invocations.is_invoking(thread_id):
                self.spawn(self._skip(event_set, thread_id), "skipped set")
                return
            if event_set.suspend_policy is SuspendPolicy.ALL and thread_id is not None:
                self.spawn(self._narrow(event_set, thread_id), "narrowed set")
                return
        if not invocations.any_running and self.thread_events.take(event_set, self._queue):
            if self.thread_events.is_to_run:
                self.spawn(self._tell_threads(), "thread events")
            return
        self._queue.append(event_set)
        self._wake.set()

    async def _tell_threads(self) -> None:
        try:
            await self.thread_events.run()
        except Exception as error:  # noqa: BLE001 - the end of the VM is to be told all the same
            self._report(error, "telling of threads")

    @contextlib.asynccontextmanager
    async def _invoking(self, thread: Thread) -> AsyncIterator[None]:
        """A context in which no set that waits for its end holds `thread`, nor a class that the
        invocation may need.
        """
        for event_set in list(self._queue):
            if event_set.suspend_policy is SuspendPolicy.ALL or is_quiet(event_set):
                self._queue.remove(event_set)
                self._arrived(event_set)
        async with self._suspensions.suspended_once(thread):
            yield

    async def _skip(self, event_set: Composite, thread_id: ThreadId) -> None:
        self._count_skipped(event_set)
        await self._suspensions.undo(event_set.suspend_policy, thread_id)

    def _count_skipped(self, event_set: Composite) -> None:
        self.skipped.update(
            (EventKind(each.KIND), RequestId(each.request_id)) for each in event_set.events
        )

    async def _narrow(self, event_set: Composite, thread_id: ThreadId) -> None:
        """Have the set hold its own thread only, because the invoking thread, which it holds too,
        must run.
        """
        await self._suspensions.narrow(thread_id)
        narrowed = type(event_set)(SuspendPolicy.EVENT_THREAD, event_set.events)
        self._queue.append(narrowed)
        self._wake.set()

    # One set after the other

    async def _run(self) -> None:
        while True:
            event_set = self._next()
            if event_set is not None:
                await self._handle(event_set)
            elif self._is_disconnected:
                break
            else:
                self._wake.clear()
                await self._wake.wait()
        self._suspensions.end_all()
        await self._tell_threads()
        await self._react(DisconnectOccurrence(error=await self.vm.connection.wait_closed()))

    def _next(self) -> Composite | None:
        """The first set in the queue that does not have to wait for a current stop."""
        for event_set in self._queue:
            if self._is_disconnected and not is_quiet(event_set):
                continue
            if is_quiet(event_set) or not self._must_wait(event_set):
                self._queue.remove(event_set)
                return event_set
        return None

    def _must_wait(self, event_set: Composite) -> bool:
        thread_id = thread_of(event_set)
        thread = None if thread_id is None else self.vm.thread(thread_id)
        return self._suspensions.holds_all_but_released(thread)

    async def _process(self, event_set: Composite, *, may_stop: bool) -> None:
        """Call all reactions to one set, and make the decision."""
        policy = event_set.suspend_policy
        thread_id = thread_of(event_set)
        thread = None if thread_id is None else self.vm.thread(thread_id)
        is_delivered = False
        self._suspensions.reacting = thread if may_stop else self._suspensions.reacting
        try:
            if may_stop and thread is not None and not self._suspensions.holds(thread):
                thread.invalidate()  # it ran until now
            if any(
                each.request_id
                and not self._requests.find(EventKind(each.KIND), RequestId(each.request_id))
                for each in event_set.events
            ):
                await self._requests.settle()
            occurrences, causes = await self._reactions(event_set, may_stop=may_stop)
            if causes and not may_stop:
                self._count_skipped(event_set)
            elif causes and self._stop_sink is not None:
                stop = StopSet(policy, thread, occurrences, causes)
                is_delivered = await self._deliver(stop, self._stop_sink)
            elif causes:
                _log_error(
                    StateError("a reaction asked to stop, but there is no stop sink"),
                    f"stopping for {causes}",
                )
        finally:
            if may_stop:
                self._suspensions.reacting = None
            if is_delivered or self._is_disconnected:
                pass
            elif may_stop:
                await self._suspensions.resume_unclaimed(policy, thread)
            else:  # inside an invocation: the frames of a stop that goes on stay valid
                await self._suspensions.undo(policy, thread_id)

    async def _reactions(
        self, event_set: Composite, *, may_stop: bool
    ) -> tuple[tuple[Occurrence, ...], tuple[Cause, ...]]:
        knows_frame = may_stop and event_set.suspend_policy is not SuspendPolicy.NONE
        occurrences: list[Occurrence] = []
        for event in event_set.events:
            try:
                occurrence = await from_wire(self.vm, event, event_set.suspend_policy)
            except JvmDebugError as error:
                self._report(error, f"reading {event}")
                continue
            if isinstance(occurrence, ClassUnloadOccurrence):
                self.vm.forget_types(occurrence.signature)
            if knows_frame and isinstance(occurrence, BreakpointOccurrence | StepOccurrence):
                occurrence.thread.stopped_at(occurrence.location)
            occurrences.append(occurrence)
        causes = [cause for each in occurrences for cause in await self._react(each)]
        return tuple(occurrences), tuple(causes)

    async def _react(self, occurrence: Occurrence) -> list[Cause]:
        """Call all reactions to an occurrence. Returns their causes in the same order."""
        causes: list[Cause] = []
        handle = self._requests.find(occurrence.KIND, occurrence.request_id)
        reactions = [handle.reaction] if handle is not None else []
        for reaction in reactions + self._subscribers.get(type(occurrence), []):
            try:
                verdict = await reaction(occurrence)
            except Exception as error:  # noqa: BLE001 - a reaction's bug must not hold the VM
                self._report(error, f"reacting to {occurrence}")
                continue
            if isinstance(verdict, StopFor):
                causes.append(verdict.cause)
        return causes

    async def _deliver(self, stop: StopSet, sink: Callable[[StopSet], Awaitable[None]]) -> bool:
        if stop.is_current:
            self._suspensions.begin(stop)
        try:
            if stop.is_current and any(cause.suspends_all for cause in stop.causes):
                await self._suspensions.widen(stop)
            await sink(stop)
        except Exception as error:  # noqa: BLE001 - a sink's bug must not hold the VM
            self._report(error, f"delivering {stop}")
            if stop.is_current:
                await self.resume(stop)
        return True

    # Tasks and failures

    async def _watch_unloads(self) -> None:
        """Subscribe to unloaded types, so that the agent reports them; the model drops them (see
        `_reactions`).
        """
        await self.arm(EventKind.CLASS_UNLOAD, (), SuspendPolicy.NONE, _no_stop)

    async def _watch_connection(self) -> None:
        await self.vm.connection.wait_closed()
        self._is_disconnected = True
        self._suspensions.end_all()
        self._wake.set()

    def spawn(self, work: Coroutine[Any, Any, None], attempt: str) -> asyncio.Task[None]:
        """Begin a task that ends with the router, and whose error is logged with this name."""
        # The task runs `work` itself: a wrapper that is cancelled before it starts would leave it
        # not awaited.
        task = asyncio.create_task(work, name=attempt)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def _handle(self, event_set: Composite) -> None:
        is_of_threads = only_informs_of_threads(event_set)
        try:
            async with self.thread_events.order if is_of_threads else contextlib.nullcontext():
                await self._process(event_set, may_stop=True)
        except Exception as error:  # noqa: BLE001 - the next event set is handled all the same
            self._report(error, "handling an event set")

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._report(error, task.get_name())

    def _report(self, error: Exception, attempt: str) -> None:
        has_lost = isinstance(error, ConnectionLost) and not self.vm.connection.is_open
        has_left = self.vm.is_disposed and isinstance(error, VmError)
        if has_lost or has_left or isinstance(error, VmDeadError):
            LOGGER.debug("%s ended with the program or the connection", attempt)
        elif isinstance(error, ThreadNotSuspendedError):
            self.spawn(self._report_unless_ending(error, attempt), "reporting an error")
        else:
            _log_error(error, attempt)

    async def _report_unless_ending(self, error: Exception, attempt: str) -> None:
        """Report it unless the VM ends: that resumes all threads before it is told."""
        try:
            async with asyncio.timeout(_ENDING_S):
                await self.vm.connection.wait_closed()
        except TimeoutError:
            _log_error(error, attempt)


async def _no_stop(_: Occurrence) -> Verdict:
    return RESUME


def _ignore(event_set: Composite) -> None:
    """Drops event sets, after the end."""
