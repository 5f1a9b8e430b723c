# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in types that the VM unloads, as it does where they are probes: what is armed there
is gone, and waits for the next loader. Called by `arming`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.events import RESUME, ClassUnloadOccurrence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from jvmdebug.breakpoints.armed import Armed
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import Router, Verdict


def watch_unloads(
    router: Router,
    armed: Mapping[Breakpoint, Armed],
    update: Callable[[Breakpoint, Armed], Awaitable[None]],
) -> None:
    """Have breakpoints updated that have lost a type. `armed`: all there are at any time."""

    async def unloaded(occurrence: ClassUnloadOccurrence) -> Verdict:
        for breakpoint_, state in list(armed.items()):
            known = (*state.locations.values(), *breakpoint_.locations)  # some wait for another one
            if any(_is_in(each, occurrence.signature) for each in known):
                await state.resolver.forget_unloaded()
                await update(breakpoint_, state)
        return RESUME

    router.subscribe(ClassUnloadOccurrence, unloaded)


def _is_in(location: BreakpointLocation, signature: str) -> bool:
    return location.code is not None and location.code.type.signature == signature
