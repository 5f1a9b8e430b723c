# SPDX-License-Identifier: Apache-2.0
"""Contention of monitors: who waits to enter which, for how long, and who has it.

Owns the requests for the VM's monitor events and the totals by monitor and by stack. Times are from
the arrival of one event to that of the other, good to about a millisecond. A thread is held while
its stack is read, before it begins to wait; without stacks none is. Made by `session.contention`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError, JvmDebugError, VmError
from jvmdebug.events import (
    RESUME,
    MonitorContendedEnteredOccurrence,
    MonitorContendedEnterOccurrence,
    MonitorWaitedOccurrence,
    MonitorWaitOccurrence,
)
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.notebook import table
from jvmdebug.observing.observation import Limits, Observation
from jvmdebug.observing.observed import (
    ObservedEvent,
    ObservedValue,
    StackEntry,
    entry_of,
    now,
    observe,
    stack_of,
)
from jvmdebug.observing.snapshot import take_snapshot
from jvmdebug.printable import one_line
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.events import MonitorOccurrence, RequestHandle, Verdict
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.observing.observation import ObservedProgram
    from jvmdebug.observing.thread_snapshots import ThreadSnapshot


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Blocked(ObservedEvent):
    """A thread that had to wait for a monitor; `str(blocked)` is one line."""

    monitor: ObservedValue | None
    """None if it waited before it was observed, and the agent cannot tell for what."""
    duration_s: float
    """How long it waited, or has waited so far."""
    is_over: bool
    """Whether it has the monitor now."""
    is_wait: bool
    """It has called `Object.wait`; else it wants to enter."""
    was_waiting: bool
    """It waited when the observation began: `duration_s` is counted from there."""
    owner: str | None
    """The name of the thread that had the monitor when the wait began; None if it is not known."""
    owner_id: int | None
    stack: tuple[StackEntry, ...]
    """The topmost is the code that waits; empty if the thread has no Java code."""

    @property
    def at(self) -> StackEntry | None:
        """The code that waits."""
        return self.stack[0] if self.stack else None

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("monitor", self.monitor), ("owner", self.owner)]
        rows += [("thread", self.thread), ("seconds", f"{self.duration_s:.3f}")]
        return table("Blocked", [*rows, *(("at", each) for each in self.stack)])

    def __str__(self) -> str:
        name = "a monitor" if self.monitor is None else self.monitor.text
        verb = "waited" if self.is_over else "waits"
        what = f"on {name}" if self.is_wait else f"for {name}"
        held = "" if self.owner is None or self.is_wait else f', held by "{self.owner}",'
        at = "" if self.at is None else f" at {self.at}"
        return f'"{self.thread}" {verb} {self.duration_s * 1e3:.1f} ms {what}{held}{at}'


@dataclass(slots=True)
class ContendedTotal:
    """All waits for one monitor, or of one stack."""

    text: str
    """The monitor, or the topmost frame of the stack."""
    stack: tuple[StackEntry, ...] = ()
    """Empty for a monitor."""
    count: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    threads: set[str] = field(default_factory=set)
    """The names of those that waited."""
    owners: dict[str, float] = field(default_factory=dict)
    """The name of each thread that had it → how long others waited for that one, in seconds."""

    def add(self, event: Blocked) -> None:
        """One more."""
        self.count += 1
        self.total_s += event.duration_s
        self.longest_s = max(self.longest_s, event.duration_s)
        self.threads.add(event.thread)
        if event.owner is not None:
            self.owners[event.owner] = self.owners.get(event.owner, 0.0) + event.duration_s

    def as_dict(self) -> dict[str, object]:
        """Returns dicts and lists, for `json.dumps`."""
        return {
            "text": self.text,
            "stack": [str(each) for each in self.stack],
            "count": self.count,
            "total_s": self.total_s,
            "longest_s": self.longest_s,
            "threads": sorted(self.threads),
            "owners": self.owners,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """A wait that is not over."""

    since: float
    """By the loop's clock."""
    event: Blocked
    timer: asyncio.TimerHandle | None = None


