# SPDX-License-Identifier: Apache-2.0
"""What a probe is asked, and what it gives at a hit. Values; called by `probe` and its callers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.probes.count_test import CountTest


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """What a probe is to answer; equal for equal texts."""

    condition: CompiledExpression | None = None
    count: CountTest | None = None
    log: tuple[str | CompiledExpression, ...] | None = None
    """The parts of a message that the program is to write itself, with a `count`."""
    only_thread: int | None = None
    """Holds in the thread with this id of Java only; NEVER: in none."""

    @property
    def asks_nothing(self) -> bool:
        """Whether it holds each time."""
        return self.condition is None and self.count is None and self.only_thread is None

    def asks_as(self, other: ProbeQuestion) -> bool:
        """Whether both have the same answer everywhere."""
        return self.count == other.count and _texts(self) == _texts(other)


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
