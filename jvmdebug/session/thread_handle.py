# SPDX-License-Identifier: Apache-2.0
"""A thread as the public API shows it; lives as long as the thread, not only during a stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop


class ThreadHandle:
    """A thread of the debuggee. Equal and hashable by id."""

    id: int
    """The VM's id of the thread; positive, stable for the thread's life."""
    name: str
    """The name when the thread was last looked at."""

    @property
    def stop(self) -> Stop | None:
        """The newest current stop that holds this thread, None while it runs."""
        raise NotImplementedError

    async def frames(self, start: int = 0, count: int | None = None) -> list[FrameHandle]:
        """Frames from depth `start`; the thread must be held by a stop (else StateError)."""
        raise NotImplementedError

    async def frame_count(self) -> int:
        """How deep the stack is; the thread must be held by a stop (else StateError)."""
        raise NotImplementedError

    async def status(self) -> str:
        """One of: unstarted, running, sleeping, monitor, waiting, zombie, unknown."""
        raise NotImplementedError

    async def group_name(self) -> str | None:
        """The name of the thread group; None for a thread that has ended."""
        raise NotImplementedError

    async def is_virtual(self) -> bool:
        """Whether this is a virtual thread (JDK 21 and later)."""
        raise NotImplementedError

    async def suspend(self) -> Stop:
        """Suspend this thread alone; the stop has reason PAUSE."""
        raise NotImplementedError

    async def resume(self) -> None:
        """Let this thread run although others may stay suspended."""
        raise NotImplementedError

    async def interrupt(self) -> None:
        """As `Thread.interrupt()`."""
        raise NotImplementedError