class Contention(Observation[Blocked]):
    """The waits for monitors, as they end."""

    def __init__(
        self,
        program: ObservedProgram,
        *,
        longer_than_s: float,
        frames: int,
        waits: bool,
        break_after_s: float | None,
        suspend: Callable[[], Awaitable[object]],
        of_vm: Callable[[], Awaitable[str | None]],
        limits: Limits,
    ) -> None:
        super().__init__(program, "monitors", Blocked, limits)
        if longer_than_s < 0 or (break_after_s is not None and break_after_s <= 0):
            raise BreakpointError("how long is waited must be greater than 0 seconds")
        self._longer_than_s = longer_than_s
        self._frames = max(frames, 0)
        self._waits = waits
        self._break_after_s = break_after_s
        self._suspend = suspend
        self._of_vm = of_vm
        self._requests: list[RequestHandle] = []
        self._waiting: dict[int, _Waiting] = {}
        self._by_monitor: dict[int, ContendedTotal] = {}
        self._by_stack: dict[tuple[StackEntry, ...], ContendedTotal] = {}

    # The user's part

    @property
    def blocked(self) -> list[Blocked]:
        """The threads that wait now, the longest first, with the time so far."""
        found = [_so_far(each) for each in self._waiting.values()]
        return sorted(found, key=lambda each: -each.duration_s)

    @property
    def by_monitor(self) -> list[ContendedTotal]:
        """What was waited for, the longest in all first; not limited by the capacity."""
        return sorted(self._by_monitor.values(), key=lambda each: -each.total_s)

    @property
    def by_stack(self) -> list[ContendedTotal]:
        """The stacks that waited, the longest in all first."""
        return sorted(self._by_stack.values(), key=lambda each: -each.total_s)

    # The observation's

    async def _arm(self) -> None:
        # Held, so that the stack is that of the wait; without stacks nothing is.
        policy = SuspendPolicy.EVENT_THREAD if self._frames else SuspendPolicy.NONE
        wanted = [
            (EventKind.MONITOR_CONTENDED_ENTERED, SuspendPolicy.NONE, self._entered),
            (EventKind.MONITOR_CONTENDED_ENTER, policy, self._entering),
        ]
        if self._waits:
            wanted += [
                (EventKind.MONITOR_WAITED, SuspendPolicy.NONE, self._entered),
                (EventKind.MONITOR_WAIT, policy, self._entering),
            ]
        router = self.observations.router
        for kind, how, reaction in wanted:
            self._requests.append(await router.arm(kind, (), how, reaction))
        style = self.observations.style(self._limits.value_length)
        frames = max(self._frames, 1)
        present = await take_snapshot(router, style, frames=frames, variables=0, of_vm=self._of_vm)
        for thread in present.threads:
            # One without an id is met when its wait ends.
            if thread.status == "blocked" and thread.id and thread.id not in self._waiting:
                self._begin(thread.id, _present(thread))

    async def _disarm(self) -> None:
        for waiting in self._waiting.values():
            if waiting.timer is not None:
                waiting.timer.cancel()
        await all_of(*(each.clear() for each in self._requests))

    async def _entering(self, occurrence: MonitorOccurrence) -> Verdict:
        """A thread is about to wait."""
        if self._is_over or not isinstance(
            occurrence, MonitorContendedEnterOccurrence | MonitorWaitOccurrence
        ):
            return RESUME
        thread, monitor = occurrence.thread, occurrence.object
        when, since = now(), asyncio.get_running_loop().time()
        style = self.observations.style(self._limits.value_length)
        is_wait = isinstance(occurrence, MonitorWaitOccurrence)
        try:
            name, stack, shown, owner = await asyncio.gather(
                self.observations.thread_name(thread),
                self._stack(occurrence),
                observe(monitor, style),
                self._owner(monitor, is_wait=is_wait),
            )
        except VmError:
            return RESUME  # the thread or the object has gone
        event = Blocked(
            time=when,
            thread=name,
            thread_id=thread.id,
            monitor=shown,
            duration_s=0.0,
            is_over=False,
            is_wait=is_wait,
            was_waiting=False,
            owner=owner[0],
            owner_id=owner[1],
            stack=stack,
        )
        self._begin(thread.id, event, since)
        return RESUME

    async def _stack(self, occurrence: MonitorOccurrence) -> tuple[StackEntry, ...]:
        if occurrence.location is None:
            return ()
        if self._frames:
            return await stack_of(occurrence.thread, self._frames)
        return (await entry_of(occurrence.location),)

    async def _owner(
        self, monitor: ObjectReference, *, is_wait: bool
    ) -> tuple[str | None, int | None]:
        """Name and id of the thread that has it now."""
        if is_wait:
            return None, None
        try:
            usage = await monitor.monitor_state()
            if usage.owner is None:
                return None, None
            return await self.observations.thread_name(usage.owner), usage.owner.id
        except JvmDebugError:
            return None, None  # it has just been left, or a virtual thread has it

    def _begin(self, thread_id: int, event: Blocked, since: float | None = None) -> None:
        loop = asyncio.get_running_loop()
        since = loop.time() if since is None else since
        timer = None
        if self._break_after_s is not None and not event.is_wait:
            timer = loop.call_at(since + self._break_after_s, self._too_long, thread_id)
        self._waiting[thread_id] = _Waiting(since=since, event=event, timer=timer)

    async def _entered(self, occurrence: MonitorOccurrence) -> Verdict:
        """A thread has the monitor."""
        if not isinstance(occurrence, MonitorContendedEnteredOccurrence | MonitorWaitedOccurrence):
            return RESUME
        waiting = self._waiting.get(occurrence.thread.id)
        is_wait = isinstance(occurrence, MonitorWaitedOccurrence)
        if waiting is None or waiting.event.is_wait is not is_wait:
            return RESUME  # its beginning was not seen
        del self._waiting[occurrence.thread.id]
        if waiting.timer is not None:
            waiting.timer.cancel()
        event = _so_far(waiting, is_over=True)
        if event.monitor is None:
            style = self.observations.style(self._limits.value_length)
            event = replace(event, monitor=await observe(occurrence.object, style))
        if not self._is_over and event.duration_s >= self._longer_than_s:
            self._add(event)
        return RESUME

    def _add(self, event: Blocked) -> None:
        key = 0 if event.monitor is None else event.monitor.object_id or 0
        text = "a monitor" if event.monitor is None else event.monitor.text
        self._by_monitor.setdefault(key, ContendedTotal(text)).add(event)
        place = "no Java code" if event.at is None else str(event.at)
        self._by_stack.setdefault(event.stack, ContendedTotal(place, event.stack)).add(event)
        self._put(event)
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()

    def _too_long(self, thread_id: int) -> None:
        """A thread has waited for so long that the program is to be stopped."""
        waiting = self._waiting.get(thread_id)
        if waiting is not None and not self._is_over:
            self.observations.spawn(self._break(waiting), "stopping at a long wait")

    async def _break(self, waiting: _Waiting) -> None:
        await self._suspend()
        self._put(_so_far(waiting))


def _so_far(waiting: _Waiting, *, is_over: bool = False) -> Blocked:
    duration = asyncio.get_running_loop().time() - waiting.since
    return replace(waiting.event, duration_s=duration, is_over=is_over)


def _present(thread: ThreadSnapshot) -> Blocked:
    """A thread that waits already."""
    wanted = thread.waits_for
    shown = None
    if wanted is not None:
        shown = ObservedValue(wanted.text, "", None, wanted.object_id)
    return Blocked(
        time=now(),
        thread=one_line(thread.name),
        thread_id=thread.id,
        monitor=shown,
        duration_s=0.0,
        is_over=False,
        is_wait=False,
        was_waiting=True,
        owner=None if wanted is None else wanted.owner,
        owner_id=None if wanted is None else wanted.owner_id,
        stack=tuple(each.at for each in thread.frames),
    )
