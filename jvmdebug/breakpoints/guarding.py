# SPDX-License-Identifier: Apache-2.0
"""Keeps breakpoints from taking too much of the program: their budget, and checks that stay away.

Disables a breakpoint that takes more than its budget, and has the debugger look where the program's
own check does not return. Both are told. Called by `arming` and `probing`, and by `probes` for the
checks of the program.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from jvmdebug import probes
from jvmdebug.breakpoints.budget import Budget, BudgetLimits
from jvmdebug.breakpoints.probe_questions import whereabouts
from jvmdebug.events import RESUME
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from jvmdebug.breakpoints.armed import Armed, ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import Verdict
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import StuckCheck

_LATE: Final = BudgetLimits(each_ms=250, all_ms=500)
"""Where the agent was loaded into a running program, which others may depend on."""
_EVENT_S: Final = 0.0002
"""From the hit to the debugger, and back to the program."""


class Guarding:
    """Of all breakpoints of a VM."""

    def __init__(
        self,
        vm: VirtualMachine,
        limits: Callable[[], HitLimits],
        armed: Mapping[Breakpoint, Armed],
        tell_changed: Callable[[Breakpoint], None],
        give_up: Callable[[BreakpointLocation, str], Awaitable[BreakpointLocation]],
    ) -> None:
        """`give_up`: has the debugger look at a location, for a reason."""
        self._vm = vm
        self._limits = limits
        self._armed = armed
        self._tell_changed = tell_changed
        self._give_up = give_up
        self._budget = Budget()

    @property
    def deadline_s(self) -> float:
        """Within which a check is to return."""
        return self._limits().deadline_s

    @property
    def measures_checks(self) -> bool:
        """Whether it matters how long the program's checks take."""
        return self._budget_limits().are_set

    def _budget_limits(self) -> BudgetLimits:
        limits = self._limits()
        is_late = not self._vm.agent_can(AgentCapability.BREAKPOINT_EVENTS)
        default = _LATE if is_late else BudgetLimits()
        return BudgetLimits(
            default.each_ms if limits.budget_ms is None else limits.budget_ms,
            default.all_ms if limits.total_budget_ms is None else limits.total_budget_ms,
        )

    async def timed(self, breakpoint_: Breakpoint, decided: Awaitable[Verdict]) -> Verdict:
        """What the debugger makes of a hit, whose thread it holds meanwhile."""
        began = time.monotonic()
        verdict = await decided
        # A trace tells of each call, which is what it is for; a stop is what somebody waits for.
        if verdict is RESUME and breakpoint_.observer is None:
            await self._spend(breakpoint_, time.monotonic() - began + _EVENT_S)
        return verdict

    async def checked(self, request_id: RequestId, seconds: float) -> None:
        """Threads have been in the check of this request for so long."""
        for breakpoint_, *_ in self._with(request_id):
            await self._spend(breakpoint_, seconds)

    async def _spend(self, breakpoint_: Breakpoint, seconds: float) -> None:
        limits = self._budget_limits()
        if not limits.are_set or not breakpoint_.enabled:
            return
        over = self._budget.spend(breakpoint_, time.monotonic(), seconds, limits)
        if over is None:
            return
        costly, limit_ms = over
        is_own = costly is breakpoint_ and limit_ms == limits.each_ms
        whose, budget = "it", "its budget"
        if not is_own:
            whose, budget = "the breakpoints together", "the budget of all"
        await costly.disable(
            because=f"disabled: {whose} kept threads of the program for more than {limit_ms} ms of"
            f" a second, {budget}; enable it again when it costs less"
        )
        self._tell_changed(costly)

    def watch(self, request_id: RequestId, probe: probes.Probe) -> None:
        """Look after its check, if that calls methods of the program."""
        self.forget(request_id)
        if probe.calls_methods:
            self._vm.companion(probes.CheckWatch).watch(self._vm, request_id, self)

    def forget(self, request_id: RequestId) -> None:
        """It has no such check any more."""
        self._vm.companion(probes.CheckWatch).forget(request_id)

    async def stuck(self, stuck: StuckCheck) -> None:
        """A check has not returned: the debugger looks from now on, and the user is told."""
        reason = f"the program's own check did not return for {stuck.limit_s:g} s"
        for breakpoint_, armed, key, location in self._with(stuck.request_id):
            armed.replace(breakpoint_, key, await self._give_up(location, reason))
            breakpoint_.message = f"{reason}: {await whereabouts(stuck)}"
            self._tell_changed(breakpoint_)

    def _with(
        self, request_id: RequestId
    ) -> Iterator[tuple[Breakpoint, Armed, ArmKey, BreakpointLocation]]:
        for breakpoint_, armed in list(self._armed.items()):
            for key, location in list(armed.locations.items()):
                if location.request is not None and location.request.request_id == request_id:
                    yield breakpoint_, armed, key, location
