# SPDX-License-Identifier: Apache-2.0
"""The places where the source lines of a class begin, without the class itself.

A program may load the same class file again and again. All these classes share one LinePlaces, see
`class_lines`. A class may have thousands of lines, and an editor may set a breakpoint in each of
them: looking for one line must not read all of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Place: TypeAlias = tuple[int, int]
"""The position of a method among those that the class declares, and a code index in it."""


@dataclass(frozen=True, slots=True, order=True)
class SourceLine:
    """A line (1-based) of a source; `path` is package-relative, `shop/Cart.java`."""

    path: str
    line: int


class LinePlaces:
    """Every source line of a class that has code → each place where its code begins."""

    def __init__(self, table: Mapping[SourceLine, tuple[Place, ...]]) -> None:
        self.table = table
        self._of_paths: dict[frozenset[str], LinePlaces] = {}
        by_number: defaultdict[int, list[tuple[SourceLine, tuple[Place, ...]]]] = defaultdict(list)
        for source_line, places in table.items():
            by_number[source_line.line].append((source_line, places))
        self._by_number = dict(by_number)
        self.lines = frozenset(self._by_number)
        """The numbers of all lines with code."""
        self.paths = frozenset(each.path for each in table)
        """The paths of the sources that the lines belong to."""

    def at(self, line: int) -> Sequence[tuple[SourceLine, tuple[Place, ...]]]:
        """The lines of that number, one for each source, and the places where each begins."""
        return self._by_number.get(line, ())

    def of(self, paths: Collection[str]) -> LinePlaces:
        """The lines of these sources alone."""
        wanted = self.paths & frozenset(paths)
        if wanted == self.paths:
            return self
        if wanted not in self._of_paths:
            self._of_paths[wanted] = LinePlaces(
                {line: where for line, where in self.table.items() if line.path in wanted}
            )
        return self._of_paths[wanted]
