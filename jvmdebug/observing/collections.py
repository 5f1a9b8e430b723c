# SPDX-License-Identifier: Apache-2.0
"""Garbage collections for which the VM stands still, and what it runs out of, as they happen.

Owns that our agent tells them, and the totals. Collectors that work beside the program (ZGC,
Shenandoah) stand still for moments only, and not all of those are told. Made by the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import BreakpointError
from jvmdebug.heap.code_places import CodePlace, places
from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.notebook import table
from jvmdebug.observing.observation import Limits, Observation
from jvmdebug.observing.observed import ObservedEvent, now
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.jdwp.generated.heap import Collected, Exhausted
    from jvmdebug.observing.observation import ObservedProgram

_OF_THREADS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GcPause(ObservedEvent):
    """The VM stood still to collect garbage; `str(pause)` is one line."""

    duration_s: float

    def _repr_html_(self) -> str:
        return table("GcPause", [("seconds", f"{self.duration_s:.4f}")])

    def __str__(self) -> str:
        return f"collected garbage for {self.duration_s * 1e3:.2f} ms"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResourceExhausted(ObservedEvent):
    """The VM has run out of something, and throws OutOfMemoryError; `str(event)` is one line."""

    resource: str
    """`heap`, or `threads`."""
    description: str
    """What the VM says of it: `Java heap space`."""
    stack: tuple[CodePlace, ...]
    """Of the thread that asked, topmost first."""

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("resource", self.resource), ("thread", self.thread)]
        rows += [("at", each) for each in self.stack]
        return table("ResourceExhausted", rows)

    def __str__(self) -> str:
        at = f" at {self.stack[0]}" if self.stack else ""
        return f'out of {self.resource} ({self.description}) in "{self.thread}"{at}'


class GcEvents(Observation[ObservedEvent]):
    """Collections and what the VM has run out of."""

    def __init__(
        self,
        program: ObservedProgram,
        *,
        longer_than_s: float,
        break_after_s: float | None,
        suspend: Callable[[], Awaitable[object]],
        limits: Limits,
    ) -> None:
        super().__init__(program, "garbage collections", ObservedEvent, limits)
        if longer_than_s < 0:
            raise BreakpointError(f"longer_than_s is {longer_than_s}: it must be 0 or more")
        self._longer_than_s = longer_than_s
        self._break_after_s = break_after_s
        self._suspend = suspend
        self.pauses = 0
        """How many collections there were, short ones too."""
        self.total_s = 0.0
        """How long all of them took."""
        self.longest_s = 0.0

    async def _arm(self) -> None:
        vm = self.observations.vm
        vm.require_of_agent(AgentCapability.HEAP, "telling of garbage collections")
        if heap_set.Collected in vm.connection.notice_sinks:
            raise BreakpointError("garbage collections are observed already: one at a time")
        vm.connection.notice_sinks[heap_set.Collected] = self._collected
        vm.connection.notice_sinks[heap_set.Exhausted] = self._exhausted
        await vm.request(heap_set.Watch(is_on=True))

    async def _disarm(self) -> None:
        vm = self.observations.vm
        if vm.connection.notice_sinks.get(heap_set.Collected) == self._collected:
            del vm.connection.notice_sinks[heap_set.Collected]
            del vm.connection.notice_sinks[heap_set.Exhausted]
            await vm.request(heap_set.Watch(is_on=False))

    def _collected(self, collected: Collected) -> None:
        duration_s = collected.duration / 1e6
        self.pauses += 1
        self.total_s += duration_s
        self.longest_s = max(self.longest_s, duration_s)
        if self._break_after_s is not None and duration_s >= self._break_after_s:
            self.observations.spawn(self._stop(), f"stopping for {self!r}")
        if duration_s >= self._longer_than_s:
            time = collected.start / 1e6
            self._take(GcPause(time=time, thread="", thread_id=0, duration_s=duration_s))

    def _exhausted(self, told: Exhausted) -> None:
        self._take(
            ResourceExhausted(
                time=now(),
                thread=one_line(told.thread),
                thread_id=0,
                resource="threads" if told.flags & _OF_THREADS else "heap",
                description=one_line(told.description),
                stack=tuple(places(told.frames)),
            )
        )

    def _take(self, event: ObservedEvent) -> None:
        self._put(event)
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()

    async def _stop(self) -> None:
        await self._suspend()
