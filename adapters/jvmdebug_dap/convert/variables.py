# SPDX-License-Identifier: Apache-2.0
"""Variables of the core as DAP shows them: text, type, a reference when there is more inside."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug import CompletionKind
from jvmdebug_dap.convert.locations import declaration_reference, value_reference
from jvmdebug_dap.models.generated import types as dap
from jvmdebug_dap.models.generated.bodies import (
    EvaluateBody,
    SetExpressionBody,
    SetVariableBody,
)
from jvmdebug_dap.references import ValueChildren

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import Completion, Variable
    from jvmdebug_dap.positions import Positions
    from jvmdebug_dap.session import AdapterSession

SHORT = 400
"""How many characters of a value a line of a view shows."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A value as every DAP body that has one spells it."""

    text: str
    type_name: str
    reference: int
    indexed: int | None
    named: int | None


async def shown(session: AdapterSession, variable: Variable, *, max_length: int = SHORT) -> Shown:
    """The value's text, type and counts, asked for side by side."""
    text, type_name, count, is_indexed = await asyncio.gather(
        variable.text(max_length=max_length),
        variable.type_name(),
        variable.child_count(),
        variable.is_indexed(),
    )
    reference = 0
    if count:
        reference = session.references.add_container(variable.stop, ValueChildren(variable))
    return Shown(
        text=text,
        type_name=type_name,
        reference=reference,
        indexed=count if is_indexed and count else None,
        named=count if not is_indexed and count else None,
    )


async def variables(session: AdapterSession, found: Sequence[Variable]) -> list[dap.Variable]:
    return await asyncio.gather(*(variable(session, each) for each in found))


async def variable(session: AdapterSession, found: Variable) -> dap.Variable:
    value, code = await asyncio.gather(shown(session, found), value_reference(session, found))
    return dap.Variable(
        name=found.name,
        value=value.text,
        type=value.type_name or found.declared_type,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
        evaluate_name=found.evaluate_name,
        declaration_location_reference=declaration_reference(session, found),
        value_location_reference=code,
    )


async def evaluate_body(
    session: AdapterSession, result: Variable, *, max_length: int
) -> EvaluateBody:
    value = await shown(session, result, max_length=max_length)
    return EvaluateBody(
        result=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
    )


async def set_variable_body(session: AdapterSession, changed: Variable) -> SetVariableBody:
    value = await shown(session, changed)
    return SetVariableBody(
        value=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
    )


async def set_expression_body(session: AdapterSession, changed: Variable) -> SetExpressionBody:
    value = await shown(session, changed)
    return SetExpressionBody(
        value=value.text,
        type=value.type_name,
        variables_reference=value.reference,
        indexed_variables=value.indexed,
        named_variables=value.named,
    )


_ITEM_TYPES: Final[dict[CompletionKind, dap.CompletionItemType]] = {
    CompletionKind.VARIABLE: "variable",
    CompletionKind.FIELD: "field",
    CompletionKind.METHOD: "method",
    CompletionKind.CLASS: "class",
    CompletionKind.INTERFACE: "interface",
    CompletionKind.ENUM: "enum",
    CompletionKind.PACKAGE: "module",
    CompletionKind.KEYWORD: "keyword",
}


def completion_items(
    positions: Positions, text: str, cursor: int, found: Sequence[Completion]
) -> list[dap.CompletionItem]:
    """In the core's order, which `sortText` keeps."""
    return [
        dap.CompletionItem(
            label=each.label,
            text=None if each.text == each.label else each.text,
            sort_text=f"{number:05}",
            detail=each.detail or None,
            type=_ITEM_TYPES[each.kind],
            start=positions.to_client_column(text, each.start),
            length=cursor - each.start,
        )
        for number, each in enumerate(found)
    ]
