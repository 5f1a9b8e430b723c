# SPDX-License-Identifier: Apache-2.0
"""Disables breakpoints that take more time of the program than their budget, and says so.

Called by `location_checker` for hits that the debugger looks at, and by `guarded_checks` for the
time that threads spend in checks.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.budget import Budget, BudgetLimits
from jvmdebug.events import RESUME

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.events import Verdict

_EVENT_S: Final = 0.0002
"""The time from the hit to the debugger and back."""


class Costs:
    """The costs of the breakpoints of one VM."""

    def __init__(
        self,
        limits: Callable[[], HitLimits],
        default: BudgetLimits,
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        """`default`: the budget if the user has set none."""
        self._hit_limits = limits
        self._default = default
        self._tell_changed = tell_changed
        self._budget = Budget()

    @property
    def are_limited(self) -> bool:
        """Whether it matters how long breakpoints keep threads."""
        return self._limits().are_set

    def _limits(self) -> BudgetLimits:
        limits, default = self._hit_limits(), self._default
        return BudgetLimits(
            default.each_ms if limits.budget_ms is None else limits.budget_ms,
            default.all_ms if limits.total_budget_ms is None else limits.total_budget_ms,
        )

    async def timed(self, breakpoint_: Breakpoint, decided: Awaitable[Verdict]) -> Verdict:
        """Decide on a hit, for which the debugger holds the thread, and count the time."""
        began = time.monotonic()
        verdict = await decided
        # A trace is there to report each call, and the user waits for a stop, so these are not
        # counted.
        if verdict is RESUME and breakpoint_.observer is None:
            await self.spend(breakpoint_, time.monotonic() - began + _EVENT_S)
        return verdict

    async def spend(self, breakpoint_: Breakpoint, seconds: float) -> None:
        """Count time that threads were kept for a breakpoint, and disable it if it takes
        too much.
        """
        limits = self._limits()
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
