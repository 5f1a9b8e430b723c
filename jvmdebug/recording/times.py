# SPDX-License-Identifier: Apache-2.0
"""The times of records that follow one another: that of a clock is known, those between two clocks
are spread evenly.

Clocks stand where threads are put in order, so a time that is made up here is still on the right
side of what other threads did there (native/classfile/thread_order.h).
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Final

from jvmdebug.recording.format import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLOCK: Final = bytes((RecordKind.CLOCK,))


class Times:
    """The times of some records of one thread, in nanoseconds since the recording began."""

    def __init__(self, kinds: bytes, values: Sequence[int], start_ns: int, end_ns: int) -> None:
        """Take what is needed of the records: their kinds, and their values, at least of clocks."""
        marks, times = [0], [start_ns]
        at = kinds.find(_CLOCK)
        while at >= 0:
            value = values[at]
            if value >= times[-1]:
                if at == marks[-1]:
                    times[-1] = value
                else:
                    marks.append(at)
                    times.append(value)
            at = kinds.find(_CLOCK, at + 1)
        marks.append(max(len(kinds), marks[-1] + 1))
        times.append(max(end_ns, times[-1]))
        self._marks, self._times = marks, times

    def at(self, position: int) -> int:
        """The time of the record at a position; that of the end behind the last one."""
        at, share = self._between(position)
        times = self._times
        return int(times[at] + share * (times[at + 1] - times[at]))

    def bounds(self, position: int) -> tuple[int, int]:
        """The times between which the record at a position was made."""
        at, _ = self._between(position)
        return self._times[at], self._times[at + 1]

    def _between(self, position: int) -> tuple[int, float]:
        """The clock before a record, and how far it is on the way to the next one."""
        marks = self._marks
        at = min(max(bisect.bisect_right(marks, position) - 1, 0), len(marks) - 2)
        low, high = marks[at], marks[at + 1]
        return at, (position - low) / (high - low) if high > low else 0
