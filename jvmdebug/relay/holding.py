# SPDX-License-Identifier: Apache-2.0
"""Counts what a debugger has suspended, as the agent does, from what passes between them.

A suspend counts when it is asked for or told, a resume when the agent has answered it: what is not
certain counts as held.
"""

from __future__ import annotations


class Holding:
    """The suspend counts of one connection's doing."""

    def __init__(self) -> None:
        self._all = 0
        self._threads: dict[int, int] = {}
        """What the count of a thread is above, or below, that of all; never 0."""
        self._above: set[int] = set()
        """The threads for which that is positive."""

    @property
    def holds(self) -> bool:
        """Whether a thread may be suspended."""
        return self._all > 0 or bool(self._above)

    def suspended(self, thread: int | None) -> None:
        """One thread, or all, got one suspend more."""
        if thread is None:
            self._all += 1
        else:
            self._set(thread, self._threads.get(thread, 0) + 1)

    def resumed(self, thread: int | None) -> None:
        """One thread, or all, got one suspend less, if they had one."""
        if thread is not None:
            difference = self._threads.get(thread, 0)
            if self._all + difference > 0:
                self._set(thread, difference - 1)
        elif self._all > 0:
            self._all -= 1
            for each in [each for each, of in self._threads.items() if of < -self._all]:
                self._set(each, -self._all)
        else:
            for each in list(self._threads):
                self._set(each, self._threads[each] - 1)

    def _set(self, thread: int, difference: int) -> None:
        if difference == 0:
            self._threads.pop(thread, None)
        else:
            self._threads[thread] = difference
        if difference > 0:
            self._above.add(thread)
        else:
            self._above.discard(thread)
