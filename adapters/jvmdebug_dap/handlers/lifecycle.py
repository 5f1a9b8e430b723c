# SPDX-License-Identifier: Apache-2.0
"""Start and end of a session: initialize, configurationDone, terminate, disconnect, cancel."""

import asyncio
import contextlib
import math

from jvmdebug.errors import JvmDebugError
from jvmdebug_dap import covering, greeting, recorded, visit
from jvmdebug_dap.breakpoint_memory import EXCEPTIONS
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.models.generated.arguments import (
    CancelArguments,
    DisconnectArguments,
    InitializeRequestArguments,
    TerminateArguments,
)
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.positions import Positions
from jvmdebug_dap.progress import request_of
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import ANY, CONFIGURING, LIVE, NEW, STARTING, StateEvent

_GRACE_S = 3.0
"""How long a program may take to end by itself after the end of its session."""


@request("initialize", when=NEW, supports=Capabilities(supports_ansi_styling=True))
async def initialize(
    session: AdapterSession, arguments: InitializeRequestArguments
) -> Capabilities:
    if arguments.path_format not in (None, "path", "uri"):
        text = f"arguments.pathFormat: should be 'path' or 'uri', got {arguments.path_format!r}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    session.client = arguments
    session.positions = Positions(
        lines_start_at=0 if arguments.lines_start_at1 is False else 1,
        columns_start_at=0 if arguments.columns_start_at1 is False else 1,
        uses_uris=arguments.path_format == "uri",
    )
    session.state.move(StateEvent.INITIALIZED)
    # `greeting` has answered already, if the client was in a hurry.
    return Capabilities.model_validate(greeting.capabilities(arguments.client_id))


@request(
    "configurationDone",
    when=CONFIGURING,
    holds_events=True,
    supports=Capabilities(supports_configuration_done_request=True),
)
async def configuration_done(session: AdapterSession, _arguments: NoArguments) -> None:
    """Resumes the program; the response of `launch` or `attach` follows this one."""
    session.state.move(StateEvent.CONFIGURED)
    if session.core.owner is None and session.core.past is None:
        await covering.begin(session)
        await recorded.begin(session)
        await session.core.start()
    else:
        session.pump.tell_of_stops()
    if session.core.current_stops:  # an attached program may have stopped meanwhile
        session.state.move(StateEvent.STOPPED)
    session.configure()


@request(
    "terminate",
    when=LIVE | STARTING,
    lane=Lane.URGENT,
    supports=Capabilities(supports_terminate_request=True),
    at_end=lambda _: None,
)
async def terminate(session: AdapterSession, _arguments: TerminateArguments) -> None:
    """Asks the program to end, so that shutdown hooks run; the second request kills it. One that
    is still being built or started is given up: the client disconnects after `terminated`.
    """
    debuggee = session.debuggee
    if debuggee is None or not debuggee.is_open:
        session.channel.send_event("terminated")
        return
    core = debuggee.core
    again, debuggee.has_been_asked_to_end = debuggee.has_been_asked_to_end, True

    async def end() -> None:
        try:
            await (core.kill() if again else core.terminate(grace_s=math.inf))
        except JvmDebugError as error:
            session.tell(f"the program could not be ended: {error}", "important")

    session.run_beside(end(), "terminate")


@request(
    "disconnect",
    when=ANY,
    lane=Lane.URGENT,
    supports=Capabilities(support_terminate_debuggee=True),
)
async def disconnect(session: AdapterSession, arguments: DisconnectArguments) -> None:
    """Ends the session, and the program if it was launched, unless the client says otherwise."""
    session.give_up_requests()
    await visit.drop(session)
    debuggee = session.debuggee
    if debuggee is not None and debuggee.is_open:
        ends = debuggee.is_ours
        if arguments.terminate_debuggee is not None:
            ends = arguments.terminate_debuggee
        if arguments.restart:
            session.pump.expect_restart()
        with contextlib.suppress(JvmDebugError):  # the program may have ended before we end it
            if debuggee.core.owner is not None:  # nobody sees these in the editors of others
                await debuggee.core.breakpoints.replace(EXCEPTIONS, ())
            if not ends:
                await recorded.end(session)
                await debuggee.core.detach()
            elif debuggee.has_been_asked_to_end:
                await debuggee.core.kill()
            else:
                await debuggee.core.terminate(grace_s=_GRACE_S)
    await recorded.end(session)  # of one that is started again; else it has told its end
    if debuggee is not None:
        await debuggee.leave()
    session.fail_configuration("the client disconnected")
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(session.pump.drained(), _GRACE_S)
    session.state.move(StateEvent.ENDED)
    session.is_over.set()


@request(
    "cancel",
    when=ANY,
    lane=Lane.URGENT,
    supports=Capabilities(supports_cancel_request=True),
)
async def cancel(session: AdapterSession, arguments: CancelArguments) -> None:
    """Cancels a request that is being served; its response is then `cancelled`."""
    if arguments.request_id is not None:
        session.cancel_request(arguments.request_id)
    shown = request_of(arguments.progress_id or "")
    if shown is not None:
        session.cancel_request(shown)
