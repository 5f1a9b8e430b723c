# SPDX-License-Identifier: Apache-2.0
"""`session.heap`: the objects of the program that is being debugged.

A door: the work is `jvmdebug.heap`'s. Needs our agent; what looks at all objects holds the program
for as long as that takes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug import evaluator
from jvmdebug.heap import difference, live
from jvmdebug.heap.errors import HeapError
from jvmdebug.model.values import ObjectReference
from jvmdebug.session.state import Operation, require

if TYPE_CHECKING:
    from os import PathLike

    from jvmdebug.heap import ClassChange, ClassUsage, HeapFile, RootPath
    from jvmdebug.heap.live import DumpProgress, WrittenDump
    from jvmdebug.jdwp.ids import ObjectId
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.variable import Variable


class SessionHeap:
    """The heap of one debugged program."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionHeap(of {self._program.name})"

    async def histogram(self) -> list[ClassUsage]:
        """How many objects each class has, the most bytes first; garbage that was not collected
        yet is counted, so `collect` first for what is alive.
        """
        return await live.histogram(self._vm())

    async def collect(self) -> None:
        """Collect garbage now, all of it."""
        await live.collect(self._vm())

    async def snapshot(
        self, *, contents: bool = False, progress: DumpProgress | None = None
    ) -> HeapFile:
        """All objects that are alive now, and how they refer to each other: for paths, retained
        sizes, instances, and for `diff`. With `contents` the strings and arrays too.
        """
        heap, _ = await live.take_snapshot(self._vm(), progress=progress, contents=contents)
        return heap

    async def diff(self, before: HeapFile, after: HeapFile | None = None) -> list[ClassChange]:
        """What has grown since a snapshot, or between two; the largest growth in bytes first."""
        later = await self.snapshot() if after is None else after
        return await asyncio.to_thread(lambda: difference(before.histogram(), later.histogram()))

    async def paths_to_roots(self, obj: Variable | str, most: int = 3) -> list[RootPath]:
        """Why an object is alive: shortest paths from what the VM keeps, with the names of fields,
        indices, and for local variables thread, frame and slot.

        An object is a variable of a stop, or what a static field leads to: `"shop.Main.cache"`.
        Raises EvaluationError for a text that is neither a field nor leads to one.
        """
        vm = self._vm()
        heap, (id_,) = await live.take_snapshot(vm, [await _object(vm, obj)])
        return await asyncio.to_thread(heap.paths_to_roots, id_, most)

    async def retained_size(self, obj: Variable | str) -> int:
        """Bytes that would be freed with an object, given as for `paths_to_roots`. For a class ask
        a snapshot.
        """
        vm = self._vm()
        heap, (id_,) = await live.take_snapshot(vm, [await _object(vm, obj)])
        return await asyncio.to_thread(heap.retained_size, id_)

    async def dump(
        self,
        path: str | PathLike[str],
        *,
        redact: bool = False,
        progress: DumpProgress | None = None,
    ) -> WrittenDump:
        """Write a heap dump (HPROF) to a file of this machine; nothing is written on the
        program's. Cancelling the task ends it, and leaves no file.

        With `redact` all numbers and characters are 0: who is alive and why can be seen, values
        cannot. The program is held while it is sent. Raises HeapError if the file cannot be
        written.
        """
        return await live.write_dump(self._vm(), Path(path), progress, redact=redact)

    def _vm(self) -> VirtualMachine:
        services = self._program.services
        require(Operation.INSPECT, services.stops.state)
        return services.vm


async def _object(vm: VirtualMachine, obj: Variable | str) -> ObjectId:
    if isinstance(obj, str):
        reading = evaluator.ClassExpression(obj)
        try:
            value = await reading.evaluate(vm)
        finally:
            await reading.release()
    else:
        value = obj.value
    if not isinstance(value, ObjectReference):
        name = obj if isinstance(obj, str) else obj.name
        raise HeapError(f"{name} is no object, or null")
    return value.id
