# SPDX-License-Identifier: Apache-2.0
"""A Stop: one suspension of the debuggee, and the owner of every handle given out during it.

A stop is current until it is resumed, stepped from, popped, or the VM ends; after that its handles
raise StateError. The stop registry suspends and resumes; a stop only knows its own suspension.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.arguments import require_whole
from jvmdebug.breakpoints import BreakpointHit, ExceptionThrown
from jvmdebug.errors import StateError, UnsupportedError
from jvmdebug.jdwp.generated.constants import StepDepth
from jvmdebug.model.values import VOID, ObjectReference
from jvmdebug.printable import one_line
from jvmdebug.session import origins as task_origins
from jvmdebug.session.causes import Jumped, StopReason, reasons_of
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.session.inlined_frames import frames_with_inlined
from jvmdebug.session.instances import Instances, instances, kept
from jvmdebug.session.kept_objects import KeptObjects
from jvmdebug.session.notebook import stop_html
from jvmdebug.session.own_text import OwnTexts
from jvmdebug.session.steps import StepRequest
from jvmdebug.session.thrown import Thrown, complete_message, read_thrown
from jvmdebug.session.watched_change import WatchedChange
from jvmdebug.stepping import CallSite, StepEnded, calls_ahead

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.display import ValueStyle
    from jvmdebug.events import Cause
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.code import Code
    from jvmdebug.session.services import Services
    from jvmdebug.session.suspension import Suspension
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.session.variable import Variable
    from jvmdebug.sources import SourceFile, SourceFinder
    from jvmdebug.stepping import Granularity, Libraries

_FRAMES_AT_ONCE: Final = 20
_MOST_LIBRARY_FRAMES: Final = 200
"""Deeper, nobody's own code is looked for."""


