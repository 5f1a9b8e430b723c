# SPDX-License-Identifier: Apache-2.0
"""One step: armed, continued through code that is filtered out, then done or cancelled.

Owns its event request for as long as it lives. Resumes nothing: the stop that it starts from does.
Called by `stepper`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from jvmdebug.events import RESUME, Cause, StopFor, shown_stops
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    ClassExcludeModifier,
    LocationOnlyModifier,
    Modifier,
    StepModifier,
    ThreadOnlyModifier,
)
from jvmdebug.model.agent import AgentCapability
from jvmdebug.sources import (
    RESUMED,
    InlineScope,
    around_function,
    first_line,
    inline_scopes,
    source_class,
)
from jvmdebug.stepping.awaiting import is_resumer
from jvmdebug.stepping.coroutine_watch import CoroutineWatch, watch_of
from jvmdebug.stepping.filters import fits
from jvmdebug.stepping.returned import (
    ReturnWatch,
    ended_by_exception,
    handler_of,
    return_location,
)

if TYPE_CHECKING:
    from jvmdebug.events import BreakpointOccurrence, RequestHandle, Router, StepOccurrence, Verdict
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.stepping.filters import StepFilters
    from jvmdebug.stepping.libraries import LibraryFilter


_RESUMING: Final = ("kotlin.coroutines.jvm.internal.*",)
_COROUTINES: Final = ("kotlin.coroutines.*", "kotlinx.coroutines.*")
"""What a function that was resumed returns to."""


class StepState(Enum):
    """The states in the life of a step."""

    NEW = auto()
    ARMED = auto()
    DONE = auto()
    CALLED_OFF = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnded(Cause):
    """A step has ended."""

    returned: tuple[Method, Value] | None = None
    """The method that returned last during the step, and its result, if that is known."""
    why_not_returned: str | None = None
    """Why `returned` is not known although the agent can report results."""


@dataclass(frozen=True, slots=True)
class _Start:
    """The start of a step."""

    location: Location
    line: int | None
    frame_count: int | None
    """None when the step cannot end in a deeper frame than it began in."""
    scopes: tuple[InlineScope, ...]
    """The copies of inline functions that it begins in."""


class Step:
    """One step of one thread."""

    def __init__(
        self,
        router: Router,
        thread: Thread,
        *,
        depth: StepDepth,
        size: StepSize,
        filters: StepFilters,
        libraries: LibraryFilter | None,
        policy: SuspendPolicy,
        origin: Frame | None = None,
    ) -> None:
        self.thread = thread
        self.state = StepState.NEW
        self._router = router
        self._depth = depth
        self._size = size
        self._filters = filters
        self._libraries = libraries
        self._policy = policy
        self._origin = origin
        self._request: RequestHandle | None = None
        self._to_first_line: RequestHandle | None = None
        """Ends the step behind the prologue of a method that it has entered."""
        self._first_line: Location | None = None
        """Where that is; there may be lines before, of a function that can be resumed."""
        self._start: _Start | None = None
        self._leaves_native = False
        """The JDK's agent never ends a step over that begins in a native method: it is one out."""
        self._has_gone_on = False
        self._returns = ReturnWatch(router)
        self._returns_to: Location | None = None
        """Where a step out ends unless by an exception, if that is all that can be known."""
        self._coroutine: CoroutineWatch | None = None
        self._returns_to_kotlin = False
        """Whether what it leaves was resumed, and returns to Kotlin's own code."""
        self._restores = False
        """Whether a step into is where a resumed coroutine restores its variables."""

    async def arm(self, start: Frame | None) -> None:
        """Make the requests with the next resume; `start` is the frame that the step leaves."""
        if start is not None:
            self._start = await self._begun(self._origin or start)
            is_over = self._depth is StepDepth.OVER and start.location.method.is_native
            self._leaves_native = is_over and start.location.type.vm.agent is None
        # Through the rest of the line, when the code of others has come back to it.
        self._has_gone_on = self._origin is not None and self._depth is not StepDepth.OUT
        if (
            self._origin is None
            and start is not None
            and self._filters.skips_class(start.location.type.name)
        ):
            # Who stopped inside of a filtered class wants to step there.
            self._filters = replace(self._filters, skip_classes=(), allow_classes=())
            self._libraries = None
        if start is not None:
            await self._note_caller(start)
            await self._find_coroutine(self._origin or start)
            if start.location.type.vm.agent_can(AgentCapability.RESUME_WITH):
                await self._watch()
                await self._returns.arm(start, self._depth)
                self._request = await self._armed()
            else:
                self._request, *_ = await asyncio.gather(
                    self._armed(),
                    self._returns.arm(start, self._depth),
                    handler_of(start.location),  # has the code ready for the end
                    self._watch(),
                )
        else:
            self._request = await self._armed()
        self.state = StepState.ARMED

    async def _begun(self, frame: Frame) -> _Start:
        goes_deeper = self._depth is StepDepth.INTO
        frame_count = await self.thread.frame_count() - frame.depth if goes_deeper else None
        line, scopes = await frame.location.line(), await inline_scopes(frame.location)
        if self._depth is StepDepth.OUT and scopes and self._origin is None:
            # Out of the copy, not of the method.
            self._depth, scopes = StepDepth.OVER, around_function(scopes)
        return _Start(frame.location, line, frame_count, scopes)

    async def _find_coroutine(self, frame: Frame) -> None:
        """Find what follows the step if the function suspends; nothing in other code than Kotlin's,
        and for steps by instructions.
        """
        if self._size is StepSize.MIN or self._start is None:
            return
        line = None if self._depth is StepDepth.OUT else self._start.line
        found = await watch_of(self._router, frame, line, self._start.scopes)
        self._coroutine = found
        self._returns_to_kotlin = found is not None and found.returns_to_kotlin

    async def _watch(self) -> None:
        if self._coroutine is not None:
            await self._coroutine.arm(self.thread, self)

    def suspended(self) -> None:
        """The function of the coroutine has suspended: the step waits until it is resumed."""
        request, self._request = self._request, None
        if request is not None:
            request.clear_with_resume()
        self._returns.cancel()
        self._returns, self._returns_to = ReturnWatch(self._router), None

    async def resumed(self, thread: Thread) -> Verdict:
        """The function was resumed in this thread: the step is that thread's now."""
        if self.state is not StepState.ARMED or self._start is None:
            return RESUME
        self.suspended()
        self.thread = thread
        self._has_gone_on, self._restores = True, self._depth is StepDepth.INTO
        if self._start.frame_count is not None:
            self._start = replace(self._start, frame_count=await thread.frame_count())
        for frame in await thread.frames(0, 1):
            await self._find_coroutine(frame)  # it now returns to Kotlin's own code
        await self._watch()
        self._request = await self._armed()
        return RESUME

    async def returned(self, thread: Thread, behind: Location) -> Verdict:
        """The function has returned to the one that awaited it: the step ends there, behind the
        call, or where an exception leads that it has ended by.
        """
        if self.state is not StepState.ARMED:
            return RESUME
        request, self._request = self._request, None
        if request is not None:
            request.clear_with_resume()
        self._returns.cancel()
        self.thread = thread
        self._start = self._coroutine = self._returns_to = None
        self._depth, self._restores = StepDepth.OVER, False
        here = LocationOnlyModifier(behind.wire), ThreadOnlyModifier(thread.id)
        self._to_first_line = await self._router.arm(
            EventKind.BREAKPOINT, here, self._policy, self._on_first_line
        )
        self._request = await self._armed()
        return RESUME

    async def _note_caller(self, start: Frame) -> None:
        """Notes the caller for a step out in the fast mode: an exception ends it elsewhere than a
        return does.
        """
        vm = start.location.type.vm
        is_of_frame = self._depth is StepDepth.OUT and self._origin is None
        if not is_of_frame or vm.agent_can(AgentCapability.METHOD_EXIT_EVENTS):
            return
        callers = await self.thread.frames(start.depth + 1, 1)
        if callers and not self._skips_name(callers[0].location.type.name):
            self._returns_to = await return_location(callers[0])

    async def _armed(self) -> RequestHandle:
        """The request of the step, without the classes that are known to be left out."""
        patterns = dict.fromkeys(self._filters.class_patterns())
        if self._libraries is not None:
            patterns |= dict.fromkeys(self._libraries.patterns())
        if self._returns_to_kotlin:
            is_into = self._depth is StepDepth.INTO
            patterns |= dict.fromkeys(_RESUMING if is_into else _COROUTINES)
        depth = StepDepth.OUT if self._leaves_native else self._depth
        if self._restores:
            depth = StepDepth.OVER
        modifiers: list[Modifier] = [StepModifier(self.thread.id, self._size, depth)]
        modifiers += [ClassExcludeModifier(pattern) for pattern in patterns]
        modifiers += shown_stops(self._router.vm)
        return await self._router.arm_with_resume(
            EventKind.SINGLE_STEP, tuple(modifiers), self._policy, self._on_step
        )

    def cancel(self) -> None:
        """Clear the request, in any state of the step. It is sent before any later command."""
        requests = self._request, self._to_first_line
        self._request = self._to_first_line = None
        self._returns.cancel()
        if self._coroutine is not None:
            self._coroutine.cancel()
        if self.state is StepState.ARMED:
            self.state = StepState.CALLED_OFF
        for request in requests:
            if request is not None:
                request.clear_soon()

    async def _on_step(self, occurrence: StepOccurrence) -> Verdict:
        location = occurrence.location
        is_own = self.state is StepState.ARMED and occurrence.thread is self.thread
        if not is_own or self._is_before_source(location):
            return RESUME
        if location == self._returns_to:
            self._returns_to = None  # it returned, and whatever the step goes on through from here
        if await self._goes_on_from(location):
            self._has_gone_on = True
            if self._leaves_native or self._restores:  # it goes on by lines, or into calls
                self._leaves_native = self._restores = False
                await self._arm_again()
            return RESUME
        if await self._leaves_library(occurrence.location):
            return RESUME
        has_entered = occurrence.location.index == 0 and self._size is not StepSize.MIN
        if has_entered and await self._runs_to_first_line(occurrence.location):
            return RESUME
        return await self._end(occurrence.location)

    def _is_before_source(self, location: Location) -> bool:
        """Whether it is in a prologue, or where a function has suspended and returns."""
        coroutine, first = self._coroutine, self._first_line
        if first is not None and location.method is first.method and location.index < first.index:
            return True
        return coroutine is not None and coroutine.is_suspension(location.method, location.index)

    async def _leaves_library(self, location: Location) -> bool:
        """Whether the class is of a library: the request is then made anew, without that class.

        So the agent takes the thread through the rest of the library.
        """
        start, libraries = self._start, self._libraries
        if libraries is None or (start is not None and location.type is start.location.type):
            return False
        if not await libraries.skips(location.type, self.thread):
            return False
        self._has_gone_on = True
        await self._arm_again()
        return True

    async def _arm_again(self) -> None:
        if self._request is not None:  # else it was cancelled meanwhile
            self._request.clear_with_resume()
            self._request = await self._armed()
            if self.state in (StepState.DONE, StepState.CALLED_OFF):
                self.cancel()

    async def _runs_to_first_line(self, location: Location) -> bool:
        """Whether the step ends in a prologue: it then runs to the first line.

        Not into what is called before; a step over the line ends it if the prologue throws.
        """
        first = await first_line(location.method)
        if location.index >= first.index:
            return False
        self._first_line = first
        if self._request is not None:
            self._request.clear_with_resume()
        over = StepModifier(self.thread.id, StepSize.LINE, StepDepth.OVER)
        here = LocationOnlyModifier(first.wire), ThreadOnlyModifier(self.thread.id)
        shown = shown_stops(self._router.vm)
        self._request = await self._router.arm_with_resume(
            EventKind.SINGLE_STEP, (over, *shown), self._policy, self._on_step
        )
        self._to_first_line = await self._router.arm_with_resume(
            EventKind.BREAKPOINT, (*here, *shown), self._policy, self._on_first_line
        )
        return True

    async def _on_first_line(self, _: BreakpointOccurrence) -> Verdict:
        return await self._end(None) if self.state is StepState.ARMED else RESUME

    async def _end(self, location: Location | None) -> Verdict:
        self.state = StepState.DONE
        by_exception = None if location is None else await self._exception_before(location)
        returned, why_not = self._returns.last, self._returns.why_not
        if by_exception is not None:
            returned, why_not = None, by_exception
        return StopFor(
            StepEnded(
                suspends_all=self._policy is SuspendPolicy.ALL,
                returned=returned,
                why_not_returned=why_not,
            )
        )

    async def _exception_before(self, location: Location) -> str | None:
        """How an exception has ended the step there; None if none has."""
        start = self._start
        if start is None:
            return None
        if self._returns_to is not None:
            left = location != self._returns_to
            return ended_by_exception(start.location.method) if left else None
        if self._depth is StepDepth.OUT or location.index == 0:
            return None
        handler = await handler_of(location)
        is_in_method = location.method is start.location.method
        if handler is None or (is_in_method and start.location.index == handler):
            return None
        if is_in_method:
            what = "what was stepped over" if start.line is None else f"line {start.line}"
            return f"{what} ended by an exception, which is caught here"
        return ended_by_exception(start.location.method)

    async def _goes_on_from(self, location: Location) -> bool:
        """Whether the step may not end here; the request then steps further from there."""
        method = location.method
        start = self._start
        if start is not None and method is start.location.method:
            if await self._is_in_inlined_call(location, start):
                return True
            return self._has_gone_on and await self._is_back_on_its_line(location, start)
        if method.name == RESUMED and await is_resumer(location.type):
            return True
        if "/" in location.type.name:  # a hidden class: what the VM makes for a lambda
            return True
        filters = self._filters
        if filters.skips_class(location.type.name):
            return True  # by a pattern that the agent does not know
        return (
            (filters.skip_synthetic and await self._is_made_by_compiler(method))
            or (filters.skip_static_initializers and method.is_static_initializer)
            or (filters.skip_constructors and method.is_constructor)
        )

    async def _is_made_by_compiler(self, method: Method) -> bool:
        """Whether the source does not have the method: by its flags, or since it has no lines where
        others of its class have (Groovy).
        """
        if method.is_synthetic:
            return not method.is_body
        if self._size is StepSize.MIN or (await method.line_table()).lines:
            return False
        others = [each.line_table() for each in await method.declaring_type.methods()]
        return any(table.lines for table in await asyncio.gather(*others))

    async def _is_in_inlined_call(self, location: Location, start: _Start) -> bool:
        """Whether this is a copy of a function that the method calls in its source.

        A step over stays out of it and of the lambdas that it calls; a step in goes into those,
        and into functions of classes that are not filtered out.
        """
        if self._size is StepSize.MIN:
            return False
        scopes = await inline_scopes(location)
        if not scopes or scopes == start.scopes or scopes[-1] in start.scopes[-1:]:
            return False
        if self._depth is StepDepth.INTO:
            name = None if scopes[-1].is_lambda else await source_class(location)
            return name is not None and self._skips_name(name)
        return not (scopes[-1].is_lambda and set(scopes) <= set(start.scopes))

    def _skips_name(self, name: str) -> bool:
        """Whether a class that may not be loaded is left out."""
        libraries = self._libraries
        return self._filters.skips_class(name) or (
            libraries is not None and fits(name, libraries.patterns())
        )

    async def _is_back_on_its_line(self, location: Location, start: _Start) -> bool:
        """Skipped code has returned to the middle of the line that the step began on."""
        if self._size is StepSize.MIN or await location.line() != start.line:
            return False
        if await inline_scopes(location) != start.scopes:
            return False
        if start.frame_count is None:
            return True
        return await self.thread.frame_count() == start.frame_count
