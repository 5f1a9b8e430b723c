# SPDX-License-Identifier: Apache-2.0
"""Which locations of breakpoints are checked by the program itself, and which by the debugger.

A location with a condition or a hit condition gets a probe where that is possible; what is not
says why (`how`, `why_event`). Decides nothing at a hit but tells `hit` what the check has found.
Called by `arming`.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.probes import CountTest, Probe, ProbeQuestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import ProbeHit


_TRY_EVERY_S: Final = 0.5


class Probing:
    """The probes of a VM, by their requests."""

    def __init__(self, vm: VirtualMachine, is_wanted: Callable[[], bool]) -> None:
        self._vm = vm
        self._is_wanted = is_wanted
        self._probes: dict[RequestId, Probe] = {}
        self._tried: dict[RequestId, float] = {}
        """When a probe was tried last that is not there, by request; infinite: never again."""

    async def place(
        self, breakpoint_: Breakpoint, location: BreakpointLocation
    ) -> BreakpointLocation:
        """Put a probe there, or another question to it, or take it away; and say how it is now."""
        request, code = location.request, location.code
        if request is None or code is None or location.event_kind is not EventKind.BREAKPOINT:
            return location
        question = _question(breakpoint_)
        reason = self._why_not(breakpoint_, location)
        probe = self._probes.get(request.request_id)
        if question is None or reason is not None:
            if probe is not None:
                await self._remove(request.request_id, probe)
            return replace(location, how="event", why_event=None if question is None else reason)
        if probe is None:
            # Before it is installed: the first hit may come before the reply.
            probe = self._probes[request.request_id] = Probe(self._vm, request.request_id, code)
        reason = await probe.ask(question)
        if reason is not None:
            self._probes.pop(request.request_id, None)
        return replace(location, how="event" if reason is not None else "probe", why_event=reason)

    def _why_not(self, breakpoint_: Breakpoint, location: BreakpointLocation) -> str | None:
        if not self._is_wanted():
            return "probes are off"
        if breakpoint_.options.after is not None:
            return "it counts only after another breakpoint"
        if location.receivers or location.only_method is not None:
            return "it is only for objects of some classes"
        return None

    async def last_hit(
        self, location: BreakpointLocation | None, thread: Thread
    ) -> ProbeHit | None:
        """What the check has found where the thread stands; None if the debugger has to look."""
        probe = self._of(location)
        return None if probe is None else await probe.last_hit(thread)

    async def reconsider(
        self, breakpoint_: Breakpoint, location: BreakpointLocation
    ) -> BreakpointLocation:
        """The debugger had to check: what was in the way when the breakpoint was set, a thread in
        the method or a class that was not loaded, may be gone now. Tried again now and then.
        """
        request = location.request
        if request is None or location.why_event is None or not self._is_wanted():
            return location
        now = time.monotonic()
        if now < self._tried.get(request.request_id, -math.inf) + _TRY_EVERY_S:
            return location
        self._tried[request.request_id] = now
        return await self.place(breakpoint_, location)

    async def give_up(self, location: BreakpointLocation, reason: str) -> BreakpointLocation:
        """The debugger looks from now on."""
        probe = self._of(location)
        if probe is not None and location.request is not None:
            self._tried[location.request.request_id] = math.inf
            await self._remove(location.request.request_id, probe)
        return replace(location, how="event", why_event=reason)

    def forget(self, location: BreakpointLocation) -> None:
        """Its request is cleared, and with it the probe."""
        if location.request is not None:
            self._probes.pop(location.request.request_id, None)
            self._tried.pop(location.request.request_id, None)

    def _of(self, location: BreakpointLocation | None) -> Probe | None:
        if location is None or location.request is None:
            return None
        return self._probes.get(location.request.request_id)

    async def _remove(self, request_id: RequestId, probe: Probe) -> None:
        self._probes.pop(request_id, None)
        try:
            await probe.remove()
        except VmError:
            return  # the class was unloaded, and the request with it


def _question(breakpoint_: Breakpoint) -> ProbeQuestion | None:
    """None if the breakpoint asks nothing."""
    condition, hits = breakpoint_.compiled_condition, breakpoint_.compiled_hit_condition
    if condition is None and hits is None:
        return None
    return ProbeQuestion(
        condition, None if hits is None else CountTest(hits.comparison, hits.number)
    )
