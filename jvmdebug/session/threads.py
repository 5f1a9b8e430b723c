# SPDX-License-Identifier: Apache-2.0
"""The threads of a session: a handle for each, which ones live, how one is made to end.

Owns the handles, the thread start and death requests, and where the exception comes from that ends
a thread: java.lang.ThreadDeath, as Thread.stop threw it. Suspending and resuming is the stop
registry's. Called by the session, its stops and, through `ThreadHandle`, by users.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.errors import (
    InvalidObjectError,
    InvalidThreadError,
    JvmDebugError,
    StateError,
    ThreadNotAliveError,
    ThreadNotSuspendedError,
    UnsupportedError,
    VmDeadError,
    WireError,
)
from jvmdebug.events import RESUME, ThreadDeathOccurrence, ThreadStartOccurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy, ThreadStatus
from jvmdebug.jdwp.generated.events import PlatformThreadsOnlyModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.thread import threads_with_names
from jvmdebug.model.values import ObjectReference
from jvmdebug.observing import is_of_vm
from jvmdebug.printable import one_line
from jvmdebug.session.events import ThreadEnded, ThreadStarted
from jvmdebug.session.state import Operation
from jvmdebug.together import both, in_parts, together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

    from jvmdebug.events import RequestHandle, Router, ThreadEvent
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stop_registry import StopRegistry

_GONE = (InvalidThreadError, InvalidObjectError, ThreadNotAliveError, VmDeadError)
_FIRST_WITH_VIRTUAL_THREADS: Final = 21
_THREAD_DEATH: Final = "Ljava/lang/ThreadDeath;"
_DEADLINE_S: Final = 5.0
_AT_ONCE: Final = 500
"""How many threads are asked for their names at once."""
_FEW: Final = 16
"""The most threads of which each is asked its name when several were started."""
_STATUS_TEXTS = {
    ThreadStatus.ZOMBIE: "zombie",
    ThreadStatus.RUNNING: "running",
    ThreadStatus.SLEEPING: "sleeping",
    ThreadStatus.MONITOR: "monitor",
    ThreadStatus.WAIT: "waiting",
}


class ThreadHandle:
    """A thread of the debuggee, as long as it lives. Equal and hashable by id."""

    __slots__ = ("_lock", "_threads", "name", "thread")

    def __init__(self, threads: Threads, thread: Thread, name: str = "") -> None:
        self._threads = threads
        self.thread = thread
        """The thread as the model has it."""
        self.name = one_line(name)
        """The name when it was last read."""
        self._lock: asyncio.Lock | None = None

    @property
    def lock(self) -> asyncio.Lock:
        """Held while its frames are read or code runs in it: the two exclude each other."""
        if self._lock is None:
            self._lock = asyncio.Lock()
        return self._lock

    @property
    def id(self) -> int:
        """The VM's id of the thread; positive, stable for the thread's life."""
        return self.thread.id

    @property
    def stop(self) -> Stop | None:
        """The newest current stop that holds this thread, None while it runs."""
        return self._threads.stops.stop_of(self)

    @property
    def runs_evaluation(self) -> bool:
        """Whether it still runs an evaluation that was given up and could not be stopped."""
        return evaluator.left_running(self.thread)

    @property
    def is_of_vm(self) -> bool:
        """Whether its name is that of a thread which the VM starts for itself: `Finalizer`."""
        return is_of_vm(self.name)

    async def frames(self, start: int = 0, count: int | None = None) -> list[FrameHandle]:
        """Frames from depth `start`; the thread must be held by a stop (else StateError)."""
        return await self._require_stop().frames(start, count, thread=self)

    async def frame_count(self) -> int:
        """How deep the stack is; the thread must be held by a stop (else StateError)."""
        return await self._require_stop().frame_count(thread=self)

    async def status(self) -> str:
        """One of: running, sleeping, monitor, waiting, zombie, unknown."""
        state = await self.thread.status()
        return _STATUS_TEXTS.get(state.status, "unknown")

    async def group_name(self) -> str | None:
        """The name of the thread group; None for a thread that has ended."""
        group = await self.thread.group()
        return None if group is None else await group.name()

    async def is_virtual(self) -> bool:
        """Whether this is a virtual thread (JDK 21 and later)."""
        return await self.thread.is_virtual()

    @contextlib.asynccontextmanager
    async def telling_its_end(self) -> AsyncIterator[None]:
        """Have what fails inside, since the thread has ended, raise StateError that says so."""
        try:
            yield
        except (
            InvalidThreadError,
            InvalidObjectError,
            ThreadNotAliveError,
            ThreadNotSuspendedError,
        ) as error:
            if await self._has_ended():
                raise StateError(f"thread {self.name!r} has ended") from error
            raise

    async def _has_ended(self) -> bool:
        try:
            return (await self.thread.status()).status == ThreadStatus.ZOMBIE
        except (InvalidThreadError, InvalidObjectError):
            return True

    async def suspend(self) -> Stop:
        """Suspend this thread alone; the stop has reason PAUSE. StateError if it has ended."""
        if self.stop is not None and await self._has_ended():
            raise StateError(f"thread {self.name!r} has ended")
        async with self.telling_its_end():
            return await self._threads.stops.suspend_thread(self)

    async def resume(self) -> None:
        """Let this thread run although others may stay suspended."""
        await self._threads.stops.resume_thread(self)

    async def interrupt(self) -> None:
        """Interrupt the thread, as `Thread.interrupt()` does."""
        async with self.telling_its_end():
            await self.thread.interrupt()

    async def terminate(self) -> None:
        """End this thread: it throws java.lang.ThreadDeath, once resumed if it is stopped.

        Its `finally` blocks run and may keep it alive. With the JDK's agent some thread must be
        stopped at a breakpoint or step (StateError). VmError for what the VM refuses, as most
        virtual threads.
        """
        async with self.telling_its_end():
            await self._threads.end(self)

    async def refresh_name(self) -> str:
        """Ask for the name; a thread without one is called `VirtualThread[#29]`, `Thread[#29]`."""
        self.name = await self.thread.name()
        return self.name

    def _require_stop(self) -> Stop:
        stop = self.stop
        if stop is None:
            raise StateError(f"thread {self.name!r} is running; suspend it first")
        return stop

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ThreadHandle) and other.thread is self.thread

    def __hash__(self) -> int:
        return hash(self.thread.id)

    def __repr__(self) -> str:
        return f"ThreadHandle({self.id}, {self.name!r})"


class Threads:
    """All thread handles of a session."""

    def __init__(self, router: Router, stops: StopRegistry, feed: EventFeed) -> None:
        self.stops = stops
        """Suspends and resumes them."""
        self._router = router
        self._feed = feed
        self._handles: dict[Thread, ThreadHandle] = {}
        self._requests: tuple[RequestHandle, ...] = ()
        self._changing = asyncio.Lock()
        self._last_started: Thread | None = None
        self._last_ended: Thread | None = None
        self._thrown: set[ObjectReference] = set()

    async def watch(self) -> None:
        """Have starts and deaths reported, of virtual threads if the feed's subscribers want it."""
        self._router.thread_events.set_sink(self._tell_many)
        async with self._changing:
            await self._arm()

    async def report_virtual(self, *, on: bool) -> None:
        """See Session.report_virtual_threads."""
        async with self._changing:
            changes = self._feed.has_virtual_threads is not on
            self._feed.has_virtual_threads = on
            if not changes or not self._has_virtual_threads:
                return
            replaced = self._requests
            await self._arm()
            await asyncio.gather(*(each.clear() for each in replaced))

    @property
    def _has_virtual_threads(self) -> bool:
        return self._router.vm.version.feature_release >= _FIRST_WITH_VIRTUAL_THREADS

    async def _arm(self) -> None:
        modifiers: tuple[Modifier, ...] = ()
        if self._has_virtual_threads and not self._feed.has_virtual_threads:
            modifiers = (PlatformThreadsOnlyModifier(),)
        arm, policy = self._router.arm, SuspendPolicy.NONE
        self._requests = await asyncio.gather(
            arm(EventKind.THREAD_START, modifiers, policy, self._started),
            arm(EventKind.THREAD_DEATH, modifiers, policy, self._ended),
        )

    def handle(self, thread: Thread) -> ThreadHandle:
        """The handle of a thread."""
        found = self._handles.get(thread)
        if found is None:
            found = self._handles[thread] = ThreadHandle(self, thread)
        return found

    async def live(self, also: Iterable[ThreadHandle]) -> list[ThreadHandle]:
        """The live threads with fresh names, and those of `also` that the VM does not list. Those
        of the VM itself come last.
        """
        vm = self._router.vm
        named = await threads_with_names(vm)
        listed: list[ThreadHandle] = []
        async for some in in_parts(named or ()):
            listed += [self._named(thread, name) for thread, name in some]
        others = [] if named is not None else await self._all()
        known = {*listed, *others}
        others += [thread for thread in dict.fromkeys(also) if thread not in known]
        self._forget_ended(known)
        async for asked in in_parts(others, _AT_ONCE):
            alive = await together(map(_has_name, asked))
            listed += [thread for thread, is_alive in zip(asked, alive, strict=True) if is_alive]
        return sorted(listed, key=lambda each: each.is_of_vm)

    async def _all(self) -> list[ThreadHandle]:
        """The threads that the VM lists; the names of those that were known come meanwhile."""
        expected = list(self._handles.values())[:_AT_ONCE]
        found, _ = await both(
            self._router.vm.all_threads(), together(_has_name(each) for each in expected)
        )
        return [self.handle(each) for each in found]

    def _named(self, thread: Thread, name: str) -> ThreadHandle:
        handle = self.handle(thread)
        handle.name = name
        return handle

    def _forget_ended(self, listed: set[ThreadHandle]) -> None:
        """The ends of virtual threads are not reported, unless somebody has asked for it."""
        if len(self._handles) > 2 * len(listed) + _AT_ONCE:
            held = {stop.thread for stop in self.stops.current}
            self._handles = {
                thread: handle
                for thread, handle in self._handles.items()
                if handle in listed or handle in held
            }

    async def end(self, handle: ThreadHandle) -> None:
        """See ThreadHandle.terminate."""
        self.stops.require(Operation.INSPECT)
        self._thrown.add(await _end_thread(handle, self.stops.current))

    def has_thrown(self, exception: ObjectReference) -> bool:
        """Whether this exception was created to end a thread."""
        return exception in self._thrown

    async def _started(self, occurrence: ThreadStartOccurrence) -> Verdict:
        # While the requests are replaced, one start is an event of two of them.
        if occurrence.thread is self._last_started:
            return RESUME
        self._last_started = occurrence.thread
        handle = self.handle(occurrence.thread)
        await _has_name(handle)
        self._feed.post(ThreadStarted(handle))
        return RESUME

    async def _ended(self, occurrence: ThreadDeathOccurrence) -> Verdict:
        if occurrence.thread is self._last_ended:
            return RESUME
        self._last_ended = occurrence.thread
        handle = self.handle(occurrence.thread)
        self._handles.pop(occurrence.thread, None)
        self._feed.post(ThreadEnded(handle))
        return RESUME

    async def _name(self, handles: Sequence[ThreadHandle]) -> None:
        """Fetch the names of these threads: if they are many, first of all threads at once."""
        unnamed = set(handles)
        listed = await threads_with_names(self._router.vm) if len(unnamed) > _FEW else None
        async for some in in_parts(listed or ()):
            for thread, name in some:
                if self._handles.get(thread) in unnamed:
                    unnamed.discard(self._named(thread, name))
        await together(map(_has_name, unnamed))

    async def _tell_many(self, events: Sequence[ThreadEvent]) -> None:
        """Tell of starts and ends that came at once. Threads that have ended already have no name:
        the VM would not know them any more.
        """
        vm = self._router.vm
        started = dict.fromkeys(each.thread for each in events if _is_start(each))
        ended = {each.thread for each in events if not _is_start(each)}
        living = [self.handle(vm.thread(each)) for each in started if each not in ended]
        with contextlib.suppress(WireError):  # the program has ended: they stay without names
            await self._name(living)
        told: set[tuple[bool, ThreadId]] = set()
        for each in events:
            key = _is_start(each), each.thread
            if key in told:  # while the requests are replaced, it is an event of two of them
                continue
            told.add(key)
            handle = self.handle(vm.thread(each.thread))
            if _is_start(each):
                self._feed.post(ThreadStarted(handle))
            else:
                self._handles.pop(handle.thread, None)
                self._feed.post(ThreadEnded(handle))


