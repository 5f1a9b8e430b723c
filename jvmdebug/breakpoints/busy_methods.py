# SPDX-License-Identifier: Apache-2.0
"""Finds breakpoints of the VM without conditions in methods that the program often runs. The VM
compiles no method with a breakpoint, so these should become probes.

A probe changes the class, and with it what stack traces show for frames that run it. So in a class
that has run already, a probe is put in only after its method was met on top of stacks several
times. Methods of classes that other agents change again and again count as busy, as the VM clears
breakpoints at each change. The agent also says which breakpoints the VM does not report, as they
would do harm after another agent has changed their class.

Asks our agent now and then as long as there are such breakpoints and the program runs. Decides
which methods are busy, and changes nothing. Called by `probe_checker`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.model.virtual_machine import VirtualMachine

    Told = Callable[[Collection[RequestId]], Awaitable[None]]
    Reports = Callable[[Collection[RequestId], Collection[RequestId]], Awaitable[None]]

_IDLE_S: Final = 1.0
_BUSY_S: Final = 0.2
"""The time between two looks while some method has been met."""
_ENOUGH: Final = 2.5
_FADES: Final = 0.95
"""The factor by which earlier looks count less: a method that is met in one of eight
looks counts.
"""
_NEGLIGIBLE: Final = 0.1


class BusyMethods:
    """The breakpoints of one VM whose methods are watched; a companion of the VM."""

    def __init__(self) -> None:
        self._met: dict[RequestId, float] = {}
        """How often the method was met lately, by request."""
        self._others: set[RequestId] = set()
        """The requests that cannot become probes as they are, so it does not matter how busy their
        methods are.
        """
        self._unset: set[RequestId] = set()
        """The requests that the VM did not report at the last look."""
        self._task: asyncio.Task[None] | None = None

    def watch(
        self,
        vm: VirtualMachine,
        request_id: RequestId,
        found: Told,
        reports: Reports,
        *,
        may_change: bool,
    ) -> None:
        """Call `found` when the method of a request is busy, and again if it still is later; call
        `reports` with the requests that the VM begins not to report, and those that it reports
        again. `may_change`: whether the location may become a probe as it is; else only `reports`
        concerns it.
        """
        if may_change:
            self._others.discard(request_id)
            self._met.setdefault(request_id, 0)
        else:
            self._met.pop(request_id, None)
            self._others.add(request_id)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, found, reports), name="busy methods")

    def forget(self, request_id: RequestId) -> None:
        """End watching a request that has a probe or is about to be cleared."""
        self._met.pop(request_id, None)
        self._others.discard(request_id)

    async def close(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, vm: VirtualMachine, found: Told, reports: Reports) -> None:
        while self._met or self._others:
            is_any_met = any(each > _NEGLIGIBLE for each in self._met.values())
            await asyncio.sleep(_BUSY_S if is_any_met else _IDLE_S)
            if vm.is_still():
                continue
            try:
                before = self._unset
                busy = await self._look(vm)
                if self._unset != before:
                    await reports(self._unset - before, before - self._unset)
                if busy:
                    await found(busy)
            except JvmDebugError:
                if not vm.connection.is_open:
                    return

    async def _look(self, vm: VirtualMachine) -> list[RequestId]:
        """Return the requests in busy methods, and note those that the VM does not report."""
        asked = tuple(wire.Busy.Asked(int(each)) for each in (*self._met, *self._others))
        reply = await vm.request(wire.Busy(asked))
        met = {RequestId(each.request_id) for each in reply.busy}
        busy: list[RequestId] = []
        for request_id, before in list(self._met.items()):
            now = before * _FADES + (request_id in met)
            if now >= _ENOUGH:
                busy.append(request_id)
                now = -_ENOUGH  # if it cannot be changed now, wait longer
            self._met[request_id] = now
        watched = self._met.keys() | self._others
        self._unset = {RequestId(each.request_id) for each in reply.unset} & watched
        return busy
