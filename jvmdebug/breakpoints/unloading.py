# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in types that the VM unloads, which it can do where they are probes. What is armed
there is gone, and the breakpoint waits for the next loader. Called by `breakpoint_table`.

A collection may unload some thousand types of one name. Their events come one by one, so they are
gathered, and each breakpoint is brought up to date once for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.events import RESUME, ClassUnloadOccurrence
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.events import Router, Verdict


class Unloads:
    """The types that the VM has unloaded and that breakpoints do not know of yet."""

    def __init__(
        self,
        router: Router,
        armed: Collection[ArmedBreakpoint],
        forget: Callable[[ArmedBreakpoint, Collection[str]], Awaitable[None]],
    ) -> None:
        """`armed`: all breakpoints, now and later. `forget` is called with each that may have lost
        a type, and with the signatures of the unloaded types.
        """
        self._router = router
        self._armed = armed
        self._forget = forget
        self._lost: set[str] = set()
        self._telling: asyncio.Task[None] | None = None
        router.subscribe(ClassUnloadOccurrence, self._unloaded)

    async def _unloaded(self, occurrence: ClassUnloadOccurrence) -> Verdict:
        self._lost.add(occurrence.signature)
        if self._telling is None or self._telling.done():
            self._telling = self._router.spawn(self._tell(), "forgetting unloaded types")
        return RESUME

    async def _tell(self) -> None:
        while self._lost:
            lost, self._lost = self._lost, set()
            concerned = [
                each
                for each in self._armed
                if each.resolver.knows_any(lost) or _signatures_of(each) & lost
            ]
            await all_of(*(self._forget(each, lost) for each in concerned))


def _signatures_of(armed: ArmedBreakpoint) -> set[str]:
    """The signatures of the types with its locations, some of which may wait for another one."""
    known = (*armed.shown(), *armed.breakpoint.locations)
    return {each.code.type.signature for each in known if each.code is not None}
