# SPDX-License-Identifier: Apache-2.0
"""Says where to stop (line, function, exception breakpoints), and where one could.

The client always sends the whole list; the core finds out what changed. Breakpoints that cannot be
set are answered as unverified with the reason, not as an error of the request.
"""

from dataclasses import replace

from jvmdebug_dap import visit
from jvmdebug_dap.breakpoint_memory import EXCEPTIONS
from jvmdebug_dap.convert import breakpoints as convert
from jvmdebug_dap.convert.events import why_wrong
from jvmdebug_dap.convert.exception_breakpoints import FILTERS, asked_exceptions
from jvmdebug_dap.convert.frames import breakpoint_key, referred_listing
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import (
    BreakpointLocationsArguments,
    SetBreakpointsArguments,
    SetExceptionBreakpointsArguments,
    SetFunctionBreakpointsArguments,
)
from jvmdebug_dap.models.generated.bodies import (
    BreakpointLocationsBody,
    SetBreakpointsBody,
    SetExceptionBreakpointsBody,
    SetFunctionBreakpointsBody,
)
from jvmdebug_dap.models.generated.types import (
    Breakpoint,
    BreakpointLocation,
    Capabilities,
    SourceBreakpoint,
)
from jvmdebug_dap.models.launch import LaunchArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE, PROGRAM_ENDED

NEVER = Breakpoint(verified=False, message="exceptions of these types never stop the program")
ENDED = Breakpoint(verified=False, message=PROGRAM_ENDED)
"""The router says why, if it is something else."""
UNDEBUGGED = Breakpoint(verified=False, message="the program runs without debugging (noDebug)")


def runs_undebugged(session: AdapterSession) -> bool:
    """Whether the client asked to run only: then nothing stops the program."""
    asked = session.configuration
    return isinstance(asked, LaunchArguments) and asked.no_debug


@request(
    "setBreakpoints",
    when=LIVE,
    holds_events=True,
    supports=Capabilities(
        supports_conditional_breakpoints=True,
        supports_hit_conditional_breakpoints=True,
        supports_log_points=True,
        breakpoint_modes=convert.modes(),
    ),
    progress="Setting breakpoints",
    at_end=lambda asked: SetBreakpointsBody(
        breakpoints=[ENDED] * len(asked.breakpoints or asked.lines or [])
    ),
)
async def set_breakpoints(
    session: AdapterSession, arguments: SetBreakpointsArguments
) -> SetBreakpointsBody:
    key = breakpoint_key(session, arguments.source)
    asked = arguments.breakpoints
    if asked is None:
        asked = [SourceBreakpoint(line=line) for line in arguments.lines or []]
    listing = referred_listing(session, arguments.source)
    requests = [convert.line_request(each, key, listing, session.positions) for each in asked]
    if runs_undebugged(session):
        return SetBreakpointsBody(breakpoints=[UNDEBUGGED] * len(requests))
    placed = await session.breakpoints.replace(session.live, key, requests)
    await visit.use_breakpoints(session)
    session.breakpoints.remember_source(placed, arguments.source, listing)
    answer = [convert.to_dap(session, each) for each in placed]
    pairs = zip(placed, answer, strict=True)
    wrong = [shown for each, shown in pairs if convert.is_wrong(each, shown)]
    for name, body in why_wrong(session, wrong):
        session.channel.send_event(name, body)
    return SetBreakpointsBody(breakpoints=answer)


@request(
    "setFunctionBreakpoints",
    when=LIVE,
    holds_events=True,
    supports=Capabilities(supports_function_breakpoints=True),
    progress="Setting breakpoints",
    at_end=lambda asked: SetFunctionBreakpointsBody(breakpoints=[ENDED] * len(asked.breakpoints)),
)
async def set_function_breakpoints(
    session: AdapterSession, arguments: SetFunctionBreakpointsArguments
) -> SetFunctionBreakpointsBody:
    requests = [convert.method_request(each) for each in arguments.breakpoints]
    if runs_undebugged(session):
        return SetFunctionBreakpointsBody(breakpoints=[UNDEBUGGED] * len(requests))
    placed = await session.breakpoints.replace(session.live, "functions", requests)
    await visit.use_breakpoints(session)
    shown = [convert.to_dap(session, each) for each in placed]
    return SetFunctionBreakpointsBody(breakpoints=shown)


@request(
    "setExceptionBreakpoints",
    when=LIVE,
    holds_events=True,
    supports=Capabilities(
        exception_breakpoint_filters=FILTERS,
        supports_exception_filter_options=True,
        supports_exception_options=True,
    ),
    progress="Setting breakpoints",
    at_end=lambda asked: SetExceptionBreakpointsBody(
        breakpoints=[ENDED] * len(asked_exceptions(asked).answers)
    ),
)
async def set_exception_breakpoints(
    session: AdapterSession, arguments: SetExceptionBreakpointsArguments
) -> SetExceptionBreakpointsBody:
    named = [*arguments.filters, *(each.filter_id for each in arguments.filter_options or [])]
    unknown = sorted(set(named) - {each.filter for each in FILTERS})
    if unknown:
        known = " and ".join(f"`{each.filter}`" for each in FILTERS)
        text = f"arguments.filters: there is no filter `{unknown[0]}`, only {known}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    asked = asked_exceptions(arguments)
    if runs_undebugged(session):
        return SetExceptionBreakpointsBody(breakpoints=[UNDEBUGGED] * len(asked.answers))
    placed = await session.breakpoints.replace(session.live, EXCEPTIONS, asked.requests)
    await visit.use_breakpoints(session)
    refusals = [each.message for each in placed if each.message and not each.is_pending]
    for refused in dict.fromkeys(refusals):
        session.tell(f"exception breakpoints: {refused}", "important")  # no editor shows it there
    waiting = [each for each in placed if each.message and each.is_pending]
    for each in waiting:
        if each not in session.breakpoints.told:
            session.tell(f"exception breakpoints: {each.message}")
    return SetExceptionBreakpointsBody(
        breakpoints=[
            NEVER if at is None else convert.to_dap(session, placed[at]) for at in asked.answers
        ]
    )


@request(
    "breakpointLocations",
    when=LIVE,
    lane=Lane.ASK,
    supports=Capabilities(supports_breakpoint_locations_request=True),
    progress="Looking for lines with code",
    at_end=lambda _: BreakpointLocationsBody(breakpoints=[]),
)
async def breakpoint_locations(
    session: AdapterSession, arguments: BreakpointLocationsArguments
) -> BreakpointLocationsBody:
    """Told by the line tables of loaded classes, and of the lambdas of a line by the source. While
    no class of the source is loaded, only lines with lambdas. Those have columns, others none: a
    client shows no places in a line that has one.
    """
    first = session.positions.to_vm_line(arguments.line)
    last = first
    if arguments.end_line is not None:
        last = session.positions.to_vm_line(arguments.end_line)
    listing = referred_listing(session, arguments.source)
    if listing is not None:
        lines = [line for line in listing.lines if first <= line <= last]
        found = [BreakpointLocation(line=session.positions.to_client_line(line)) for line in lines]
        return BreakpointLocationsBody(breakpoints=found)
    key = breakpoint_key(session, arguments.source)
    parts = await session.core.breakpoints.breakable_parts(key, first, last)
    several = {each.line for each in parts if each.part != "line"}
    shown = [
        convert.part_to_dap(
            each if each.line in several else replace(each, column=None), session.positions
        )
        for each in parts
        if each.column is not None or each.part == "line"
    ]
    return BreakpointLocationsBody(breakpoints=shown)
