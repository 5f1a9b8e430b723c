# SPDX-License-Identifier: Apache-2.0
"""Inspecting and changing values: scopes, variables, setVariable, evaluate."""

from typing import Final, assert_never

import jvmdebug
from jvmdebug import StateError
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
from jvmdebug_dap.models.generated.types import Capabilities, ValueFormat
from jvmdebug_dap.references import Container, ElementRange, LazyValue, ScopeContents, ValueChildren
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED, STOPPED

_DEADLINES_S: Final = {"hover": 5.0, "watch": 10.0, "variables": 10.0}
_TYPED_DEADLINE_S: Final = 60.0
"""Views evaluate by themselves and must not hang; what the user typed may take longer."""
_REPL_LENGTH: Final = 10_000
_RANGE: Final = 1000
"""How many elements, or ranges, a range has."""
_SMALL_RANGE: Final = 100
_MAX_IN_ANSWER: Final = 2000
"""How many elements of a page are sent one by one; the others as ranges behind them."""
_MAX_SEARCHED: Final = 1000
"""Entries of a map are named by their keys: so many of them are searched."""


@request(
    "scopes",
    when=STOPPED,
    lane=Lane.LOOK,
    progress="Reading variables",
    at_end=lambda _: ScopesBody(scopes=[]),
)
async def scopes(session: AdapterSession, arguments: ScopesArguments) -> ScopesBody:
    if session.references.is_origin(arguments.frame_id):
        return ScopesBody(scopes=[])
    frame = session.references.frame(arguments.frame_id)
    found = await frame.scopes()
    before: tuple[jvmdebug.Variable, ...] = ()
    if opens_first_scope(session):
        returned = [each for each in found if each.kind is jvmdebug.ScopeKind.RETURNED]
        before = tuple([each for scope in returned for each in await scope.variables()])
        found = [each for each in found if each.kind is not jvmdebug.ScopeKind.RETURNED]
    return ScopesBody(scopes=[convert.scope(session, each, before) for each in found])


def opens_first_scope(session: AdapterSession) -> bool:
    """Whether the client opens the first scope alone: what a step has returned is shown there."""
    return session.is_vscode


@request(
    "variables",
    when=STOPPED,
    lane=Lane.LOOK,
    supports=Capabilities(supports_value_formatting_options=True),
    progress="Reading variables",
    at_end=lambda _: VariablesBody(variables=[]),
)
async def variables(session: AdapterSession, arguments: VariablesArguments) -> VariablesBody:
    container = session.references.container(arguments.variables_reference)
    start, count = page(arguments.start, arguments.count, "start", "count")
    in_hex = wants_hex(arguments.format)
    # Elements in pages, for who has asked for a page; ranges of them, for who wants them all.
    size = range_size(session)
    alone = size if count is None else _MAX_IN_ANSWER
    wanted = await elements_wanted(container, start, count, arguments.filter)
    if wanted is None or wanted.count <= alone:
        found = await members(container, start, count, arguments.filter)
        return VariablesBody(variables=await convert.variables(session, found, in_hex=in_hex))
    begun = 0 if count is None else alone
    found = await members(container, start, begun, "indexed") if begun else []
    parts = await convert.variables(session, found, in_hex=in_hex)
    parts += [convert.element_range(session, each) for each in element_ranges(wanted, begun, size)]
    if not arguments.filter and (count is None or wanted.count < count):
        found = await members(container, 0, None, "named")
        parts += await convert.variables(session, found, in_hex=in_hex)
    return VariablesBody(variables=parts)


@request(
    "setVariable",
    when=STOPPED,
    holds_events=True,
    supports=Capabilities(supports_set_variable=True),
    progress="Evaluating",
)
async def set_variable(session: AdapterSession, arguments: SetVariableArguments) -> SetVariableBody:
    """The value is any expression that `evaluate` accepts."""
    container = session.references.container(arguments.variables_reference)
    target = await member(container, arguments.name)
    try:
        changed = await target.set(arguments.value, deadline_s=_TYPED_DEADLINE_S)
    except StateError as error:
        if not target.can_be_set:
            raise RequestError(ErrorId.NOT_POSSIBLE, str(error)) from error
        raise
    body = await convert.set_variable_body(session, changed, in_hex=wants_hex(arguments.format))
    session.tell_of_changed_values()
    return body


@request(
    "evaluate",
    when=STARTED,
    lane=Lane.CALL,
    supports=Capabilities(supports_evaluate_for_hovers=True, supports_clipboard_context=True),
    progress="Evaluating",
)
async def evaluate(session: AdapterSession, arguments: EvaluateArguments) -> EvaluateBody:
    """What is typed while a program of ours runs goes to its standard input."""
    if (refusal := session.state.refusal(STOPPED)) is not None:
        typed = arguments.context in (None, "repl") and arguments.frame_id is None
        if not typed or not session.core.takes_input:
            raise RequestError(ErrorId.WRONG_STATE, f"`evaluate`: {refusal}")
        await session.type_to_program(arguments.expression)
        return EvaluateBody(result="", variables_reference=0)
    frame = evaluation_frame(session, arguments.frame_id)
    context = arguments.context or "repl"
    result = await frame.evaluate(
        arguments.expression,
        deadline_s=_DEADLINES_S.get(context, _TYPED_DEADLINE_S),
        read_only=context == "hover",
    )
    in_hex = wants_hex(arguments.format)
    if context == "clipboard":
        text = await result.full_text(in_hex=in_hex)
        return EvaluateBody(result=text, variables_reference=0)
    max_length = _REPL_LENGTH if context == "repl" else None
    body = await convert.evaluate_body(
        session,
        result,
        max_length=max_length,
        in_hex=in_hex,
        shows_again=context in ("watch", "variables"),
    )
    if context == "repl":
        session.tell_of_changed_values()
    return body