def _is_start(event: ThreadEvent) -> bool:
    return event.KIND is EventKind.THREAD_START


async def _has_name(handle: ThreadHandle) -> bool:
    """Fetch the name; False if the thread has ended meanwhile."""
    try:
        await handle.refresh_name()
    except _GONE:
        return False
    return True


async def _end_thread(handle: ThreadHandle, stops: Sequence[Stop]) -> ObjectReference:
    """Make the thread throw; one that is stopped does when it is resumed. What it throws.

    Raises StateError when no object to throw can be had, VmError for what the VM refuses: a
    virtual thread that is not on a carrier, a thread that has ended.
    """
    thread = handle.thread
    try:
        if thread.vm.agent_can(AgentCapability.STOP_THREAD):
            return await thread.throw_death()
        death = await _made(stops) or await _existing(handle)
        if death is None:
            raise StateError(
                f"thread {handle.name!r} can only be ended while it or another one is stopped at a "
                "breakpoint or a step: the exception that it throws is created there"
            )
        await thread.stop(death)
    except ThreadNotSuspendedError as error:
        if await handle.is_virtual():
            text = f"virtual thread {handle.name!r} can only be ended while it is suspended"
            raise UnsupportedError(text) from error
        raise
    return death


async def _made(stops: Sequence[Stop]) -> ObjectReference | None:
    for stop in reversed(stops):
        if not stop.has_frames:
            continue
        with contextlib.suppress(JvmDebugError):  # that thread cannot run code: try the next one
            made = await stop.frame.evaluate("new java.lang.ThreadDeath()", deadline_s=_DEADLINE_S)
            if isinstance(made.value, ObjectReference):
                return made.value
    return None


async def _existing(handle: ThreadHandle) -> ObjectReference | None:
    vm = handle.thread.vm
    if not vm.capabilities.can_get_instance_info:
        return None
    for type_ in await vm.classes_by_signature(_THREAD_DEATH):
        for found in await type_.instances(1):
            return found
    return None
