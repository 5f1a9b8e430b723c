# SPDX-License-Identifier: Apache-2.0
"""What the stages of a stream have at a stop: jvmdebug/streamStages."""

from jvmdebug_dap.convert import variables as convert
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import StreamStagesArguments, StreamStagesBody
from jvmdebug_dap.models.generated.types import Variable
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STOPPED


@request(
    "jvmdebug/streamStages",
    when=STOPPED,
    lane=Lane.CALL,
    progress="Evaluating",
    at_end=lambda _: StreamStagesBody(stages=[]),
)
async def stream_stages(
    session: AdapterSession, arguments: StreamStagesArguments
) -> StreamStagesBody:
    """A stage that cannot be computed by reading has the reason as its value."""
    stages = await session.references.frame(arguments.frame_id).stream_stages()
    shown = []
    for each in stages:
        if each.value is None:
            value = f"<{each.message}>"
            shown.append(Variable(name=each.text, value=value, variables_reference=0))
            continue
        (variable,) = await convert.variables(session, [each.value])
        shown.append(variable.model_copy(update={"name": each.text}))
    return StreamStagesBody(stages=shown)
