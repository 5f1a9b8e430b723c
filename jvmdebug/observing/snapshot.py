# SPDX-License-Identifier: Apache-2.0
"""A snapshot: what all threads do at one moment, with stacks, variables, monitors and deadlocks.

Read while all threads are suspended, in as few requests as there are; those that ran before are
resumed at once. Plain frozen data. Called by `session.snapshot`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionLost, JvmDebugError, UnsupportedError, VmError
from jvmdebug.jdwp.generated.constants import ThreadStatus
from jvmdebug.model.thread import threads_with_names
from jvmdebug.notebook import preformatted, table
from jvmdebug.observing.observed import (
    NamedValue,
    StackEntry,
    as_plain,
    entry_of,
    now,
    observe,
    variables_of,
)
from jvmdebug.observing.parked import parked
from jvmdebug.printable import one_line
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.display import ValueStyle
    from jvmdebug.events import Router
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_STATUS: Final = {
    ThreadStatus.ZOMBIE: "ended",
    ThreadStatus.RUNNING: "running",
    ThreadStatus.SLEEPING: "sleeping",
    ThreadStatus.MONITOR: "blocked",
    ThreadStatus.WAIT: "waiting",
}
_AT_ONCE: Final = 100
"""So many threads are read at once."""


@dataclass(frozen=True, slots=True)
class MonitorSnapshot:
    """A monitor that a thread holds or waits for, or a lock of java.util.concurrent."""

    text: str
    """The object: `Account@1f {…}`."""
    object_id: int
    owner: str | None = None
    """The name of the thread that holds it; None if none does, or it is not known."""
    owner_id: int | None = None
    """Tells threads of the same name apart."""
    is_lock: bool = False
    """Not a monitor: the thread is parked for it, a lock of java.util.concurrent say."""


@dataclass(frozen=True, slots=True)
class FrameSnapshot:
    """A frame of a thread; its variables if they were asked for."""

    at: StackEntry
    variables: tuple[NamedValue, ...] = ()

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.variables))
        return f"{self.at}  {{{shown}}}" if shown else str(self.at)


@dataclass(frozen=True, slots=True)
class ThreadSnapshot:
    """A thread as it was."""

    id: int
    name: str
    status: str
    """One of: running, sleeping, blocked (waits to enter a monitor), waiting, ended, unknown."""
    frames: tuple[FrameSnapshot, ...]
    """The topmost first; at most as many as were asked for."""
    frame_count: int
    """How many there are."""
    holds: tuple[MonitorSnapshot, ...] = ()
    """The monitors that it has entered, the last one first, and locks that others wait for."""
    waits_for: MonitorSnapshot | None = None
    """The monitor that it waits to enter or that it waits on, or what it is parked for."""
    is_virtual: bool = False

    def __str__(self) -> str:
        lines = [f'"{self.name}" #{self.id} {self.status}']
        lines += [f"    at {each}" for each in self.frames]
        if (more := self.frame_count - len(self.frames)) > 0:
            lines.append(f"    … {more} more")
        if self.waits_for is not None:
            owner = self.waits_for.owner
            held = "" if owner is None else f', held by "{owner}"'
            lines.append(f"    waits for {self.waits_for.text}{held}")
        lines += [f"    holds {each.text}" for each in self.holds]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All threads at one moment. `str(snapshot)` is a thread dump."""

    time: float
    """In seconds since 1970."""
    threads: tuple[ThreadSnapshot, ...]
    deadlocks: tuple[tuple[str, ...], ...]
    """The names of threads that wait for each other in a circle, each for the next."""

    def thread(self, name: str) -> ThreadSnapshot:
        """The first thread of that name; KeyError if there is none."""
        for each in self.threads:
            if each.name == name:
                return each
        raise KeyError(name)

    def differences(self, later: Snapshot) -> tuple[str, ...]:
        """What is different in a later snapshot: threads that came, ended, or are elsewhere."""
        before = {each.id: each for each in self.threads}
        after = {each.id: each for each in later.threads}
        found = [f'"{before[key].name}" has ended' for key in before if key not in after]
        found += [f'"{after[key].name}" is new' for key in after if key not in before]
        for key in before.keys() & after.keys():
            found += _changes(before[key], after[key])
        return tuple(sorted(found))

    def as_dict(self) -> dict[str, object]:
        """As dicts and lists, for `json.dumps`."""
        plain = as_plain(self)
        return plain if isinstance(plain, dict) else {}

    def __str__(self) -> str:
        parts = [str(each) for each in self.threads]
        for each in self.deadlocks:
            names = ", ".join(f'"{name}"' for name in each)
            parts.append(f"Deadlock: {names} wait for each other")
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        rows = [(each.name, each.status, _where(each)) for each in self.threads]
        dump = f"<details><summary>All stacks</summary>{preformatted(str(self))}</details>"
        return table("Threads", rows, columns=("name", "status", "at"), below=dump)


def _where(thread: ThreadSnapshot) -> str:
    wanted = thread.waits_for
    if wanted is None or wanted.owner is None:
        return _top(thread)
    return f"{_top(thread)}, waits for {wanted.text}, held by {wanted.owner}"


def _changes(before: ThreadSnapshot, after: ThreadSnapshot) -> list[str]:
    found = []
    if before.status != after.status:
        found.append(f'"{after.name}" was {before.status} and is {after.status}')
    was, now_at = _top(before), _top(after)
    if was != now_at:
        found.append(f'"{after.name}" was at {was} and is at {now_at}')
    if was == now_at and before.frames and after.frames:
        old = {each.name: each.value.text for each in before.frames[0].variables}
        found += [
            f'"{after.name}" {each.name}: {old[each.name]} -> {each.value}'
            for each in after.frames[0].variables
            if each.name in old and old[each.name] != each.value.text
        ]
    return found


