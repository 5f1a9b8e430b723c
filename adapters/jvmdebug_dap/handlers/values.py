# SPDX-License-Identifier: Apache-2.0
"""Looking at values and changing them: scopes, variables, setVariable, evaluate."""

from typing import Final

from jvmdebug import FrameHandle, Variable
from jvmdebug_dap.convert import variables as convert
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.handlers.stack import page
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import (
    CompletionsArguments,
    EvaluateArguments,
    ScopesArguments,
    SetExpressionArguments,
    SetVariableArguments,
    VariablesArguments,
)
from jvmdebug_dap.models.generated.bodies import (
    CompletionsBody,
    EvaluateBody,
    ScopesBody,
    SetExpressionBody,
    SetVariableBody,
    VariablesBody,
)
from jvmdebug_dap.models.generated.events import InvalidatedEventBody
from jvmdebug_dap.models.generated.types import Capabilities, Scope
from jvmdebug_dap.references import Container, ExceptionScope, LocalsScope, ValueChildren
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STOPPED

_DEADLINES_S: Final = {"hover": 5.0, "watch": 10.0, "variables": 10.0}
_TYPED_DEADLINE_S: Final = 60.0
"""A view must not hang on what it shows by itself; what the user typed may take its time."""
_REPL_LENGTH: Final = 10_000


@request("scopes", when=STOPPED, lane=Lane.LOOK)
async def scopes(session: AdapterSession, arguments: ScopesArguments) -> ScopesBody:
    frame = session.references.frame(arguments.frame_id)
    add = session.references.add_container
    found = [
        Scope(
            name="Locals",
            presentation_hint="locals",
            variables_reference=add(frame.stop, LocalsScope(frame)),
            expensive=False,
        )
    ]
    exception = frame.stop.exception
    if exception is not None and frame.depth == 0 and frame.thread == frame.stop.thread:
        scope = ExceptionScope(frame, exception)
        reference = add(frame.stop, scope)
        found.append(Scope(name="Exception", variables_reference=reference, expensive=False))
    return ScopesBody(scopes=found)


@request("variables", when=STOPPED, lane=Lane.LOOK)
async def variables(session: AdapterSession, arguments: VariablesArguments) -> VariablesBody:
    container = session.references.container(arguments.variables_reference)
    start, count = page(arguments.start, arguments.count, "start", "count")
    if arguments.filter is not None:
        wants_indexed = arguments.filter == "indexed"
        if wants_indexed != await holds_elements(container):
            return VariablesBody(variables=[])
    found = await members(container, start, count)
    return VariablesBody(variables=await convert.variables(session, found))


@request(
    "setVariable",
    when=STOPPED,
    holds_events=True,
    supports=Capabilities(supports_set_variable=True),
)
async def set_variable(session: AdapterSession, arguments: SetVariableArguments) -> SetVariableBody:
    """The value is any expression that `evaluate` takes."""
    container = session.references.container(arguments.variables_reference)
    target = await member(container, arguments.name)
    changed = await target.set(arguments.value)
    return await convert.set_variable_body(session, changed)


@request(
    "evaluate",
    when=STOPPED,
    lane=Lane.CALL,
    supports=Capabilities(supports_evaluate_for_hovers=True, supports_clipboard_context=True),
)
async def evaluate(session: AdapterSession, arguments: EvaluateArguments) -> EvaluateBody:
    frame = evaluation_frame(session, arguments.frame_id)
    context = arguments.context or "repl"
    result = await frame.evaluate(
        arguments.expression,
        deadline_s=_DEADLINES_S.get(context, _TYPED_DEADLINE_S),
        read_only=context == "hover",
    )
    if context == "clipboard":
        return EvaluateBody(result=await result.full_text(), variables_reference=0)
    max_length = _REPL_LENGTH if context == "repl" else convert.SHORT
    body = await convert.evaluate_body(session, result, max_length=max_length)
    if context == "repl" and session.client.supports_invalidated_event:
        changed = InvalidatedEventBody(areas=["variables"])
        session.channel.send_event("invalidated", changed)
    return body


@request(
    "setExpression",
    when=STOPPED,
    holds_events=True,
    supports=Capabilities(supports_set_expression=True),
)
async def set_expression(
    session: AdapterSession, arguments: SetExpressionArguments
) -> SetExpressionBody:
    """Assigns to whatever Java can assign to; the value is any expression."""
    frame = evaluation_frame(session, arguments.frame_id)
    changed = await frame.set(arguments.expression, arguments.value)
    return await convert.set_expression_body(session, changed)


@request(
    "completions",
    when=STOPPED,
    lane=Lane.LOOK,
    supports=Capabilities(supports_completions_request=True, completion_trigger_characters=["."]),
)
async def completions(session: AdapterSession, arguments: CompletionsArguments) -> CompletionsBody:
    frame = evaluation_frame(session, arguments.frame_id)
    positions = session.positions
    cursor = positions.to_offset(arguments.text, arguments.line, arguments.column)
    found = await frame.completions(arguments.text, cursor)
    targets = convert.completion_items(positions, arguments.text, cursor, found)
    return CompletionsBody(targets=targets)


def evaluation_frame(session: AdapterSession, frame_id: int | None) -> FrameHandle:
    """The frame that was named, else the topmost one of the newest stop."""
    if frame_id is not None:
        return session.references.frame(frame_id)
    stop = session.core.current_stops[-1]
    if not stop.has_frames:
        text = "the thread that stopped has no frame to evaluate in: name one with `frameId`"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    return stop.frame


async def holds_elements(container: Container) -> bool:
    return isinstance(container, ValueChildren) and await container.variable.is_indexed()


async def members(container: Container, start: int, count: int | None) -> list[Variable]:
    """What a reference stands for, or the part of it from `start` on."""
    if isinstance(container, ValueChildren):
        return await container.variable.children(start, count)
    if isinstance(container, ExceptionScope):
        found = [container.exception]
    else:
        this = await container.frame.this()
        found = [*([] if this is None else [this]), *await container.frame.variables()]
    return found[start:] if count is None else found[start : start + count]


async def member(container: Container, name: str) -> Variable:
    """The member called `name`. RequestError if there is none."""
    if isinstance(container, ValueChildren) and await container.variable.is_indexed():
        digits = name.removeprefix("[").removesuffix("]")
        total = await container.variable.child_count()
        if digits.isdecimal() and int(digits) < total:
            return (await container.variable.children(int(digits), 1))[0]
    else:
        for found in await members(container, 0, None):
            if found.name == name:
                return found
    text = f"arguments.name: there is no variable `{name}` in this scope or value"
    raise RequestError(ErrorId.NOT_POSSIBLE, text)
