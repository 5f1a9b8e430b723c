# SPDX-License-Identifier: Apache-2.0
"""What a snapshot of all threads consists of: plain frozen data, and the deadlocks in it.

Owns the classes and their texts, not where the data comes from: `snapshot` reads it with the
standard commands, `thread_dump` in one answer of our agent. Part of the public API.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.notebook import preformatted, table
from jvmdebug.observing.observed import NamedValue, Shown, StackEntry, as_plain
from jvmdebug.observing.vm_threads import is_of_vm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.observing.task_origins import Origin


@dataclass(frozen=True, slots=True)
class MonitorSnapshot:
    """A monitor that a thread holds or waits for, a lock of java.util.concurrent, or the
    initialization of a class.
    """

    text: str
    """The object: `Account@1f`, and its contents if variables were asked for; `the initialization
    of shop.Cart`. Where only the VM's own thread dump has it: `Account@` and its address then."""
    object_id: int
    """0 if it is not known: our agent names the first 10,000 of a dump."""
    owner: str | None = None
    """The name of the thread that holds it; None if none does, or it is not known."""
    owner_id: int | None = None
    """Tells threads of the same name apart."""
    is_lock: bool = False
    """Not a monitor: the thread is parked for it, a lock of java.util.concurrent say."""
    depth: int | None = None
    """Of a monitor that is held: the depth of the frame that has entered it; None if it is not
    known."""
    is_initialization: bool = False
    """Not a monitor: the thread waits until `owner` has initialized the class that `text` names."""


@dataclass(frozen=True, slots=True, repr=False)
class FrameSnapshot(Shown):
    """A frame of a thread; its variables if they were asked for."""

    at: StackEntry
    variables: tuple[NamedValue, ...] = ()

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.variables))
        return f"{self.at}  {{{shown}}}" if shown else str(self.at)


@dataclass(frozen=True, slots=True, repr=False)
class ThreadSnapshot(Shown):
    """A thread as it was."""

    id: int
    """As the debugger knows it; 0 for a virtual thread that it has not met."""
    name: str
    status: str
    """One of: running, sleeping, blocked (waits to enter a monitor), waiting, ended, unknown; and
    for what would run: stopped (a stop is of this thread), suspended (a stop holds it too)."""
    frames: tuple[FrameSnapshot, ...]
    """The topmost first; at most as many as were asked for."""
    frame_count: int
    """How many there are."""
    holds: tuple[MonitorSnapshot, ...] = ()
    """The monitors that it has entered, the last one first, and locks that others wait for."""
    waits_for: MonitorSnapshot | None = None
    """The monitor that it waits to enter or that it waits on, what it is parked for, or the class
    whose initialization it waits for."""
    is_virtual: bool = False
    number: int | None = None
    """What `Thread.threadId()` returns; None if it was not asked."""
    cpu_s: float | None = None
    """Processor time that it has used; None if it is not known, as of virtual threads."""
    origins: tuple[Origin, ...] = ()
    """The stacks that submitted its task, the nearest first, if they were asked for and known."""

    @property
    def is_of_vm(self) -> bool:
        """Whether its name is that of a thread which the VM starts for itself: `Finalizer`."""
        return is_of_vm(self.name)

    def __str__(self) -> str:
        number = self.id if self.number is None else self.number
        lines = [f'"{self.name}" #{number} {self.status}']
        lines += [f"    at {each}" for each in self.frames]
        if (more := self.frame_count - len(self.frames)) > 0:
            lines.append(f"    … {more} more")
        for origin in self.origins:
            lines += [f"    {origin.label}:", *(f"        at {each}" for each in origin.frames)]
        if self.waits_for is not None:
            owner = self.waits_for.owner
            held = "" if owner is None else f', held by "{owner}"'
            lines.append(f"    waits for {self.waits_for.text}{held}")
        lines += [f"    holds {each.text}" for each in self.holds]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot(Shown):
    """All threads at one moment. `str(snapshot)` is a thread dump."""

    time: float
    """In seconds since 1970."""
    threads: tuple[ThreadSnapshot, ...]
    """The program's own before those of the VM."""
    deadlocks: tuple[tuple[str, ...], ...]
    """The names of threads that wait for each other in a circle, each for the next."""
    held_s: float | None = None
    """For how long the program was held for this, in seconds; None if that was not measured."""
    virtual_thread_count: int = 0
    """How many virtual threads there were, those that are left out too."""
    monitors_unknown: str | None = None
    """Why the VM does not tell of monitors; None if it does."""

    def thread(self, name: str) -> ThreadSnapshot:
        """The first thread of that name; KeyError if there is none."""
        for each in self.threads:
            if each.name == name:
                return each
        raise KeyError(name)

    def differences(self, later: Snapshot) -> tuple[str, ...]:
        """What is different in a later snapshot: threads that came, ended, or are elsewhere."""
        before = {_key(each): each for each in self.threads}
        after = {_key(each): each for each in later.threads}
        found = [f'"{before[key].name}" has ended' for key in before if key not in after]
        found += [f'"{after[key].name}" is new' for key in after if key not in before]
        for key in before.keys() & after.keys():
            found += _changes(before[key], after[key])
        return tuple(sorted(found))

    @property
    def left_out(self) -> int:
        """How many virtual threads are not in `threads`."""
        return max(0, self.virtual_thread_count - sum(each.is_virtual for each in self.threads))

    def as_dict(self) -> dict[str, object]:
        """Returns dicts and lists, for `json.dumps`."""
        plain = as_plain(self)
        return plain if isinstance(plain, dict) else {}

    def __str__(self) -> str:
        parts = [str(each) for each in self.threads]
        for each in self.deadlocks:
            names = ", ".join(f'"{name}"' for name in each)
            parts.append(f"Deadlock: {names} wait for each other")
        if (more := self.left_out) > 0:
            parts.append(f"… {more} more virtual thread{'s' * (more != 1)}")
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        deadlocks = len(self.deadlocks)
        found = f", {deadlocks} deadlock{'s' * (deadlocks != 1)}" if deadlocks else ""
        return f"Snapshot({len(self.threads)} threads{found})"

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


def _key(thread: ThreadSnapshot) -> int:
    """The same for the same thread, of whichever agent."""
    return thread.id or -(thread.number or 0)


def deadlocks(threads: Sequence[ThreadSnapshot]) -> tuple[tuple[str, ...], ...]:
    """The names of threads of which each waits to get what the next one holds."""
    by_id = {each.id: index for index, each in enumerate(threads) if each.id}
    waits_for: dict[int, int] = {}
    for index, each in enumerate(threads):
        wanted = each.waits_for
        if wanted is None or wanted.owner_id not in by_id:
            continue
        # Who waits on a monitor waits for a notification, and not for its owner.
        if wanted.is_lock or wanted.is_initialization or each.status == "blocked":
            waits_for[index] = by_id[wanted.owner_id]
    found = circles(waits_for)
    return tuple(tuple(threads[each].name for each in circle) for circle in found)


def circles(waits_for: Mapping[int, int]) -> list[tuple[int, ...]]:
    """The circles among those of which each waits for one other at most."""
    found: list[tuple[int, ...]] = []
    done: set[int] = set()
    for start in waits_for:
        path: dict[int, None] = {}
        at: int | None = start
        while at is not None and at not in path and at not in done:
            path[at] = None
            at = waits_for.get(at)
        if at is not None and at in path:
            members = list(path)
            found.append(tuple(members[members.index(at) :]))
        done.update(path)
    return found
