# SPDX-License-Identifier: Apache-2.0
"""The objects of a class: jvmdebug/instances, jvmdebug/instanceCounts, with its name from
jvmdebug/loadedClasses; those that the user keeps: jvmdebug/keep, jvmdebug/release, jvmdebug/kept.
"""

from typing import TYPE_CHECKING

from jvmdebug_dap.convert import variables as convert
from jvmdebug_dap.convert.class_names import matching
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.models.custom import (
    ClassCountBody,
    InstanceCountsArguments,
    InstanceCountsBody,
    InstancesArguments,
    InstancesBody,
    KeepArguments,
    KeptBody,
    LoadedClassesArguments,
    LoadedClassesBody,
    ReleaseArguments,
)
from jvmdebug_dap.references import ValueChildren
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED, STOPPED

if TYPE_CHECKING:
    import jvmdebug

_MOST = 10_000


@request("jvmdebug/instances", when=STOPPED, lane=Lane.LOOK, progress="Looking for objects")
async def instances(session: AdapterSession, arguments: InstancesArguments) -> InstancesBody:
    """Lists the objects of exactly that class, in the newest stop."""
    if not 0 < arguments.count <= _MOST:
        text = f"arguments.count: should be 1 to {_MOST}, got {arguments.count}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    found = await _stop(session).instances(arguments.class_name, arguments.count)
    shown = await convert.variables(session, list(found.objects), in_hex=None)
    return InstancesBody(class_name=found.type_name, count=found.count, instances=shown)


def _stop(session: AdapterSession) -> "jvmdebug.Stop":
    """The newest, with a frame that objects can be shown in."""
    stops = session.core.current_stops
    if not stops or not stops[-1].has_frames:
        text = "the thread that stopped has no frame, which objects are shown in"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    return stops[-1]


@request("jvmdebug/keep", when=STOPPED, lane=Lane.LOOK, progress="Keeping the object")
async def keep(session: AdapterSession, arguments: KeepArguments) -> KeptBody:
    """Keeps an object reachable, and among the kept objects of each stop."""
    container = session.references.container(arguments.variables_reference)
    if not isinstance(container, ValueChildren):
        raise RequestError(ErrorId.NOT_POSSIBLE, "this is no object: there is nothing to keep")
    await container.variable.keep()
    return await _kept(session)


@request("jvmdebug/release", when=STOPPED, lane=Lane.LOOK, progress="Letting go of the object")
async def release(session: AdapterSession, arguments: ReleaseArguments) -> KeptBody:
    """The program alone decides again how long it lives."""
    await _stop(session).release(arguments.number)
    return await _kept(session)


@request("jvmdebug/kept", when=STOPPED, lane=Lane.LOOK, progress="Reading kept objects")
async def kept(session: AdapterSession, _: NoArguments) -> KeptBody:
    """Lists the kept objects, in the newest stop."""
    return await _kept(session)


async def _kept(session: AdapterSession) -> KeptBody:
    found = list(_stop(session).kept().values())
    return KeptBody(objects=await convert.variables(session, found, in_hex=None))


@request("jvmdebug/instanceCounts", when=STARTED, lane=Lane.ASK, progress="Counting objects")
async def instance_counts(
    session: AdapterSession, arguments: InstanceCountsArguments
) -> InstanceCountsBody:
    """Counts for all the classes in one walk of the heap."""
    found = await session.core.instance_counts(*dict.fromkeys(arguments.class_names))
    loaded = {name for name, count in found.items() if count}
    if len(loaded) < len(found):
        loaded.update(await session.core.code.names.loaded_classes())
    counts = [
        ClassCountBody(class_name=name, count=count, is_loaded=name.replace("[]", "") in loaded)
        for name, count in found.items()
    ]
    return InstanceCountsBody(counts=counts)


@request("jvmdebug/loadedClasses", when=STARTED, lane=Lane.ASK)
async def loaded_classes(
    session: AdapterSession, arguments: LoadedClassesArguments
) -> LoadedClassesBody:
    """Lists the names of loaded classes that have a text, the most likely first."""
    found = matching(await session.core.code.names.loaded_classes(), arguments.text)
    return LoadedClassesBody(class_names=found[: arguments.count], total=len(found))
