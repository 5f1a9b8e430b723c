# SPDX-License-Identifier: Apache-2.0
"""A thread dump in one answer of our agent: stacks, states, locks and times of all threads.

Owns the request and what becomes of its answer: the same frozen data as `snapshot`, without
variables. What threads have in common is one object here too; a dump of very many threads is made
in parts, between which the event loop runs. Called by `take_snapshot` and `session.thread_dump`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.jdwp.generated import threads as threads_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.thread_names import shown_name
from jvmdebug.observing.class_initialization import with_initializations
from jvmdebug.observing.defaults import DEFAULT_VIRTUAL_THREADS
from jvmdebug.observing.observed import StackEntry, entry_of, now
from jvmdebug.observing.thread_snapshots import (
    FrameSnapshot,
    MonitorSnapshot,
    Snapshot,
    ThreadSnapshot,
    circles,
    deadlocks,
)
from jvmdebug.observing.vm_monitors import with_monitors
from jvmdebug.printable import one_line
from jvmdebug.sources import source_path
from jvmdebug.together import in_parts, together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.model.location import Location
    from jvmdebug.model.virtual_machine import VirtualMachine

Consistency: TypeAlias = Literal["all", "stacks", "none"]
"""What of a thread dump belongs to one moment."""


_MOST_FRAMES: Final = 1024
_CONSISTENCY: Final[dict[str, int]] = {"none": 0, "stacks": 1, "all": 2}
_NATIVE: Final = -2

_STATES: Final = (
    # The bits of JVM TI's hierarchy of states, the most special first.
    (0x40, "sleeping"),
    (0x400, "blocked"),
    (0x80, "waiting"),
    (0x4, "running"),
)

_Reply: TypeAlias = threads_set.DumpReply


async def take_thread_dump(
    vm: VirtualMachine,
    *,
    frames: int,
    virtual_threads: int = DEFAULT_VIRTUAL_THREADS,
    consistency: Consistency = "all",
    of_vm: Callable[[], Awaitable[str | None]] | None = None,
) -> Snapshot:
    """See `session.thread_dump`. Our agent must have the capability.

    `of_vm` gives the thread dump that the VM writes itself, for monitors that the agent does not
    know.
    """
    command = threads_set.Dump(
        max(0, min(frames, _MOST_FRAMES)),
        max(0, min(virtual_threads, 2**31 - 1)),
        _CONSISTENCY[consistency],
    )
    when = now()
    reply = await vm.request(command, timeout_s=None)
    text = None if reply.has_monitors or of_vm is None else await of_vm()
    return await _Dump(vm, reply).snapshot(when, text)


class _Dump:
    """An answer that becomes a snapshot."""

    def __init__(self, vm: VirtualMachine, reply: _Reply) -> None:
        self._vm = vm
        self._reply = reply
        self._names: list[str] = []
        self._locks: list[MonitorSnapshot] = []
        self._stacks: list[tuple[FrameSnapshot, ...]] = []
        self._holds: dict[int, list[MonitorSnapshot]] = {}

    async def snapshot(self, when: float, text: str | None) -> Snapshot:
        """All threads; `when` is what it has as its time, `text` the VM's own thread dump."""
        reply = self._reply
        async for some in in_parts(reply.threads):
            self._names += map(_name, some)
        self._locks = [self._lock(each) for each in reply.locks]
        sites = await together(self._entry(each) for each in reply.sites)
        frames = [FrameSnapshot(each) for each in sites]
        self._stacks = [tuple(frames[index] for index in each.frames) for each in reply.stacks]
        self._find_held()
        threads: list[ThreadSnapshot] = []
        async for some in in_parts(reply.threads):
            first = len(threads)
            threads += [self._thread(first + at, each) for at, each in enumerate(some)]
        circles_ = self._deadlocks(threads)
        complete = threads if text is None else with_monitors(threads, text)
        complete = await with_initializations(complete, self._top)
        if complete != threads:
            circles_ = deadlocks(complete)
        return Snapshot(
            when,
            tuple(complete),
            circles_,
            held_s=reply.held_ns / 1e9,
            virtual_thread_count=reply.virtual_threads,
            monitors_unknown=(
                None if reply.has_monitors or text is not None else self._why_no_monitors()
            ),
        )

    async def _top(self, index: int) -> Location | None:
        """The location of a thread's topmost frame."""
        stack = self._reply.stacks[self._reply.threads[index].stack]
        site = self._reply.sites[stack.frames[0]] if stack.frames else None
        if site is None or not site.location.type_id:
            return None
        return await self._vm.location(site.location)

    def _why_no_monitors(self) -> str:
        agent = self._vm.agent
        return "" if agent is None else agent.why_off(AgentCapability.MONITORS)

    def _lock(self, lock: _Reply.Lock) -> MonitorSnapshot:
        types = self._reply.types
        name = java_name(types[lock.type])
        if lock.of >= 0:
            text = f"{simple_name(java_name(types[lock.of]))}.class"
        elif lock.is_monitor:
            text = simple_name(name)
        else:  # of ReentrantLock$FairSync the lock is meant
            text = name.rpartition(".")[2].partition("$")[0]
        if lock.lock.id:
            text = f"{text}@{lock.lock.id:x}"
            # Its id is disposed of when nobody has the reference.
            self._vm.reference(lock.lock.tag, lock.lock.id)
        owner = None if lock.owner < 0 else self._reply.threads[lock.owner]
        return MonitorSnapshot(
            one_line(text),
            lock.lock.id,
            owner=None if owner is None else self._names[lock.owner],
            owner_id=None if owner is None else owner.thread,
            is_lock=not lock.is_monitor,
        )

    async def _entry(self, site: _Reply.Site) -> StackEntry:
        if site.location.type_id:  # lines of another language are in its source debug extension
            return await entry_of(await self._vm.location(site.location))
        if not site.signature:
            return StackEntry("?", "?", None, None)  # unloaded meanwhile
        name = java_name(site.signature)
        return StackEntry(
            one_line(name),
            one_line(site.method),
            one_line(source_path(name, site.source)) if site.source else None,
            site.line if site.line >= 0 else None,
            site.line == _NATIVE,
        )

    def _find_held(self) -> None:
        """The monitors that threads hold, and the locks that others wait for."""
        for each in self._reply.held:
            lock = replace(self._locks[each.lock], owner=None, owner_id=None)
            depth = None if each.depth < 0 else each.depth
            self._holds.setdefault(each.thread, []).append(replace(lock, depth=depth))
        for wire, lock in zip(self._reply.locks, self._locks, strict=True):
            if wire.owner >= 0 and not wire.is_monitor:
                held = replace(lock, owner=None, owner_id=None)
                self._holds.setdefault(wire.owner, []).append(held)

    def _thread(self, index: int, thread: _Reply.Thread) -> ThreadSnapshot:
        return ThreadSnapshot(
            thread.thread,
            self._names[index],
            _status(thread.state),
            self._stacks[thread.stack],
            self._reply.stacks[thread.stack].depth,
            tuple(self._holds.get(index, ())),
            None if thread.waits_for < 0 else self._locks[thread.waits_for],
            thread.is_virtual,
            thread.number,
            None if thread.cpu_ns < 0 else thread.cpu_ns / 1e9,
        )

    def _deadlocks(self, threads: list[ThreadSnapshot]) -> tuple[tuple[str, ...], ...]:
        waits_for: dict[int, int] = {}
        for index, each in enumerate(self._reply.threads):
            lock = None if each.waits_for < 0 else self._reply.locks[each.waits_for]
            # Who waits on a monitor waits for a notification, and not for its owner.
            if (
                lock is not None
                and lock.owner >= 0
                and (not lock.is_monitor or threads[index].status == "blocked")
            ):
                waits_for[index] = lock.owner
        return tuple(tuple(self._names[each] for each in one) for one in circles(waits_for))


def _name(thread: _Reply.Thread) -> str:
    return shown_name(thread.name, thread.number, is_virtual=thread.is_virtual)


def _status(state: int) -> str:
    return next((name for bit, name in _STATES if state & bit), "unknown")
