# SPDX-License-Identifier: Apache-2.0
"""How often the program comes to a place, and how long it takes from one place to another, without
stops: the program counts and times itself.

Made by `session.count` and `session.time_between`.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.errors import BreakpointError, StateError, UnsupportedError, VmError, WireError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.notebook import table
from jvmdebug.observing.observation import require_possible
from jvmdebug.printable import one_line
from jvmdebug.probes import Range, Timing, TimingEnd, ranges_of
from jvmdebug.to_the_end import all_of, begun, done

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from types import TracebackType

    from jvmdebug.breakpoints import Breakpoint, BreakpointSpec
    from jvmdebug.events import LocatedOccurrence, Occurrence, RequestHandle, Verdict
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.observing.observation import ObservedProgram
    from jvmdebug.observing.observations import Observations

_NEVER: Final = ">= 9000000000000000000"
"""A hit condition that only counts."""
_COUNT, _SUM, _LEAST, _LONGEST = range(4)
_MOST_THREADS: Final = 10
_UNITS: Final = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"))


@dataclass(frozen=True, slots=True)
class Times:
    """How long it took, each time. All in nanoseconds; 0 while `count` is 0."""

    count: int = 0
    total_ns: int = 0
    least_ns: int = 0
    longest_ns: int = 0
    ranges: tuple[Range, ...] = field(default=(), repr=False)
    """How many times there were from `first` to `last`, in their order."""

    @property
    def mean_ns(self) -> float:
        return self.total_ns / self.count if self.count else 0.0

    def percentile(self, percent: float) -> int:
        """The time that so many percent did not exceed; exact to a sixteenth."""
        if not 0 <= percent <= 100:
            raise ValueError(f"a percentile is from 0 to 100, not {percent}")
        left = max(1, round(self.count * percent / 100))
        for each in self.ranges:
            left -= each.count
            if left <= 0:
                return min(max(each.last, self.least_ns), self.longest_ns)
        return self.longest_ns

    def __str__(self) -> str:
        """`1,000 times: mean 1.21 us, least 1.1 us, 50 % 1.2 us, 99 % 3.5 us, longest 71 us`"""
        if not self.count:
            return "never"
        shown = [f"mean {_shown(self.mean_ns)}", f"least {_shown(self.least_ns)}"]
        shown += [f"{each} % {_shown(self.percentile(each))}" for each in (50, 90, 99)]
        many = "once" if self.count == 1 else f"{self.count:,} times"
        return f"{many}: {', '.join(shown)}, longest {_shown(self.longest_ns)}"


@dataclass(frozen=True, slots=True)
class LineTimes:
    """What `time_between` has measured."""

    total: Times
    by_thread: dict[str, Times]
    """By the name of the thread. Threads of the same name are one, and so are, under "", virtual
    threads without a name and all threads behind the first thousand names.
    """

    def _repr_html_(self) -> str:
        return table("times", [("all", self.total), *self.by_thread.items()])

    def __str__(self) -> str:
        """The total and, if there are several threads, those that came most often."""
        lines = [str(self.total)]
        if len(self.by_thread) > 1:
            most = sorted(self.by_thread.items(), key=lambda each: -each[1].count)
            lines += [f"  {one_line(name)}: {each}" for name, each in most[:_MOST_THREADS]]
            more = len(most) - _MOST_THREADS
            lines += [f"  … {more:,} more thread{'s' if more > 1 else ''}"] if more > 0 else []
        return "\n".join(lines)


def _shown(nanoseconds: float) -> str:
    for size, unit in _UNITS:
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.0f} ns"


def times_of(figures: Iterable[dict[int, int]]) -> Times:
    """The times of several threads together. What was read while a thread noted a time may have
    that in its count and not in its range yet: the ranges say how many there are, for percentiles
    go by them.
    """
    summed: dict[int, int] = {}
    used = [each for each in figures if each.get(_COUNT)]
    for each in used:
        for index, value in each.items():
            summed[index] = summed.get(index, 0) + value
    ranges = ranges_of(summed)
    if not ranges:
        return Times()
    return Times(
        sum(each.count for each in ranges),
        summed.get(_SUM, 0),
        min(each.get(_LEAST, 0) for each in used),
        max(each.get(_LONGEST, 0) for each in used),
        ranges,
    )


class _Passages:
    """The passages that the program does not note itself."""

    def __init__(self) -> None:
        self.count = 0

    async def reached(self, _breakpoint: Breakpoint, _: LocatedOccurrence) -> None:
        """Notes a thread that comes there in the old code of a method."""
        self.count += 1

    def changed(self, _breakpoint: Breakpoint) -> None:
        """A class was loaded: the breakpoint's message says what is wrong with it."""


