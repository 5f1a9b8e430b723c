# SPDX-License-Identifier: Apache-2.0
"""Tells which requests of one connection may run at the same time.

Requests take a ticket in the order of arrival and wait for earlier ones that they conflict with.
Requests that change the debuggee run alone; those that inspect it run concurrently, but not while
an expression runs code in the same thread; those that must work while another one hangs (cancel,
pause, disconnect, terminate) never wait. Used by the router.

A client may ask for the stacks of some thousand threads at once. Only some of such requests run at
the same time: else the first of them is answered when all are, and what comes meanwhile waits.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from types import TracebackType


class Lane(Enum):
    """How a request runs concurrently with earlier ones that have not been answered."""

    CHANGE = auto()
    """Alone: continues, steps, breakpoints, assignments."""
    CALL = auto()
    """May let a stopped thread run for a while: evaluate. Its frames cannot be read meanwhile."""
    LOOK = auto()
    """Reads stopped threads."""
    ASK = auto()
    """Needs no stopped thread: threads, sources, lines."""
    URGENT = auto()
    """Waits for nothing, and nothing waits for it."""


_WAITS_FOR: Final[dict[Lane, frozenset[Lane]]] = {
    Lane.CHANGE: frozenset({Lane.CHANGE, Lane.CALL, Lane.LOOK, Lane.ASK}),
    Lane.CALL: frozenset({Lane.CHANGE, Lane.CALL, Lane.LOOK}),
    Lane.LOOK: frozenset({Lane.CHANGE, Lane.CALL}),
    Lane.ASK: frozenset({Lane.CHANGE}),
    Lane.URGENT: frozenset(),
}
_MOST_AT_ONCE: Final[dict[Lane, int]] = {Lane.LOOK: 16}
"""The most requests of a lane that run at the same time; enough to keep the agent busy."""


class Ticket:
    """One request's place in the queue: `async with ticket:` around its work."""

    def __init__(self, queue: LaneQueue, lane: Lane, number: int) -> None:
        self.lane = lane
        self.number = number
        self._queue = queue
        self._turn = asyncio.Event()

    async def __aenter__(self) -> Self:
        try:
            await self._turn.wait()
        except BaseException:
            self.leave()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()

    def may_go(self) -> None:
        self._turn.set()

    def leave(self) -> None:
        """Admit the tickets behind this one; a second call does nothing."""
        self._queue.leave(self)


class LaneQueue:
    """The tickets that are waiting or running. A change of one costs the same for any number."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._open: dict[Lane, OrderedDict[Ticket, None]] = {each: OrderedDict() for each in Lane}
        """All of them by lane, oldest first; those that wait are the newest of their lane. A plain
        dict is slow to find its first key after thousands before it were deleted.
        """
        self._waiting: dict[Lane, OrderedDict[Ticket, None]] = {
            each: OrderedDict() for each in Lane
        }

    def take(self, lane: Lane) -> Ticket:
        ticket = Ticket(self, lane, next(self._numbers))
        self._open[lane][ticket] = self._waiting[lane][ticket] = None
        self._admit()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        if ticket in self._open[ticket.lane]:
            del self._open[ticket.lane][ticket]
            self._waiting[ticket.lane].pop(ticket, None)
            self._admit()

    def _admit(self) -> None:
        admitted: list[Ticket] = []
        for waiting in self._waiting.values():
            while (ticket := next(iter(waiting), None)) is not None and self._may_go(ticket):
                del waiting[ticket]
                admitted.append(ticket)
        for ticket in sorted(admitted, key=lambda each: each.number):
            ticket.may_go()

    def _may_go(self, ticket: Ticket) -> bool:
        lane = ticket.lane
        running = len(self._open[lane]) - len(self._waiting[lane])
        if running >= _MOST_AT_ONCE.get(lane, running + 1):
            return False
        oldest = (next(iter(self._open[each]), ticket) for each in _WAITS_FOR[lane])
        return all(each.number >= ticket.number for each in oldest)
