# SPDX-License-Identifier: Apache-2.0
"""A thread of the debuggee, platform or virtual, and its stack while it is suspended.

Owns its frames and their lifetime: a resume ends them (`invalidate`),
an invocation on the thread only gives them new ids (`frame_ids_changed`). It neither suspends nor
resumes: `jvmdebug.events` does.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from jvmdebug.errors import InvalidIndexError, InvalidLengthError, StateError
from jvmdebug.jdwp.generated import agent as agent_set
from jvmdebug.jdwp.generated import thread_reference
from jvmdebug.jdwp.generated.constants import SuspendStatus, Tag, ThreadStatus
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.frame import Frame
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.primitives import PrimitiveValue
from jvmdebug.model.thread_names import shown_name
from jvmdebug.model.values import (
    ObjectReference,
    ThreadGroupReference,
    ThreadReference,
    assignable,
    wire_value,
)
from jvmdebug.printable import one_line
from jvmdebug.together import in_parts

if TYPE_CHECKING:
    from jvmdebug.jdwp.generated.stack_frame import GetValues
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.location import Location
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine


_FrameEntry: TypeAlias = thread_reference.FramesReply.Frame


class ThreadState(NamedTuple):
    """The thread's own state, and whether the debugger has suspended it."""

    status: ThreadStatus
    is_suspended: bool