def _top(thread: ThreadSnapshot) -> str:
    return str(thread.frames[0].at) if thread.frames else "no Java code"


async def take_snapshot(
    router: Router, style: ValueStyle, *, frames: int, variables: int
) -> Snapshot:
    """`frames` of each thread, and the variables of the topmost `variables` of them."""
    vm = router.vm
    async with router.all_suspended():
        when = now()
        names = await _names(vm)
        read: list[ThreadSnapshot | None] = []
        threads = list(names.items())
        for first in range(0, len(threads), _AT_ONCE):
            read += await together(
                _thread(thread, name, style, frames=frames, variables=variables)
                for thread, name in threads[first : first + _AT_ONCE]
            )
        found = _with_owners([each for each in read if each is not None])
    return Snapshot(when, tuple(found), _circles(found))


async def _names(vm: VirtualMachine) -> dict[Thread, str]:
    named = await threads_with_names(vm)
    if named is None:
        threads = await vm.all_threads()
        named = list(zip(threads, await together(map(_name, threads)), strict=True))
    return {thread: one_line(name) or f"thread {thread.id}" for thread, name in named}


async def _name(thread: Thread) -> str:
    try:
        return await thread.name()
    except VmError:
        return ""  # it has ended


async def _thread(
    thread: Thread, name: str, style: ValueStyle, *, frames: int, variables: int
) -> ThreadSnapshot | None:
    """None for a thread that has ended."""
    try:
        state, count, is_virtual = await asyncio.gather(
            thread.status(), thread.frame_count(), thread.is_virtual()
        )
        found = await thread.frames(0, min(frames, count))
    except VmError:
        return None
    shown = await together(
        _frame(each, style, has_variables=each.depth < variables) for each in found
    )
    holds, waits_for = await _monitors(thread, style)
    if waits_for is None and state.status is ThreadStatus.WAIT:
        waits_for = await _lock(thread, style)
    status = _STATUS.get(state.status, "unknown")
    return ThreadSnapshot(
        thread.id, name, status, tuple(shown), count, holds, waits_for, is_virtual
    )


async def _frame(frame: Frame, style: ValueStyle, *, has_variables: bool) -> FrameSnapshot:
    at = await entry_of(frame.location)
    if not has_variables:
        return FrameSnapshot(at)
    try:
        return FrameSnapshot(at, await variables_of(frame, style))
    except ConnectionLost:
        raise
    except JvmDebugError:
        return FrameSnapshot(at)  # of a native frame, or of one that the VM does not show


async def _monitors(
    thread: Thread, style: ValueStyle
) -> tuple[tuple[MonitorSnapshot, ...], MonitorSnapshot | None]:
    try:
        held, wanted = await asyncio.gather(thread.owned_monitors(), thread.contended_monitor())
    except (VmError, UnsupportedError):
        return (), None  # a virtual thread, or an agent that cannot tell
    holds = await together(_monitor(each, style) for each in held)
    return tuple(holds), None if wanted is None else await _monitor(wanted, style)


async def _lock(thread: Thread, style: ValueStyle) -> MonitorSnapshot | None:
    found = await parked(thread)
    if found is None:
        return None
    text = found.lock or (await observe(found.blocker, style)).text
    return MonitorSnapshot(text, found.blocker.id, owner_id=found.owner, is_lock=True)


async def _monitor(object_: ObjectReference, style: ValueStyle) -> MonitorSnapshot:
    return MonitorSnapshot((await observe(object_, style)).text, object_.id)


def _with_owners(threads: Sequence[ThreadSnapshot]) -> list[ThreadSnapshot]:
    """Who holds a monitor is known from the list of what each thread holds; who holds a lock, from
    those that wait for it.
    """
    names = {each.id: each.name for each in threads}
    owners = {held.object_id: each.id for each in threads for held in each.holds}
    locks: dict[int, dict[int, MonitorSnapshot]] = {}
    done = []
    for each in threads:
        wanted = each.waits_for
        if wanted is not None:
            owner = wanted.owner_id if wanted.is_lock else owners.get(wanted.object_id)
            name = None if owner is None else names.get(owner)
            waits_for = replace(wanted, owner=name, owner_id=owner)
            done.append(replace(each, waits_for=waits_for))
            if wanted.is_lock and owner is not None:
                locks.setdefault(owner, {})[wanted.object_id] = replace(wanted, owner_id=None)
        else:
            done.append(each)
    return [
        replace(each, holds=(*each.holds, *locks[each.id].values())) if each.id in locks else each
        for each in done
    ]


def _circles(threads: Sequence[ThreadSnapshot]) -> tuple[tuple[str, ...], ...]:
    """The deadlocks: a thread waits to get what another holds, and so on around."""
    by_id = {each.id: each for each in threads}
    found: dict[frozenset[int], tuple[str, ...]] = {}
    for each in threads:
        path: list[ThreadSnapshot] = []
        at: ThreadSnapshot | None = each
        while at is not None and at not in path:
            path.append(at)
            wanted = at.waits_for
            # Who waits on a monitor waits for a notification, and not for its owner.
            is_stuck = wanted is not None and (wanted.is_lock or at.status == "blocked")
            owner = wanted.owner_id if wanted is not None and is_stuck else None
            at = None if owner is None else by_id.get(owner)
        if at is not None:
            circle = path[path.index(at) :]
            names = tuple(member.name for member in circle)
            found.setdefault(frozenset(member.id for member in circle), names)
    return tuple(found.values())
