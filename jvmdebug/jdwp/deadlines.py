# SPDX-License-Identifier: Apache-2.0
"""The deadlines of the requests of one connection, with one timer for all of them.

Most requests are answered long before: a timer for each would take longer than encoding it.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class Default(enum.Enum):
    """Stands for the default, in place of a number."""

    TIMEOUT = "the connection's own timeout"


DEFAULT_TIMEOUT: Final = Default.TIMEOUT
Timeout = float | None | Default
"""Seconds; None waits for ever; DEFAULT_TIMEOUT is the connection's own."""


class Deadlines:
    """Calls `expired` with the number of each request whose time is over."""

    def __init__(self, loop: asyncio.AbstractEventLoop, expired: Callable[[int], None]) -> None:
        self._loop = loop
        self._expired = expired
        self._times: dict[int, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __bool__(self) -> bool:
        return bool(self._times)

    def set(self, request_id: int, seconds: float) -> None:
        """The request expires after so many seconds from now."""
        deadline = self._loop.time() + seconds
        self._times[request_id] = deadline
        if self._timer is None or deadline < self._timer.when():
            self.close()
            self._timer = self._loop.call_at(deadline, self._expire)

    def drop(self, request_id: int) -> None:
        """The request was answered or given up; does nothing if it has no deadline."""
        self._times.pop(request_id, None)

    def close(self) -> None:
        """Nothing expires any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self._timer = None
        now = self._loop.time()
        for request_id, deadline in list(self._times.items()):
            if deadline <= now:
                del self._times[request_id]
                self._expired(request_id)
        if self._times:
            self._timer = self._loop.call_at(min(self._times.values()), self._expire)
