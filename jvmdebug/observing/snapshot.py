# SPDX-License-Identifier: Apache-2.0
"""A snapshot: what all threads do at one moment, with stacks, variables, monitors and deadlocks.

Read while all threads are suspended, in as few requests as there are; those that ran before are
resumed at once. Without variables our agent is asked for all at once (`thread_dump`). Called by
`session.snapshot`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionLost, JvmDebugError, UnsupportedError, VmError
from jvmdebug.jdwp.generated.constants import ThreadStatus
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.thread import threads_with_names
from jvmdebug.model.thread_names import name_of_ended
from jvmdebug.observing.class_initialization import with_initializations
from jvmdebug.observing.observed import entry_of, now, observe, variables_of
from jvmdebug.observing.parked import parked
from jvmdebug.observing.thread_dump import take_thread_dump
from jvmdebug.observing.thread_snapshots import (
    FrameSnapshot,
    MonitorSnapshot,
    Snapshot,
    ThreadSnapshot,
    deadlocks,
)
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.display import ValueStyle
    from jvmdebug.events import Router
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
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


async def take_snapshot(
    router: Router,
    style: ValueStyle,
    *,
    frames: int,
    variables: int,
    of_vm: Callable[[], Awaitable[str | None]] | None = None,
) -> Snapshot:
    """`frames` of each thread, and the variables of the topmost `variables` of them."""
    vm = router.vm
    if not vm.agent_can(AgentCapability.LOCAL_VARIABLES):
        variables = 0
    if variables <= 0 and vm.agent_can(AgentCapability.THREAD_DUMP):
        return await take_thread_dump(vm, frames=frames, of_vm=of_vm)
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
        by_id: dict[int, Thread] = {thread.id: thread for thread in names}

        async def top(index: int) -> Location | None:
            try:
                frames = await by_id[found[index].id].frames(0, 1)
            except VmError:
                return None
            return frames[0].location if frames else None

        complete = await with_initializations(found, top)
    return Snapshot(when, tuple(complete), deadlocks(complete))


async def _names(vm: VirtualMachine) -> dict[Thread, str]:
    named = await threads_with_names(vm)
    if named is None:
        threads = await vm.all_threads()
        named = list(zip(threads, await together(map(_name, threads)), strict=True))
    return {thread: name or name_of_ended(thread.id) for thread, name in named}


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
    """Adds owners. Who holds a monitor is known from the list of what each thread holds; who holds
    a lock, from those that wait for it.
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
