# SPDX-License-Identifier: Apache-2.0
"""Locations in a VM that reports no breakpoints, because the agent was loaded into a running
program. Each has a probe in which the thread stays; if the debugger has to check, the probe always
holds.

Where no probe can be, nothing stops, and the location is refused with the reason. Threads that run
code from before a probe was put in pass it until they have left the method (`old_code`). See
`location_checker`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from jvmdebug import probes
from jvmdebug.breakpoints.budget import BudgetLimits
from jvmdebug.breakpoints.element_stores import ElementChecks
from jvmdebug.breakpoints.location_checker import why_off
from jvmdebug.breakpoints.old_code import OldCode
from jvmdebug.breakpoints.probe_checker import ProbeChecker
from jvmdebug.breakpoints.probe_questions import (
    NoProbeError,
    is_compiled_later,
    logs,
)
from jvmdebug.breakpoints.specs import ElementSpec, LocalSpec
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.resolver import Resolver
    from jvmdebug.events import BreakpointOccurrence, RequestHandle, Verdict
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes import Probe, ProbeQuestion


class LateChecker(ProbeChecker):
    """A checker for a VM in which everything that stops is a probe."""

    # A change of Thread would remove the lines of `Thread.run` from all stack traces.
    end_of_thread: ClassVar[tuple[str, str, str]] = (
        "Ljava/lang/ThreadGroup;",
        "uncaughtException",
        "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
    )
    budget: ClassVar[BudgetLimits] = BudgetLimits(each_ms=250, all_ms=500)
    """Limited by default, because others may depend on a program that runs already."""
    hands_over: ClassVar[bool] = True

    def resolver(self, breakpoint_: Breakpoint) -> Resolver:
        """The resolver of its locations. A watched local variable needs events, also behind
        instructions.
        """
        if isinstance(breakpoint_.spec, LocalSpec):
            purpose = "watching a local variable"
            self._vm.require_of_agent(AgentCapability.BREAKPOINT_EVENTS, purpose)
        return super().resolver(breakpoint_)

    def prepare(self, breakpoint_: Breakpoint) -> None:
        """Set what puts the checks of a watched array in. Called before its locations are found."""
        if isinstance(breakpoint_.spec, ElementSpec):
            breakpoint_.recorder = ElementChecks(
                self._vm, breakpoint_.spec, lambda: self.why_no_probes, hands_over=True
            )

    def is_held_back(self, _breakpoint: Breakpoint) -> bool:
        """Whether it is in no code yet: never, because frames that begin before its probe is put in
        would pass it.
        """
        return False

    @property
    def why_no_probes(self) -> str | None:
        """Why nothing stops at all; the user cannot switch probes off here."""
        return why_off(self._vm)

    # The life of a location

    async def _arm(self, placed: ArmedLocation, locations: int, *, is_new: bool) -> None:
        await super()._arm(placed, locations, is_new=is_new)
        if placed.is_armed and placed.now.code is not None:
            old_code = self._vm.companion(OldCode)
            await old_code.look(self._vm, placed.breakpoint, placed.now, self._tell_changed)

    async def _refuse(self, placed: ArmedLocation, reason: str | None) -> None:
        placed.of.refused = f"it cannot stop at {placed.now}: {reason}"
        placed.leave()
        await self.disarm([placed])

    async def _asked(self, placed: ArmedLocation, *, may_change: bool) -> BreakpointLocation:
        """Put a probe there, or have it answer another question. Raises NoProbeError if nothing
        would stop.
        """
        del may_change
        if (off := self.why_no_probes) is not None:
            raise NoProbeError(off)
        await self._begin_asking(placed)
        return await self._ask_to_stop(placed)

    async def _put(
        self, breakpoint_: Breakpoint, probe: Probe, question: ProbeQuestion
    ) -> str | None:
        """Install a probe, or change it, and make steps possible from where a user's breakpoint
        stops. Returns the reason if the probe is not possible.
        """
        has_steps = False
        points = self._vm.companion(probes.StepPoints)
        async with probes.put_in_together(self._vm) as refused:
            if not logs(breakpoint_) and breakpoint_.observer is None:
                why_none = await points.prepare(self._vm, self._router, probe.method)
                has_steps = why_none is None
            reason = await probe.ask(question)
        reason = reason or refused.get(probe.request_id)
        # With all of the points the method may be too long.
        if reason is not None and has_steps and not probe.is_uncompiled:
            await points.drop(probe.method)
            reason = await probe.ask(question)
        return reason

    async def _recorded(self, placed: ArmedLocation) -> None:
        await super()._recorded(placed)
        if placed.now.how == "probe":
            return
        if placed.now.array_signature is not None:
            await self._refuse(placed, placed.now.why_event)
        else:
            await self._ask_to_stop(placed)

    async def disarm(self, placed: Sequence[ArmedLocation]) -> None:
        """Clear the requests of locations, and with them their probes, together."""
        for each in placed:
            if each.request_id is not None:
                self._vm.companion(OldCode).forget(each.request_id)
        await super().disarm(placed)

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Compile checks again, and forget the step points in the old code."""
        await self._vm.companion(probes.StepPoints).redefined(types)
        await super().redefined(types)

    # Hits

    def _may_pass(self, breakpoint_: Breakpoint) -> bool:
        return is_compiled_later(breakpoint_)

    async def _leave_to_debugger(self, placed: ArmedLocation) -> None:
        if placed.probe is None or placed.request_id is None:
            return
        self._counted.forget(placed.request_id)
        self._guarded.forget(placed.request_id)
        if await placed.probe.ask(probes.ProbeQuestion()) is not None:
            await self._remove(placed)

    # What there is to tell

    def notice(self, armed: ArmedBreakpoint) -> str | None:
        """Why nothing stops at some location, or which threads still pass one."""
        return armed.refused or self._vm.companion(OldCode).text_of(armed.breakpoint)

    async def arm_own(
        self, location: Location, react: Callable[[BreakpointOccurrence], Awaitable[Verdict]]
    ) -> tuple[RequestHandle, str | None]:
        """Have each arrival at a location reported, by a probe."""
        request, _ = await super().arm_own(location, react)
        if (off := self.why_no_probes) is not None:
            return request, off
        return request, await probes.stop_always(self._vm, request.request_id, location)
