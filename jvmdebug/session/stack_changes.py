# SPDX-License-Identifier: Apache-2.0
"""Changing a stopped thread's stack: pop frame, restart frame, force return and jump to a line.

Each ends a stop and puts another in its place, with the same threads held. Called by Stop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from jvmdebug import evaluator
from jvmdebug.errors import (
    EvaluationError,
    NoMoreFramesError,
    OpaqueFrameError,
    TypeMismatchError,
    UnsupportedError,
)
from jvmdebug.events import StopFor
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import StepModifier
from jvmdebug.model.primitives import BOXES, PrimitiveValue
from jvmdebug.model.values import VOID, ObjectReference
from jvmdebug.session.causes import FrameDropped, Jumped, ReturnForced
from jvmdebug.session.jump_plans import plan_jump
from jvmdebug.session.jumping import jump
from jvmdebug.session.stop import Stop
from jvmdebug.sources.lambdas import is_lambda
from jvmdebug.stepping import CallSite, call_at

if TYPE_CHECKING:
    from jvmdebug.events import Cause, StepOccurrence, StopSet, Verdict
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.jump_plans import JumpPlan
    from jvmdebug.session.services import Services
    from jvmdebug.session.variable import Variable

_RETURN_TIMEOUT_S = 10.0


class StackChanges:
    """Pop frame, restart frame, force return and jumps of one session."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._router = services.router
        self._stops = services.stops

    async def pop_frame(self, stop: Stop, frame: FrameHandle) -> Stop:
        """Drop `frame` and those above; the stop that takes the place of `stop`.

        With the frame of a lambda goes that of the class which the VM has made for it.
        """
        dropped = await _with_its_lambda(frame)
        return await self._stops.undivided(self._popped(stop, frame, dropped))

    async def _popped(self, stop: Stop, frame: FrameHandle, model_frame: Frame) -> Stop:
        try:
            await model_frame.pop()
        except (OpaqueFrameError, NoMoreFramesError) as error:
            raise UnsupportedError(
                f"cannot pop {frame.location}: it, a frame above it or its caller is native, "
                f"or it has no caller ({error.name})"
            ) from error
        return await self._replace(stop, (FrameDropped(),), frame.thread.thread)

    async def restart_frame(self, stop: Stop, frame: FrameHandle) -> None:
        """Drop `frame` and call its method again; the step into it ends at its first instruction.

        UnsupportedError, and nothing dropped, if it is not known which method that is.
        """
        method = frame.method
        name, descriptor = method.name, method.signature
        if method.is_obsolete:
            call = await self._call_of(frame)
            name, descriptor = call.name, call.descriptor
        model_frame = await frame.frame()
        at_the_call = await self._stops.undivided(self._popped(stop, frame, model_frame))
        target = CallSite(frame.function, at_the_call.frame.index, name, descriptor)
        await at_the_call.step_into(thread=frame.thread, target=target)

    async def _call_of(self, frame: FrameHandle) -> CallSite:
        """The call that made a frame whose code was replaced, when nobody knew its method."""
        callers = await frame.thread.thread.frames(frame.depth + 1, 1)
        call = await call_at(callers[0].location) if callers else None
        if call is None:
            raise UnsupportedError(
                f"cannot restart {frame.function}: its code and that of its caller were replaced, "
                "so it is not known which method it is; pop it, and step into the call"
            )
        return call

    async def force_return(self, stop: Stop, value_text: str | None) -> Stop | None:
        """Make the topmost frame return; the stop in the caller, None without a caller."""
        thread = stop.thread.thread
        frame = await stop.frame.frame()
        value = await _returned_value(frame, value_text)
        has_caller = await thread.frame_count() > 1
        given_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        returning = self._returned(stop, value, given_up, has_caller=has_caller)
        try:
            return await self._stops.undivided(returning, lambda: given_up.set_result(None))
        except TypeMismatchError:
            raise await _misfit(frame.location.method, value, value_text or "void") from None

    async def _returned(
        self, stop: Stop, value: Value, given_up: asyncio.Future[None], *, has_caller: bool
    ) -> Stop | None:
        thread = stop.thread.thread
        try:
            await thread.force_early_return(value)
        except OpaqueFrameError as error:
            raise UnsupportedError(f"cannot return from {stop.frame.location}: native") from error
        if not has_caller:
            await self._stops.resume(stop, "its outermost frame was made to return")
            return None
        stop_set, causes = await self._run_into_caller(thread, given_up)
        stop.suspension = stop.suspension.joined(stop_set)
        return await self._replace(stop, causes, thread)

    async def jump_to(self, stop: Stop, frame: FrameHandle, line: int) -> Stop:
        """Have the thread of the topmost frame go on at a line of its method; the stop there."""
        plan = await plan_jump(frame, line)
        return await self._stops.undivided(self._jumped(stop, frame, plan))

    async def _jumped(self, stop: Stop, frame: FrameHandle, plan: JumpPlan) -> Stop:
        await jump(plan)
        return await self._replace(stop, (Jumped(unassigned=plan.unassigned),), frame.thread.thread)

    async def throw(self, frame: FrameHandle, text: str) -> Variable:
        """Make the thread throw the value of an expression when it runs."""
        thrown = await frame.evaluate(text)
        value = thrown.value
        is_thrown = isinstance(value, ObjectReference) and await (await value.type()).is_subtype_of(
            "java.lang.Throwable"
        )
        if not (is_thrown and isinstance(value, ObjectReference)):
            what = await thrown.type_name()
            raise EvaluationError(
                f"{text} is no exception but of type {what}: give one, as in"
                ' new IllegalStateException("tried")'
            )
        await frame.thread.thread.stop(value)
        return thrown

    async def _run_into_caller(
        self, thread: Thread, given_up: asyncio.Future[None]
    ) -> tuple[StopSet, tuple[Cause, ...]]:
        """The return happens when the thread runs; a step by one instruction ends in the caller. If
        that does not come in time, or is not waited for any more, the thread is suspended.

        The causes are all that want to stop there.
        """
        waiting: asyncio.Future[StopSet] = asyncio.get_running_loop().create_future()

        def claim(stop_set: StopSet) -> bool:
            if waiting.done():
                return False
            waiting.set_result(stop_set)
            return True

        returned = ReturnForced(claim=claim)

        async def stop_here(_: StepOccurrence) -> Verdict:
            return StopFor(returned)

        request = await self._router.arm(
            EventKind.SINGLE_STEP,
            (StepModifier(thread.id, StepSize.MIN, StepDepth.INTO),),
            SuspendPolicy.EVENT_THREAD,
            stop_here,
        )
        try:
            await self._router.resume_thread(thread)
            either: set[asyncio.Future[Any]] = {waiting, given_up}
            await asyncio.wait(
                either, timeout=_RETURN_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED
            )
            if not waiting.done():
                waiting.cancel()
                return await self._router.suspend_thread(thread), (returned,)
            stop_set = waiting.result()
        finally:
            await request.clear()
        if stop_set.causes != (returned,):
            await self._stops.end_steps_and_temporary(stop_set)
        return stop_set, stop_set.causes

    async def _replace(self, stop: Stop, causes: tuple[Cause, ...], thread: Thread) -> Stop:
        handle = self._services.threads.handle(thread)
        replacement = Stop(self._services, causes, handle, stop.suspension)
        await replacement.fetch()
        self._stops.forget(stop, f"its stack was changed ({replacement.reason}); use the new stop")
        self._stops.begin(replacement, deliver=False)
        return replacement


