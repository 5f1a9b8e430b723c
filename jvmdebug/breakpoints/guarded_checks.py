# SPDX-License-Identifier: Apache-2.0
"""Checks that call methods of the program: their costs, and those that do not return.

The costs are counted for the budget of the breakpoint (`costs`). If a check does not return, the
debugger checks that location from then on, and the user is told. Called by `probe_checker`, and by
`probes.CheckWatch`, which looks at the threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import probes
from jvmdebug.breakpoints.probe_questions import whereabouts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.costs import Costs
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import Probe, StuckCheck


class GuardedChecks:
    """The checks of one VM that call methods; implements `probes.CheckGuard`."""

    def __init__(
        self,
        vm: VirtualMachine,
        limits: Callable[[], HitLimits],
        costs: Costs,
        placed: Mapping[RequestId, ArmedLocation],
        give_up: Callable[[ArmedLocation, str], Awaitable[None]],
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        """`placed`: all that are armed. `give_up`: has the debugger check a location, for
        a reason.
        """
        self._vm = vm
        self._limits = limits
        self._costs = costs
        self._placed = placed
        self._give_up = give_up
        self._tell_changed = tell_changed

    def watch(self, request_id: RequestId, probe: Probe) -> None:
        """Watch the check of a request, if it calls methods of the program."""
        self.forget(request_id)
        if probe.calls_methods:
            self._vm.companion(probes.CheckWatch).watch(self._vm, request_id, self)

    def forget(self, request_id: RequestId) -> None:
        """End watching a request, which has no such check any more."""
        self._vm.companion(probes.CheckWatch).forget(request_id)

    @property
    def deadline_s(self) -> float:
        """The seconds within which a check has to return."""
        return self._limits().deadline_s

    @property
    def measures_checks(self) -> bool:
        """Whether it matters how long the program's checks take."""
        return self._costs.are_limited

    async def checked(self, request_id: RequestId, seconds: float) -> None:
        """Count the time that threads have been in the check of this request."""
        placed = self._placed.get(request_id)
        if placed is not None:
            await self._costs.spend(placed.breakpoint, seconds)

    async def stuck(self, stuck: StuckCheck) -> None:
        """Have the debugger check from now on, because a check has not returned, and tell
        the user.
        """
        placed = self._placed.get(stuck.request_id)
        if placed is None:
            return
        reason = f"the program's own check did not return for {stuck.limit_s:g} s"
        await self._give_up(placed, reason)
        placed.breakpoint.message = f"{reason}: {await whereabouts(stuck)}"
        self._tell_changed(placed.breakpoint)
