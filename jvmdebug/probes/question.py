# SPDX-License-Identifier: Apache-2.0
"""The question that a probe answers, and its answer at a stop. See `probe`."""

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
    """The part of a probe at one of the two places."""

    end: TimingEnd
    requests: list[RequestId] = field(compare=False)
    """The requests of both places whose probes are installed."""
    lock: asyncio.Lock = field(compare=False)
    """Held while one of them is installed."""

    def first_but(self, request_id: RequestId) -> int:
        """The request whose check has the times already; 0 if there is none."""
        return next((int(each) for each in self.requests if each != request_id), 0)

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose probe is about to be removed."""
        if request_id in self.requests:
            self.requests.remove(request_id)


@dataclass(slots=True, eq=False)
class SharedCounts:
    """What the checks of one breakpoint count together at all of its locations, and what was told
    of it.
    """

    requests: list[RequestId] = field(default_factory=list)
    """The requests whose probes are installed."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while one of them is installed."""
    start: int = 0
    """The number of hits before the first of them was installed."""
    reported: int = 0
    """The number of hits since then that were reported."""
    left_out: int = 0
    """The number of hits since then that were not reported, and are told."""
    highest: int = 0
    """The number of the last hit."""

    def begin(self, start: int) -> None:
        """Begin again, because the counters are new."""
        self.start = self.highest = start
        self.reported = self.left_out = 0

    def first_but(self, request_id: RequestId) -> int:
        """The request whose check has the counters already; 0 if there is none."""
        return next((int(each) for each in self.requests if each != request_id), 0)

    def forget(self, request_id: RequestId) -> None:
        """Forget a request whose probe is about to be removed."""
        if request_id in self.requests:
            self.requests.remove(request_id)


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Selects the hits that count at all."""

    receivers: frozenset[ReferenceType] = frozenset()
    """The types of which `this` has to be one; empty for any."""
    thread: ThreadId | None = None
    """The only thread whose hits count."""
    instance: ObjectId | None = None
    """The only object that `this` may be."""
    owner: ObjectId | None = None
    """The only object whose field may be written."""

    @property
    def needs_this(self) -> bool:
        """Whether it depends on `this`."""
        return self.instance is not None or bool(self.receivers)


EVERY_HIT: Final = HitFilter()


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """The question that a probe answers; equal for equal texts."""

    condition: CompiledExpression | None = None
    count: CountTest | None = None
    log: tuple[str | CompiledExpression, ...] | None = None
    """The parts of a message that the program writes itself, with a `count`."""
    only_thread: int | None = None
    """The only thread in which it holds, by its Java id; NEVER for none."""
    timing: Timing | None = None
    """The times that it measures; then it asks nothing."""
    only: HitFilter = EVERY_HIT
    """The hits that count at all."""
    counts: SharedCounts | None = None
    """What it counts together with others, with a `count`."""
    stands_in: bool = False
    """Whether the program cannot be asked the condition yet: the debugger looks at each hit, and
    counts it there if it holds.
    """

    @property
    def shared(self) -> Timing | SharedCounts | None:
        """What its check shares with others."""
        return self.timing or self.counts

    def as_filter(self) -> ProbeQuestion:
        """The same question without counts and log message: it only selects the hits that the
        debugger looks at.
        """
        return replace(self, count=None, log=None, counts=None)

    @property
    def asks_nothing(self) -> bool:
        """Whether it holds each time."""
        others = (self.condition, self.count, self.only_thread, self.timing)
        return all(each is None for each in others) and self.only == EVERY_HIT

    @property
    def leaves_it_open(self) -> bool:
        """Whether the debugger has to decide at a hit."""
        return self.stands_in or self.asks_nothing

    @property
    def needs_frame(self) -> bool:
        """Whether its check needs variables of the frame."""
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
    """The answer of a check at a stop."""

    has_failed: bool
    count: int
    """How often the condition has held, if the check counts that; else 0."""
    is_limited: bool = False
    """Whether only some hits are reported in a second, and the others are counted."""
    is_full: bool = False
    """Whether it is the first hit in a second over that limit."""
    left_out: int = 0
    """The number of hits over the limit since the hit before; negative if one thread was overtaken
    by another.
    """
