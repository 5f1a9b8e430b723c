# SPDX-License-Identifier: Apache-2.0
"""Calls that the program records itself, in place of hits: what a breakpoint needs to have that.

The recorder is implemented by `observing`, which is above. Called by `probing`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.breakpoints.armed import Armed, ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location


class CallRecorder(Protocol):
    """Puts the checks into methods that record their calls."""

    async def record_calls(self, entries: Sequence[tuple[Location, RequestId]]) -> list[str | None]:
        """The first instructions of methods, and the requests there: why the calls of each cannot
        be recorded, None where they are from now on.
        """


async def recorded(
    breakpoint_: Breakpoint, armed: Armed
) -> list[tuple[ArmKey, BreakpointLocation]]:
    """Have the calls recorded that are not yet: how it is now. All classes are changed together."""
    recorder = breakpoint_.recorder
    if recorder is None:
        return []
    found = [
        (key, location)
        for key, location in armed.locations.items()
        if location.code is not None and location.how != "probe"
    ]
    if not found:
        return []
    reasons = await recorder.record_calls([_entry(location) for _, location in found])
    return [
        (key, _told(location, reason))
        for (key, location), reason in zip(found, reasons, strict=True)
    ]


async def recorded_again(
    recorder: CallRecorder, location: BreakpointLocation
) -> BreakpointLocation:
    """What was in the way may be gone. One that was not tried yet waits for the others."""
    if location.why_event is None:
        return location
    (reason,) = await recorder.record_calls([_entry(location)])
    return _told(location, reason)


def _entry(location: BreakpointLocation) -> tuple[Location, RequestId]:
    assert location.code is not None
    assert location.request is not None
    return location.code, location.request.request_id


def _told(location: BreakpointLocation, reason: str | None) -> BreakpointLocation:
    return replace(location, how="probe" if reason is None else "event", why_event=reason)
