# SPDX-License-Identifier: Apache-2.0
"""Values at the ends of lines, where the names are in scope: jvmdebug/inlineValues."""

from jvmdebug_dap.convert import variables as convert
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import InlineValuesArguments, InlineValuesBody
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STOPPED


@request(
    "jvmdebug/inlineValues",
    when=STOPPED,
    lane=Lane.LOOK,
    progress="Reading variables",
    at_end=lambda asked: InlineValuesBody(values=[None] * len(asked.names)),
)
async def inline_values(
    session: AdapterSession, arguments: InlineValuesArguments
) -> InlineValuesBody:
    """The core knows which code each variable belongs to; the client knows where names are."""
    frame = session.references.frame(arguments.frame_id)
    to_line = session.positions.to_vm_line
    scope, *_ = await frame.scopes()
    found = await scope.in_lines((each.name, to_line(each.line)) for each in arguments.names)
    wanted = {id(each): each for each in found if each is not None}
    shown = await convert.variables(session, list(wanted.values()))
    texts = {each: told.value for each, told in zip(wanted, shown, strict=True)}
    return InlineValuesBody(values=[texts.get(id(each)) for each in found])
