# SPDX-License-Identifier: Apache-2.0
"""Reads from the program the hits that it counts itself, and sets `hits` of their breakpoints.
Called by `probe_checker`.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from jvmdebug.errors import VmError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.ids import RequestId
from jvmdebug.probes import silence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.events import Occurrence, RequestHandle, Router, Verdict
    from jvmdebug.model.virtual_machine import VirtualMachine


class CountedHits:
    """The breakpoints of one VM whose hits the program counts."""

    def __init__(
        self,
        vm: VirtualMachine,
        router: Router,
        flush_logs: Callable[[], Awaitable[None]],
    ) -> None:
        self._vm = vm
        self._router = router
        self._flush_logs = flush_logs
        self._counting: dict[RequestId, ArmedLocation] = {}
        self._end: RequestHandle | None = None
        """The request for the end of the VM, as long as the program counts hits."""
        self._arming = asyncio.Lock()

    def __contains__(self, request_id: RequestId | None) -> bool:
        return request_id in self._counting

    async def add(self, request_id: RequestId, placed: ArmedLocation) -> None:
        """Note that the program counts the hits of a request from now on."""
        self._counting[request_id] = placed
        async with self._arming:
            if self._end is None:
                # The program waits at its end until the counts are read.
                self._end = await self._router.arm(
                    EventKind.VM_DEATH, (), SuspendPolicy.ALL, self._on_end
                )

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose hits the program counts no longer."""
        self._counting.pop(request_id, None)

    async def end(
        self, requests: Collection[RequestId], refresh: Callable[[], Awaitable[None]]
    ) -> None:
        """Silence requests that are about to be removed, and read what they have counted and
        written.
        """
        ending = [each for each in requests if each in self._counting]
        try:
            if ending:
                with contextlib.suppress(VmError):  # the class was unloaded
                    await silence(self._vm, ending)  # a hot loop may write faster
                    await refresh()
        finally:
            for each in ending:
                self.forget(each)
        async with self._arming:
            end, self._end = (None, self._end) if self._counting else (self._end, None)
        if end is not None:
            await end.clear()

    async def refresh(self) -> None:
        """Set `hits` of these breakpoints, and show their log lines."""
        if self._counting:
            await self._flush_logs()
            await self.read()

    async def read(self) -> None:
        """Set `hits` of these breakpoints."""
        for each in (await self._vm.request(wire.State())).probes:
            placed = self._counting.get(RequestId(each.request_id))
            if placed is None or placed.probe is None:
                continue
            breakpoint_, probe = placed.breakpoint, placed.probe
            breakpoint_.log_budget.leave_out(probe.left_out_until(each.count))
            if probe.counts_for == breakpoint_.options.hit_condition:  # else counting begins again
                breakpoint_.hits = max(breakpoint_.hits, each.count)

    async def _on_end(self, _: Occurrence) -> Verdict:
        await self.refresh()
        return RESUME
