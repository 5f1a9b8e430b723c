# SPDX-License-Identifier: Apache-2.0
"""Resumes stops that nobody resumes, in programs that others depend on, if the user wants that.

A breakpoint to whose stops that happens again is disabled: else the program would hardly run any
more. Owns the clocks. Called by `stop_registry`, which resumes.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Protocol

from jvmdebug.breakpoints import BreakpointHit
from jvmdebug.errors import BreakpointError, ConnectionLost, StateError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.session.stop import Stop


class _Resume(Protocol):
    def __call__(self, stop: Stop, why: str, notice: str) -> Awaitable[None]:
        """Resume what it holds; `notice`: why, as nobody has asked for it."""


class StopWatchdog:
    """The watchdog of one session."""

    def __init__(self, resume: _Resume, tell_changed: Callable[[Breakpoint], None]) -> None:
        self._resume = resume
        self._tell_changed = tell_changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._unanswered: set[Breakpoint] = set()
        """Those whose last stop nobody has resumed."""

    def watch(self, stop: Stop, limit_s: float) -> None:
        """Resume it after so many seconds, unless somebody does before."""
        task = asyncio.create_task(self._run(stop, limit_s), name="stop watchdog")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Watch none any more."""
        for task in self._tasks:
            task.cancel()

    async def _run(self, stop: Stop, limit_s: float) -> None:
        await asyncio.sleep(limit_s)
        hit = {each.breakpoint for each in stop.causes if isinstance(each, BreakpointHit)}
        if not stop.is_current:
            self._unanswered -= hit
            return
        again = [each for each in hit & self._unanswered if not each.is_removed]
        self._unanswered = (self._unanswered | hit) - set(again)
        notice = f"resumed by the watchdog after {limit_s:g} s"
        with contextlib.suppress(ConnectionLost, StateError, BreakpointError):
            for each in again:
                await each.disable(
                    because=f"disabled: nobody has resumed its stops within {limit_s:g} s, twice in"
                    " a row; enable it again when you are there"
                )
                self._tell_changed(each)
        with contextlib.suppress(ConnectionLost, StateError):
            if stop.is_current:
                await self._resume(stop, f"it was {notice}", notice)
