# SPDX-License-Identifier: Apache-2.0
"""Variables in DAP's form: text, type, and a reference if there is more inside."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.together import both, together
from jvmdebug_dap.convert.locations import declaration_reference, value_reference
from jvmdebug_dap.convert.memory import memory_reference
from jvmdebug_dap.models.generated import types as dap
from jvmdebug_dap.models.generated.bodies import (
    EvaluateBody,
    SetExpressionBody,
    SetVariableBody,
)
from jvmdebug_dap.references import LazyValue, ScopeContents, ValueChildren

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import Completion, Scope, Variable
    from jvmdebug_dap.positions import Positions
    from jvmdebug_dap.references import ElementRange
    from jvmdebug_dap.session import AdapterSession

SHORT: Final = 400
"""How many characters of a value are shown on a line, by default."""
_AT_ONCE: Final = 100
"""How many variables are made without a look at other requests: some 50 ms of work."""


@cache
def _hints() -> dict[jvmdebug.ScopeKind, str]:
    return {jvmdebug.ScopeKind.LOCALS: "locals", jvmdebug.ScopeKind.RETURNED: "returnValue"}


def scope(session: AdapterSession, found: Scope, before: tuple[Variable, ...] = ()) -> dap.Scope:
    """A scope; static fields are fetched when they are opened, as most stops do not need them.
    `before` is shown above the locals.
    """
    is_first = found.kind is jvmdebug.ScopeKind.LOCALS
    contents = ScopeContents(found, before if is_first else ())
    reference = session.references.add_container(found.frame.stop, contents)
    return dap.Scope(
        name=found.name,
        presentation_hint=_hints().get(found.kind),
        variables_reference=reference,
        expensive=found.kind is jvmdebug.ScopeKind.STATICS,
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """The attributes of a value that all DAP bodies with a value have."""

    text: str
    type_name: str
    reference: int
    indexed: int | None
    named: int | None
    hint: dap.VariablePresentationHint | None
    memory: str | None = None


async def shown(
    session: AdapterSession,
    variable: Variable,
    *,
    max_length: int | None = None,
    in_hex: bool | None = None,
    shows_again: bool = True,
) -> Shown:
    """The value's text, type and counts, fetched concurrently. `shows_again`: the client does at
    `invalidated`, so what is slow to find out is told then.
    """
    if variable.kind is jvmdebug.VariableKind.CALL:
        return uncalled(session, variable)
    if max_length is None:
        max_length = session.max_value_length or SHORT
    (text, type_name), (count, is_indexed) = await both(
        both(
            variable.as_text(max_length=max_length, in_hex=in_hex, plans_later=shows_again),
            variable.type_name(),
        ),
        both(variable.child_count(), variable.is_indexed()),
    )
    # Fetched only if needed: it may require the methods of the class.
    has_views = (is_indexed or not count) and await variable.has_views()
    is_paged = bool(is_indexed and count) and pages_elements(session)
    reference = 0
    if count or has_views:
        reference = session.references.add_container(variable.stop, ValueChildren(variable))
    return Shown(
        text=text,
        type_name=type_name,
        reference=reference,
        indexed=count if is_paged else None,
        # Only where elements are paged beside them: the others are few and come all at once.
        named=1 if is_paged and has_views else None,
        hint=presentation_hint(variable, has_id=bool(reference)),
        memory=await memory_reference(session, variable) if reference else None,
    )


def pages_elements(session: AdapterSession) -> bool:
    """Whether the client asks for elements by pages. VS Code would show the other children of a
    collection, its raw view for example, above its elements.
    """
    return not session.is_vscode


def uncalled(session: AdapterSession, variable: Variable) -> Shown:
    """A method that is called when the client opens the variable."""
    reference = session.references.add_container(variable.stop, LazyValue(variable))
    hint = presentation_hint(variable, has_id=False)
    return Shown("…", variable.declared_type, reference, None, None, hint)


def element_range(session: AdapterSession, part: ElementRange) -> dap.Variable:
    """A range of elements, `[0 … 999]`."""
    return dap.Variable(
        name=f"[{part.start} … {part.start + part.count - 1}]",
        value="",
        variables_reference=session.references.add_container(part.variable.stop, part),
        presentation_hint=dap.VariablePresentationHint(kind="virtual", attributes=["readOnly"]),
    )


@cache
def _kinds() -> dict[jvmdebug.VariableKind, str]:
    return {
        jvmdebug.VariableKind.FIELD: "property",
        jvmdebug.VariableKind.CALL: "method",
        jvmdebug.VariableKind.VIEW: "virtual",
    }


def presentation_hint(variable: Variable, *, has_id: bool) -> dap.VariablePresentationHint:
    """Kind, attributes and visibility. `argument` is an attribute that the protocol lacks."""
    known = {
        "argument": variable.is_argument,
        "static": variable.is_static,
        "constant": variable.is_static and variable.is_final,
        "readOnly": variable.is_final or not variable.can_be_set,
        "hasObjectId": has_id,
        "hasSideEffects": variable.kind is jvmdebug.VariableKind.CALL,
    }
    visibility = variable.visibility
    return dap.VariablePresentationHint(
        kind=_kinds().get(variable.kind, "data"),
        attributes=[name for name, is_so in known.items() if is_so] or None,
        visibility="internal" if visibility == "package" else visibility,
        lazy=variable.kind is jvmdebug.VariableKind.CALL or None,
    )


async def variables(
    session: AdapterSession, found: Sequence[Variable], *, in_hex: bool | None = None
) -> list[dap.Variable]:
    """Some at a time: other requests are served in between, and a cancelled one ends soon."""
    made: list[dap.Variable] = []
    for first in range(0, len(found), _AT_ONCE):
        part = found[first : first + _AT_ONCE]
        made += await together(variable(session, each, in_hex=in_hex) for each in part)
        await asyncio.sleep(0)
    if found:
        session.later_texts.expect(found[0].stop)
    return made


async def variable(
    session: AdapterSession, found: Variable, *, in_hex: bool | None = None
) -> dap.Variable:
    value, code = await both(shown(session, found, in_hex=in_hex), value_reference(session, found))
    return dap.Variable(
        name=found.name,
        value=value.text,
        type=value.type_name or found.declared_type,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
        evaluate_name=found.evaluate_name,
        presentation_hint=value.hint,
        memory_reference=value.memory,
        declaration_location_reference=declaration_reference(session, found),
        value_location_reference=code,
        menu_context=menu_context(session, found, has_children=bool(value.reference)),
    )


def menu_context(session: AdapterSession, found: Variable, *, has_children: bool) -> str | None:
    """What VS Code's menu of a variable depends on: `field`, `object`, both, or None."""
    if not session.is_vscode:
        return None
    known = {
        "field": found.kind is jvmdebug.VariableKind.FIELD,
        "object": has_children and found.kind is not jvmdebug.VariableKind.CALL,
    }
    return " ".join(name for name, is_so in known.items() if is_so) or None


