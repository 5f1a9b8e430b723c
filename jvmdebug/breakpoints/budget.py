# SPDX-License-Identifier: Apache-2.0
"""How long breakpoints keep threads of the program in a second, each of them and all together.

Counts time for which the program did not ask: while the debugger holds a thread to look at a hit,
and while checks call methods of the program. A stop is not counted, because the user wants it. Used
by `costs`, which disables breakpoints that take too much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """Limits in milliseconds of each second; 0 for no limit."""

    each_ms: int = 0
    """The limit of one breakpoint."""
    all_ms: int = 0
    """The limit of all breakpoints together."""

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return self.each_ms > 0 or self.all_ms > 0


class Spending:
    """The time taken in the present second and in the one before."""

    def __init__(self) -> None:
        self._second = 0
        self._now_s = 0.0
        self._before_s = 0.0

    def add(self, now: float, seconds: float) -> None:
        """Count `seconds` that have just ended."""
        second = math.floor(now)
        if second != self._second:
            self._before_s = self._now_s if second == self._second + 1 else 0.0
            self._second, self._now_s = second, 0.0
        self._now_s += seconds

    def is_over(self, limit_ms: int) -> bool:
        """Whether it was more than the limit in both seconds. One second is not enough: a lambda,
        for instance, is compiled at the first hit.
        """
        return 0 < limit_ms < 1000 * min(self._now_s, self._before_s)

    def at(self, now: float) -> float:
        """The seconds taken in both seconds; 0 if the later one began more than two seconds ago."""
        return self._now_s + self._before_s if now - self._second <= 2 else 0.0


class Budget:
    """The time that the breakpoints of one VM take, each of them and all together."""

    def __init__(self) -> None:
        self._each: WeakKeyDictionary[Breakpoint, Spending] = WeakKeyDictionary()
        self._all = Spending()

    def spend(
        self, breakpoint_: Breakpoint, now: float, seconds: float, limits: BudgetLimits
    ) -> tuple[Breakpoint, int] | None:
        """Count time of a breakpoint. If a limit is exceeded, returns the breakpoint to disable and
        the limit: of all breakpoints the one that has taken most.
        """
        own = self._each.setdefault(breakpoint_, Spending())
        own.add(now, seconds)
        self._all.add(now, seconds)
        if own.is_over(limits.each_ms):
            return self._forgotten(breakpoint_), limits.each_ms
        if self._all.is_over(limits.all_ms):
            most = max(self._each, key=lambda each: self._each[each].at(now))
            return self._forgotten(most), limits.all_ms
        return None

    def _forgotten(self, breakpoint_: Breakpoint) -> Breakpoint:
        """Forget all times, so that counting begins again when it is enabled, and return the
        breakpoint.
        """
        self._each.pop(breakpoint_, None)
        self._all = Spending()
        return breakpoint_
