# SPDX-License-Identifier: Apache-2.0
"""Coverage of a line, and sums of it. Pure values; the words are those of JaCoCo's reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LineStatus: TypeAlias = Literal["full", "partial", "none", "empty"]


@dataclass(frozen=True, slots=True)
class Bits:
    """Some things, and which of them were seen: bit 0 of `seen` is the first."""

    count: int
    seen: int

    @classmethod
    def of(cls, each: Iterable[bool]) -> Bits:
        found = list(each)
        return cls(len(found), sum(1 << at for at, is_seen in enumerate(found) if is_seen))

    @property
    def covered(self) -> int:
        return self.seen.bit_count()

    @property
    def missed(self) -> int:
        return self.count - self.covered

    def __or__(self, other: Bits) -> Bits:
        """What either has seen. Of code that has changed in between, the more that one has seen."""
        if self.count == other.count:
            return Bits(self.count, self.seen | other.seen)
        return max(self, other, key=lambda each: each.covered)

    def __iter__(self) -> Iterator[bool]:
        return iter([bool(self.seen >> at & 1) for at in range(self.count)])


@dataclass(frozen=True, slots=True)
class LineCoverage:
    """What of a line has run."""

    instructions: Bits
    branches: tuple[Bits, ...] = ()
    """The ways of each branch in the line."""

    @property
    def branch_count(self) -> int:
        return sum(each.count for each in self.branches)

    @property
    def branches_covered(self) -> int:
        return sum(each.covered for each in self.branches)

    @property
    def status(self) -> LineStatus:
        """The mark in an editor's gutter."""
        if self.instructions.count == 0:
            return "empty"
        if self.instructions.covered == 0:
            return "none"
        is_full = self.instructions.missed == 0 and self.branches_covered == self.branch_count
        return "full" if is_full else "partial"

    def __or__(self, other: LineCoverage) -> LineCoverage:
        if len(self.branches) == len(other.branches):
            branches = tuple(
                one | two for one, two in zip(self.branches, other.branches, strict=True)
            )
        else:
            branches = max(
                self.branches, other.branches, key=lambda all_: sum(each.covered for each in all_)
            )
        return LineCoverage(self.instructions | other.instructions, branches)

    def __add__(self, other: LineCoverage) -> LineCoverage:
        """The same line in another method: a lambda's, for example."""
        one, two = self.instructions, other.instructions
        both = Bits(one.count + two.count, one.seen | two.seen << one.count)
        return LineCoverage(both, self.branches + other.branches)


@dataclass(frozen=True, slots=True)
class Counter:
    """How many of something were missed and covered."""

    missed: int = 0
    covered: int = 0

    @property
    def total(self) -> int:
        return self.missed + self.covered

    @property
    def ratio(self) -> float:
        """The share that was covered, from 0 to 1; 1 of nothing."""
        return self.covered / self.total if self.total else 1.0

    def __add__(self, other: Counter) -> Counter:
        return Counter(self.missed + other.missed, self.covered + other.covered)


@dataclass(frozen=True, slots=True)
class Counters:
    """The sums of a method, a class, a file or all."""

    instructions: Counter = Counter()
    branches: Counter = Counter()
    lines: Counter = Counter()
    complexity: Counter = Counter()
    methods: Counter = Counter()
    classes: Counter = Counter()

    def __add__(self, other: Counters) -> Counters:
        return Counters(
            self.instructions + other.instructions,
            self.branches + other.branches,
            self.lines + other.lines,
            self.complexity + other.complexity,
            self.methods + other.methods,
            self.classes + other.classes,
        )


def one_of(covered: int) -> Counter:
    """A counter of one thing, which is covered if any part of it is."""
    return Counter(0, 1) if covered else Counter(1, 0)


def of_lines(lines: Iterable[LineCoverage]) -> Counters:
    """The sums of instructions, branches and lines."""
    total = Counters()
    for each in lines:
        total += Counters(
            Counter(each.instructions.missed, each.instructions.covered),
            Counter(each.branch_count - each.branches_covered, each.branches_covered),
            one_of(each.instructions.covered),
        )
    return total
