# SPDX-License-Identifier: Apache-2.0
"""Which requests of one connection may run at the same time.

Requests take a ticket in the order in which they arrive. What changes the debuggee runs alone and
in order; what only looks at it runs side by side; what must work while something else hangs
(cancel, pause, disconnect, terminate) never waits. Used by the router.
"""

from __future__ import annotations

import asyncio
from enum import Enum, auto
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType


class Lane(Enum):
    """How a request runs beside those that arrived before it and have not been answered."""

    EXCLUSIVE = auto()
    """After all earlier ones; later ones wait for it."""
    SHARED = auto()
    """After earlier exclusive ones; beside other shared ones."""
    URGENT = auto()
    """At once."""


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
        """Let those behind go on; a second call does nothing."""
        self._queue.leave(self)


class LaneQueue:
    """The tickets that are waiting or at work, oldest first."""

    def __init__(self) -> None:
        self._tickets: list[Ticket] = []

    def take(self, lane: Lane) -> Ticket:
        ticket = Ticket(self, lane)
        if lane is Lane.URGENT:
            ticket.may_go()
        else:
            self._tickets.append(ticket)
            self._admit()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        if ticket in self._tickets:
            self._tickets.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        for place, ticket in enumerate(self._tickets):
            if ticket.lane is Lane.EXCLUSIVE:
                if place == 0:
                    ticket.may_go()
                return
            ticket.may_go()
