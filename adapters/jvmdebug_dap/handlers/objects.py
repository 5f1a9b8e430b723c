# SPDX-License-Identifier: Apache-2.0
"""The objects of a class: jvmdebug/instances, jvmdebug/instanceCounts."""

from jvmdebug_dap.convert import variables as convert
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.custom import (
    ClassCountBody,
    InstanceCountsArguments,
    InstanceCountsBody,
    InstancesArguments,
    InstancesBody,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED, STOPPED

_MOST = 10_000


@request("jvmdebug/instances", when=STOPPED, lane=Lane.LOOK, progress="Looking for objects")
async def instances(session: AdapterSession, arguments: InstancesArguments) -> InstancesBody:
    """Those of exactly that class, in the newest stop."""
    if not 0 < arguments.count <= _MOST:
        text = f"arguments.count: should be 1 to {_MOST}, got {arguments.count}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    stops = session.core.current_stops
    if not stops or not stops[-1].has_frames:
        text = "the thread that stopped has no frame, which objects are shown in"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    found = await stops[-1].instances(arguments.class_name, arguments.count)
    shown = await convert.variables(session, list(found.objects), in_hex=None)
    return InstancesBody(class_name=found.type_name, count=found.count, instances=shown)


@request("jvmdebug/instanceCounts", when=STARTED, lane=Lane.ASK, progress="Counting objects")
async def instance_counts(
    session: AdapterSession, arguments: InstanceCountsArguments
) -> InstanceCountsBody:
    """For all the classes in one walk of the heap."""
    found = await session.core.instance_counts(*dict.fromkeys(arguments.class_names))
    counts = [ClassCountBody(class_name=name, count=count) for name, count in found.items()]
    return InstanceCountsBody(counts=counts)