async def _misfit(method: Method, value: Value, value_text: str) -> EvaluationError:
    """An error for a value that the method cannot return; it names both types."""
    match value:
        case PrimitiveValue(kind=kind):
            found = f"of type {kind.java_name}"
        case ObjectReference():
            found = f"of type {(await value.type()).name}"
        case _:
            found = "no such value"
    # Short enough for a message of an editor, which shows one line.
    return EvaluationError(
        f"{method.name} returns {method.return_type_name}: {value_text} is {found}"
    )


async def _with_its_lambda(frame: FrameHandle) -> Frame:
    """The frame, or its caller if that only passes the arguments of a lambda on."""
    callers = await frame.thread.thread.frames(frame.depth + 1, 1)
    if callers and is_lambda(callers[0].location.type):
        return callers[0]
    return await frame.frame()


async def _returned_value(frame: Frame, value_text: str | None) -> Value:
    """The value of the text as the frame's method returns it."""
    method = frame.location.method
    if method.return_type == "V":
        if value_text is not None and value_text.strip():
            raise EvaluationError(f"{method} returns nothing; leave the value out")
        return VOID
    if value_text is None or not value_text.strip():
        raise EvaluationError(f"{method} returns {method.return_type_name}; give a value")
    value = await evaluator.evaluate(frame, value_text)
    if isinstance(value, PrimitiveValue) and method.return_type.startswith(("L", "[")):
        box = BOXES[value.kind]
        if method.return_type_name not in (box, "java.lang.Object", "java.lang.Number"):
            raise await _misfit(method, value, value_text)
        return await evaluator.evaluate(frame, f"{box}.valueOf({value_text})")
    return value
