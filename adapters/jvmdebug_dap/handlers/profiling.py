# SPDX-License-Identifier: Apache-2.0
"""Tells where time and memory go: jvmdebug/profile, jvmdebug/endProfile, jvmdebug/histogram,
jvmdebug/heapDump.

A profile takes as long as the client asks, while all other requests are served; one at a time.
"""

from typing import TYPE_CHECKING

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.models.custom import (
    ClassUsageBody,
    HeapDumpArguments,
    HeapDumpBody,
    HistogramArguments,
    HistogramBody,
    ProfileArguments,
    ProfileBody,
    ProfiledMethodBody,
)
from jvmdebug_dap.progress import say
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug

_FORMATS = (".html", ".collapsed", ".txt", ".json", ".pb.gz")
_MOST_METHODS = 30


@request(
    "jvmdebug/profile", when=STARTED, lane=Lane.URGENT, can_be_undone=True, progress="Profiling"
)
async def profile(session: AdapterSession, arguments: ProfileArguments) -> ProfileBody:
    """Sample for so many seconds, or until `jvmdebug/endProfile`, and write the file."""
    file = None if arguments.path is None else _file(session.positions.to_path(arguments.path))
    if session.is_profiling:
        text = "a profile is being taken: wait for it, or end it with jvmdebug/endProfile"
        raise RequestError(ErrorId.NOT_POSSIBLE, text)
    session.is_profiling = True
    try:
        found = await _recorded(session, arguments)
        written = None if file is None else found.write(file)
    finally:
        session.is_profiling = False
    path = None if written is None else session.positions.to_client_path(written)
    return _body(found, path)


def _file(path: "Path") -> "Path":
    """Asked before anything is sampled: a mistake in it shall not cost the profile."""
    if not path.name.endswith(_FORMATS):
        text = f"arguments.path: the name has to end with one of {', '.join(_FORMATS)}, got {path}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    return _in_a_folder(path)


def _in_a_folder(path: "Path") -> "Path":
    if not path.parent.is_dir():
        text = f"arguments.path: there is no folder {path.parent}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    return path


async def _recorded(
    session: AdapterSession, arguments: ProfileArguments
) -> "jvmdebug.profiling.Profile":
    core, seconds = session.core, arguments.seconds

    def told(so_far: float, samples: int) -> bool:
        say(f"{so_far:.0f} of {seconds:g} s, {samples:,} samples")
        return session.is_profiling

    match arguments.kind:
        case "locks":
            return await core.profile_locks(seconds, progress=told)
        case "alloc":
            return await core.profile_allocations(seconds, live=arguments.live, progress=told)
        case "cpu" | "wall" as clock:
            return await core.profile(seconds, clock, progress=told)


def _body(found: "jvmdebug.profiling.Profile", path: str | None) -> ProfileBody:
    return ProfileBody(
        kind=found.kind,
        unit=found.unit,
        how=found.how,
        duration_ms=found.duration_s * 1e3,
        samples=found.samples,
        total=found.total,
        total_text=found.format(found.total),
        is_complete=found.is_complete,
        methods=[
            ProfiledMethodBody(
                name=each.name, own=each.self_value, total=each.total_value, count=each.count
            )
            for each in found.methods(_MOST_METHODS)
        ],
        path=path,
    )


@request("jvmdebug/endProfile", when=STARTED, lane=Lane.URGENT)
async def end_profile(session: AdapterSession, _: NoArguments) -> None:
    """The profile that is being taken is answered with what was sampled until now."""
    session.is_profiling = False


@request("jvmdebug/histogram", when=STARTED, lane=Lane.ASK, progress="Counting objects")
async def histogram(session: AdapterSession, arguments: HistogramArguments) -> HistogramBody:
    """How many objects each class has, the most bytes first."""
    if arguments.collect:
        await session.core.heap.collect()
    found = await session.core.heap.histogram()
    return HistogramBody(
        class_count=len(found),
        instances=sum(each.instances for each in found),
        bytes=sum(each.shallow_size for each in found),
        classes=[
            ClassUsageBody(
                class_name=each.type_name, instances=each.instances, bytes=each.shallow_size
            )
            for each in found[: arguments.count]
        ],
    )


@request("jvmdebug/heapDump", when=STARTED, lane=Lane.ASK, progress="Heap dump")
async def heap_dump(session: AdapterSession, arguments: HeapDumpArguments) -> HeapDumpBody:
    """Write all objects that are alive to a file of this machine; none is left when cancelled."""
    path = _in_a_folder(session.positions.to_path(arguments.path))

    def received(objects: int, size: int) -> None:
        say(f"{objects:,} objects, {size / 1e6:,.1f} MB")

    dump = await session.core.heap.dump(path, redact=arguments.redact, progress=received)
    return HeapDumpBody(
        path=session.positions.to_client_path(dump.path),
        objects=dump.objects,
        bytes=dump.size,
        held_ms=dump.standstill_s * 1e3,
    )
