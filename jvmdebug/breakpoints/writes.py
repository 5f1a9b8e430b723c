# SPDX-License-Identifier: Apache-2.0
"""Decides hits at an instruction that writes something watched, with the value that it writes.

Called by `breakpoint_table`. Watched arrays, fields and variables each have a module of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.breakpoints.element_stores import stored
from jvmdebug.breakpoints.field_stores import written
from jvmdebug.breakpoints.local_writes import follow
from jvmdebug.breakpoints.specs import ElementSpec, FieldSpec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.ids import ThreadId


async def at_write(
    router: Router,
    breakpoint_: Breakpoint,
    location: BreakpointLocation,
    occurrence: LocatedOccurrence,
    begun: dict[ThreadId, RequestHandle],
    decide: Callable[[LocatedOccurrence], Awaitable[Verdict]],
) -> Verdict:
    """Have `decide` called with what is written, at a location of a watched variable, field or
    array. `begun` has the writes of a variable there that are not done.
    """
    if isinstance(breakpoint_.spec, ElementSpec):
        return await stored(occurrence, breakpoint_.spec, decide)
    if location.written:
        spec = breakpoint_.spec
        only = spec.instance if isinstance(spec, FieldSpec) else None
        return await written(occurrence, location, only, decide)
    if location.store is not None:
        return await follow(router, occurrence, location.store, begun, decide)
    return await decide(occurrence)