@request(
    "setExpression",
    when=STOPPED,
    holds_events=True,
    supports=Capabilities(supports_set_expression=True),
    progress="Evaluating",
)
async def set_expression(
    session: AdapterSession, arguments: SetExpressionArguments
) -> SetExpressionBody:
    """Assigns to any expression that Java can assign to; the value is any expression."""
    frame = evaluation_frame(session, arguments.frame_id)
    changed = await frame.set(arguments.expression, arguments.value, deadline_s=_TYPED_DEADLINE_S)
    in_hex = wants_hex(arguments.format)
    body = await convert.set_expression_body(session, changed, in_hex=in_hex)
    session.tell_of_changed_values()
    return body


@request(
    "completions",
    when=STOPPED,
    lane=Lane.CALL,  # classes may be loaded for it
    supports=Capabilities(supports_completions_request=True, completion_trigger_characters=["."]),
    progress="Completing",
    at_end=lambda _: CompletionsBody(targets=[]),
)
async def completions(session: AdapterSession, arguments: CompletionsArguments) -> CompletionsBody:
    frame = evaluation_frame(session, arguments.frame_id)
    positions = session.positions
    cursor = positions.to_offset(arguments.text, arguments.line, arguments.column)
    found = await frame.completions(arguments.text, cursor)
    targets = convert.completion_items(positions, arguments.text, cursor, found)
    return CompletionsBody(targets=targets)


def evaluation_frame(session: AdapterSession, frame_id: int | None) -> "jvmdebug.FrameHandle":
    """The frame that was named, else the topmost one of the newest stop."""
    if frame_id is not None:
        return session.references.frame(frame_id)
    stops = session.core.current_stops
    if not stops:
        raise RequestError(ErrorId.WRONG_STATE, "the program was resumed or has ended meanwhile")
    stop = stops[-1]
    if not stop.has_frames:
        text = "the thread that stopped has no frame to evaluate in: name one with `frameId`"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    return stop.frame


def wants_hex(asked: ValueFormat | None) -> bool | None:
    """The request's wish for hexadecimal; None: the session's setting."""
    return None if asked is None else asked.hex


async def elements_wanted(
    container: Container, start: int, count: int | None, kind: str | None
) -> ElementRange | None:
    """The elements that a request means; None where there are none, or other children."""
    match container:
        case ElementRange(variable=variable, start=begin, count=size) if kind != "named":
            first, end = begin + start, begin + size
        case ValueChildren(variable=variable) if kind != "named" and await variable.is_indexed():
            first, end = start, await variable.child_count()
        case _:
            return None
    size = max(0, end - first)
    return ElementRange(variable, first, size if count is None else min(count, size))


def range_size(session: AdapterSession) -> int:
    """How many elements a range has. VS Code shows what is not an element above the elements if it
    makes the ranges: it gets ours, as small as its own.
    """
    return _RANGE if convert.pages_elements(session) else _SMALL_RANGE


def element_ranges(wanted: ElementRange, begun: int, size: int) -> list[ElementRange]:
    """The elements behind the first `begun`, as at most some thousand ranges."""
    variable, first, end = wanted.variable, wanted.start + begun, wanted.start + wanted.count
    while (end - first) / size > _RANGE:
        size *= _RANGE
    places = range(first, end, size)
    return [ElementRange(variable, each, min(size, end - each)) for each in places]


async def members(
    container: Container, start: int, count: int | None, kind: str | None = None
) -> "list[jvmdebug.Variable]":
    """The variables behind a reference, or those from `start` on; `kind` is DAP's filter."""
    match container:
        case LazyValue(variable=variable):
            return [await variable.call()]
        case ScopeContents(scope=scope, before=before):
            found = [] if kind == "indexed" else [*before, *await scope.variables()]
        case ElementRange(variable=variable, start=begin, count=size):
            wanted = max(0, size - start) if count is None else min(count, size - start)
            return [] if kind == "named" else await variable.children(begin + start, wanted)
        case ValueChildren(variable=variable):
            return await inside(variable, start, count, kind)
        case _:
            assert_never(container)
    return found[start:] if count is None else found[start : start + count]


async def inside(
    variable: "jvmdebug.Variable", start: int, count: int | None, kind: str | None
) -> "list[jvmdebug.Variable]":
    """Children, then the other views; elements and entries are indexed, the rest is named."""
    is_indexed = await variable.is_indexed()
    if kind == "indexed":
        return await variable.children(start, count) if is_indexed else []
    before = 0 if kind == "named" and is_indexed else await variable.child_count()
    found = await variable.children(start, count) if start < before else []
    if count is None or start + count > before:
        views = await variable.views()
        first = max(0, start - before)
        found += views[first : None if count is None else start + count - before]
    return found


async def member(container: Container, name: str) -> "jvmdebug.Variable":
    """The member called `name`. Raises RequestError if there is none."""
    for found in await candidates(container, name):
        if found.name in (name, f"[{name}]"):
            return found
    text = f"arguments.name: there is no variable `{name}` in this scope or value"
    raise RequestError(ErrorId.NOT_POSSIBLE, text)


async def candidates(container: Container, name: str) -> "list[jvmdebug.Variable]":
    """The variables among which `name` is; of elements, only the one with that index."""
    match container:
        case LazyValue():
            return []
        case ValueChildren(variable=variable) if await variable.is_indexed():
            digits = name.removeprefix("[").removesuffix("]")
            is_index = digits.isdecimal() and int(digits) < await variable.child_count()
            found = await variable.children(int(digits), 1) if is_index else []
            return found + await variable.children(0, _MAX_SEARCHED)
        case _:
            return await members(container, 0, None)
