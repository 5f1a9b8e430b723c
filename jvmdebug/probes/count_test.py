# SPDX-License-Identifier: Apache-2.0
"""Tells which hits of a probe count, and how many of them are reported. Compiled by `check`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CountTest:
    """Decides which hits count: `comparison` is that of a hit condition."""

    comparison: str
    number: int
    start: int = field(default=0, compare=False)
    """How many there have been before."""
    text: str | None = None
    """The hit condition as it was written: with another the count begins anew."""
    most_per_second: int | None = None
    """Of those that fit, more are not reported in a second, but for one that is FULL."""
    most_lines_per_second: int | None = None
    """Of those that fit, the program itself writes the lines of no more in a second."""

    def fitting(self, low: int, high: int) -> int:
        """How many of the hits after the `low`-th fit, up to the `high`-th."""
        number = self.number
        match self.comparison:
            case "%":
                return high // number - low // number
            case "==":
                return int(low < number <= high)
            case "!=":
                return high - low - int(low < number <= high)
            case ">=" | ">":
                first = number if self.comparison == ">=" else number + 1
                return max(0, high - max(low, first - 1))
            case _:
                last = number if self.comparison == "<=" else number - 1
                return max(0, min(high, last) - low)
