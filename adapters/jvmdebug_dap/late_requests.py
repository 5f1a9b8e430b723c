# SPDX-License-Identifier: Apache-2.0
"""Requests to go on that come too late: the thread they are about runs already.

A key that is held sends a step while the one before is under way, and Continue may be pressed
twice. Clients show each error, so such a request succeeds. While a step is under way in its thread
it is kept, one at most, and done when that step has ended; the stop between the two is not told.
A stop for another reason (a breakpoint, an exception, a pause) is told, and what was kept is
dropped: the user has not seen that stop yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug.errors import JvmDebugError
from jvmdebug_dap.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug import Stop, ThreadHandle


@dataclass(slots=True)
class Kept:
    """What is done at the end of a step, at its stop."""

    go_on: Callable[[Stop], Awaitable[None]]
    is_last: bool
    """Whether nothing takes its place: it is a `continue`, what is kept otherwise is a step."""
    is_dropped: bool = False


class LateRequests:
    """The steps that are under way, and what is kept for the end of each."""

    def __init__(self) -> None:
        self._steps: dict[ThreadHandle, Kept | None] = {}
        self._due: list[Kept] = []
        """What is about to be done: the stop is there, and was not told."""

    def step_begun(self, thread: ThreadHandle) -> None:
        """A step of that thread is under way from now on."""
        self._steps[thread] = None

    def step_failed(self, thread: ThreadHandle) -> None:
        """The step could not be begun."""
        self._steps.pop(thread, None)

    def keep(
        self, thread: ThreadHandle, go_on: Callable[[Stop], Awaitable[None]], *, is_last: bool
    ) -> None:
        """Do `go_on` when the step of that thread has ended.

        Does nothing if no step is under way there, or if something is kept already; a `continue`
        (`is_last`) takes the place of a step.
        """
        if thread not in self._steps:
            return
        kept = self._steps[thread]
        if kept is None or (is_last and not kept.is_last):
            self._steps[thread] = Kept(go_on, is_last)

    def keep_for_all(self, go_on: Callable[[Stop], Awaitable[None]]) -> None:
        """Do `go_on` when any step that is under way has ended."""
        for thread in self._steps:
            self.keep(thread, go_on, is_last=True)

    def ended_by(self, stop: Stop) -> Kept | None:
        """What is to be done at this stop, with `finish`; the stop is not told then."""
        kept = self._steps.pop(stop.thread, None)
        if stop.all_threads:
            self._steps.clear()
        if kept is None or stop.reasons != (jvmdebug.StopReason.STEP,):
            return None
        self._due.append(kept)
        return kept

    async def finish(self, stop: Stop, kept: Kept) -> bool:
        """Do what was kept for the stop. False: nothing was done, and the stop is to be told."""
        try:
            if stop.is_current and not kept.is_dropped:
                await kept.go_on(stop)
        except (JvmDebugError, RequestError):
            pass  # nobody waits for an answer, and the client is told the stop
        finally:
            self._due.remove(kept)
        return not stop.is_current

    def drop(self) -> None:
        """Do nothing of what is kept: the user wants to see where the program is."""
        for thread, kept in self._steps.items():
            if kept is not None:
                kept.is_dropped = True
            self._steps[thread] = None
        for kept in self._due:
            kept.is_dropped = True

    def clear(self) -> None:
        """No step is under way: the program has ended or is restarted."""
        self.drop()
        self._steps.clear()