class Stop:
    """One suspension: why, where, and what can be done from there."""

    def __init__(
        self,
        services: Services,
        causes: tuple[Cause, ...],
        thread: ThreadHandle,
        suspension: Suspension,
    ) -> None:
        self.causes = causes
        """Everything that wanted to stop here, at once."""
        self.reasons = reasons_of(causes)
        """The reasons of all causes, the most specific first."""
        self.thread = thread
        self.breakpoints = _breakpoints_of(causes)
        """The breakpoints that were hit and wanted to stop, oldest first."""
        self.suspension = suspension
        self.own_texts = OwnTexts(services.settings)
        """The texts that the program's own toString() makes, as far as they can be computed."""
        self.exception: Variable | None = None
        """The thrown object if `reason` is EXCEPTION."""
        self.exception_caught: bool | None = None
        """Whether a handler is known for the exception; None if `reason` is not EXCEPTION."""
        self.first_thrown_at: str | None = None
        """Where it was thrown first, `shop.Cart.add(Cart.java:42)`, if not now."""
        self.ends_thread = False
        """Whether the exception has left all frames of the thread; `thrown` knows where it was."""
        self.change: WatchedChange | None = None
        """What a field is about to get, or a local variable has got, if `reason` is WATCHPOINT."""
        self.returned: Variable | None = None
        """The result of the method that the step ending here returned from; None for void."""
        self.why_not_returned: str | None = None
        """Why `returned` is not known in this stop although the agent can report results."""
        self.unassigned: tuple[str, ...] = ()
        """Names of variables whose assignment `jump_to` has left out, and which the code may read:
        they are 0, false or null."""
        self._services = services
        self._found_sources: dict[tuple[str, int | None], SourceFile | None] = {}
        self._originals: dict[str, SourceFile | None] = {}
        self._top: FrameHandle | None = None
        self._end: str | None = None

    @property
    def reason(self) -> StopReason:
        """The most specific reason."""
        return self.reasons[0]

    async def fetch(self) -> None:
        """Fetch what every stop shows: thread name, topmost frame, values of its causes.

        There is no frame while the thread still runs the method of a condition that was given up.
        """
        if self.thread.runs_evaluation:
            await self.thread.refresh_name()
            return
        frames_request = self.thread.thread.frames(0, 1)
        if self.reason is StopReason.STEP and self.thread.name:
            frames = await frames_request  # known since the step before
        else:
            _, frames = await asyncio.gather(self.thread.refresh_name(), frames_request)
        self._top = await FrameHandle.make(self, self.thread, frames[0]) if frames else None
        for cause in self.causes:
            await _show(self, self._top, cause)

    @property
    def libraries(self) -> Libraries:
        """Tells whose code a class is."""
        return self._services.libraries

    @property
    def vm(self) -> VirtualMachine:
        """The VM that is stopped."""
        return self._services.vm

    @property
    def sources(self) -> SourceFinder:
        """Finds the sources of classes."""
        return self._services.sources

    async def refresh(self) -> None:
        """The code of classes was replaced: fetch the topmost frame again."""
        if self._top is not None:
            frames = await self.thread.thread.frames(0, 1)
            self._top = await FrameHandle.make(self, self.thread, frames[0]) if frames else None

    @property
    def code(self) -> Code:
        """Listings and addresses of the VM's code."""
        return self._services.code

    @property
    def style(self) -> ValueStyle:
        """How values are written in this session."""
        return self._services.settings.style

    @property
    def calls_to_string(self) -> bool:
        """Whether toString() is to be called to show an object: not while code cannot run."""
        return self._services.settings.to_string == "call" and self.reason is not StopReason.PAUSE

    @property
    def all_threads(self) -> bool:
        """Whether every thread is suspended, not only `thread`."""
        return self.suspension.all_threads

    @property
    def is_current(self) -> bool:
        """False once resumed, stepped from, or ended."""
        return self._end is None

    @property
    def has_frames(self) -> bool:
        """False for a thread that has not entered Java code (a pause very early or very late)."""
        return self._top is not None

    @property
    def frame(self) -> FrameHandle:
        """The topmost frame. A thread without frames raises StateError here; see `has_frames`."""
        if self._top is None:
            self.require_current(self.thread)
            raise StateError(f"thread {self.thread.name!r} has no Java frames")
        return self._top

    def require_current(self, thread: ThreadHandle | None = None) -> None:
        """Raise StateError unless the stop is current (and still holds `thread`)."""
        self._services.stops.require_link()
        if self._end is not None:
            raise StateError(f"this belongs to a stop that is over: {self._end}")
        if thread is not None and not self.suspension.holds(thread.thread):
            raise StateError(f"thread {thread.name!r} is running; suspend it first")
        if thread is not None and thread.runs_evaluation:
            raise StateError(
                f"thread {thread.name!r} still runs an evaluation that was given up and could not "
                "be stopped: it waits for a lock or another thread; resume the program"
            )

    def end(self, why: str) -> None:
        """Refuse every handle from now on; `why`, and what to do, go into the error."""
        if self._end is None:
            self._end = why

    async def frames(
        self, start: int = 0, count: int | None = None, *, thread: ThreadHandle | None = None
    ) -> list[FrameHandle]:
        """Frames of `thread` (default: the stop's) from depth `start`, topmost first."""
        thread = thread or self.thread
        self.require_current(thread)
        require_whole("start", start, 0)
        async with thread.lock, thread.telling_its_end():
            frames = await thread.thread.frames(
                start,
                -1 if count is None else count,
                nothing_runs=self.suspension.nothing_runs,
            )
        return await FrameHandle.make_all(self, thread, frames)

    async def frames_with_inlined(
        self, start: int = 0, count: int | None = None, *, thread: ThreadHandle | None = None
    ) -> list[FrameHandle]:
        """Return frames as `frames` does, with a separate one for each inline function of Kotlin.

        `start` counts those too, so the frames before it are read as well.
        """
        return await frames_with_inlined(self, start, count, thread)

    async def own_frame(self) -> FrameHandle | None:
        """The topmost frame that is not in code of the JDK or of a library; None without one.

        Where a thread was paused or an exception was thrown it is often not the topmost of all.
        """
        depth = min(await self.frame_count(), _MOST_LIBRARY_FRAMES)
        for start in range(0, depth, _FRAMES_AT_ONCE):
            for frame in await self.frames(start, _FRAMES_AT_ONCE):
                if not await frame.is_library():
                    return frame
        return None

    async def frame_count(self, *, thread: ThreadHandle | None = None) -> int:
        """How deep the stack of `thread` (default: the stop's) is."""
        thread = thread or self.thread
        self.require_current(thread)
        async with thread.telling_its_end():
            return await thread.thread.frame_count()

    origins = task_origins.origins

    async def thrown(self, *, with_stacks: bool = False) -> Thrown | None:
        """Type, message and causes of the exception, read without running code; None without one.

        Its stack is `frames()`: the exception was thrown at the thread's location. Those of causes
        and suppressed exceptions, and its own if it `ends_thread`, are there `with_stacks`: for
        them code of the JDK is run.
        """
        self.require_current(self.thread)
        if self.exception is None or not isinstance(self.exception.value, ObjectReference):
            return None
        async with self.thread.lock:
            thread = self.thread.thread if with_stacks else None
            value = self.exception.value
            return await read_thrown(value, thread, has_frames=not self.ends_thread)

    async def find_source(self, source_path: str, line: int | None = None) -> SourceFile | None:
        """The source with this package-relative path; looked for on disk once in a stop. With a
        `line` that has code, a text that has no such line does not fit, and is not taken.
        """
        key = source_path, line
        if key not in self._found_sources:
            found = await asyncio.to_thread(self._services.sources.find_path, source_path, line)
            self._found_sources[key] = found
        return self._found_sources[key]

    async def find_original(self, source_path: str) -> SourceFile | None:
        """The source that a relocated class may have had; looked for on disk once in a stop."""
        if source_path not in self._originals:
            find = self._services.sources.find_original
            self._originals[source_path] = await asyncio.to_thread(find, source_path)
        return self._originals[source_path]

    async def resume(self) -> None:
        """Undo this stop's suspension. With several stops at once, the others stay."""
        self.require_current()
        await self._services.stops.resume(self)

    async def step_over(
        self,
        granularity: Granularity = "line",
        *,
        thread: ThreadHandle | None = None,
        alone: bool = False,
    ) -> None:
        """Run to the next line (or instruction) of this frame or a caller; a stop follows.

        `thread` steps another thread that this stop holds. All that it holds are resumed, or with
        `alone` the stepping thread only.
        """
        await self._step(StepDepth.OVER, granularity, thread, alone=alone)

    async def step_into(
        self,
        granularity: Granularity = "line",
        *,
        thread: ThreadHandle | None = None,
        target: CallSite | None = None,
        alone: bool = False,
    ) -> None:
        """Run to the next line (or instruction), entering what is called; a stop follows.

        `target`, one of `step_in_targets`, enters exactly that call of the line.
        """
        await self._step(StepDepth.INTO, granularity, thread, alone=alone, target=target)

    async def step_out(
        self,
        granularity: Granularity = "line",
        *,
        thread: ThreadHandle | None = None,
        alone: bool = False,
    ) -> None:
        """Run until this frame has returned to its caller; a stop follows."""
        await self._step(StepDepth.OUT, granularity, thread, alone=alone)

    async def step_in_targets(self, *, thread: ThreadHandle | None = None) -> tuple[CallSite, ...]:
        """The calls that are still ahead on the current line of the thread, in their order."""
        thread = thread or self.thread
        frames = await self.frames(0, 1, thread=thread)
        return await calls_ahead((await frames[0].frame()).location) if frames else ()

    async def _step(
        self,
        depth: StepDepth,
        granularity: Granularity,
        thread: ThreadHandle | None,
        *,
        alone: bool,
        target: CallSite | None = None,
    ) -> None:
        thread = thread or self.thread
        self.require_current(thread)
        request = StepRequest(thread, depth, granularity, alone=alone, target=target)
        await self._services.steps.begin(self, request)

    async def warm_up(self) -> None:
        """Prepare for the first evaluation, while the user reads: it is slow in a large program."""
        await evaluator.warm_up(await self.frame.frame())

    async def run_to(self, spec: str) -> None:
        """Run until `spec` is reached once (by any thread) or another stop comes first.

        BreakpointError, and no resume, for a location that no class can have. A class that is
        not loaded yet is waited for.
        """
        self.require_current()
        await self._services.steps.run_to(self, spec)

    async def throw(self, text: str, frame: FrameHandle | None = None) -> Variable:
        """Make the thread of `frame` (default: the topmost) throw the value of the expression
        `text`, a Throwable, as soon as it runs; the exception.

        Where it is at that time, handlers around it catch it. EvaluationError for another value,
        VmError for what the VM refuses, such as some virtual threads.
        """
        frame = frame or self.frame
        self.require_current(frame.thread)
        return await self._services.stack_changes.throw(frame, text)

    async def instances(self, type_name: str, limit: int = 100) -> Instances:
        """The objects of exactly the class `shop.Cart` that the program can reach: how many there
        are, and at most `limit` of them. A walk of the heap.
        """
        self.require_current()
        return await instances(self, type_name, limit)

    def kept(self) -> dict[int, Variable]:
        """The objects that `Variable.keep` has kept, by their numbers."""
        return kept(self)

    async def release(self, number: int) -> None:
        """Let go of a kept object; StateError for a number that none has."""
        await self.vm.companion(KeptObjects).release(number)

    async def pop_frame(self, frame: FrameHandle | None = None) -> Stop:
        """Drop `frame` (default: the topmost) and those above it, as if it had not been called.

        Returns the stop that takes this one's place, at the call instruction of the caller.
        """
        frame = frame or self.frame
        self.require_current(frame.thread)
        frame.require_own("dropped")
        return await self._services.stack_changes.pop_frame(self, frame)

    async def restart_frame(self, frame: FrameHandle | None = None) -> None:
        """Begin `frame` (default: the topmost) again, with the arguments that it has now.

        What it has done stays done. A stop at its first instruction follows, in the new code if
        that was replaced.
        """
        frame = frame or self.frame
        self.require_current(frame.thread)
        frame.require_own("restarted")
        await self._services.stack_changes.restart_frame(self, frame)

    async def jump_to(self, line: int, *, thread: ThreadHandle | None = None) -> Stop:
        """Have the thread (default: the stopped one) go on at the beginning of `line`, in the
        method of its topmost frame; nothing runs in between.

        Returns the stop that takes this one's place, at that line. The variables keep their values;
        those that have none yet become 0, false or null, see `Stop.unassigned`. UnsupportedError
        with the reason where that is not possible.
        """
        thread = thread or self.thread
        self.require_current(thread)
        frames = await self.frames(0, 1, thread=thread)
        if not frames:
            raise UnsupportedError(f"cannot jump: thread {thread.name!r} has no frames")
        frames[0].require_own("left")
        return await self._services.stack_changes.jump_to(self, frames[0], line)

    async def force_return(self, value_text: str | None = None) -> Stop | None:
        """Make the topmost frame return now, with `value_text` evaluated in it (None: void).

        No `finally` of the frame runs. Returns the stop in the caller that takes this one's place;
        None if the frame was the thread's outermost, so that the thread has gone on to its end.
        """
        self.require_current(self.thread)
        return await self._services.stack_changes.force_return(self, value_text)

    def __repr__(self) -> str:
        where = self._top.location if self._top is not None else "no frames"
        return f"Stop({self.reason}, {self.thread.name!r}, {where})"

    _repr_html_ = stop_html


