# SPDX-License-Identifier: Apache-2.0
"""Going back in a recording: stepBack, reverseContinue."""

from typing import TYPE_CHECKING

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.handlers.execution import step, stop_to_step
from jvmdebug_dap.models.generated.arguments import (
    ReverseContinueArguments,
    StepBackArguments,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED

if TYPE_CHECKING:
    import jvmdebug

_NO_PAST = (
    "only a recording can be gone back in: open one with the attribute `recording` of `attach`"
)


@request("stepBack", when=STARTED, holds_events=True, at_end=lambda _: None)
async def step_back(session: AdapterSession, arguments: StepBackArguments) -> None:
    """To the line before in the same frame, or to the call that the frame came from."""
    past = _past(session)
    await step(session, arguments.thread_id, lambda stop, _: past.step_back(stop))


@request("reverseContinue", when=STARTED, holds_events=True, at_end=lambda _: None)
async def reverse_continue(session: AdapterSession, arguments: ReverseContinueArguments) -> None:
    """To the nearest breakpoint that was hit before, else to the beginning."""
    past = _past(session)
    stop_to_step(session, arguments.thread_id)
    await past.reverse_continue()


def _past(session: AdapterSession) -> "jvmdebug.SessionPast":
    past = session.core.past
    if past is None:
        raise RequestError(ErrorId.NOT_POSSIBLE, _NO_PAST)
    return past
