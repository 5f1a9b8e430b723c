# SPDX-License-Identifier: Apache-2.0
"""What happens without a stop: jvmdebug/trace, jvmdebug/whoSets, jvmdebug/stopObserving."""

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.handlers.data_breakpoints import target_of_shown
from jvmdebug_dap.models.custom import (
    ObservationBody,
    StopObservingArguments,
    TraceArguments,
    WhoSetsArguments,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED


@request("jvmdebug/trace", when=STARTED, progress="Tracing")
async def trace(session: AdapterSession, arguments: TraceArguments) -> ObservationBody:
    """Tell each call of a method, with arguments, result and time, until it is stopped."""
    if arguments.frame_id is not None:
        frame = session.references.frame(arguments.frame_id)
        types = ",".join(frame.argument_types)
        method = f"{frame.declaring_type.name}#{frame.method.name}({types})"
    elif arguments.method is not None:
        method = arguments.method.strip()
    else:
        raise RequestError(ErrorId.ILL_FORMED, "arguments: either `method` or `frameId` is needed")
    return await session.observations.begin(session.core.trace(method), f"calls of {method}")


@request("jvmdebug/whoSets", when=STARTED, progress="Watching the field")
async def who_sets(session: AdapterSession, arguments: WhoSetsArguments) -> ObservationBody:
    """Tell each write to a field, in all objects, with old and new value and where it is."""
    if arguments.field is not None:
        writes = session.core.who_sets(arguments.field.strip())
        return await session.observations.begin(writes, f"writes to {arguments.field.strip()}")
    if arguments.variables_reference is None or arguments.name is None:
        text = "arguments: either `field`, or `variablesReference` and `name` are needed"
        raise RequestError(ErrorId.ILL_FORMED, text)
    shown = await target_of_shown(session, arguments.variables_reference, arguments.name)
    target = shown.of_all_instances
    return await session.observations.begin(session.core.who_sets(target), f"writes to {target}")


@request("jvmdebug/stopObserving", when=STARTED)
async def stop_observing(session: AdapterSession, arguments: StopObservingArguments) -> None:
    """End one observation, or all."""
    if not await session.observations.stop(arguments.observation) and arguments.observation:
        text = f"there is no observation {arguments.observation}: it has ended"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
