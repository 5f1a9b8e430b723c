# SPDX-License-Identifier: Apache-2.0
"""A trace: the calls of methods, with arguments, result or exception, and time.

A call begins at a breakpoint on the method's first instruction and ends at one on a return
instruction, or where an exception that nothing in the method catches is thrown. Between them
nothing slows the method down. What a method has computed and returns is known to method exit events
only: one is requested for the moment of the return, of this frame where the agent can. Made by
`session.trace`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.errors import UnsupportedError, VmError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    ClassOnlyModifier,
    ExceptionOnlyModifier,
    NearFrameModifier,
    ThreadOnlyModifier,
)
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import VoidValue
from jvmdebug.observing.calls import Call, CallEntered, OpenCall, OpenCalls
from jvmdebug.observing.observation import Limits, Observation, require_possible
from jvmdebug.observing.observed import (
    NamedValue,
    now,
    observe,
    observe_all,
    observed_string,
    stack_of,
)
from jvmdebug.observing.returns import ReturnRequests, frames_that_stay, prepare_exits
from jvmdebug.printable import one_line
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.breakpoints.recorder import CallRecorder
    from jvmdebug.display import ValueStyle
    from jvmdebug.events import (
        BreakpointOccurrence,
        ExceptionOccurrence,
        LocatedOccurrence,
        MethodExitWithValueOccurrence,
        Reaction,
        RequestHandle,
        Verdict,
    )
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.observing.calls import Outcome
    from jvmdebug.observing.observation import ObservedProgram
    from jvmdebug.observing.observed import ObservedValue, StackEntry
    from jvmdebug.sources import MethodSpec

_NATIVE: Final = (
    "the return of a native method is not seen in the agent's fast mode: "
    'launch the program with mode="full"'
)
_ANY_TYPE: Final = ReferenceTypeId(ObjectId(0))
_COMPUTED: Final = "the agent does not tell what was computed and returned at once"


class Trace(Observation[Call]):
    """The calls of the methods that a pattern selects. Iterating gives each call when it is over.

    `events()` also gives the beginnings, for a tree that grows while the program runs.
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
        super().__init__(program, str(spec), Call, limits)
        self._spec = spec
        self._condition = condition
        self._frames = frames
        self._entries: Breakpoint | None = None
        self._open_calls = OpenCalls()
        self._returns = ReturnRequests(self._on_return)
        self._requests: list[RequestHandle] = []
        self._exits: dict[OpenCall, RequestHandle] = {}
        """For each call whose result is to be reported, the request for that."""
        self._thrown: dict[Thread, ObservedValue] = {}
        self._calls = 0
        self.not_recorded = 0
        """How many calls were left out since too many were open at once."""
        self.why_no_exceptions: str | None = None
        """Why the exception that ends a call is not known; None if it is."""

    @property
    def message(self) -> str | None:
        return None if self._entries is None else self._entries.message

    @property
    def all_stop(self) -> bool:
        """Whether no call is recorded by the program itself."""
        return True

    @property
    def why_stopped(self) -> dict[str, str]:
        """The methods whose calls stop, `shop.Cart#add`, or the pattern for all, and why the
        program does not record them itself.
        """
        return {self._what: "objects are shown with their fields"}

    @property
    def open_calls(self) -> tuple[CallEntered, ...]:
        """The recorded calls that are not over, by their numbers."""
        return tuple(sorted((each.entered for each in self._open_calls), key=lambda c: c.number))

    async def events(self) -> AsyncIterator[CallEntered]:
        """Each call twice, in order: as a `CallEntered` when it begins, as a `Call` at its end."""
        while await self._has_more():
            event = self._queue.popleft()
            if isinstance(event, CallEntered):
                yield event

    # Its requests

    async def _arm(self) -> None:
        options = BreakpointOptions(condition=self._condition)
        await prepare_exits(self.observations.vm, self.observations.router)
        self._returns.open(self.observations.breakpoints.checker)
        self._entries = await self.observations.breakpoints.add_observed(
            self._spec, options, self, recorder=self._recorder()
        )
        require_possible(self._entries)
        try:
            self.observations.vm.require_of_agent(
                AgentCapability.EXCEPTION_EVENTS, "seeing the exception that ends a call"
            )
            every = ExceptionOnlyModifier(_ANY_TYPE, caught=True, uncaught=True)
            await self._request(EventKind.EXCEPTION, self._on_exception, every)
        except (UnsupportedError, VmError) as error:
            self.why_no_exceptions = str(error)

    def _recorder(self) -> CallRecorder | None:
        """Makes what has the program record its calls, where it can."""
        return None

    async def _disarm(self) -> None:
        requests, self._requests = self._requests, []
        requests += self._exits.values()
        self._exits.clear()
        entries = [] if self._entries is None else [self._entries.remove()]
        await all_of(*entries, self._returns.clear(), *(each.clear() for each in requests))

    async def _request(
        self, kind: EventKind, reaction: Reaction, *modifiers: Modifier
    ) -> RequestHandle:
        """One more request, cleared with the others; at once if they have been cleared already."""
        router = self.observations.router
        request = await router.arm(kind, modifiers, SuspendPolicy.EVENT_THREAD, reaction)
        self._requests.append(request)
        if self._is_over:
            await request.clear()
        return request

    def changed(self, breakpoint_: Breakpoint) -> None:
        """Classes were loaded that have, or have not, such methods: `message` says what is wrong.

        A pattern may mean many classes, and a condition nothing in some: the others are traced.
        """

    # The beginning of a call

    async def reached(self, _breakpoint: Breakpoint, occurrence: LocatedOccurrence) -> None:
        """A method was entered."""
        if not self.is_open:
            return
        thread, method = occurrence.thread, occurrence.location.method
        when, began = now(), time.perf_counter()
        returns, frames = await asyncio.gather(
            self._returns.armed(occurrence.location), thread.frame_count()
        )
        inner = self._open_calls.innermost(thread)
        is_same = inner is not None and inner.frames == frames and inner.method is method
        if is_same and returns.is_jumped_to(occurrence.location.index):
            return  # a loop has come back to the first instruction
        self._end_lost(thread, frames - 1)
        if not self._open_calls.has_room:
            await self._forget_ended_threads()
            if not self._open_calls.has_room:
                self.not_recorded += 1
                return
        entered = await self._entered(occurrence, when)
        self._calls += 1
        call = OpenCall(entered, method, frames, began)
        self._open_calls.enter(thread, call)
        self._put(entered)
        if method.is_native:
            await self._in_native(thread, call, method)
        elif occurrence.location.index in returns.indexes:
            await self._returning(occurrence)

    async def _entered(self, occurrence: LocatedOccurrence, when: float) -> CallEntered:
        thread, location = occurrence.thread, occurrence.location
        frame = await thread.frame(0)
        this, arguments, stack, name = await asyncio.gather(
            self._this(frame),
            self._arguments(frame),
            self._stack(thread),
            self.observations.thread_name(thread),
        )
        outer = self._open_calls.innermost(thread)
        return CallEntered(
            time=when,
            thread=name,
            thread_id=thread.id,
            number=self._calls + 1,
            parent=None if outer is None else outer.entered.number,
            depth=self._open_calls.depth(thread),
            type_name=one_line(location.type.name),
            method_name=one_line(location.method.name),
            this=this,
            arguments=arguments,
            stack=stack,
        )

    @property
    def _style(self) -> ValueStyle:
        return self.observations.style(self._limits.value_length)

    async def _this(self, frame: Frame) -> ObservedValue | None:
        this = await frame.this_object()
        return None if this is None else await observe(this, self._style)

    async def _arguments(self, frame: Frame) -> tuple[NamedValue, ...]:
        arguments = [each for each in await frame.variables() if each.is_argument]
        arguments.sort(key=lambda each: each.slot)
        values = await observe_all(await frame.values(arguments), self._style)
        return tuple(
            NamedValue(one_line(each.name), value)
            for each, value in zip(arguments, values, strict=True)
        )

    async def _stack(self, thread: Thread) -> tuple[StackEntry, ...]:
        return (await stack_of(thread, self._frames + 1))[1:] if self._frames > 0 else ()

    # The end of a call

    async def _on_return(self, occurrence: BreakpointOccurrence) -> Verdict:
        if self._open_calls.innermost(occurrence.thread) is not None:
            await self._returning(occurrence)
        return RESUME

    async def _returning(self, occurrence: LocatedOccurrence) -> None:
        """A thread that is in calls is at a return instruction."""
        thread, method = occurrence.thread, occurrence.location.method
        frames = await thread.frame_count()
        self._end_lost(thread, frames)
        call = self._open_calls.innermost(thread)
        if call is None or call.frames != frames or call.method is not method:
            return  # it was entered before the trace began
        if method.return_type == "V":
            self._end_call(thread, call, "returned")
            return
        returns = self._returns.get(method)
        value = None
        if returns is not None:
            value = await returns.value_at(occurrence.location.index, await thread.frame(0))
        if value is not None:
            await self._end_with(thread, call, value)
        elif not self.observations.vm.agent_can(AgentCapability.METHOD_EXITS):
            self._end_call(thread, call, "returned", why_no_result=_COMPUTED)
        else:
            await self._await_exit(thread, call, method)

    async def _in_native(self, thread: Thread, call: OpenCall, method: Method) -> None:
        """A native method has no return instruction."""
        if self.observations.vm.agent_can(AgentCapability.METHOD_EXIT_EVENTS):
            await self._await_exit(thread, call, method)
        else:
            self._end_call(thread, call, "unknown", why_no_result=_NATIVE)

    async def _await_exit(self, thread: Thread, call: OpenCall, method: Method) -> None:
        """Have the return of this call reported: it is the next of its method in this thread."""

        async def on_exit(occurrence: MethodExitWithValueOccurrence) -> Verdict:
            is_this = self._open_calls.innermost(thread) is call
            if is_this and occurrence.location.method is method:
                await self._end_with(thread, call, occurrence.value)
            return RESUME

        modifiers: tuple[Modifier, ...]
        if self.observations.vm.agent_can(AgentCapability.NEAR_FRAME):
            modifiers = (NearFrameModifier(thread.id, 0, 0),)
        else:
            modifiers = ThreadOnlyModifier(thread.id), ClassOnlyModifier(method.declaring_type.id)
        request = await self.observations.router.arm(
            EventKind.METHOD_EXIT_WITH_RETURN_VALUE,
            modifiers,
            SuspendPolicy.EVENT_THREAD,
            on_exit,
        )
        self._exits[call] = request
        if self._is_over:
            await request.clear()

    async def _on_exception(self, occurrence: ExceptionOccurrence) -> Verdict:
        thread = occurrence.thread
        if self._open_calls.innermost(thread) is None:
            return RESUME
        remaining = await frames_that_stay(occurrence)
        innermost = self._open_calls.innermost(thread)
        if innermost is not None and innermost.frames > remaining:
            self._thrown[thread] = await observe(occurrence.exception, self._style)
            self._end_thrown(thread, remaining)
        return RESUME

    def _end_thrown(self, thread: Thread, remaining: int) -> None:
        thrown = self._thrown.pop(thread, None)
        for call in self._open_calls.leave_above(thread, remaining):
            self._end_call(thread, call, "threw", exception=thrown, is_left=True)

    def _end_lost(self, thread: Thread, remaining: int) -> None:
        """End those that are not in the stack any more, although nothing was seen of their end."""
        for call in self._open_calls.leave_above(thread, remaining):
            self._end_call(thread, call, "unknown", is_left=True)

    async def _forget_ended_threads(self) -> None:
        """Forgets threads that have ended: for virtual ones the VM does not report it."""
        self._open_calls.forget_threads(await self.observations.vm.all_threads())

    async def _end_with(self, thread: Thread, call: OpenCall, value: Value | str) -> None:
        if isinstance(value, VoidValue):
            self._end_call(thread, call, "returned")
            return
        if isinstance(value, str):
            result = observed_string(value, self._style)
        else:
            result = await observe(value, self._style)
        self._end_call(thread, call, "returned", result=result)

    def _took(self, call: OpenCall) -> float:
        return time.perf_counter() - call.began

    def _end_call(
        self,
        thread: Thread,
        call: OpenCall,
        outcome: Outcome,
        *,
        result: ObservedValue | None = None,
        exception: ObservedValue | None = None,
        why_no_result: str | None = None,
        is_left: bool = False,
        took_s: float | None = None,
    ) -> None:
        if not is_left:
            self._open_calls.leave(thread, call)
        request = self._exits.pop(call, None)
        if request is not None:
            request.clear_soon()
        entered = call.entered
        self._put(
            Call(
                time=entered.time,
                thread=entered.thread,
                thread_id=entered.thread_id,
                number=entered.number,
                parent=entered.parent,
                depth=entered.depth,
                type_name=entered.type_name,
                method_name=entered.method_name,
                this=entered.this,
                arguments=entered.arguments,
                stack=entered.stack,
                outcome=outcome,
                result=result,
                exception=exception,
                why_no_result=why_no_result,
                duration_s=self._took(call) if took_s is None else took_s,
            )
        )
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()  # those that are still open, such as `main`, are not waited for
