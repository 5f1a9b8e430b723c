# SPDX-License-Identifier: Apache-2.0
"""Objects that were marked: who wants to know when they are collected.

Owns the marks of one VM: `vm.companion(Marks)`. The agent holds them by tags, which keep nothing
alive, and tells when one is gone. Called by the session's door, `jvmdebug.session.heap`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.jdwp.generated.heap import Freed
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine


class HeapMark:
    """An object that was marked, with `session.heap.mark`. It keeps nothing alive."""

    def __init__(self, marks: Marks, vm: VirtualMachine, number: int, text: str) -> None:
        self._marks = marks
        self._vm = vm
        self.number = number
        """The agent's number of the mark."""
        self.text = one_line(text)
        """The object, as it was when it was marked."""
        self._collected = asyncio.Event()
        self.is_removed = False

    @property
    def is_collected(self) -> bool:
        """Whether the garbage collector has taken the object, as far as the agent has told."""
        return self._collected.is_set()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the object has been collected; False if it was not within the time."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._collected.wait()
        except TimeoutError:
            return False
        return True

    async def remove(self) -> None:
        """Take the mark away: nothing is told any more."""
        self.is_removed = True
        if self._marks.remove(self) and self._vm.connection.is_open:
            await self._vm.request(heap_set.Unmark(self.number))

    def collected(self) -> None:
        """The agent has told it."""
        self._collected.set()

    def __repr__(self) -> str:
        state = "collected" if self.is_collected else "removed" if self.is_removed else "alive"
        return f"HeapMark({self.text}, {state})"


class Marks:
    """The marks of one VM."""

    def __init__(self) -> None:
        self._marks: dict[int, list[HeapMark]] = {}
        self._told: Callable[[HeapMark], object] | None = None

    async def mark(
        self, obj: ObjectReference, text: str, told: Callable[[HeapMark], object]
    ) -> HeapMark:
        """Mark an object; `told` is called when one that is marked has been collected."""
        vm = obj.vm
        vm.require_of_agent(AgentCapability.HEAP, "telling when an object has been collected")
        self._told = told
        vm.connection.notice_sinks[heap_set.Freed] = self._freed
        reply = await vm.request(heap_set.Mark(obj.id))
        mark = HeapMark(self, vm, reply.number, text)
        self._marks.setdefault(reply.number, []).append(mark)
        return mark

    def remove(self, mark: HeapMark) -> bool:
        """Forget a mark; whether its object has no other."""
        marks = self._marks.get(mark.number, [])
        if mark in marks:
            marks.remove(mark)
            if not marks:
                del self._marks[mark.number]
                return True
        return False

    def _freed(self, freed: Freed) -> None:
        for number in freed.numbers:
            for mark in self._marks.pop(number, ()):
                mark.collected()
                if self._told is not None:
                    self._told(mark)

    async def close(self) -> None:
        """The connection is closed, and the agent has forgotten the marks."""
        self._marks.clear()
