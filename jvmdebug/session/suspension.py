# SPDX-License-Identifier: Apache-2.0
"""The stop sets of the router that one Stop holds, resumed together.

Usually one; two after a force return, where all threads were held and one was resumed and
suspended again. Sends nothing to the VM: the router does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.events import Router, StopSet
    from jvmdebug.model.thread import Thread


class Suspension:
    """Stop sets, the newest last."""

    def __init__(self, *stop_sets: StopSet) -> None:
        self._stop_sets = stop_sets

    @property
    def all_threads(self) -> bool:
        """Whether every thread is held, except those that were resumed alone since."""
        return any(stop_set.suspends_all for stop_set in self._stop_sets)

    @property
    def nothing_runs(self) -> bool:
        """Whether every thread is held and none was resumed alone since."""
        return any(stop_set.holds_everything for stop_set in self._stop_sets)

    def holds(self, thread: Thread) -> bool:
        """Whether it holds this thread now."""
        return any(stop_set.holds(thread) for stop_set in self._stop_sets)

    def joined(self, newer: StopSet) -> Suspension:
        """This and one more."""
        kept = [stop_set for stop_set in self._stop_sets if stop_set.is_current]
        return Suspension(*kept, newer)

    async def resume(self, router: Router) -> None:
        """Resume all of them."""
        for stop_set in reversed(self._stop_sets):
            if stop_set.is_current:
                await router.resume(stop_set)
