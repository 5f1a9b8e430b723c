# SPDX-License-Identifier: Apache-2.0
"""Tells which requests of one connection may run at the same time.

Requests take a ticket in the order of arrival and wait for earlier ones that they conflict with.
Requests that change the debuggee run alone; those that inspect it run concurrently, but not while
an expression runs code in the same thread; those that must work while another one hangs (cancel,
pause, disconnect, terminate) never wait. Used by the router.
"""

from __future__ import annotations

import asyncio
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


class Ticket:
    """One request's place in the queue: `async with ticket:` around its work."""

    def __init__(self, queue: LaneQueue, lane: Lane) -> None:
        self.lane = lane
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
    """The tickets that are waiting or running, oldest first."""

    def __init__(self) -> None:
        self._tickets: list[Ticket] = []

    def take(self, lane: Lane) -> Ticket:
        ticket = Ticket(self, lane)
        self._tickets.append(ticket)
        self._admit()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        if ticket in self._tickets:
            self._tickets.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        before: set[Lane] = set()
        for ticket in self._tickets:
            if not before & _WAITS_FOR[ticket.lane]:
                ticket.may_go()
            before.add(ticket.lane)
