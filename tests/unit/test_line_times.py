# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of threads that time themselves."""

from __future__ import annotations

from jvmdebug.observing.line_times import Times, times_of

COUNT, SUM, LEAST, LONGEST, RANGES = range(5)


def test_the_ranges_say_how_many_times_there_were() -> None:
    """The thread of the second figures is noting a time while they are read."""
    first = {COUNT: 2, SUM: 7, LEAST: 3, LONGEST: 4, RANGES + 3: 1, RANGES + 4: 1}
    second = {COUNT: 2, SUM: 11, LEAST: 5, LONGEST: 6, RANGES + 5: 1}
    found = times_of([first, second])
    assert found.count == sum(each.count for each in found.ranges) == 3
    assert (found.least_ns, found.longest_ns) == (3, 6)
    assert found.percentile(100) == 5
    assert times_of([{COUNT: 1, SUM: 5}]) == times_of([]) == Times()