class _Measuring(ABC):
    """Measures from being armed to the end of the program, or to `close`."""

    def __init__(self, program: ObservedProgram) -> None:
        self._program = program
        self._observations: Observations | None = None
        self._made: list[Breakpoint] = []
        self._is_closed = False
        self._arming: asyncio.Task[None] | None = None
        self._disarming: asyncio.Task[None] | None = None
        self._passages = _Passages()

    @abstractmethod
    async def _arm(self, observations: Observations) -> None:
        """Set the breakpoints, into `_made`."""

    @abstractmethod
    async def _last_look(self) -> None:
        """The program ends, or this."""

    async def _disarm(self) -> None:
        """Take out what was set, however far that went."""
        await all_of(*(each.remove() for each in self._made))

    @property
    def message(self) -> str | None:
        """Why nothing is measured yet, `class shop.Cart is not loaded`; None if all is well."""
        return next((each.message for each in self._made if each.message), None)

    async def open(self) -> Self:
        """Arm it, and start a program that is held before its first instruction, unless it is
        stopped. BreakpointError if it cannot be.
        """
        await self.arm()
        if not self._program.is_stopped:
            await self._program.start()
        return self

    async def arm(self) -> None:
        """Begin, and leave a program that is held as it is."""
        if self._is_closed:
            raise StateError("it was closed; make another one")
        if self._observations is not None:
            return
        self._observations = self._program.observations
        self._observations.add(self)
        self._arming = begun(self._arm(self._observations), f"arming {self!r}")
        try:
            await asyncio.wait({self._arming})
            if not self._arming.cancelled():  # it was closed meanwhile
                self._arming.result()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Measure no more, though the caller is cancelled; what was measured can still be read."""
        if self._observations is None:
            self._is_closed = True
            return
        if self._disarming is None:
            self._disarming = begun(self._close(self._observations), f"ending {self!r}")
        await done(self._disarming)

    async def _close(self, observations: Observations) -> None:
        if self._arming is not None and not self._arming.done():
            self._arming.cancel()
            await asyncio.wait({self._arming})
        if not self._is_closed:  # else the program has ended
            with contextlib.suppress(WireError, VmError):
                await self._last_look()
        self._is_closed = True
        with contextlib.suppress(WireError, VmError):
            await self._disarm()
        observations.discard(self)

    def lose(self) -> None:
        """There is nothing left to clear."""
        self._is_closed = True

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __await__(self) -> Generator[object, None, Self]:
        return self.open().__await__()


class LineCount(_Measuring):
    """How often the program comes to a place; `await count.read()` says it, at any time."""

    def __init__(
        self, program: ObservedProgram, spec: BreakpointSpec, condition: str | None
    ) -> None:
        super().__init__(program)
        self._spec = spec
        self._condition = condition

    async def _arm(self, observations: Observations) -> None:
        options = BreakpointOptions(condition=self._condition, hit_condition=_NEVER)
        self._made.append(
            await observations.breakpoints.add_observed(self._spec, options, self._passages)
        )
        require_possible(self._made[0])

    async def _last_look(self) -> None:
        if self._observations is not None:
            await self._observations.breakpoints.refresh_hits()

    async def read(self) -> int:
        """How often it has come there with the condition true."""
        if not self._is_closed:
            await self._last_look()
        return self._made[0].hits if self._made else 0

    def __repr__(self) -> str:
        where = "" if self._condition is None else f" if {self._condition}"
        return f"count of {self._spec}{where}"


class LineTiming(_Measuring):
    """How long the program takes from one place to another, in the same thread; `await
    timing.read()` says it, at any time.
    """

    def __init__(
        self, program: ObservedProgram, start: BreakpointSpec, end: BreakpointSpec
    ) -> None:
        super().__init__(program)
        if start == end:
            raise BreakpointError(f"from {start} to {end}: choose two places")
        self._ends = {TimingEnd.FROM: start, TimingEnd.TO: end}
        self._requests: list[RequestId] = []
        self._figures: dict[str, dict[int, int]] = {}
        self._at_end: RequestHandle | None = None

    async def _arm(self, observations: Observations) -> None:
        self._at_end = await observations.router.arm(
            EventKind.VM_DEATH, (), SuspendPolicy.ALL, self._on_end
        )
        lock = asyncio.Lock()
        for end, spec in self._ends.items():
            timing = Timing(end, self._requests, lock)
            made = await observations.breakpoints.add_observed(
                spec, BreakpointOptions(), self._passages, timing
            )
            self._made.append(made)
            require_possible(made)
            self._require_probe(made)

    @property
    def message(self) -> str | None:
        """Why nothing is measured yet, at some place; None if all is well."""
        untimed = (
            f"passages of {location} are not timed: {location.why_event}"
            for each in self._made
            for location in each.locations
            if location.why_event is not None
        )
        return super().message or next(untimed, None)

    def _require_probe(self, made: Breakpoint) -> None:
        """Raises if there is no probe, unless a thread is in the way: it may be tried again."""
        why = [each.why_event for each in made.locations if each.why_event is not None]
        if any("thread" not in each for each in why):
            raise UnsupportedError(f"timing at {made.spec} is impossible: {why[0]}")

    async def _on_end(self, _: Occurrence) -> Verdict:
        with contextlib.suppress(VmError):
            await self._last_look()
        return RESUME

    async def _last_look(self) -> None:
        if self._observations is None or not self._requests:
            return
        found = await self._observations.vm.request(wire.Times(int(self._requests[0])))
        self._figures = {
            each.name: {number.index: number.value for number in each.numbers}
            for each in found.threads
        }

    async def _disarm(self) -> None:
        at_end = [] if self._at_end is None else [self._at_end.clear()]
        await all_of(super()._disarm(), *at_end)

    async def read(self) -> LineTimes:
        """What has been measured until now."""
        if not self._is_closed:
            await self._last_look()
        threads = {name: times_of([each]) for name, each in sorted(self._figures.items())}
        return LineTimes(
            times_of(self._figures.values()),
            {name: each for name, each in threads.items() if each.count},
        )

    @property
    def missed(self) -> int:
        """Passages that were not timed: by threads that were in the method before and go on with
        its old code.
        """
        return self._passages.count

    def __repr__(self) -> str:
        return f"time from {self._ends[TimingEnd.FROM]} to {self._ends[TimingEnd.TO]}"
