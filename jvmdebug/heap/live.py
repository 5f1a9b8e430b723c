# SPDX-License-Identifier: Apache-2.0
"""The heap of a program that runs: its histogram, a dump of it over the connection, collecting.

Owns what is asked of our agent (command set Heap) and the file that a dump becomes, on this
machine. Called by the session's door, `jvmdebug.session.heap`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any, Final

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import ConnectionLost
from jvmdebug.heap.errors import HeapError
from jvmdebug.heap.heap_file import HeapFile, open_dump
from jvmdebug.heap.heap_objects import ClassUsage
from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.os_errors import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmdebug.jdwp.ids import ObjectId
    from jvmdebug.model.virtual_machine import VirtualMachine

    DumpProgress = Callable[[int, int], None]
    """Told how many objects and how many bytes have come."""

_ALL: Final = 0
_REDACTED: Final = 1
_REFERENCES: Final = 2
_CANCEL_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class WrittenDump:
    """A heap dump that was written."""

    path: Path
    objects: int
    size: int
    """Of the file, in bytes."""
    standstill_s: float
    """For how long the program was held."""

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self) | {"path": str(self.path)}


async def histogram(vm: VirtualMachine, *, with_debugger: bool = False) -> list[ClassUsage]:
    """See `SessionHeap.histogram`."""
    vm.require_of_agent(AgentCapability.HEAP, "counting all objects")
    reply = await vm.request(heap_set.Histogram(with_debugger), timeout_s=None)
    found: dict[str, tuple[int, int]] = {}
    for each in reply.classes:
        name = java_name(each.signature)
        instances, size = found.get(name, (0, 0))
        found[name] = (instances + each.instances, size + each.size)
    usages = [ClassUsage(name, *each) for name, each in found.items()]
    return sorted(usages, key=lambda each: (-each.shallow_size, each.type_name))


async def collect(vm: VirtualMachine) -> None:
    """See `SessionHeap.collect`."""
    vm.require_of_agent(AgentCapability.HEAP, "collecting garbage")
    await vm.request(heap_set.Collect(), timeout_s=None)


async def write_dump(
    vm: VirtualMachine,
    path: Path,
    progress: DumpProgress | None,
    *,
    redact: bool,
    with_debugger: bool = False,
) -> WrittenDump:
    """See `SessionHeap.dump`. The file appears when it is whole."""
    vm.require_of_agent(AgentCapability.HEAP, "dumping the heap")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("xb") as file:
            command = heap_set.Dump(0, _REDACTED if redact else _ALL, with_debugger, ())
            reply = await _receive(vm, command, file, progress)
        unfinished.replace(path)
    except OSError as error:
        raise HeapError(f"cannot write {path}: {reason(error)}") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return WrittenDump(path, reply.objects, reply.size, reply.standstill / 1e6)


async def take_snapshot(
    vm: VirtualMachine,
    objects: Sequence[ObjectId] = (),
    progress: DumpProgress | None = None,
    *,
    contents: bool = False,
    with_debugger: bool = False,
) -> tuple[HeapFile, list[int]]:
    """The objects and references of this moment, and the ids in it of the objects given. The file
    has no name, and goes with the result.
    """
    vm.require_of_agent(AgentCapability.HEAP, "looking at all objects")
    with tempfile.NamedTemporaryFile(suffix=".hprof") as file:
        command = heap_set.Dump(0, _ALL if contents else _REFERENCES, with_debugger, tuple(objects))
        reply = await _receive(vm, command, file.file, progress)
        file.flush()
        heap = await asyncio.to_thread(open_dump, file.name)
    if heap.warnings:
        raise HeapError(f"the heap was not read to its end: {'; '.join(heap.warnings)}")
    heap.path = f"the heap of {vm.connection.peer}"
    return heap, list(reply.ids)


async def _receive(
    vm: VirtualMachine,
    command: heap_set.Dump,
    file: IO[bytes],
    progress: DumpProgress | None,
) -> heap_set.DumpReply:
    connection = vm.connection
    if heap_set.Part in connection.notice_sinks:
        raise HeapError("a heap dump is being taken already: wait for its end")
    request = asyncio.ensure_future(connection.request(command, timeout_s=None))
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    received = 0

    def take(part: heap_set.Part) -> None:
        nonlocal received
        if failed.done():
            return
        try:
            file.seek(part.position)
            file.write(part.content)
            received += len(part.content)
            if progress is not None:
                progress(part.objects, received)
        except Exception as error:  # noqa: BLE001 - it ends the dump, and is raised below
            failed.set_exception(error)

    connection.notice_sinks[heap_set.Part] = take
    try:
        await asyncio.wait((request, failed), return_when=asyncio.FIRST_COMPLETED)
        if failed.done():
            await failed
        return await request
    finally:
        if not request.done():
            await _cancel(vm, request)
        failed.cancel()
        del connection.notice_sinks[heap_set.Part]


async def _cancel(vm: VirtualMachine, request: asyncio.Future[heap_set.DumpReply]) -> None:
    """Have the VM go on; the agent answers the dump first."""
    with contextlib.suppress(ConnectionLost, TimeoutError):
        async with asyncio.timeout(_CANCEL_TIMEOUT_S):
            await vm.connection.request(heap_set.CancelDump(0), timeout_s=None)
    request.cancel()
    with contextlib.suppress(asyncio.CancelledError, ConnectionLost):
        await request
