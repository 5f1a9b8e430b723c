# SPDX-License-Identifier: Apache-2.0
"""Reads the records that log points have written into their ring, and has them shown.

Asks our agent while there are such log points: again at once if there is more, else now and then.
If lines are shown slowly, records are read slowly, and the program drops records, which are counted
and reported once in a second. Called by `probe_checker`, which also has the ring read before
anything that must come after the lines: a stop, the end of the program, the removal of a
breakpoint.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from jvmdebug._native import LogRenderer, recorded_calls
from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.jdwp.ids import RequestId, ThreadId
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import LogFormat
    from jvmdebug.probes.call_records import CallRecord

_AT_ONCE: Final = 8192
"""The most records in a reply, since the event loop has other work too."""
_CALLS_AT_ONCE: Final = 1024
"""The same for calls, each of which takes longer than a line."""
_MOST_MISSING: Final = 0x7FFFFFFF
_MOST_AWAITED: Final = 4
"""The most replies with calls that a flush waits for."""
_MOST_READ_S: Final = {"all": math.inf, "end": 1.0, "held": 0.5, "some": 0.0}
"""How long calls are read while somebody waits; those behind are only counted."""
Patience: TypeAlias = Literal["all", "end", "held", "some"]
"""How long to wait for the calls that a hot method has recorded: until all are read; while the end
of the program waits; while a thread of the program is held, which may be the one that ends it; or
for some of them.
"""
_SHORTEST_PAUSE_S: Final = 0.005
_LONGEST_PAUSE_S: Final = 0.05
_TELL_EVERY_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Source:
    """The breakpoint, location and request that write the records of a format."""

    breakpoint: Breakpoint
    location: Location
    request_id: RequestId


class CallSink(Protocol):
    """A receiver of the records of calls."""

    def record(self, thread: Thread, thread_name: str, record: CallRecord) -> None:
        """Take a record. Those of one thread come in their order."""

    def lost(self, thread: Thread, count: int) -> None:
        """Note that `count` records of this thread are missing here, because there was no room for
        them.
        """


@dataclass(frozen=True, slots=True)
class LogLines:
    """Consecutive lines of one log point."""

    breakpoint: Breakpoint
    location: Location
    thread: Thread
    """The thread that wrote the first of them."""
    thread_name: str
    count: int
    text: str
    """The text without the last line end."""


class LogBatch:
    """The records of one reply."""

    def __init__(
        self,
        vm: VirtualMachine,
        reply: wire.ReadLogReply,
        sources: Mapping[int, _Source],
        render: Callable[[bool], list[tuple[int, int, int, str]]],
    ) -> None:
        self._threads = [(vm.thread(each.thread), each.name) for each in reply.threads]
        self._sources = sources
        self._render = render

    def lines(self, *, one_by_one: bool) -> list[LogLines]:
        """The lines in their order; with `one_by_one`, each line separately."""
        return [
            LogLines(source.breakpoint, source.location, *self._threads[thread], count, text)
            for number, thread, count, text in self._render(one_by_one)
            if thread >= 0
            for source in (self._sources[number],)
        ]


class LogDrain:
    """The drain of one VM; a companion of it."""

    def __init__(self) -> None:
        self._sources: dict[int, _Source] = {}
        self._renderer = LogRenderer(partial(one_line, most=None))
        self._lost: dict[int, int] = {}
        """How many lost records were reported already, by request."""
        self._calls: dict[int, CallSink | None] = {}
        """The sinks by the number of a format; None for a format that nobody wants any more."""
        self._numbers: dict[ThreadId, int] = {}
        """The number of the last record of a call, by thread."""
        self._task: asyncio.Task[None] | None = None
        self._reading = asyncio.Lock()
        self._flushing = asyncio.Lock()
        """Held while all that was written is read, so that no other task reads a part of it."""
        self._told = 0.0

    def add(
        self,
        vm: VirtualMachine,
        hooks: BreakpointHooks,
        source: tuple[Breakpoint, Location, RequestId],
        log_format: LogFormat,
    ) -> None:
        """Note that a check which is about to be installed writes records of this format."""
        self._sources[log_format.number] = _Source(*source)
        self._renderer.add(log_format.number, list(log_format.parts))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, hooks), name="log drain")

    def add_calls(
        self, vm: VirtualMachine, hooks: BreakpointHooks, formats: Sequence[int], sink: CallSink
    ) -> None:
        """Note that checks which are about to be installed write records of calls."""
        self._calls.update(dict.fromkeys(formats, sink))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, hooks), name="log drain")

    def forget_calls(self, sink: CallSink) -> None:
        """Forget a sink whose checks are gone."""
        for number, each in self._calls.items():
            if each is sink:
                self._calls[number] = None

    @property
    def _has_calls(self) -> bool:
        return any(self._calls.values())

    def _take_calls(self, vm: VirtualMachine, reply: wire.ReadLogReply) -> None:
        if not self._has_calls:
            self._numbers.clear()
            return
        from jvmdebug.probes.call_records import call_records  # noqa: PLC0415 - large, for traces

        for record in call_records(reply.records, self._calls.keys()):
            if record.thread < 0:
                continue
            writer = reply.threads[record.thread]
            self._note_call(vm, writer.thread, record.number, is_read=True)
            if (sink := self._calls[record.format]) is not None:
                sink.record(vm.thread(writer.thread), writer.name, record)

    def _skip_calls(self, vm: VirtualMachine, reply: wire.ReadLogReply) -> None:
        """Count the calls of a reply as lost. There is no time to read them."""
        for thread, (first, last) in recorded_calls(reply.records, set(self._calls)).items():
            if thread >= 0:
                writer = reply.threads[thread].thread
                self._numbers.setdefault(writer, first - 1)
                self._note_call(vm, writer, last, is_read=False)

    def _note_call(
        self, vm: VirtualMachine, thread: ThreadId, number: int, *, is_read: bool
    ) -> None:
        """Note the number of the last record of a thread, and tell how many before are missing."""
        last = self._numbers.get(thread)
        missing = 0 if last is None else (number - last - is_read) & 0xFFFFFFFF
        if missing > _MOST_MISSING:  # recording made the call, told before its cause
            missing = 0
        self._numbers[thread] = number
        for each in set(self._calls.values()) if missing else ():
            if each is not None:
                each.lost(vm.thread(thread), missing)

    def writes_for(self, breakpoint_: Breakpoint) -> bool:
        """Whether the program writes messages of this breakpoint at some location."""
        return any(each.breakpoint is breakpoint_ for each in self._sources.values())

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose check is gone and whose records were read."""
        for number, source in list(self._sources.items()):
            if source.request_id == request_id:
                del self._sources[number]
                self._renderer.forget(number)
        self._lost.pop(int(request_id), None)

    async def close(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def flush(
        self, vm: VirtualMachine, hooks: BreakpointHooks, *, patience: Patience = "all"
    ) -> None:
        """Read what has been written until now. The caller may not want to wait for all calls that
        a hot method has recorded; then the others are counted as lost.
        """
        if not self._sources and not self._calls:
            return
        written: int | None = None
        until = time.monotonic() + _MOST_READ_S[patience]
        async with self._flushing:
            for batch in itertools.count():
                takes_calls = batch < _MOST_AWAITED or time.monotonic() < until
                reply, showing = await self._read(vm, hooks, takes_calls=takes_calls)
                for each in showing:
                    each.close()  # the task that waits for this may be the one that shows it
                written = reply.written if written is None else written
                if not reply.has_more or reply.next >= written:
                    return

    async def _run(self, vm: VirtualMachine, hooks: BreakpointHooks) -> None:
        pause = _SHORTEST_PAUSE_S
        while self._sources or self._has_calls:
            has_more = has_read = False
            try:
                async with self._flushing:
                    reply, showing = await self._read(vm, hooks)
            except JvmDebugError:
                if not vm.connection.is_open:
                    return
            else:
                has_more, has_read = reply.has_more, bool(reply.records)
                await asyncio.gather(*showing)
            self._tell_lost(hooks)
            pause = _SHORTEST_PAUSE_S if has_read else min(pause * 2, _LONGEST_PAUSE_S)
            await asyncio.sleep(0 if has_more else pause)

    async def _read(
        self, vm: VirtualMachine, hooks: BreakpointHooks, *, takes_calls: bool = True
    ) -> tuple[wire.ReadLogReply, Sequence[Coroutine[object, object, object]]]:
        """Read records. Returns the reply, and the coroutines that end when the lines are shown."""
        async with self._reading:
            longest = hooks.hit_limits().max_log_value_length
            most = _CALLS_AT_ONCE if self._has_calls and takes_calls else _AT_ONCE
            reply = await vm.request(wire.ReadLog(most, longest))
            self._note_lost(reply)
            if not reply.records:
                return reply, []
            if self._calls and (takes_calls or not self._has_calls):
                self._take_calls(vm, reply)
            elif self._calls:
                self._skip_calls(vm, reply)

            def render(one_by_one: bool) -> list[tuple[int, int, int, str]]:  # noqa: FBT001
                return self._renderer.render(reply.records, longest, by_line=one_by_one)

            batch = LogBatch(vm, reply, self._sources, render)
            lines = batch.lines(one_by_one=False)
            for each in lines:
                each.breakpoint.was_reached = True
                # Where the debugger writes lines at another location, the hits are counted
                # together.
                each.breakpoint.shared_counts.reported += each.count
            return reply, await hooks.breakpoints_logged(batch, lines)

    def _note_lost(self, reply: wire.ReadLogReply) -> None:
        by_request = {int(each.request_id): each for each in self._sources.values()}
        for lost in reply.lost:
            source, known = by_request.get(lost.request_id), self._lost.get(lost.request_id, 0)
            more = lost.count - (known if lost.count >= known else 0)  # less if it is another check
            if source is not None and more:
                source.breakpoint.log_budget.leave_out(more)
                source.breakpoint.shared_counts.reported += more
            self._lost[lost.request_id] = lost.count

    def _tell_lost(self, hooks: BreakpointHooks) -> None:
        """Report lost records once in a while, not for each record."""
        now = time.monotonic()
        if now - self._told >= _TELL_EVERY_S:
            self._told = now
            for breakpoint_ in {each.breakpoint for each in self._sources.values()}:
                hooks.tell_left_out(breakpoint_)
