# SPDX-License-Identifier: Apache-2.0
"""The calls of a trace: those that are recorded, and those that each thread is in now.

Pure: knows no VM. A call is found again when its method returns by the number of frames below it.
One that is not there any more although it was not seen to return was left by an exception, or its
frame was popped. Called by `trace`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jvmdebug.notebook import table
from jvmdebug.observing.observed import NamedValue, ObservedEvent, ObservedValue, StackEntry

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

MAX_OPEN: Final = 100_000
"""So many calls may be open at once, in all threads; further ones are not recorded."""

Outcome: TypeAlias = Literal["returned", "threw", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CallEntered(ObservedEvent):
    """A method was called. `str(call)` is the call with its arguments."""

    number: int
    """Counts the calls of a trace from 1, in the order of their beginnings."""
    parent: int | None
    """The number of the recorded call around it in this thread; None if there is none."""
    depth: int
    """How many recorded calls are around it."""
    type_name: str
    """`shop.Cart`: the class that declares the method."""
    method_name: str
    """`add`, `<init>`"""
    this: ObservedValue | None
    """The object; None in a static or native method."""
    arguments: tuple[NamedValue, ...]
    stack: tuple[StackEntry, ...]
    """From the caller on; empty unless it was asked for."""

    @property
    def method(self) -> str:
        """`shop.Cart#add`"""
        return f"{self.type_name}#{self.method_name}"

    @property
    def call_text(self) -> str:
        """`shop.Cart.add("cup", 2)`"""
        values = ", ".join(each.value.text for each in self.arguments)
        return f"{self.type_name}.{self.method_name}({values})"

    def argument(self, name: str) -> ObservedValue:
        """The argument of that name; KeyError if there is none."""
        for each in self.arguments:
            if each.name == name:
                return each.value
        raise KeyError(name)

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.call_text}"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("thread", self.thread)]
        rows += [(each.name, each.value) for each in self.arguments]
        rows += [("called by", each) for each in self.stack]
        return table(str(self).strip(), rows)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Call(CallEntered):
    """A call that is over. `str(call)` has its outcome and how long it took."""

    outcome: Outcome
    """`returned`; `threw`: an exception left the method; `unknown`: the method is not in the stack
    any more, but what ended it was not seen."""
    result: ObservedValue | None = None
    """What it returned; None for void, and where `why_no_result` says why it is not known."""
    exception: ObservedValue | None = None
    """What left the method, if `outcome` is `threw`."""
    why_no_result: str | None = None
    """Why `result` is not known although the method returned a value; None if it is."""
    duration_s: float
    """From the call to its end, with the time that observing what it calls has taken."""

    def __str__(self) -> str:
        if self.outcome == "threw":
            end = f" threw {self.exception}"
        elif self.outcome == "unknown":
            end = " ended, how is not known"
        elif self.result is not None:
            end = f" = {self.result}"
        else:
            end = " = ?" if self.why_no_result is not None else ""
        return f"{'  ' * self.depth}{self.call_text}{end} ({duration_text(self.duration_s)})"


def duration_text(seconds: float) -> str:
    """`12 µs`, `3.4 ms`, `1.25 s`."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


@dataclass(slots=True, eq=False)
class OpenCall:
    """A call that has begun."""

    entered: CallEntered
    method: Hashable
    frames: int
    """How many frames the thread has while the method runs in its own."""
    began: float
    """By the clock of `time.perf_counter`, or that of the program."""
    is_recorded: bool = False
    """By the program itself: `frames` is not known before a thread is looked at."""


class OpenCalls:
    """The calls that the threads are in."""

    def __init__(self) -> None:
        self._of_threads: dict[Hashable, list[OpenCall]] = {}
        self._count = 0

    def __iter__(self) -> Iterator[OpenCall]:
        return (each for calls in self._of_threads.values() for each in calls)

    @property
    def has_room(self) -> bool:
        """Whether one more may be opened."""
        return self._count < MAX_OPEN

    def innermost(self, thread: Hashable) -> OpenCall | None:
        """The last one that the thread has begun."""
        calls = self._of_threads.get(thread)
        return calls[-1] if calls else None

    def depth(self, thread: Hashable) -> int:
        """How many the thread is in."""
        return len(self._of_threads.get(thread, ()))

    def enter(self, thread: Hashable, call: OpenCall) -> None:
        """The thread has begun a call."""
        self._of_threads.setdefault(thread, []).append(call)
        self._count += 1

    def of_thread(self, thread: Hashable) -> tuple[OpenCall, ...]:
        """The outermost first."""
        return tuple(self._of_threads.get(thread, ()))

    def leave_above(self, thread: Hashable, frames: int) -> list[OpenCall]:
        """Take away, the innermost first, those with more than `frames` frames."""
        calls = self._of_threads.get(thread)
        left: list[OpenCall] = []
        while calls and calls[-1].frames > frames:
            left.append(calls.pop())
        self._forget(thread, left)
        return left

    def leave(self, thread: Hashable, call: OpenCall) -> None:
        """Take away the innermost, which is `call`."""
        calls = self._of_threads.get(thread)
        if calls and calls[-1] is call:
            self._forget(thread, [calls.pop()])

    def forget_threads(self, alive: Iterable[Hashable]) -> list[OpenCall]:
        """Take away the calls of threads that are gone."""
        gone = set(self._of_threads).difference(alive)
        lost = [each for thread in gone for each in self._of_threads.pop(thread)]
        self._count -= len(lost)
        return lost

    def clear(self) -> None:
        """Forget all."""
        self._of_threads.clear()
        self._count = 0

    def _forget(self, thread: Hashable, calls: list[OpenCall]) -> None:
        self._count -= len(calls)
        if not self._of_threads.get(thread):
            self._of_threads.pop(thread, None)
