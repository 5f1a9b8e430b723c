# SPDX-License-Identifier: Apache-2.0
"""`session.heap`: the objects of the program that is being debugged.

A door: the work is `jvmdebug.heap`'s. Needs our agent, but for `instances` and `referrers`; what
looks at all objects holds the program for as long as that takes. Where an object is asked for it is
a variable of a stop, one that `instances` has found, a thread, a class, or what a static field
leads to: `"shop.Main.cache"`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.arguments import require_whole
from jvmdebug.errors import InvalidObjectError, StateError
from jvmdebug.heap import difference, live
from jvmdebug.heap.errors import HeapError
from jvmdebug.heap.live_objects import (
    LiveObject,
    ObjectQuery,
    find_objects,
    find_referrers,
    show,
)
from jvmdebug.heap.marks import Marks
from jvmdebug.heap.named_objects import name_of, object_of
from jvmdebug.heap.tags import TaggedObject, set_tags, tag_instances, tags_of, with_tags
from jvmdebug.model.class_names import classes_named
from jvmdebug.session.causes import StopReason
from jvmdebug.session.events import ObjectCollected
from jvmdebug.session.state import Operation
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from os import PathLike

    from jvmdebug.heap import ClassChange, ClassUsage, HeapFile, RootPath
    from jvmdebug.heap.live import DumpProgress, WrittenDump
    from jvmdebug.heap.live_objects import ObjectPage, Referrer
    from jvmdebug.heap.marks import HeapMark
    from jvmdebug.heap.named_objects import NamedObject
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.program import DebuggedProgram


class SessionHeap:
    """The heap of one debugged program."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionHeap(of {self._program.name})"

    async def histogram(self, *, with_debugger: bool = False) -> list[ClassUsage]:
        """How many objects each class has, the most bytes first; garbage that was not collected
        yet is counted, so `collect` first for what is alive.

        What the debugger keeps in the program, such as the records of a trace, is left out here and
        everywhere else, unless `with_debugger` asks for it.
        """
        return await live.histogram(self._vm(), with_debugger=with_debugger)

    async def collect(self) -> None:
        """Collect garbage now, all of it."""
        await live.collect(self._vm())

    async def snapshot(
        self,
        *,
        contents: bool = False,
        with_debugger: bool = False,
        progress: DumpProgress | None = None,
    ) -> HeapFile:
        """All objects that are alive now, and how they refer to each other: for paths, retained
        sizes, instances, and for `diff`. With `contents` the strings and arrays too,
        `with_debugger` also what the debugger keeps in the program.
        """
        heap, _ = await live.take_snapshot(
            self._vm(), progress=progress, contents=contents, with_debugger=with_debugger
        )
        return heap

    async def diff(self, before: HeapFile, after: HeapFile | None = None) -> list[ClassChange]:
        """What has grown since a snapshot, or between two; the largest growth in bytes first."""
        later = await self.snapshot() if after is None else after
        return await asyncio.to_thread(lambda: difference(before.histogram(), later.histogram()))

    async def instances(
        self,
        type_name: str,
        *,
        where: str | None = None,
        limit: int = 100,
        offset: int = 0,
        subclasses: bool = True,
    ) -> ObjectPage:
        """The objects of a class and its subclasses that the program can reach, `limit` of them
        behind the first `offset`.

        `where` is a condition in Java: `total > 100 && customer.name.equals("Ann")`. `this` and
        `it` are the object. Fields are compared while the program runs; to call methods, a thread
        must be stopped at a breakpoint or after a step. EvaluationError for a class that is not
        loaded, and for a condition that has a value for none of the first objects.
        """
        services = self._program.services
        query = ObjectQuery(type_name, where, limit, offset, subclasses)
        style = services.settings.style
        return await find_objects(self._vm(), query, style, self._thread())

    def variable(self, obj: LiveObject) -> Variable:
        """An object as a variable of the newest stop: to look into it, to set its fields.

        StateError while the program runs.
        """
        stops = self._program.services.stops.current
        if not stops:
            raise StateError("the program runs: suspend it to look into an object")
        stop = stops[-1]
        return Variable(stop.frame, obj.text, obj.reference, obj.type_name, None)

    async def referrers(self, obj: NamedObject, limit: int = 100) -> list[Referrer]:
        """The objects that refer to an object, at most `limit`, with the fields and elements that
        do. For local variables ask `paths_to_roots`.
        """
        require_whole("limit", limit, 1)
        reference = await object_of(self._vm(), obj)
        return await find_referrers(reference, limit, self._program.services.settings.style)

    async def mark(self, obj: NamedObject) -> HeapMark:
        """Mark an object, without keeping it alive: when it has been collected, subscribers get
        `ObjectCollected`, and `mark.wait()` returns.

        Collections happen when the VM likes, or by `collect`. While all threads are suspended, what
        the debugger has looked at is not collected. UnsupportedError with another agent than ours.
        """
        services = self._program.services
        reference = await object_of(self._vm(), obj)
        shown = await show([reference], services.settings.style)
        text = shown[0].text if shown else "?"
        return await services.vm.companion(Marks).mark(
            reference, text, lambda mark: services.feed.post(ObjectCollected(mark))
        )

    async def set_tag(self, tag: int, *objects: NamedObject) -> None:
        """Give objects a number of your own, by which `tagged` finds them; 0 takes it away.

        It keeps nothing alive and is gone with the session. Needs our agent.
        """
        require_whole("tag", tag, 0)
        vm = self._vm()
        references = [await object_of(vm, each) for each in objects]
        await set_tags(vm, tag, references)

    async def tags(self, *objects: NamedObject) -> list[int]:
        """The numbers of objects, 0 for one that has none."""
        vm = self._vm()
        return await tags_of(vm, [await object_of(vm, each) for each in objects])

    async def tag_instances(self, type_name: str, tag: int) -> int:
        """Give the number to all objects of that class, without those of subclasses, in one walk of
        the heap, and return how many. 0 for a class that is not loaded.
        """
        require_whole("tag", tag, 0)
        vm = self._vm()
        loaded = await classes_named(vm, type_name)
        counts = [await tag_instances(vm, await each.class_object(), tag) for each in loaded]
        return sum(counts)

    async def tagged(self, *tags: int, limit: int = 1000) -> list[TaggedObject]:
        """The objects that have one of the numbers and are still there, at most `limit`."""
        require_whole("limit", limit, 1)
        for each in tags or (0,):
            require_whole("a tag", each, 1)
        vm = self._vm()
        found = await with_tags(vm, tags, limit)
        style = self._program.services.settings.style
        shown = {each.id: each for each in await show([each for _, each in found], style)}
        return [TaggedObject(tag, shown[each.id]) for tag, each in found if each.id in shown]

    async def paths_to_roots(self, obj: NamedObject, most: int = 3) -> list[RootPath]:
        """Why an object is alive: shortest paths from what the VM keeps, with the names of fields,
        indices, and for local variables thread, frame and slot.

        Raises EvaluationError for a text that is neither a field nor leads to one.
        """
        require_whole("most", most, 1)
        heap, id_ = await self._snapshot_with(obj)
        return await asyncio.to_thread(heap.paths_to_roots, id_, most)

    async def retained_size(self, obj: NamedObject) -> int:
        """Bytes that would be freed with an object. For a class ask a snapshot."""
        heap, id_ = await self._snapshot_with(obj)
        return await asyncio.to_thread(heap.retained_size, id_)

    async def _snapshot_with(self, obj: NamedObject) -> tuple[HeapFile, int]:
        """The objects of this moment, and the id in it of one."""
        vm = self._vm()
        reference = await object_of(vm, obj)
        try:
            heap, (id_,) = await live.take_snapshot(vm, [reference.id])
        except InvalidObjectError:
            raise HeapError(f"{name_of(obj)} has been collected") from None
        return heap, id_

    async def dump(
        self,
        path: str | PathLike[str],
        *,
        redact: bool = False,
        with_debugger: bool = False,
        progress: DumpProgress | None = None,
    ) -> WrittenDump:
        """Write a heap dump (HPROF) to a file of this machine; nothing is written on the
        program's. Cancelling the task ends it, and leaves no file.

        With `redact` all numbers and characters are 0: who is alive and why can be seen, values
        cannot. `with_debugger`: also what the debugger keeps in the program. The program is held
        while it is sent. Raises HeapError if the file cannot be written.
        """
        return await live.write_dump(
            self._vm(), Path(path), progress, redact=redact, with_debugger=with_debugger
        )

    def _vm(self) -> VirtualMachine:
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        return services.vm

    def _thread(self) -> Thread | None:
        """One that methods can be called on."""
        for stop in reversed(self._program.services.stops.current):
            if stop.reason is not StopReason.PAUSE:
                return stop.thread.thread
        return None
