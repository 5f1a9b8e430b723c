# SPDX-License-Identifier: Apache-2.0
"""All observations of one program, and what they need of it.

Owns the tasks of observations and their end with the program. Made by the session's services.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from jvmdebug.errors import JvmDebugError, StateError
from jvmdebug.events import RESUME, DisconnectOccurrence

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from jvmdebug.breakpoints import BreakpointSet
    from jvmdebug.display import ValueStyle
    from jvmdebug.events import Router, Verdict
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

LOGGER = logging.getLogger("jvmdebug.observing")


class OpenObservation(Protocol):
    """An observation, as far as it is ended here."""

    async def close(self) -> None:
        """Clear its requests."""

    def lose(self) -> None:
        """There is nothing left to clear."""


class Observations:
    """The observations of one program."""

    def __init__(
        self, router: Router, breakpoints: BreakpointSet, style: Callable[[], ValueStyle]
    ) -> None:
        self.router = router
        self.breakpoints = breakpoints
        self._style = style
        self._open: set[OpenObservation] = set()
        self._tasks: set[asyncio.Task[object]] = set()
        self._names: WeakKeyDictionary[Thread, str] = WeakKeyDictionary()
        self._is_over = False
        router.subscribe(DisconnectOccurrence, self._on_disconnect)

    @property
    def vm(self) -> VirtualMachine:
        """The VM of the program."""
        return self.router.vm

    def style(self, max_length: int) -> ValueStyle:
        """How values are written: as in the session, but within this length."""
        return self._style().within(max_length)

    async def thread_name(self, thread: Thread) -> str:
        """The name that the thread had when it was first observed; one request for each thread."""
        known = self._names.get(thread)
        if known is None:
            known = await thread.name()
            self._names[thread] = known
        return known

    def add(self, observation: OpenObservation) -> None:
        """Has it end with the program from now on. StateError if that has ended."""
        if self._is_over:
            raise StateError("the program has ended: there is nothing to observe")
        self._open.add(observation)

    def discard(self, observation: OpenObservation) -> None:
        """Drops one that has ended."""
        self._open.discard(observation)

    def spawn(self, work: Coroutine[object, object, object], attempt: str) -> None:
        """Do something in a task that ends with the program at the latest."""
        # No task around it: cancelled before it starts, it would leave `work` not awaited.
        task = asyncio.create_task(work, name=attempt)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, JvmDebugError):
            LOGGER.debug("%s failed: %s", task.get_name(), error)
        else:
            LOGGER.error("%s failed", task.get_name(), exc_info=error)

    async def disarm_all(self) -> None:
        """End all observations while the VM is still there."""
        await asyncio.gather(*(each.close() for each in list(self._open)))

    async def close(self) -> None:
        """The session is over."""
        self._lose_all()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _on_disconnect(self, _: DisconnectOccurrence) -> Verdict:
        self._lose_all()
        return RESUME

    def _lose_all(self) -> None:
        self._is_over = True
        for each in list(self._open):
            each.lose()
        self._open.clear()
