# SPDX-License-Identifier: Apache-2.0
"""Finds the locations of one method that can become probes at the same moment.

The agent changes no method while a thread in it may still come to a breakpoint of the VM. In a
method with many breakpoints that is nearly always so, because the thread waits at each of them for
the debugger. When it has come to the last one, all can become probes by one change of the class.
Called by `probe_checker`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.probe_uses import is_same

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence

    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location_checker import LocationChecker


def reported_with(
    placed: ArmedLocation, everywhere: Iterable[ArmedLocation]
) -> list[ArmedLocation] | None:
    """The other locations of its method that the VM reports; None if one of them lies behind it,
    so that the thread may still come there.
    """
    code = placed.now.code
    others: list[ArmedLocation] = []
    for each in everywhere:
        other = each.now.code
        if code is None or other is None or each is placed:
            continue
        if each.probe is not None or not each.is_armed or not is_same(other.method, code.method):
            continue
        if other.index > code.index:
            return None
        others.append(each)
    return others


async def ask_together(
    placed: ArmedLocation,
    others: Sequence[ArmedLocation],
    checker: LocationChecker,
    again: Callable[[ArmedLocation], Awaitable[None]],
    tell_changed: Callable[[Breakpoint], None],
) -> None:
    """Ask at a location `again`, and at others by the same change of their classes; tell of those
    that have become probes. The lock of the first one's breakpoint is held. Leaves out breakpoints
    that are being changed, and locations that are not armed.
    """
    async with _locked(placed, others) as free:
        some = [each for each in (placed, *free) if each.is_armed]
        async with checker.together() as refused:
            for each in some:
                await again(each)
        for each in some:
            if each.request_id in refused:
                await again(each)
            elif each.now.how == "probe":
                tell_changed(each.breakpoint)


@contextlib.asynccontextmanager
async def _locked(
    placed: ArmedLocation, others: Sequence[ArmedLocation]
) -> AsyncIterator[list[ArmedLocation]]:
    """A context in which nobody else changes the locations that it yields: those of `others` whose
    breakpoints are not being changed now, and further ones of the breakpoint of `placed`.
    """
    free: list[ArmedLocation] = []
    held = {id(placed.of)}
    async with contextlib.AsyncExitStack() as locks:
        for each in others:
            if id(each.of) not in held:
                if each.of.lock.locked():
                    continue
                await locks.enter_async_context(each.of.lock)
                held.add(id(each.of))
            free.append(each)
        yield free
