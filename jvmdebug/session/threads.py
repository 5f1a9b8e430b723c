# SPDX-License-Identifier: Apache-2.0
"""The threads of a session: one handle for each, started and ended threads told to subscribers.

Owns the handles and the thread start and death requests. Called by the session and the stop keeper.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.errors import (
    InvalidObjectError,
    InvalidThreadError,
    ThreadNotAliveError,
    VmDeadError,
)
from jvmdebug.events import ThreadDeathOccurrence, ThreadStartOccurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import PlatformThreadsOnlyModifier
from jvmdebug.session.events import ThreadEnded, ThreadStarted
from jvmdebug.session.thread_handle import ThreadHandle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.events import Router
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.thread_handle import ThreadOwner

_GONE = (InvalidThreadError, InvalidObjectError, ThreadNotAliveError, VmDeadError)
_FIRST_WITH_VIRTUAL_THREADS = 21


class Threads:
    """All thread handles of a session."""

    def __init__(self, router: Router, owner: ThreadOwner, feed: EventFeed) -> None:
        self._router = router
        self._owner = owner
        self._feed = feed
        self._handles: dict[Thread, ThreadHandle] = {}

    async def watch(self) -> None:
        """Have platform threads' starts and deaths reported."""
        release = self._router.vm.version.feature_release
        only_platform: tuple[Modifier, ...] = ()
        if release >= _FIRST_WITH_VIRTUAL_THREADS:
            only_platform = (PlatformThreadsOnlyModifier(),)
        await asyncio.gather(
            self._router.arm(
                EventKind.THREAD_START, only_platform, SuspendPolicy.NONE, self._started
            ),
            self._router.arm(
                EventKind.THREAD_DEATH, only_platform, SuspendPolicy.NONE, self._ended
            ),
        )

    def handle(self, thread: Thread) -> ThreadHandle:
        """The handle of a thread."""
        found = self._handles.get(thread)
        if found is None:
            found = self._handles[thread] = ThreadHandle(self._owner, thread)
        return found

    async def live(self, also: Iterable[ThreadHandle]) -> list[ThreadHandle]:
        """The live threads with fresh names, and those of `also` that the VM does not list."""
        listed = [self.handle(thread) for thread in await self._router.vm.all_threads()]
        listed += [thread for thread in dict.fromkeys(also) if thread not in listed]
        alive = await asyncio.gather(*map(_has_name, listed))
        return [thread for thread, is_alive in zip(listed, alive, strict=True) if is_alive]

    async def _started(self, occurrence: ThreadStartOccurrence) -> Verdict:
        handle = self.handle(occurrence.thread)
        await _has_name(handle)
        self._feed.post(ThreadStarted(handle))
        return Verdict.RESUME

    async def _ended(self, occurrence: ThreadDeathOccurrence) -> Verdict:
        handle = self.handle(occurrence.thread)
        self._handles.pop(occurrence.thread, None)
        self._feed.post(ThreadEnded(handle))
        return Verdict.RESUME


async def _has_name(handle: ThreadHandle) -> bool:
    """Fetch the name; False if the thread has ended meanwhile."""
    try:
        await handle.refresh_name()
    except _GONE:
        return False
    return True
