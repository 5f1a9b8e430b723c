# SPDX-License-Identifier: Apache-2.0
"""Tells which hits of a probe count, and how many of them are reported. Compiled by `check`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CountTest:
    """A test of the number of a hit; `comparison` is that of a hit condition."""

    comparison: str
    number: int
    start: int = field(default=0, compare=False)
    """The number of hits before."""
    text: str | None = None
    """The hit condition as it was written. With another one, counting begins again."""
    most_per_second: int | None = None
    """The most hits that are reported in a second. One more is reported as FULL, the others are
    counted only.
    """
    most_lines_per_second: int | None = None
    """The most lines that the program itself writes in a second."""

    def fitting(self, low: int, high: int) -> int:
        """The number of hits that fit among those after the `low`-th, up to the `high`-th."""
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
