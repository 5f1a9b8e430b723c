# SPDX-License-Identifier: Apache-2.0
"""A thread as the public API shows it; lives as long as the thread, not only during a stop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from jvmdebug.errors import StateError
from jvmdebug.jdwp.generated.constants import ThreadStatus

if TYPE_CHECKING:
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop

_STATUS_TEXTS = {
    ThreadStatus.ZOMBIE: "zombie",
    ThreadStatus.RUNNING: "running",
    ThreadStatus.SLEEPING: "sleeping",
    ThreadStatus.MONITOR: "monitor",
    ThreadStatus.WAIT: "waiting",
}


class ThreadOwner(Protocol):
    """What a thread handle needs of the session."""

    def stop_of(self, thread: ThreadHandle) -> Stop | None:
        """The newest current stop that holds the thread."""

    async def suspend_thread(self, thread: ThreadHandle) -> Stop:
        """Suspend one thread."""

    async def resume_thread(self, thread: ThreadHandle) -> None:
        """Let one thread run."""

    async def end_thread(self, thread: ThreadHandle) -> None:
        """Make one thread throw java.lang.ThreadDeath."""


class ThreadHandle:
    """A thread of the debuggee. Equal and hashable by id."""

    def __init__(self, owner: ThreadOwner, thread: Thread, name: str = "") -> None:
        self._owner = owner
        self.thread = thread
        """The thread as the model has it."""
        self.name = name
        """The name when the thread was last looked at."""
        self.looked_at = asyncio.Lock()
        """Held while its frames are read or code runs in it: the two cannot be at the same time."""

    @property
    def id(self) -> int:
        """The VM's id of the thread; positive, stable for the thread's life."""
        return self.thread.id

    @property
    def stop(self) -> Stop | None:
        """The newest current stop that holds this thread, None while it runs."""
        return self._owner.stop_of(self)

    async def frames(self, start: int = 0, count: int | None = None) -> list[FrameHandle]:
        """Frames from depth `start`; the thread must be held by a stop (else StateError)."""
        return await self._require_stop().frames(start, count, thread=self)

    async def frame_count(self) -> int:
        """How deep the stack is; the thread must be held by a stop (else StateError)."""
        return await self._require_stop().frame_count(thread=self)

    async def status(self) -> str:
        """One of: running, sleeping, monitor, waiting, zombie, unknown."""
        state = await self.thread.status()
        return _STATUS_TEXTS.get(state.status, "unknown")

    async def group_name(self) -> str | None:
        """The name of the thread group; None for a thread that has ended."""
        group = await self.thread.group()
        return None if group is None else await group.name()

    async def is_virtual(self) -> bool:
        """Whether this is a virtual thread (JDK 21 and later)."""
        return await self.thread.is_virtual()

    async def suspend(self) -> Stop:
        """Suspend this thread alone; the stop has reason PAUSE."""
        return await self._owner.suspend_thread(self)

    async def resume(self) -> None:
        """Let this thread run although others may stay suspended."""
        await self._owner.resume_thread(self)

    async def interrupt(self) -> None:
        """As `Thread.interrupt()`."""
        await self.thread.interrupt()

    async def terminate(self) -> None:
        """End this thread: it throws java.lang.ThreadDeath, once resumed if it is stopped.

        Its `finally` blocks run and may keep it alive. Some thread must stand at a breakpoint or
        step (StateError). VmError for what the VM refuses, as most virtual threads.
        """
        await self._owner.end_thread(self)

    async def refresh_name(self) -> str:
        """Ask for the name; a virtual thread without one is shown by its id."""
        self.name = await self.thread.name() or f"thread {self.id}"
        return self.name

    def _require_stop(self) -> Stop:
        stop = self.stop
        if stop is None:
            raise StateError(f"thread {self.name!r} is running; suspend it first")
        return stop

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ThreadHandle) and other.thread is self.thread

    def __hash__(self) -> int:
        return hash(self.thread.id)

    def __repr__(self) -> str:
        return f"ThreadHandle({self.id}, {self.name!r})"
