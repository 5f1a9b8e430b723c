# SPDX-License-Identifier: Apache-2.0
"""What is made of the figures of threads that time themselves."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.observing.line_times import Times, times_of
from jvmdebug.probes.codegen.timing_code import first_of

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


FIRSTS = [first_of(index) for index in range(600)]


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=200),
    st.floats(0, 100, allow_nan=False),
)
def test_percentiles_are_exact_to_a_sixteenth(times: list[int], percent: float) -> None:
    figures = {COUNT: len(times), SUM: sum(times), LEAST: min(times), LONGEST: max(times)}
    for each in times:
        at = RANGES + bisect_right(FIRSTS, each) - 1
        figures[at] = figures.get(at, 0) + 1
    exact = sorted(times)[max(1, round(len(times) * percent / 100)) - 1]
    found = times_of([figures]).percentile(percent)
    assert exact <= found <= exact + exact / 16
