# SPDX-License-Identifier: Apache-2.0
"""Hit conditions: which forms there are, and at which hits each stops."""

from __future__ import annotations

import pytest

from jvmdebug.breakpoints.hit_condition import HitCondition
from jvmdebug.errors import BreakpointError
from jvmdebug.probes import CountTest


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("5", [5]),
        ("== 5", [5]),
        ("=5", [5]),
        (">= 5", [5, 6, 7, 8, 9]),
        (">5", [6, 7, 8, 9]),
        ("<= 2", [1, 2]),
        ("< 2", [1]),
        ("!= 3", [1, 2, 4, 5, 6, 7, 8, 9]),
        (" % 3 ", [3, 6, 9]),
        ("%1", list(range(1, 10))),
    ],
)
def test_the_hits_at_which_it_stops(text: str, hits: list[int]) -> None:
    condition = HitCondition.parse(text)
    assert [count for count in range(1, 10) if condition.holds(count)] == hits
    # The program counts the same.
    test = CountTest(condition.comparison, condition.number)
    for low in range(10):
        for high in range(low, 10):
            assert test.fitting(low, high) == sum(low < count <= high for count in hits)


@pytest.mark.parametrize("text", ["", "often", "5 5", "> -1", "3 %", "=> 3", "1.5", "%"])
def test_an_invalid_hit_condition_names_the_valid_forms(text: str) -> None:
    with pytest.raises(BreakpointError, match="write a number"):
        HitCondition.parse(text)


def test_each_zeroth_hit() -> None:
    with pytest.raises(BreakpointError, match="divides by zero"):
        HitCondition.parse("% 0")


@pytest.mark.parametrize("text", ["0", "== 0", "<= 0", "< 0", "< 1"])
def test_a_hit_condition_that_never_holds(text: str) -> None:
    with pytest.raises(BreakpointError, match="never holds: hits are counted from 1"):
        HitCondition.parse(text)
