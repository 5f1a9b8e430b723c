# SPDX-License-Identifier: Apache-2.0
"""Follows one activation of a suspending function from thread to thread, for one step.

Its breakpoints are armed before the step begins: another thread may resume the function before the
first one has left it. They do not stop; other coroutines that run the same code are told apart by
their continuations. Called by `step`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier, ThreadOnlyModifier
from jvmdebug.sources import (
    continuation_of,
    inline_scopes,
    is_suspending,
    suspension_points,
)
from jvmdebug.stepping.awaiting import awaiting_of, was_resumed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.events import BreakpointOccurrence, Reaction, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.sources import InlineScope, SuspensionPoint
    from jvmdebug.stepping.awaiting import Awaiting

_POLICY: Final = SuspendPolicy.EVENT_THREAD


class Follower(Protocol):
    """What goes with the activation: a step."""

    def suspended(self) -> None:
        """Called when the function is about to leave its thread."""

    async def resumed(self, thread: Thread) -> Verdict:
        """Called when it goes on in a thread, which is held meanwhile."""

    async def returned(self, thread: Thread, behind: Location) -> Verdict:
        """Called when it has returned to the one that has awaited it, which goes on in a thread and
        will be behind the call there.
        """


class CoroutineWatch:
    """The breakpoints where one activation may be suspended and resumed."""

    def __init__(
        self,
        router: Router,
        method: Method,
        continuation: ObjectReference,
        points: Sequence[SuspensionPoint],
        *,
        returns_to_kotlin: bool,
        awaiting: Awaiting | None,
    ) -> None:
        self._router = router
        self._method = method
        self._continuation = continuation
        self._points = points
        self.returns_to_kotlin = returns_to_kotlin
        """Whether the function was resumed: what it returns to is not what has called it."""
        self._awaiting = awaiting
        self._requests: list[RequestHandle] = []
        self._follower: Follower | None = None

    def is_suspension(self, method: Method, index: int) -> bool:
        """Whether the function returns there since a call has suspended."""
        return method is self._method and any(each.suspends == index for each in self._points)

    async def arm(self, thread: Thread, follower: Follower) -> None:
        """Watch the activation, which `thread` runs."""
        self._follower = follower
        of_thread, awaiting = ThreadOnlyModifier(thread.id), self._awaiting
        behind = () if awaiting is None else (awaiting.method.location(awaiting.point.resumes),)
        here = self._method.location
        self._requests += await asyncio.gather(
            *(self._armed(here(each.suspends), self._on_left, of_thread) for each in self._points),
            *(self._armed(here(each.resumes), self._on_resumed) for each in self._points),
            *(self._armed(each, self._on_returned) for each in behind),
        )

    def cancel(self) -> None:
        """Clear its requests."""
        requests, self._requests = self._requests, []
        for each in requests:
            each.clear_soon()

    async def _armed(
        self, location: Location, reaction: Reaction, *more: Modifier
    ) -> RequestHandle:
        here = LocationOnlyModifier(location.wire)
        return await self._router.arm(EventKind.BREAKPOINT, (here, *more), _POLICY, reaction)

    async def _follower_of(self, thread: Thread, continuation: ObjectReference) -> Follower | None:
        """The step that is told, if the thread runs the function of that continuation."""
        frames = await thread.frames(0, 1) if self._requests else []
        is_it = bool(frames) and await continuation_of(frames[0]) == continuation
        return self._follower if is_it and self._requests else None

    async def _on_left(self, occurrence: BreakpointOccurrence) -> Verdict:
        follower = await self._follower_of(occurrence.thread, self._continuation)
        if follower is not None:
            follower.suspended()
        return RESUME

    async def _on_resumed(self, occurrence: BreakpointOccurrence) -> Verdict:
        follower = await self._follower_of(occurrence.thread, self._continuation)
        if follower is None:
            return RESUME
        self.cancel()
        return await follower.resumed(occurrence.thread)

    async def _on_returned(self, occurrence: BreakpointOccurrence) -> Verdict:
        awaiting = self._awaiting
        if awaiting is None:
            return RESUME
        follower = await self._follower_of(occurrence.thread, awaiting.continuation)
        if follower is None:
            return RESUME
        self.cancel()
        behind = awaiting.method.location(awaiting.point.behind)
        return await follower.returned(occurrence.thread, behind)


async def watch_of(
    router: Router, frame: Frame, line: int | None, scopes: tuple[InlineScope, ...] | None
) -> CoroutineWatch | None:
    """The watch of a step in a frame; None in a function that never suspends.

    With a `line` only what is on it, or in functions that are copied into it; else all.
    """
    method = frame.location.method
    if not is_suspending(method):
        return None
    points = await suspension_points(method)
    if not points:
        return None
    if line is not None:
        lines = await method.line_table()
        copied = await asyncio.gather(
            *(inline_scopes(method.location(each.call)) for each in points)
        )
        points = tuple(
            each
            for each, of_point in zip(points, copied, strict=True)
            if lines.line_at(each.call) == line or of_point != scopes
        )
    continuation = await continuation_of(frame)
    if continuation is None:
        return None
    returns_to_kotlin = await was_resumed(frame)
    return CoroutineWatch(
        router,
        method,
        continuation,
        points,
        returns_to_kotlin=returns_to_kotlin,
        awaiting=await awaiting_of(continuation) if returns_to_kotlin else None,
    )
