# SPDX-License-Identifier: Apache-2.0
"""Gathers the starts and ends of threads when they come faster than they are handled.

Such events only inform. A program may start some thousand threads in a second; if each event took
its turn in the router's queue, the stop behind them would come seconds late. So once the queue is
long, they leave it and are handled together, many at a time, beside the queue. Their own order
stays. Called by the router; `session.threads` handles what is gathered.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.jdwp.generated import events as wire
from jvmdebug.jdwp.generated.constants import SuspendPolicy

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.jdwp.generated.event import Composite

ThreadEvent: TypeAlias = "wire.ThreadStartEvent | wire.ThreadDeathEvent"

_KINDS: Final = (wire.ThreadStartEvent, wire.ThreadDeathEvent)
_LONG: Final = 32
"""The number of sets in the queue from which on thread events are gathered."""
_AT_ONCE: Final = 500
"""The most events that are handled together; others run in between."""


class ThreadEvents:
    """The thread events of one VM that have left the queue."""

    def __init__(self) -> None:
        self.order = asyncio.Lock()
        """Held while thread events are handled, in the queue or beside it."""
        self._sink: Callable[[Sequence[ThreadEvent]], Awaitable[None]] | None = None
        self._gathered: list[ThreadEvent] = []
        self._is_running = False
        self._ended = asyncio.Event()

    def set_sink(self, sink: Callable[[Sequence[ThreadEvent]], Awaitable[None]]) -> None:
        """Have `sink` handle what is gathered, in its order."""
        self._sink = sink

    def take(self, event_set: Composite, queue: deque[Composite]) -> bool:
        """Take a set that has arrived if it has thread events alone and the queue is long, and
        those in the queue with it. `run` is to be called then.
        """
        if self._sink is None or not only_informs_of_threads(event_set):
            return False
        if not self._gathered and not self._is_running:
            if len(queue) < _LONG:
                return False
            before = [each for each in queue if only_informs_of_threads(each)]
            for each in before:
                queue.remove(each)
                self._add(each)
        self._add(event_set)
        return True

    def _add(self, event_set: Composite) -> None:
        self._gathered += [each for each in event_set.events if isinstance(each, _KINDS)]

    @property
    def is_to_run(self) -> bool:
        """Whether something was gathered and nobody handles it."""
        return bool(self._gathered) and not self._is_running

    async def run(self) -> None:
        """Handle what is gathered until nothing is left."""
        while self._is_running:
            await self._ended.wait()
        if self._sink is None:
            return
        self._ended.clear()
        self._is_running = True
        try:
            while self._gathered:
                async with self.order:
                    some, self._gathered = self._gathered[:_AT_ONCE], self._gathered[_AT_ONCE:]
                    await self._sink(some)
                await asyncio.sleep(0)
        finally:
            self._is_running = False
            self._ended.set()


def only_informs_of_threads(event_set: Composite) -> bool:
    """Whether the set has starts and ends of threads alone, and suspends nothing."""
    return event_set.suspend_policy is SuspendPolicy.NONE and all(
        isinstance(each, _KINDS) for each in event_set.events
    )
