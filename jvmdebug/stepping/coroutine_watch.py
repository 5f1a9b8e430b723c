# SPDX-License-Identifier: Apache-2.0
"""Follows one activation of a suspending function from thread to thread, for one step.

Its breakpoints are armed before the step begins: another thread may resume the function before the
first one has left it. They do not stop; other coroutines that run the same code are told apart by
their continuations. Called by `step`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier, ThreadOnlyModifier
from jvmdebug.sources import inline_scopes
from jvmdebug.stepping.suspension_points import (
    continuation_of,
    is_suspending,
    suspension_points,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.events import BreakpointOccurrence, Reaction, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.sources import InlineScope
    from jvmdebug.stepping.suspension_points import SuspensionPoint

_POLICY: Final = SuspendPolicy.EVENT_THREAD


class CoroutineWatch:
    """The breakpoints where one activation may be suspended and resumed."""

    def __init__(
        self,
        router: Router,
        method: Method,
        continuation: ObjectReference,
        points: Sequence[SuspensionPoint],
    ) -> None:
        self._router = router
        self._method = method
        self._continuation = continuation
        self._points = points
        self._requests: list[RequestHandle] = []
        self._suspended: Callable[[], None] = lambda: None
        self._resumed: Callable[[Thread], Awaitable[Verdict]] | None = None

    def is_suspension(self, method: Method, index: int) -> bool:
        """Whether the function returns there since a call has suspended."""
        return method is self._method and any(each.suspends == index for each in self._points)

    async def arm(
        self,
        thread: Thread,
        suspended: Callable[[], None],
        resumed: Callable[[Thread], Awaitable[Verdict]],
    ) -> None:
        """Watch the activation, which `thread` runs. Calls `suspended` when it is about to leave
        that thread, and `resumed` with the thread that it goes on in, which is held meanwhile.
        """
        self._suspended, self._resumed = suspended, resumed
        of_thread = ThreadOnlyModifier(thread.id)
        self._requests += await asyncio.gather(
            *(self._armed(each.suspends, self._on_left, of_thread) for each in self._points),
            *(self._armed(each.resumes, self._on_resumed) for each in self._points),
        )

    def cancel(self) -> None:
        """Clear its requests."""
        requests, self._requests = self._requests, []
        for each in requests:
            each.clear_soon()

    async def _armed(self, index: int, reaction: Reaction, *more: Modifier) -> RequestHandle:
        here = LocationOnlyModifier(self._method.location(index).wire)
        return await self._router.arm(EventKind.BREAKPOINT, (here, *more), _POLICY, reaction)

    async def _is_ours(self, thread: Thread) -> bool:
        frames = await thread.frames(0, 1)
        return bool(frames) and await continuation_of(frames[0]) == self._continuation

    async def _on_left(self, occurrence: BreakpointOccurrence) -> Verdict:
        if self._requests and await self._is_ours(occurrence.thread):
            self._suspended()
        return RESUME

    async def _on_resumed(self, occurrence: BreakpointOccurrence) -> Verdict:
        resumed = self._resumed
        if not self._requests or resumed is None or not await self._is_ours(occurrence.thread):
            return RESUME
        self.cancel()
        return await resumed(occurrence.thread)


async def watch_of(
    router: Router, frame: Frame, line: int | None, scopes: tuple[InlineScope, ...] | None
) -> CoroutineWatch | None:
    """The watch of a step in a frame; None if nothing there suspends.

    With a `line` only what is on it, or in functions that are copied into it; else all.
    """
    method = frame.location.method
    if not is_suspending(method):
        return None
    points = await method.derived("suspension points", lambda: suspension_points(method))
    if line is not None and points:
        lines = await method.line_table()
        copied = await asyncio.gather(
            *(inline_scopes(method.location(each.call)) for each in points)
        )
        points = tuple(
            each
            for each, of_point in zip(points, copied, strict=True)
            if lines.line_at(each.call) == line or of_point != scopes
        )
    continuation = await continuation_of(frame) if points else None
    if continuation is None:
        return None
    return CoroutineWatch(router, method, continuation, points)
