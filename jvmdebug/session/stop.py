# SPDX-License-Identifier: Apache-2.0
"""A Stop: one suspension of the debuggee, and the owner of every handle given out during it.

A stop is current until it is resumed, stepped from, popped, or the VM ends; after that its handles
raise StateError. What suspends and resumes is the session's; a stop only knows its own suspension.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.thread_handle import ThreadHandle
    from jvmdebug.session.variable import Variable
    from jvmdebug.stepping import Granularity


class StopReason(StrEnum):
    """Why the debuggee stopped; the most telling one if several things happened at once."""

    ENTRY = "entry"
    BREAKPOINT = "breakpoint"
    FUNCTION_BREAKPOINT = "function breakpoint"
    STEP = "step"
    EXCEPTION = "exception"
    WATCHPOINT = "watchpoint"
    PAUSE = "pause"
    RUN_TO = "run to"
    POP_FRAME = "pop frame"
    FORCE_RETURN = "force return"


class Stop:
    """One suspension: why, where, and what can be done from there."""

    reason: StopReason
    thread: ThreadHandle
    frame: FrameHandle
    """The topmost frame. A thread without frames raises StateError here; see `has_frames`."""
    all_threads: bool
    """Whether every thread is suspended, not only `thread`."""
    breakpoints: tuple[Breakpoint, ...]
    """The breakpoints that were hit and wanted to stop, oldest first."""
    exception: Variable | None
    """The thrown object if `reason` is EXCEPTION."""
    exception_caught: bool | None
    """Whether the thrown exception will be caught; None if `reason` is not EXCEPTION."""

    @property
    def is_current(self) -> bool:
        """False once resumed, stepped from, or ended."""
        raise NotImplementedError

    @property
    def has_frames(self) -> bool:
        """False for a thread that has not entered Java code (a pause very early or very late)."""
        raise NotImplementedError

    async def frames(
        self, start: int = 0, count: int | None = None, *, thread: ThreadHandle | None = None
    ) -> list[FrameHandle]:
        """Frames of `thread` (default: the stop's) from depth `start`, topmost first."""
        raise NotImplementedError

    async def frame_count(self, *, thread: ThreadHandle | None = None) -> int:
        """How deep the stack of `thread` (default: the stop's) is."""
        raise NotImplementedError

    async def resume(self) -> None:
        """Undo this stop's suspension. With several stops at once, the others stay."""
        raise NotImplementedError

    async def step_over(self, granularity: Granularity = "line") -> None:
        """Run to the next line (or instruction) of this frame or a caller; a stop follows."""
        raise NotImplementedError

    async def step_into(self, granularity: Granularity = "line") -> None:
        """Run to the next line (or instruction), entering what is called; a stop follows."""
        raise NotImplementedError

    async def step_out(self) -> None:
        """Run until this frame has returned to its caller; a stop follows."""
        raise NotImplementedError

    async def run_to(self, spec: str) -> None:
        """Run until `spec` is reached once (by any thread) or another stop comes first."""
        raise NotImplementedError

    async def pop_frame(self, frame: FrameHandle | None = None) -> Stop:
        """Drop `frame` (default: the topmost) and those above it, as if it had not been called.

        Returns the stop that takes this one's place, at the call instruction of the caller.
        """
        raise NotImplementedError

    async def force_return(self, value_text: str | None = None) -> Stop:
        """Make the topmost frame return now, with `value_text` evaluated in it (None: void).

        No `finally` of the frame runs. Returns the stop in the caller.
        """
        raise NotImplementedError
