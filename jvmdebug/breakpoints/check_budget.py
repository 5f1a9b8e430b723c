# SPDX-License-Identifier: Apache-2.0
"""How many hits a second the debugger looks at without a stop, in a program that serves others.

Each such hit holds its thread for a round trip. Used for programs that were attached to while they
ran, where a breakpoint that needs more is disabled, and its user told.
"""

from __future__ import annotations

from typing import Final

_WINDOW_S: Final = 1.0


class CheckBudget:
    """The budget of one breakpoint."""

    def __init__(self) -> None:
        self._began = 0.0
        self._passed = 0

    def is_over(self, now: float, per_second: int) -> bool:
        """Whether there have been more in this second; counts one. 0: no limit."""
        if now - self._began >= _WINDOW_S:
            self._began, self._passed = now, 0
        self._passed += 1
        return 0 < per_second < self._passed