async def _show(stop: Stop, top: FrameHandle | None, cause: Cause) -> None:
    """Set what one cause shows: an exception, a field, the result of a step."""
    match cause:
        case ExceptionThrown(occurrence=thrown) if stop.exception is None:
            stop.exception_caught, stop.ends_thread = thrown.is_caught, cause.ends_thread
            if cause.first_thrown_at is not None:
                stop.first_thrown_at = one_line(await cause.first_thrown_at.as_text())
            if top is not None:
                await complete_message(thrown.exception, stop.thread.thread)
                stop.exception = await top.variable_of_exception(thrown.exception)
        case BreakpointHit(occurrence=occurrence) if stop.change is None:
            stop.change = await WatchedChange.make(top, occurrence)
        case StepEnded() if stop.reason is StopReason.STEP:
            stop.why_not_returned = cause.why_not_returned
            if cause.returned is not None and top is not None:
                method, value = cause.returned
                if value != VOID:
                    stop.returned = top.variable_of_return(value, method)
        case Jumped(unassigned=unassigned):
            stop.unassigned = unassigned


def _breakpoints_of(causes: tuple[Cause, ...]) -> tuple[Breakpoint, ...]:
    """The user's breakpoints among the causes, by id."""
    hit = {cause.breakpoint for cause in causes if isinstance(cause, BreakpointHit)}
    return tuple(sorted((each for each in hit if not each.is_own), key=lambda each: each.id))
