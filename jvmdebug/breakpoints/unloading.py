# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in types that the VM unloads, which it can do where they are probes. What is armed
there is gone, and the breakpoint waits for the next loader. Called by `breakpoint_table`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.events import RESUME, ClassUnloadOccurrence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import Router, Verdict


def watch_unloads(
    router: Router,
    armed: Collection[ArmedBreakpoint],
    update: Callable[[ArmedBreakpoint], Awaitable[None]],
) -> None:
    """Have breakpoints updated that have lost a type. `armed`: all breakpoints, now and later."""

    async def unloaded(occurrence: ClassUnloadOccurrence) -> Verdict:
        for each in list(armed):
            known = (*each.shown(), *each.breakpoint.locations)  # some wait for another breakpoint
            if any(_is_in(at, occurrence.signature) for at in known):
                await each.resolver.forget_unloaded()
                await update(each)
        return RESUME

    router.subscribe(ClassUnloadOccurrence, unloaded)


def _is_in(location: BreakpointLocation, signature: str) -> bool:
    return location.code is not None and location.code.type.signature == signature
