# SPDX-License-Identifier: Apache-2.0
"""An observation: from being armed in the VM to its end, with the events that were not taken yet.

Owns the queue of events, which is bounded, and the ends: a number of events, a time, `close`, the
end of the program. What is armed and how an event is read is each kind's own (`trace`, `writes`,
`samples`). Made by the session, read by its user.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from jvmdebug.errors import BreakpointError, StateError, VmError, WireError
from jvmdebug.observing.defaults import DEFAULT_CAPACITY, DEFAULT_LENGTH
from jvmdebug.observing.observed import ObservedEvent
from jvmdebug.patience import changed_or_warned
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator
    from types import TracebackType

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.observing.observations import Observations

EventT = TypeVar("EventT", bound=ObservedEvent)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is observed, and how much of it is kept."""

    events: int | None = None
    """The observation ends by itself after so many; None: never."""
    duration_s: float | None = None
    """And after so many seconds."""
    capacity: int = DEFAULT_CAPACITY
    """So many events wait to be taken; those that come while it is full are dropped and counted."""
    value_length: int = DEFAULT_LENGTH
    """Longer texts of values are cut, in characters."""

    def check(self) -> None:
        """BreakpointError for limits that make no sense."""
        for name, number in (("limit", self.events), ("duration_s", self.duration_s)):
            if number is not None and number <= 0:
                raise BreakpointError(f"{name} is {number}: it must be greater than 0, or None")
        if self.capacity < 1:
            raise BreakpointError(f"capacity is {self.capacity}: it must be at least 1")