class Thread:
    """One thread. Mirrors are unique while they are referenced, so identity is equality."""

    __slots__ = (
        "__weakref__",
        "_frames",
        "_id_epoch",
        "_last_depth",
        "_lasting",
        "_slot_changes",
        "_slot_values",
        "_until_resume",
        "generation",
        "id",
        "vm",
    )

    def __init__(self, vm: VirtualMachine, thread_id: ThreadId) -> None:
        self.vm = vm
        self.id = thread_id
        self.generation = 0
        """Grows at each resume; a frame of another generation is stale."""
        self._id_epoch = 0
        self._lasting = Memo()
        self._until_resume = Memo()
        self._frames: dict[int, Frame] = {}
        self._last_depth = 0
        self._slot_values: dict[int, dict[GetValues.Slot, Value]] = {}
        self._slot_changes = 0

    @property
    def id_epoch(self) -> tuple[int, int]:
        """Changes when the agent gives frames new ids while the stack stays as it is."""
        return (self.vm.id_epoch, self._id_epoch)

    @property
    def reference(self) -> ThreadReference:
        """The java.lang.Thread object."""
        return ThreadReference(self.vm, self.id, Tag.THREAD)

    async def name(self) -> str:
        """The thread's name in one line; `VirtualThread[#29]` or `Thread[#29]` for one without."""
        return await self._until_resume.get("name", self._fetch_name)

    async def group(self) -> ThreadGroupReference | None:
        """The thread's group; None when the thread has ended."""
        return await self._lasting.get("group", self._fetch_group)

    async def is_virtual(self) -> bool:
        """Whether it is a virtual thread; false on VMs that have none."""
        if self.vm.version.feature_release < 19:
            return False
        return await self._lasting.get("is_virtual", self._fetch_is_virtual)

    async def status(self) -> ThreadState:
        """What the thread is doing now."""
        reply = await self.vm.request(thread_reference.Status(self.id))
        return ThreadState(
            reply.thread_status, bool(reply.suspend_status & SuspendStatus.SUSPENDED)
        )

    async def frame_count(self) -> int:
        """Depth of the stack. Raises ThreadNotSuspendedError when the thread runs."""
        return await self._until_resume.get("frame_count", self._fetch_frame_count)

    async def frames(
        self, start: int = 0, length: int = -1, *, nothing_runs: bool = False
    ) -> list[Frame]:
        """`length` frames from depth `start` on (0: topmost); fewer if the stack ends; -1: all.

        Raises ThreadNotSuspendedError when the thread runs. Cached until it resumes; one round trip
        for what is not cached, and one more when types are seen for the first time. Our agent
        prefetches what showing these frames requires; with `nothing_runs` (all threads are
        suspended) the contents of objects, too.
        """
        if start < 0:
            raise InvalidIndexError(f"reading the frames of {self!r} from depth {start}")
        if length < 0:
            length = await self.frame_count() - start
        wanted = range(start, start + length)
        if not all(depth in self._frames for depth in wanted):
            is_bulk = length > 1 and self.vm.agent_can(AgentCapability.STACK)
            if is_bulk and not await self._is_here(start, length):
                await self._prefetch(start, length, nothing_runs=nothing_runs)
            await self._fetch_frames(start, length)
        # Not through what is wanted: a client may ask for two billion frames.
        return [self._frames[depth] for depth in sorted(self._frames) if depth in wanted]

    async def frame(self, depth: int = 0) -> Frame:
        """One frame. Raises StateError when the stack is not that deep."""
        found = await self.frames(depth, 1)
        if not found:
            raise StateError(f"{self!r} has no frame at depth {depth}: its stack is not that deep")
        return found[0]

    def stopped_at(self, location: Location) -> None:
        """Sets the location of the topmost frame from an event, which saves a request.

        The agent's id of the frame is requested with the first read from it.
        """
        known = self._frames.get(0)
        if known is None or known.location != location:
            self.vm.threads_with_state.add(self)
            self._frames[0] = Frame(self, 0, location, None, self.generation, self.id_epoch)

    def slot_values(self, depth: int) -> dict[GetValues.Slot, Value]:
        """What is known of the slots of a frame, by its depth: until the thread resumes, or the
        debugger changes a variable.
        """
        changes = self.vm.connection.variable_changes
        if self._slot_changes != changes:
            self._slot_changes = changes
            self._slot_values = {}
        return self._slot_values.setdefault(depth, {})

    async def suspend_count(self) -> int:
        """How many times it must be resumed to run."""
        return (await self.vm.request(thread_reference.SuspendCount(self.id))).suspend_count

    async def interrupt(self) -> None:
        """Interrupt it, as Thread.interrupt does in Java."""
        await self.vm.request(thread_reference.Interrupt(self.id))

    async def stop(self, exception: ObjectReference) -> None:
        """Makes the thread throw `exception`, a Throwable, as soon as it runs."""
        await self.vm.request(thread_reference.Stop(self.id, exception.id))

    async def throw_death(self) -> ObjectReference:
        """Makes the thread throw a ThreadDeath that the agent makes, as soon as it runs; what it
        throws. Needs AgentCapability.STOP_THREAD.
        """
        reply = await self.vm.request(agent_set.StopThread(self.id))
        return self.vm.reference(Tag.OBJECT, reply.throwable)

    async def force_early_return(self, value: Value) -> None:
        """Makes the topmost method return `value` when the thread resumes, running no more of it.

        VOID for a method without result and for a constructor. The value is converted as by a
        return statement. Raises TypeMismatchError when it does not fit, OpaqueFrameError in native
        methods.
        """
        method = (await self.frame(0)).location.method
        target = f"the result of {method}"
        wire = wire_value(assignable(value, method.return_type, target))
        await self.vm.request(thread_reference.ForceEarlyReturn(self.id, wire))

    async def owned_monitors(self) -> list[ObjectReference]:
        """The objects whose monitors the thread holds, the last taken first."""
        reply = await self.vm.request(thread_reference.OwnedMonitors(self.id))
        return [self.vm.reference(owned.tag, owned.id) for owned in reply.owned]

    async def owned_monitors_with_depth(self) -> list[tuple[ObjectReference, int]]:
        """Held monitors, each with the depth of the frame that took it; -1: not known."""
        reply = await self.vm.request(thread_reference.OwnedMonitorsStackDepthInfo(self.id))
        return [
            (self.vm.reference(owned.monitor.tag, owned.monitor.id), owned.stack_depth)
            for owned in reply.owned
        ]

    async def contended_monitor(self) -> ObjectReference | None:
        """The object whose monitor the thread waits for; None when it does not wait."""
        monitor = (await self.vm.request(thread_reference.CurrentContendedMonitor(self.id))).monitor
        return self.vm.reference(monitor.tag, monitor.id) if monitor.id else None

    def invalidate(self) -> None:
        """The thread runs or will run: its frames are stale from now on, its state unknown."""
        self.generation += 1
        self._frames = {}
        self._slot_values = {}
        self._until_resume.forget()
        self.vm.threads_with_state.discard(self)

    def frame_ids_changed(self) -> None:
        """An invocation has run on the thread: same frames, new ids."""
        self._id_epoch += 1

    async def _fetch_name(self) -> str:
        self.vm.threads_with_state.add(self)
        if self.vm.agent_can(AgentCapability.THREAD_NAME):
            return one_line((await self.vm.request(agent_set.ThreadName(self.id))).name)
        name = (await self.vm.request(thread_reference.Name(self.id))).name
        if name:
            return one_line(name)
        number, is_virtual = await asyncio.gather(
            self._lasting.get("number", self._fetch_number), self.is_virtual()
        )
        return shown_name("", number, is_virtual=is_virtual)

    async def _fetch_number(self) -> int:
        """What Thread.threadId() returns, without calling it; 0 where it is in no field."""
        for type_ in await self.vm.classes_by_signature("Ljava/lang/Thread;"):
            for field in await type_.fields():
                if field.name == "tid":
                    (number,) = await self.reference.get_values([field])
                    return int(number.value) if isinstance(number, PrimitiveValue) else 0
        return 0

    async def _fetch_group(self) -> ThreadGroupReference | None:
        group = (await self.vm.request(thread_reference.ThreadGroup(self.id))).group
        return self.vm.thread_group(group) if group else None

    async def _fetch_is_virtual(self) -> bool:
        return (await self.vm.request(thread_reference.IsVirtual(self.id))).is_virtual

    async def _fetch_frame_count(self) -> int:
        self.vm.threads_with_state.add(self)
        return (await self.vm.request(thread_reference.FrameCount(self.id))).frame_count

    async def _fetch_frames(self, start: int, length: int) -> None:
        self.vm.threads_with_state.add(self)
        generation, epoch, cache = self.generation, self.id_epoch, self._frames
        found = await self._frames_reply(start, length)
        locations = await self.vm.locations([each.location for each in found])
        for depth, (each, location) in enumerate(zip(found, locations, strict=True), start=start):
            known = cache.get(depth)
            if known is None or known.location != location:
                cache[depth] = Frame(self, depth, location, each.frame_id, generation, epoch)
            else:
                known.renew(each.frame_id, epoch)

    async def _is_here(self, start: int, length: int) -> bool:
        """Whether the agent has sent these frames with the stop."""
        connection = self.vm.connection
        if not connection.has_prefetched(thread_reference.FrameCount(self.id)):
            return False
        self._last_depth = count = await self.frame_count()
        wanted = thread_reference.Frames(self.id, start, min(length, count - start))
        return connection.has_prefetched(wanted)

    async def _prefetch(self, start: int, length: int, *, nothing_runs: bool) -> None:
        with contextlib.suppress(InvalidIndexError):  # the stack is not that deep
            stack = agent_set.Stack(self.id, start, length, nothing_runs)
            await self.vm.connection.prefetch(stack)
            self._last_depth = await self.frame_count()

    async def _frames_reply(self, start: int, length: int) -> list[_FrameEntry]:
        """Asks for as many of the frames as there are.

        Agents refuse a range that leaves the stack. So the depth is requested too, and the first
        request does not go beyond the depth of the last stop: steps mostly stay there. Every thread
        that runs Java code has a topmost frame.
        """
        if start + length <= 1:
            try:
                return await self._range_of_frames(start, length)
            except (InvalidLengthError, InvalidIndexError):
                return []
        if self._until_resume.peek("frame_count") is not None:
            count = await self.frame_count()
            length = min(length, count - start)
            return await self._range_of_frames(start, length) if length > 0 else []
        guess = length if self._last_depth <= start else min(length, self._last_depth - start)
        try:
            found, count = await asyncio.gather(
                self._range_of_frames(start, guess), self.frame_count()
            )
        except (InvalidLengthError, InvalidIndexError):
            found, count = [], await self.frame_count()
        self._last_depth = count
        missing = min(length, count - start) - len(found)
        if missing > 0:
            found += await self._range_of_frames(start + len(found), missing)
        return found

    async def _range_of_frames(self, start: int, length: int) -> list[_FrameEntry]:
        reply = await self.vm.request(thread_reference.Frames(self.id, start, length))
        return list(reply.frames)

    def __repr__(self) -> str:
        return f"Thread({self.id:#x})"


async def threads_with_names(vm: VirtualMachine) -> list[tuple[Thread, str]] | None:
    """All live threads and their names, as `Thread.name()` gives them, in one round trip; None
    where the agent cannot do that.
    """
    if not vm.agent_can(AgentCapability.THREADS):
        return None
    reply = await vm.request(agent_set.Threads())
    found: list[tuple[Thread, str]] = []
    async for some in in_parts(reply.threads):
        found += [(vm.thread(each.thread), one_line(each.name)) for each in some]
    return found
