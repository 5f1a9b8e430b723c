# SPDX-License-Identifier: Apache-2.0
"""Commands that run when a breakpoint stops the program, or at each stop.

Owns which commands belong to which breakpoint, and those that wait to be run after the stop that is
shown. The shell takes them from here before it reads further ones.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jvmdebug

SILENT: Final = "silent"
"""As the first command of a breakpoint: its stop is not shown."""


class HitCommands:
    """The commands of one shell that are not typed, but run by stops."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[str, ...]] = {}
        self.at_each_stop: dict[int, str] = {}
        """jdb's `monitor`, by number."""
        self._waiting: deque[str] = deque()

    def of(self, breakpoint_: jvmdebug.Breakpoint) -> tuple[str, ...]:
        """The commands of a breakpoint."""
        return self._of.get(breakpoint_.id, ())

    def set(self, breakpoint_: jvmdebug.Breakpoint, commands: Sequence[str]) -> None:
        """Run these whenever it stops; none: only stop."""
        self._of[breakpoint_.id] = tuple(commands)

    def is_silent(self, stop: jvmdebug.Stop) -> bool:
        """Whether all breakpoints of this stop say that it is not shown."""
        return bool(stop.breakpoints) and all(
            self.of(each)[:1] == (SILENT,) for each in stop.breakpoints
        )

    def stopped(self, stop: jvmdebug.Stop) -> None:
        """Have the commands of this stop run next."""
        self._waiting.clear()
        self._waiting.extend(self.at_each_stop.values())
        for each in stop.breakpoints:
            self._waiting.extend(line for line in self.of(each) if line != SILENT)

    def resumed(self) -> None:
        """What has not run yet belonged to a stop that is over."""
        self._waiting.clear()

    def next(self) -> str | None:
        """The next one, if any waits."""
        return self._waiting.popleft() if self._waiting else None
