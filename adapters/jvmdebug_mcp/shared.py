# SPDX-License-Identifier: Apache-2.0
"""What the tools share: the stop and the frame that a call means, and a stop point as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug

if TYPE_CHECKING:
    from jvmdebug_mcp.investigation import Investigation


class Shared:
    """The base of the tools."""

    def __init__(self, investigation: Investigation) -> None:
        self._it = investigation

    def _stop(self, thread: str) -> jvmdebug.Stop:
        stops = self._it.session.current_stops
        if not stops:
            raise jvmdebug.StateError("the program is not stopped: `run`, or `pause`")
        chosen = [each for each in stops if thread in {"", each.thread.name}]
        if not chosen:
            names = ", ".join(repr(each.thread.name) for each in stops)
            raise jvmdebug.StateError(f"thread {thread!r} has not stopped; stopped are {names}")
        return chosen[-1]

    async def _frame(self, thread: str, depth: int) -> jvmdebug.FrameHandle:
        frames = await self._stop(thread).frames(depth, 1)
        if not frames:
            raise jvmdebug.StateError(f"there is no frame {depth}")
        return frames[0]

    def _point(self, number: int) -> jvmdebug.Breakpoint:
        for each in self._it.session.breakpoints:
            if each.id == number:
                return each
        raise jvmdebug.StateError(f"there is no stop point {number}: `stop_points` lists them")


def point_text(point: jvmdebug.Breakpoint) -> str:
    where = ", ".join(str(each) for each in point.locations[:3])
    state = where or point.message or "not set yet"
    off = "" if point.enabled else ", disabled"
    if point.waits:
        off += ", waits for another stop point"
    if point.set_by is not None:
        off += f", set by the {point.set_by}"
    return jvmdebug.one_line(f"stop point {point.id}: {state}, {point.hits} hits{off}", None)
