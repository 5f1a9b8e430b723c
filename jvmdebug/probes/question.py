# SPDX-License-Identifier: Apache-2.0
"""What a probe is to answer, and what it has answered at a stop. See `probe`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.jdwp.ids import ObjectId, RequestId, ThreadId
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes.count_test import CountTest


class TimingEnd(Enum):
    """One of the two places between which time is measured."""

    FROM = auto()
    TO = auto()


@dataclass(frozen=True, slots=True)
class Timing:
    """What the probe of one of two places takes part in."""

    end: TimingEnd
    requests: list[RequestId] = field(compare=False)
    """Those of both places whose probes are installed."""
    lock: asyncio.Lock = field(compare=False)
    """Held while one is installed."""

    def first_but(self, request_id: RequestId) -> int:
        """The request whose check has the times already; 0 if none has."""
        return next((int(each) for each in self.requests if each != request_id), 0)

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose probe is about to be removed."""
        if request_id in self.requests:
            self.requests.remove(request_id)


@dataclass(slots=True, eq=False)
class SharedCounts:
    """What the checks of one breakpoint count together, at however many locations; and what has
    been told of it.
    """

    requests: list[RequestId] = field(default_factory=list)
    """Those whose probes are installed."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while one is installed."""
    start: int = 0
    """How many hits there had been before the first of them."""
    reported: int = 0
    """Since then: hits that were reported."""
    left_out: int = 0
    """Since then: hits that were not, and are told."""
    highest: int = 0
    """The number of the last one."""

    def begin(self, start: int) -> None:
        """The counters are new."""
        self.start = self.highest = start
        self.reported = self.left_out = 0

    def first_but(self, request_id: RequestId) -> int:
        """The request whose check has the counters already; 0 if none has."""
        return next((int(each) for each in self.requests if each != request_id), 0)

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose probe is about to be removed."""
        if request_id in self.requests:
            self.requests.remove(request_id)


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Selects the hits that count at all."""

    receivers: frozenset[ReferenceType] = frozenset()
    """Unless empty, those whose `this` is of one of these types."""
    thread: ThreadId | None = None
    """Those of this thread."""
    instance: ObjectId | None = None
    """Those whose `this` is this object."""
    owner: ObjectId | None = None
    """Those that write a field of this object."""

    @property
    def needs_this(self) -> bool:
        """Whether it asks what `this` is."""
        return self.instance is not None or bool(self.receivers)


EVERY_HIT: Final = HitFilter()


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """What a probe is to answer; equal for equal texts."""

    condition: CompiledExpression | None = None
    count: CountTest | None = None
    log: tuple[str | CompiledExpression, ...] | None = None
    """The parts of a message that the program is to write itself, with a `count`."""
    only_thread: int | None = None
    """Holds in the thread with this id of Java only; NEVER: in none."""
    timing: Timing | None = None
    """That it times, and asks nothing."""
    only: HitFilter = EVERY_HIT
    """Which hits it is about."""
    counts: SharedCounts | None = None
    """With whom it counts, with a `count`."""
    stands_in: bool = False
    """The program cannot be asked the condition yet: the debugger is to look at each hit, and
    counts it there if it holds."""

    @property
    def shared(self) -> Timing | SharedCounts | None:
        """What its check shares with others."""
        return self.timing or self.counts

    def as_filter(self) -> ProbeQuestion:
        """Only which hits the debugger is to look at."""
        return replace(self, count=None, log=None, counts=None)

    @property
    def asks_nothing(self) -> bool:
        """Whether it holds each time."""
        others = (self.condition, self.count, self.only_thread, self.timing)
        return all(each is None for each in others) and self.only == EVERY_HIT

    @property
    def leaves_it_open(self) -> bool:
        """Whether the debugger has to look where it holds."""
        return self.stands_in or self.asks_nothing

    @property
    def needs_frame(self) -> bool:
        """Whether a check needs to know variables of the frame."""
        return self.condition is not None or self.log is not None or self.only.needs_this

    def asks_as(self, other: ProbeQuestion) -> bool:
        """Whether both have the same answer everywhere."""
        is_same = self.count == other.count and self.timing == other.timing
        is_same = is_same and self.counts is other.counts and self.only == other.only
        is_same = is_same and self.stands_in is other.stands_in
        return is_same and _texts(self) == _texts(other)


def _texts(question: ProbeQuestion) -> tuple[object, ...]:
    condition = None if question.condition is None else question.condition.text
    parts = (
        None
        if question.log is None
        else tuple(each if isinstance(each, str) else (each.text,) for each in question.log)
    )
    return condition, parts, question.only_thread


@dataclass(frozen=True, slots=True)
class ProbeHit:
    """What the check gave at a stop."""

    has_failed: bool
    count: int
    """How often the condition has held, if it counts that; else 0."""
    is_limited: bool = False
    """It reports so many in a second, and only counts the others."""
    is_full: bool = False
    """Of those others, the first of a second."""
    left_out: int = 0
    """How many there were of those others since the hit before: less than none where one thread has
    been overtaken by another."""