class ObservedProgram(Protocol):
    """What an observation needs of the session."""

    @property
    def observations(self) -> Observations:
        """The observations of the program that is debugged now."""

    @property
    def is_stopped(self) -> bool:
        """Whether a thread has stopped and was not resumed."""

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction."""


class Observation(ABC, Generic[EventT]):
    """What is observed of a running program, event by event.

    `async with` or `await` arms it; so does the first step of `async for`, which also starts a
    held VM. It ends by itself at its limits and with the program, and leaves nothing in the VM.
    A loop over it at a stop waits until something else resumes: after two seconds it warns, once.
    """

    def __init__(
        self,
        program: ObservedProgram,
        what: str,
        events: type[EventT],
        limits: Limits,
    ) -> None:
        limits.check()
        self._class = events
        self._program = program
        self._observations: Observations | None = None
        self._what = what
        self._limits = limits
        self._queue: deque[ObservedEvent] = deque()
        self._changed = asyncio.Event()
        self._opening = asyncio.Lock()
        self._arming: asyncio.Task[None] | None = None
        self._disarming: asyncio.Task[None] | None = None
        self._is_lost = False
        self._timer: asyncio.TimerHandle | None = None
        self._is_over = False
        self._failure: Exception | None = None
        self._unreported = 0
        self._has_warned = False
        self.count = 0
        """How many events there were, taken or not, without those that were dropped."""
        self.missed = 0
        """How many events were dropped, since too many waited to be taken."""

    # The kind's part

    @abstractmethod
    async def _arm(self) -> None:
        """Make the requests in the VM."""

    @abstractmethod
    async def _disarm(self) -> None:
        """Clear all of them; also when `_arm` has failed or was cancelled half-way."""

    async def _last_look(self) -> None:
        """Take what has happened until now, as it is about to be closed."""

    @property
    def message(self) -> str | None:
        """Why nothing is observed yet, `class shop.Cart is not loaded`; None if all is well."""
        return None

    # The user's part

    @property
    def is_open(self) -> bool:
        """Whether more may come: it is armed, and at no limit."""
        return self._observations is not None and not self._is_over

    async def open(self) -> Self:
        """Arm it, unless that is done. BreakpointError for what cannot be observed."""
        async with self._opening:
            if self._observations is None and not self._is_over:
                observations = self._program.observations
                observations.add(self)
                self._observations = observations
                self._arming = begun(self._arm(), f"arming {self!r}")
                try:
                    await asyncio.wait({self._arming})
                    if not self._arming.cancelled():  # by its end, which came before
                        self._arming.result()
                except BaseException:
                    await self.close()
                    raise
                if self._limits.duration_s is not None and not self._is_over:
                    loop = asyncio.get_running_loop()
                    self._timer = loop.call_later(self._limits.duration_s, self._end)
        return self

    async def close(self) -> None:
        """End it: nothing of it stays in the VM, though the caller is cancelled. What was observed
        can still be taken.
        """
        if self._observations is None or self._is_lost:
            self._mark_over()
            return
        if self._disarming is None:
            self._disarming = begun(self._close(), f"ending {self!r}")
        await done(self._disarming)

    async def _close(self) -> None:
        if self.is_open:
            with contextlib.suppress(WireError, VmError):
                await self._last_look()
        self._mark_over()
        # It may end while it is being armed, for instance at its limit.
        if self._arming is not None and not self._arming.done():
            self._arming.cancel()
            await asyncio.wait({self._arming})
        with contextlib.suppress(WireError, VmError):  # no VM, no requests
            await self._disarm()
        self.observations.discard(self)

    def _mark_over(self) -> None:
        self._is_over = True
        self._changed.set()
        if self._timer is not None:
            self._timer.cancel()

    def take(self) -> list[EventT]:
        """What was observed and not taken yet; waits for nothing."""
        taken: list[EventT] = []
        while self._queue:
            event = self._pop()
            if event is not None:
                taken.append(event)
        return taken

    async def next(self, timeout_s: float | None = None) -> EventT | None:
        """The next event; None at the end. Starts a held VM.

        TimeoutError after `timeout_s` seconds. It also waits while the program is stopped; without
        a time limit it warns then.
        """
        async with asyncio.timeout(timeout_s):
            return await self._next(warns=timeout_s is None)

    async def collect(self) -> list[EventT]:
        """All events up to the end of the observation: at its limits, or with the program."""
        collected: list[EventT] = []
        while (event := await self._next(warns=True)) is not None:
            collected.append(event)
        return collected

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __await__(self) -> Generator[object, None, Self]:
        return self.open().__await__()

    def __aiter__(self) -> AsyncIterator[EventT]:
        return self

    async def __anext__(self) -> EventT:
        event = await self._next(warns=True)
        if event is None:
            raise StopAsyncIteration
        return event

    def __repr__(self) -> str:
        state = "over" if self._is_over else "open" if self.is_open else "not open"
        missed = f", {self.missed} missed" if self.missed else ""
        return f"{type(self).__name__}({self._what}, {state}, {self.count} so far{missed})"

    # For the kinds

    @property
    def observations(self) -> Observations:
        """The observations of the program that is observed."""
        if self._observations is None:
            raise StateError(f"{self!r} is not open")
        return self._observations

    async def _next(self, *, warns: bool = False) -> EventT | None:
        while await self._has_more(warns=warns):
            event = self._pop()
            if event is not None:
                return event
        return None

    async def _has_more(self, *, warns: bool = False) -> bool:
        """Wait until there is an event in the queue; False at the end."""
        await self.open()
        if not self._queue and not self._is_over:
            await self._program.start()
        while not self._queue:
            if self._is_over:
                await self.close()  # whoever sees the end may rely on it: nothing is in the VM
                if self._failure is not None:
                    raise self._failure
                return False
            self._changed.clear()
            if warns and not self._has_warned:
                self._has_warned = await changed_or_warned(self._changed, self._why_stuck)
            else:
                await self._changed.wait()
        return True

    def _why_stuck(self) -> str | None:
        if not self._program.is_stopped:
            return None
        return (
            f"nothing of {self._what} comes while the program is stopped: resume it"
            " (stop.resume()) before the loop, or in another task"
        )

    def _pop(self) -> EventT | None:
        """The first event of the queue; None if it is of a kind that is not iterated over."""
        event = self._queue.popleft()
        if isinstance(event, self._class):
            return event
        if event.missed_before and self._queue:  # the next one tells it
            after = self._queue[0]
            missed = after.missed_before + event.missed_before
            self._queue[0] = replace(after, missed_before=missed)
        return None

    def _put(self, event: ObservedEvent) -> bool:
        """Queue an event; False if it was dropped."""
        if self._is_over:
            return False
        if len(self._queue) >= self._limits.capacity:
            self.missed += 1
            self._unreported += 1
            return False
        if self._unreported:
            event = replace(event, missed_before=self._unreported)
            self._unreported = 0
        if isinstance(event, self._class):
            self.count += 1
        self._queue.append(event)
        self._changed.set()
        return True

    def _end(self) -> None:
        """End it from a reaction, which must not wait: the requests are cleared in a task."""
        if not self._is_over:
            self._is_over = True
            self._changed.set()
            self.observations.spawn(self.close(), f"ending {self!r}")

    def _fail(self, error: Exception) -> None:
        """End it; whoever waits for the next event gets the error."""
        self._failure = error
        self._end()

    def lose(self) -> None:
        """The program has ended, or the session: there is nothing to clear."""
        self._is_lost = True
        self._mark_over()


def require_possible(breakpoint_: Breakpoint) -> None:
    """BreakpointError if it is not armed, and no class that is loaded later can change that."""
    if not breakpoint_.verified and not breakpoint_.is_pending:
        raise BreakpointError(breakpoint_.message or f"{breakpoint_} cannot be observed")
