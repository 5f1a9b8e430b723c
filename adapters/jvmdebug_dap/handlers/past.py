# SPDX-License-Identifier: Apache-2.0
"""Going back in a recording: stepBack, reverseContinue, and what only a recording can tell."""

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    import jvmdebug

_NO_PAST = (
    "only a recording can be gone back in: open one with the attribute `recording` of `attach`"
)


@request("stepBack", when=STARTED, holds_events=True, at_end=lambda _: None)
async def step_back(session: AdapterSession, arguments: StepBackArguments) -> None:
    """Goes to the line before in the same frame, or to the call that the frame came from."""
    past = _past(session)
    await step(session, arguments.thread_id, lambda stop, _: past.step_back(stop))


@request("reverseContinue", when=STARTED, holds_events=True, at_end=lambda _: None)
async def reverse_continue(session: AdapterSession, arguments: ReverseContinueArguments) -> None:
    """Goes to the nearest breakpoint that was hit before, else to the beginning."""
    past = _past(session)
    stop_to_step(session, arguments.thread_id)
    await past.reverse_continue()


@request("jvmdebug/goToMoment", when=STOPPED, holds_events=True)
async def go_to_moment(session: AdapterSession, arguments: MomentArguments) -> None:
    """Stops at another moment of the recording."""
    past = _past(session)
    await past.go_to(past.recording.at(arguments.thread, arguments.index))


@request("jvmdebug/recordedCalls", when=STOPPED, lane=Lane.LOOK, progress="Reading calls")
async def recorded_calls(
    session: AdapterSession, arguments: RecordedCallsArguments
) -> RecordedCallsBody:
    """The calls that one call has made itself, at most 500."""
    past = _past(session)
    threads = past.recording.threads
    if arguments.thread is not None:
        threads = [past.recording.thread(arguments.thread)]
    calls: list[RecordedCall] = []
    for thread in threads:
        calls += (
            RecordedCall(
                thread=each.thread,
                thread_name=thread.name,
                index=each.index,
                name=each.name,
                arguments=list(each.arguments),
                result=each.result,
                exception=each.exception,
                start_ns=each.start_ns,
                duration_ns=each.end_ns - each.start_ns,
            )
            for each in await past.calls(thread.number, arguments.parent)
        )
    return RecordedCallsBody(calls=calls)


@request("jvmdebug/recordedWrites", when=STOPPED, lane=Lane.LOOK, progress="Looking for the value")
async def recorded_writes(
    session: AdapterSession, arguments: RecordedWritesArguments
) -> RecordedWritesBody:
    """The writes of what a name means in a frame, or of all variables and fields of the name."""
    past = _past(session)
    if arguments.frame_id is None:
        found = await past.search(arguments.name, arguments.value)
    elif arguments.last:
        frame = session.references.frame(arguments.frame_id)
        one = await past.who_wrote(frame, arguments.name)
        found = [] if one is None else [one]
    else:
        frame = session.references.frame(arguments.frame_id)
        found = await past.values(frame, arguments.name)
    return RecordedWritesBody(
        writes=[
            RecordedWrite(
                thread=each.moment.position.thread,
                thread_name=each.moment.thread.name,
                index=each.moment.position.index,
                value=each.text,
                where=each.where,
            )
            for each in found
        ]
    )


def _past(session: AdapterSession) -> "jvmdebug.SessionPast":
    past = session.core.past
    if past is None:
        raise RequestError(ErrorId.NOT_POSSIBLE, _NO_PAST)
    return past
