# SPDX-License-Identifier: Apache-2.0
"""Running the program: continue, pause, the steps, restartFrame, and our own frame requests.

Each response precedes the events that the request causes.
"""

from typing import TYPE_CHECKING

from jvmdebug_dap.convert.code import address_of
from jvmdebug_dap.convert.events import stopped_as_before
from jvmdebug_dap.convert.frames import breakpoint_key, known_thread, referred_listing
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import (
    ForceEarlyReturnArguments,
    PopFrameArguments,
    RunToArguments,
    ThrowArguments,
)
from jvmdebug_dap.models.generated.arguments import (
    ContinueArguments,
    GotoArguments,
    GotoTargetsArguments,
    NextArguments,
    PauseArguments,
    RestartFrameArguments,
    StepInArguments,
    StepInTargetsArguments,
    StepOutArguments,
)
from jvmdebug_dap.models.generated.bodies import ContinueBody, GotoTargetsBody, StepInTargetsBody
from jvmdebug_dap.models.generated.types import (
    Capabilities,
    GotoTarget,
    StepInTarget,
    SteppingGranularity,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED, STOPPED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import jvmdebug

_STEPS = Capabilities(
    supports_stepping_granularity=True, supports_single_thread_execution_requests=True
)


@request(
    "continue",
    when=STARTED,
    holds_events=True,
    at_end=lambda asked: ContinueBody(all_threads_continued=not asked.single_thread),
)
async def continue_(session: AdapterSession, arguments: ContinueArguments) -> ContinueBody:
    """Resumes what has stopped; during a step, when that has ended."""
    handle = thread_to_run(session, arguments.thread_id)
    if arguments.single_thread:
        if handle is not None and handle.stop is not None:
            await handle.resume()
        elif handle is not None:
            session.late.keep(handle, lambda stop: stop.resume(), is_last=True)
        return ContinueBody(all_threads_continued=False)
    if session.core.current_stops:
        await session.core.resume()
    else:
        session.late.keep_for_all(lambda stop: stop.resume())
    return ContinueBody(all_threads_continued=True)


@request("pause", when=STARTED, lane=Lane.URGENT, holds_events=True, at_end=lambda _: None)
async def pause(session: AdapterSession, arguments: PauseArguments) -> None:
    """Suspends all threads and reports the requested one, unless that has stopped already."""
    session.late.drop()
    handle = session.threads.item(arguments.thread_id)
    async with session.pausing:
        if any(each.all_threads for each in session.core.current_stops):
            return
        if handle is not None and handle.stop is not None:
            return
        session.paused_thread = None if handle is None else arguments.thread_id
        await session.core.suspend()


@request("next", when=STARTED, holds_events=True, supports=_STEPS, at_end=lambda _: None)
async def next_(session: AdapterSession, arguments: NextArguments) -> None:
    size, alone = granularity(arguments.granularity), bool(arguments.single_thread)
    await step(
        session,
        arguments.thread_id,
        lambda stop, thread: stop.step_over(size, thread=thread, alone=alone),
    )


@request("stepIn", when=STARTED, holds_events=True, supports=_STEPS, at_end=lambda _: None)
async def step_in(session: AdapterSession, arguments: StepInArguments) -> None:
    """Enters the call `targetId` of the stop, if it is given."""
    size, alone = granularity(arguments.granularity), bool(arguments.single_thread)
    thread, target = thread_to_run(session, arguments.thread_id), None
    if arguments.target_id is not None:
        if thread is None or thread.stop is None:
            return  # the stop that the call belongs to is over
        frame, target = session.references.call(arguments.target_id)
        if frame.thread != thread:
            text = f"arguments.targetId: {arguments.target_id} is a call of another thread"
            raise RequestError(ErrorId.ILL_FORMED, text)
    await step(
        session,
        arguments.thread_id,
        lambda stop, thread: stop.step_into(size, thread=thread, target=target, alone=alone),
    )


@request(
    "stepInTargets",
    when=STOPPED,
    lane=Lane.LOOK,
    supports=Capabilities(supports_step_in_targets_request=True),
    progress="Looking for calls",
    at_end=lambda _: StepInTargetsBody(targets=[]),
)
async def step_in_targets(
    session: AdapterSession, arguments: StepInTargetsArguments
) -> StepInTargetsBody:
    """The remaining calls of the line; only for the topmost frame of a thread."""
    frame = session.references.frame(arguments.frame_id)
    calls = await frame.stop.step_in_targets(thread=frame.thread) if frame.depth == 0 else ()
    line = None if frame.line is None else session.positions.to_client_line(frame.line)
    targets = [
        StepInTarget(id=session.references.add_call(frame, call), label=call.label, line=line)
        for call in calls
    ]
    return StepInTargetsBody(targets=targets)


@request(
    "gotoTargets",
    when=STOPPED,
    lane=Lane.LOOK,
    supports=Capabilities(supports_goto_targets_request=True),
    at_end=lambda _: GotoTargetsBody(targets=[]),
)
async def goto_targets(session: AdapterSession, arguments: GotoTargetsArguments) -> GotoTargetsBody:
    """The line, if a thread has stopped in this source; whether it can be jumped to, `goto` tells,
    with the reason if it cannot.
    """
    if referred_listing(session, arguments.source) is not None:
        text = "jumps go to lines of a source, and this is the bytecode of a class"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    key, line = (
        breakpoint_key(session, arguments.source),
        session.positions.to_vm_line(arguments.line),
    )
    targets: list[GotoTarget] = []
    for stop in reversed(session.core.current_stops):
        if not targets and stop.has_frames and await _is_in(key, stop.frame):
            number = session.references.add_line(stop.frame, line)
            targets = [GotoTarget(id=number, label=f"line {line}", line=arguments.line)]
    return GotoTargetsBody(targets=targets)


async def _is_in(key: str, frame: "jvmdebug.FrameHandle") -> bool:
    source = await frame.source()
    return source is not None and key == (
        str(source.path) if source.entry is None else source.entry
    )


@request("goto", when=STOPPED, holds_events=True, at_end=lambda _: None)
async def goto(session: AdapterSession, arguments: GotoArguments) -> None:
    """The thread goes on at the line `targetId`, in the method of its topmost frame."""
    frame, line = session.references.line(arguments.target_id)
    if session.core.past is not None:
        await session.core.past.go_to_line(frame, line)
        return
    stop, thread = stop_to_step(session, arguments.thread_id)
    if thread != frame.thread and not await _is_same_source(stop, thread, frame):
        text = f"line {line} is in the method of another thread, `{frame.thread.name}`"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    await stop.jump_to(line, thread=thread)


async def _is_same_source(
    stop: "jvmdebug.Stop", thread: "jvmdebug.ThreadHandle", frame: "jvmdebug.FrameHandle"
) -> bool:
    frames = await stop.frames(0, 1, thread=thread)
    return bool(frames) and await frames[0].source() == await frame.source()


@request("stepOut", when=STARTED, holds_events=True, supports=_STEPS, at_end=lambda _: None)
async def step_out(session: AdapterSession, arguments: StepOutArguments) -> None:
    size, alone = granularity(arguments.granularity), bool(arguments.single_thread)
    await step(
        session,
        arguments.thread_id,
        lambda stop, thread: stop.step_out(size, thread=thread, alone=alone),
    )


@request(
    "restartFrame",
    when=STARTED,
    holds_events=True,
    supports=Capabilities(supports_restart_frame=True),
    at_end=lambda _: None,
)
async def restart_frame(session: AdapterSession, arguments: RestartFrameArguments) -> None:
    """The method starts again with the present values of its arguments.

    Does nothing for a frame of a stop that is over; the client takes the thread for running after
    the answer, so it is told again what has stopped.
    """
    if session.references.is_of_an_ended_stop(arguments.frame_id):
        for name, body in stopped_as_before(session):
            session.channel.send_event(name, body)
        return
    frame = session.references.frame(arguments.frame_id)
    await frame.stop.restart_frame(frame)


@request("jvmdebug/popFrame", when=STOPPED, holds_events=True)
async def pop_frame(session: AdapterSession, arguments: PopFrameArguments) -> None:
    """Drops the frame and those above it: back to before the call."""
    frame = session.references.frame(arguments.frame_id)
    await frame.stop.pop_frame(frame)


@request("jvmdebug/forceEarlyReturn", when=STOPPED, holds_events=True)
async def force_early_return(session: AdapterSession, arguments: ForceEarlyReturnArguments) -> None:
    """The frame's method returns now, with the value of `expression` unless it is void."""
    frame = session.references.frame(arguments.frame_id)
    if frame.depth != 0:
        text = (
            f"only the topmost frame can return early, and `{frame.function}` is "
            f"{frame.depth} below it: pop the frames above it first"
        )
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    frame.require_own("ended by a return")
    await frame.stop.force_return(arguments.expression)


@request("jvmdebug/throw", when=STOPPED, holds_events=True, progress="Evaluating")
async def throw(session: AdapterSession, arguments: ThrowArguments) -> None:
    """The frame's thread throws the value of `expression` as soon as it runs."""
    frame = session.references.frame(arguments.frame_id)
    await frame.stop.throw(arguments.expression, frame)


@request("jvmdebug/runTo", when=STOPPED, holds_events=True)
async def run_to(session: AdapterSession, arguments: RunToArguments) -> None:
    """All threads go on, until one is at that instruction or line."""
    stop, _thread = stop_to_step(session, arguments.thread_id)
    reference, location = arguments.instruction_reference, arguments.location
    if (reference is None) == (location is None):
        text = "arguments: give either `instructionReference` or `location`"
        raise RequestError(ErrorId.ILL_FORMED, text)
    if reference is not None:
        address = address_of(reference, "instructionReference")
        found = await session.core.code.location_at(address)
        if found is None:
            text = f"arguments.instructionReference: there is no code at {reference}"
            raise RequestError(ErrorId.NOT_POSSIBLE, text)
        method = found.method
        location = f"{found.type.name}#{method.name}{method.signature}#{found.index}"
    await stop.run_to(location or "")


def stop_to_step(
    session: AdapterSession, number: int
) -> "tuple[jvmdebug.Stop, jvmdebug.ThreadHandle]":
    """The stop of that thread, its own rather than another's. Raises RequestError if it runs."""
    handle = known_thread(session, number)
    stop = handle.stop
    if stop is None:
        text = f"thread {number} (`{handle.name}`) is running"
        raise RequestError(ErrorId.WRONG_STATE, text)
    own = [each for each in session.core.current_stops if each.thread == handle]
    return (own[-1] if own else stop), handle


def thread_to_run(session: AdapterSession, number: int) -> "jvmdebug.ThreadHandle | None":
    """The thread; None if it has ended. Raises RequestError if it was never listed."""
    return None if session.threads.has_forgotten(number) else known_thread(session, number)


async def step(
    session: AdapterSession,
    number: int,
    begin: "Callable[[jvmdebug.Stop, jvmdebug.ThreadHandle], Awaitable[None]]",
) -> None:
    """Begin a step of the thread; while one is under way in it, when that has ended."""
    handle = thread_to_run(session, number)
    if handle is None:
        return

    async def begun(stop: "jvmdebug.Stop") -> None:
        session.late.step_begun(handle)
        try:
            await begin(stop, handle)
        except BaseException:
            session.late.step_failed(handle)
            raise

    if handle.stop is None:
        session.late.keep(handle, begun, is_last=False)
    else:
        await begun(stop_to_step(session, number)[0])


def granularity(asked: SteppingGranularity | None) -> "jvmdebug.Granularity":
    """The granularity of a step; class files know lines, not statements."""
    return "instruction" if asked == "instruction" else "line"
