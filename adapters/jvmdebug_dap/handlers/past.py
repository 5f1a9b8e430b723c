# SPDX-License-Identifier: Apache-2.0
"""Going back in a recording: stepBack, reverseContinue, and what only a recording can tell."""

from typing import Final

import jvmdebug
from jvmdebug import one_line
from jvmdebug_dap import visit
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.handlers.execution import step, stop_to_step
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import (
    MomentArguments,
    RecordedCall,
    RecordedCallsArguments,
    RecordedCallsBody,
    RecordedWrite,
    RecordedWritesArguments,
    RecordedWritesBody,
)
from jvmdebug_dap.models.generated.arguments import (
    ReverseContinueArguments,
    StepBackArguments,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED, STOPPED

_MOST_CALLS: Final = 500
"""As many the core tells of one thread."""
_MOST_WRITES: Final = 1000
_NO_PAST = (
    "only a recording can be gone back in: open one with the attribute `recording` of `attach`"
)
_PRESENT = "step back first: then what was recorded so far can be asked"


@request("stepBack", when=STARTED, holds_events=True, at_end=lambda _: None)
async def step_back(session: AdapterSession, arguments: StepBackArguments) -> None:
    """Goes to the line before in the same frame, or to the call that the frame came from. From a
    stop of a program that is recorded into its past.
    """
    if not _is_live_recording(session):
        past = _past(session)
        await step(session, arguments.thread_id, lambda stop, _: past.step_back(stop))
        return
    stop, is_before = await visit.begin(session, *stop_to_step(session, arguments.thread_id))
    if is_before:
        session.pump.take(jvmdebug.Stopped(stop))
    else:
        await _past(session).step_back(stop)


@request("reverseContinue", when=STARTED, holds_events=True, at_end=lambda _: None)
async def reverse_continue(session: AdapterSession, arguments: ReverseContinueArguments) -> None:
    """Goes to the nearest breakpoint that was hit before, else to the beginning. From a stop of a
    program that is recorded into its past.
    """
    stop, thread = stop_to_step(session, arguments.thread_id)
    if _is_live_recording(session):
        await visit.begin(session, stop, thread)
    await _past(session).reverse_continue()


@request("jvmdebug/goToMoment", when=STOPPED, holds_events=True)
async def go_to_moment(session: AdapterSession, arguments: MomentArguments) -> None:
    """Stops at another moment of the recording."""
    past = _past(session)
    await past.go_to(past.recording.at(arguments.thread, arguments.index))


@request("jvmdebug/recordedCalls", when=STOPPED, lane=Lane.LOOK, progress="Reading calls")
async def recorded_calls(
    session: AdapterSession, arguments: RecordedCallsArguments
) -> RecordedCallsBody:
    """The calls that one call has made itself, or the outermost ones; at most 500 a thread."""
    past = _past(session)
    threads = past.recording.threads
    if arguments.thread is not None:
        threads = [past.recording.thread(arguments.thread)]
    calls: list[RecordedCall] = []
    is_cut = False
    for thread in threads:
        found = await past.calls(thread.number, arguments.parent)
        is_cut |= len(found) >= _MOST_CALLS
        calls += (_call(thread.name, each) for each in found)
    return RecordedCallsBody(calls=calls, is_cut=is_cut)


@request("jvmdebug/recordedWrites", when=STOPPED, lane=Lane.LOOK, progress="Looking for the value")
async def recorded_writes(
    session: AdapterSession, arguments: RecordedWritesArguments
) -> RecordedWritesBody:
    """The writes of what a name means in a frame, or of all variables and fields of the name; at
    most 1000.
    """
    past = _past(session)
    if arguments.frame_id is None:
        found = await past.search(arguments.name, arguments.value, _MOST_WRITES + 1)
    elif arguments.last:
        frame = session.references.frame(arguments.frame_id)
        one = await past.who_wrote(frame, arguments.name)
        found = [] if one is None else [one, *one.unordered]
    else:
        frame = session.references.frame(arguments.frame_id)
        found = await past.values(frame, arguments.name)
    writes = [
        RecordedWrite(
            thread=each.moment.position.thread,
            thread_name=one_line(each.moment.thread.name),
            index=each.moment.position.index,
            value=one_line(each.text),
            where=one_line(each.where),
        )
        for each in found[:_MOST_WRITES]
    ]
    return RecordedWritesBody(writes=writes, is_cut=len(found) > _MOST_WRITES)


def _call(thread_name: str, call: jvmdebug.recording.Call) -> RecordedCall:
    return RecordedCall(
        thread=call.thread,
        thread_name=one_line(thread_name),
        index=call.index,
        name=one_line(call.name),
        arguments=list(map(one_line, call.arguments)),
        result=one_line(call.result),
        exception=one_line(call.exception),
        start_ns=call.start_ns,
        duration_ns=call.end_ns - call.start_ns,
    )


def _is_live_recording(session: AdapterSession) -> bool:
    """Whether the client sees the present of a program that is recorded."""
    return session.visit is None and session.recorder is not None


def _past(session: AdapterSession) -> jvmdebug.SessionPast:
    past = session.core.past
    if past is None:
        is_recorded = session.recorder is not None
        raise RequestError(ErrorId.NOT_POSSIBLE, _PRESENT if is_recorded else _NO_PAST)
    return past
