# SPDX-License-Identifier: Apache-2.0
"""A trace whose calls the program records itself, where it can: no call stops its thread.

The exceptions that end calls are still reported by the VM, and hold their thread for a moment; what
the thread has recorded until then is read first. Made by `session.trace`.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError
from jvmdebug.events import RESUME, clear_now
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.observing.calls import CallEntered, OpenCall
from jvmdebug.observing.observed import now
from jvmdebug.observing.recorded_calls import RecordedCalls
from jvmdebug.observing.trace import Trace
from jvmdebug.printable import one_line
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.breakpoints.recorder import CallRecorder
    from jvmdebug.events import (
        BreakpointOccurrence,
        ExceptionOccurrence,
        LocatedOccurrence,
        Occurrence,
        RequestHandle,
        Verdict,
    )
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.observing.observation import Limits, ObservedProgram
    from jvmdebug.observing.observed import ObservedValue
    from jvmdebug.observing.recorded_calls import Arguments, RecordedAt
    from jvmdebug.sources import MethodSpec


_DEEPEST: Final = 4_096
"""Of the open calls of a thread: with more, exceptions have ended some that the VM did not report,
for instance since they were made before.
"""


class RecordedTrace(Trace):
    """A `Trace` of recorded calls. `missed` counts entries and returns, too, that found no room in
    the program.
    """

    def __init__(
        self,
        program: ObservedProgram,
        spec: MethodSpec,
        condition: str | None,
        *,
        frames: int,
        limits: Limits,
    ) -> None:
        super().__init__(program, spec, condition, frames=frames, limits=limits)
        self._recorded: RecordedCalls | None = None
        self._at_end: RequestHandle | None = None
        self._clock: float | None = None
        """The time at which the program's clock was 0: the earliest guess is the best."""

    @property
    def _why_all_stop(self) -> str | None:
        if self._frames > 0:
            return "a stack is asked for"
        if self._condition is not None:
            return "a condition is asked for"
        return None if self._recorded is None else self._recorded.why_none

    @property
    def all_stop(self) -> bool:
        return self._why_all_stop is not None

    @property
    def why_stopped(self) -> dict[str, str]:
        """The methods whose calls stop, `shop.Cart#add`, and why."""
        if self._why_all_stop is not None:
            return {self._what: self._why_all_stop}
        known = {} if self._recorded is None else self._recorded.why_not
        return {
            f"{one_line(each.declaring_type.name)}#{one_line(each.name)}": why
            for each, why in known.items()
        }

    async def _arm(self) -> None:
        self._recorded = RecordedCalls(self.observations, self._style, self)
        self._at_end = await self.observations.router.arm(
            EventKind.VM_DEATH, (), SuspendPolicy.ALL, self._on_end
        )
        await super()._arm()

    def _recorder(self) -> CallRecorder | None:
        return None if self._why_all_stop else self._recorded

    async def _on_end(self, _: Occurrence) -> Verdict:
        if self._recorded is not None:
            with contextlib.suppress(VmError):
                await self._recorded.flush(patience="end")
        return RESUME

    async def _last_look(self) -> None:
        if self._recorded is not None:
            await self._recorded.end()

    async def _disarm(self) -> None:
        at_end = [] if self._at_end is None else [self._at_end.clear()]
        try:
            await all_of(super()._disarm(), *at_end)
        finally:
            if self._recorded is not None:
                await self._recorded.close()

    async def _flush(self) -> None:
        """Reads what a held thread has recorded: what is left out is counted with the next."""
        if self._recorded is not None:
            await self._recorded.flush(patience="held")

    async def about_to_record(self, method: Method) -> None:
        """Prepares to record: its calls may have stopped until now, also at their returns. A thread
        at the entry may come to a request there: the agent would leave the method alone.
        """
        async with clear_now(self.observations.vm):
            await self._returns.forget(method)

    # What the program has recorded

    def call_began(self, at: RecordedAt, method: Method, arguments: Arguments) -> None:
        """A thread has entered a method."""
        if not self.is_open:
            return
        if not self._open_calls.has_room:
            self.not_recorded += 1
            return
        if self._open_calls.depth(at.thread) >= _DEEPEST:
            self.calls_lost(at.thread, 0)
        outer = self._open_calls.innermost(at.thread)
        began = at.time_ns * 1e-9
        offset = now() - began
        self._clock = offset if self._clock is None else min(self._clock, offset)
        self._calls += 1
        entered = CallEntered(
            time=began + self._clock,
            thread=at.thread_name,
            thread_id=at.thread.id,
            number=self._calls,
            parent=None if outer is None else outer.entered.number,
            depth=self._open_calls.depth(at.thread),
            type_name=one_line(method.declaring_type.name),
            method_name=one_line(method.name),
            this=arguments.this,
            arguments=arguments.values,
            stack=(),
        )
        call = OpenCall(entered, method, 0, began, is_recorded=True)
        self._open_calls.enter(at.thread, call)
        self._put(entered)

    def call_returned(
        self,
        at: RecordedAt,
        method: Method,
        result: ObservedValue | None,
        this: ObservedValue | None = None,
    ) -> None:
        """Called when it is about to return: what is inside of it was left by an exception."""
        calls = self._open_calls.of_thread(at.thread)
        if all(each.method is not method for each in calls):
            return  # it was entered before
        for call in reversed(calls):
            if call.method is not method:
                self._end_call(at.thread, call, "unknown")
                continue
            if this is not None:
                call.entered = replace(call.entered, this=this)
            took = at.time_ns * 1e-9 - call.began if call.is_recorded else None
            self._end_call(at.thread, call, "returned", result=result, took_s=took)
            return

    def calls_lost(self, thread: Thread, count: int) -> None:
        """There was no room for so many entries and returns of a thread: its calls may be over."""
        self.missed += count
        for call in reversed(self._open_calls.of_thread(thread)):
            self._end_call(thread, call, "unknown")

    def _took(self, call: OpenCall) -> float:
        return max(0.0, now() - call.entered.time) if call.is_recorded else super()._took(call)

    # What stops

    async def reached(self, _breakpoint: Breakpoint, occurrence: LocatedOccurrence) -> None:
        """A method was entered whose calls stop, or are just about to be recorded."""
        is_recorded = self._recorded is not None and self._recorded.has(occurrence.location.method)
        if is_recorded and self._why_all_stop is None:
            return
        await self._settle(occurrence.thread)
        await super().reached(_breakpoint, occurrence)

    async def _on_return(self, occurrence: BreakpointOccurrence) -> Verdict:
        await self._settle(occurrence.thread)
        return await super()._on_return(occurrence)

    async def _on_exception(self, occurrence: ExceptionOccurrence) -> Verdict:
        await self._settle(occurrence.thread)
        return await super()._on_exception(occurrence)

    async def _settle(self, thread: Thread) -> None:
        """Know all that the thread, which is held, has recorded, and the frames of its calls."""
        await self._flush()
        calls = self._open_calls.of_thread(thread)
        if not any(each.is_recorded for each in calls):
            return
        frames = await thread.frames(0, await thread.frame_count())
        top = 0
        for call in reversed(calls):
            found = [
                depth
                for depth in range(top, len(frames))
                if frames[depth].location.method is call.method
            ]
            if not found:
                call.frames = len(frames) + 1  # it is over
                continue
            call.frames, top = len(frames) - found[0], found[0] + 1
        self._end_lost(thread, len(frames))