async def evaluate_body(
    session: AdapterSession,
    result: Variable,
    *,
    max_length: int | None = None,
    in_hex: bool | None = None,
    shows_again: bool = False,
) -> EvaluateBody:
    value = await shown(
        session, result, max_length=max_length, in_hex=in_hex, shows_again=shows_again
    )
    session.later_texts.expect(result.stop)
    return EvaluateBody(
        result=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
        presentation_hint=value.hint,
        memory_reference=value.memory,
    )


async def set_variable_body(
    session: AdapterSession, changed: Variable, *, in_hex: bool | None = None
) -> SetVariableBody:
    value = await shown(session, changed, in_hex=in_hex)
    return SetVariableBody(
        value=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
    )


async def set_expression_body(
    session: AdapterSession, changed: Variable, *, in_hex: bool | None = None
) -> SetExpressionBody:
    value = await shown(session, changed, in_hex=in_hex)
    return SetExpressionBody(
        value=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
        presentation_hint=value.hint,
        memory_reference=value.memory,
    )


@cache
def _item_types() -> dict[jvmdebug.CompletionKind, dap.CompletionItemType]:
    return {
        jvmdebug.CompletionKind.VARIABLE: "variable",
        jvmdebug.CompletionKind.FIELD: "field",
        jvmdebug.CompletionKind.METHOD: "method",
        jvmdebug.CompletionKind.CLASS: "class",
        jvmdebug.CompletionKind.INTERFACE: "interface",
        jvmdebug.CompletionKind.ENUM: "enum",
        jvmdebug.CompletionKind.PACKAGE: "module",
        jvmdebug.CompletionKind.KEYWORD: "keyword",
    }


def completion_items(
    positions: Positions, text: str, cursor: int, found: Sequence[Completion]
) -> list[dap.CompletionItem]:
    """The items in the core's order, which `sortText` keeps."""
    return [
        dap.CompletionItem(
            label=each.label,
            text=None if each.text == each.label else each.text,
            sort_text=f"{number:05}",
            detail=each.detail or None,
            type=_item_types()[each.kind],
            start=positions.to_client_column(text, each.start),
            length=cursor - each.start,
        )
        for number, each in enumerate(found)
    ]
