# SPDX-License-Identifier: Apache-2.0
"""Tells where a program touches a field, or reaches an instruction: data and instruction
breakpoints.

Fields are watched, of one object or of all, local variables, and elements of arrays: `prices[3]`,
or `prices[*]` for all of them. What else a client may ask about (addresses, results of calls) is
answered with the reason why it cannot be watched.
"""

from dataclasses import replace

import jvmdebug
from jvmdebug import BreakpointError, EvaluationError, UnsupportedError
from jvmdebug_dap import visit
from jvmdebug_dap.convert import breakpoints as convert
from jvmdebug_dap.convert import data
from jvmdebug_dap.convert.code import address_of, address_text
from jvmdebug_dap.handlers.breakpoints import ENDED, UNDEBUGGED, runs_undebugged
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import (
    DataBreakpointInfoArguments,
    SetDataBreakpointsArguments,
    SetInstructionBreakpointsArguments,
)
from jvmdebug_dap.models.generated.bodies import (
    DataBreakpointInfoBody,
    SetDataBreakpointsBody,
    SetInstructionBreakpointsBody,
)
from jvmdebug_dap.models.generated.types import Capabilities, DataBreakpoint, InstructionBreakpoint
from jvmdebug_dap.references import ValueChildren
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request(
    "dataBreakpointInfo",
    when=LIVE,
    lane=Lane.CALL,
    supports=Capabilities(supports_data_breakpoints=True),
    progress="Looking for the field",
)
async def data_breakpoint_info(
    session: AdapterSession, arguments: DataBreakpointInfoArguments
) -> DataBreakpointInfoBody:
    """The field of the object that is shown, or in every object if only its type was named."""
    convert.suspended_by(arguments.mode)
    if arguments.as_address or arguments.bytes is not None:
        return _refused("addresses cannot be watched: only fields, variables and elements")
    try:
        target = await _target(session, arguments)
    except (BreakpointError, EvaluationError, UnsupportedError) as error:
        return _refused(str(error))
    identifier = data.data_id(target, arguments.mode, session.watched)
    if session.visit is not None and "@" in identifier:
        session.breakpoints.past_data[identifier] = session.visit
    is_one, is_element = "@" in identifier, target.array is not None
    reads_too = target.method is None and not is_element and session.core.past is None
    return DataBreakpointInfoBody(
        data_id=identifier,
        description=f"{target} of this object" if is_one and not is_element else str(target),
        access_types=["read", "write", "readWrite"] if reads_too else ["write"],
        can_persist=not is_one,
    )


def _refused(reason: str) -> DataBreakpointInfoBody:
    return DataBreakpointInfoBody(data_id=None, description=reason)


async def _target(
    session: AdapterSession, arguments: DataBreakpointInfoArguments
) -> "jvmdebug.DataTarget":
    if not arguments.variables_reference:
        if not arguments.frame_id:
            return await session.core.breakpoints.data_target(arguments.name)
        return await session.references.frame(arguments.frame_id).data_target(arguments.name)
    return await target_of_shown(session, arguments.variables_reference, arguments.name)


async def target_of_shown(
    session: AdapterSession, reference: int, name: str
) -> "jvmdebug.DataTarget":
    """The field of a shown variable, below the container with that reference."""
    container = session.references.container(reference)
    if not isinstance(container, ValueChildren):
        return await _of_scope(container.frame, name)
    found = await container.variable.data_target(name)
    if found is not None:
        return found
    for child in await container.variable.children():
        if child.name == name and child.evaluate_name is not None:
            return await child.frame.data_target(child.evaluate_name)
    raise BreakpointError(
        f"{name} is no field, local variable or element of an array: only these can be watched"
    )


async def _of_scope(frame: "jvmdebug.FrameHandle", name: str) -> "jvmdebug.DataTarget":
    """A name in the scope of locals; captured variables and statics are fields."""
    return await frame.data_target(name)


@request(
    "setDataBreakpoints",
    when=LIVE,
    holds_events=True,
    progress="Setting breakpoints",
    at_end=lambda asked: SetDataBreakpointsBody(breakpoints=[ENDED] * len(asked.breakpoints)),
)
async def set_data_breakpoints(
    session: AdapterSession, arguments: SetDataBreakpointsArguments
) -> SetDataBreakpointsBody:
    if runs_undebugged(session):
        return SetDataBreakpointsBody(breakpoints=[UNDEBUGGED] * len(arguments.breakpoints))
    requests = [_data_request(session, each) for each in arguments.breakpoints]
    in_past = [_is_of_past(session, each) for each in arguments.breakpoints]
    pairs = list(zip(requests, in_past, strict=True))
    own = [each for each, is_past in pairs if not is_past]
    placed = iter(await session.breakpoints.replace(session.live, "data", own))
    in_past_placed = iter(await _placed_in_past(session, [r for r, is_past in pairs if is_past]))
    made = [next(in_past_placed if is_past else placed) for is_past in in_past]
    return SetDataBreakpointsBody(breakpoints=[convert.to_dap(session, each) for each in made])


async def _placed_in_past(
    session: AdapterSession, requests: "list[jvmdebug.BreakpointRequest]"
) -> "tuple[jvmdebug.Breakpoint, ...]":
    if session.visit is None:
        return ()
    placed = await session.breakpoints.replace(session.visit.core, visit.PAST_DATA, requests)
    await visit.use_breakpoints(session)
    return placed


def _is_of_past(session: AdapterSession, asked: DataBreakpoint) -> bool:
    past = session.breakpoints.past_data.get(asked.data_id)
    return past is not None and past is session.visit


def _data_request(session: AdapterSession, asked: DataBreakpoint) -> "jvmdebug.BreakpointRequest":
    request = data.data_request(asked, session.watched)
    if asked.data_id not in session.breakpoints.past_data or _is_of_past(session, asked):
        return request
    return replace(request, error="its object belongs to a past that is not shown any more")


@request(
    "setInstructionBreakpoints",
    when=LIVE,
    holds_events=True,
    supports=Capabilities(supports_instruction_breakpoints=True),
    progress="Setting breakpoints",
    at_end=lambda asked: SetInstructionBreakpointsBody(
        breakpoints=[ENDED] * len(asked.breakpoints)
    ),
)
async def set_instruction_breakpoints(
    session: AdapterSession, arguments: SetInstructionBreakpointsArguments
) -> SetInstructionBreakpointsBody:
    """Sets them by the addresses of `disassemble`, or by name: `shop.Cart#add#12`."""
    asked = arguments.breakpoints
    if runs_undebugged(session):
        return SetInstructionBreakpointsBody(breakpoints=[UNDEBUGGED] * len(asked))
    requests = [await _instruction(session, each) for each in asked]
    placed = await session.breakpoints.replace(session.live, "instructions", requests)
    await visit.use_breakpoints(session)
    shown = []
    for each, made in zip(asked, placed, strict=True):
        reference = None if "#" in each.instruction_reference else each.instruction_reference
        answer = convert.to_dap(session, made)
        if reference is not None:
            address = address_of(reference, "breakpoints") + (each.offset or 0)
            answer = answer.model_copy(update={"instruction_reference": address_text(address)})
        shown.append(answer)
    return SetInstructionBreakpointsBody(breakpoints=shown)


async def _instruction(
    session: AdapterSession, asked: InstructionBreakpoint
) -> "jvmdebug.BreakpointRequest":
    text, error = asked.instruction_reference, None
    if "#" not in text:
        address = address_of(text, "breakpoints") + (asked.offset or 0)
        found = await session.core.code.location_at(address)
        if found is None:
            error = f"there is no code at the address {address_text(address)}"
        else:
            method = found.method
            text = f"{found.type.name}#{method.name}{method.signature}#{found.index}"
    options = jvmdebug.BreakpointOptions(
        asked.condition or None,
        asked.hit_condition or None,
        suspend=convert.suspended_by(asked.mode),
    )
    request = jvmdebug.BreakpointRequest.of_instruction(text, options)
    return request if error is None else replace(request, error=error)
