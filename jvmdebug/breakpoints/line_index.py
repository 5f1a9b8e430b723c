# SPDX-License-Identifier: Apache-2.0
"""The source lines of one type, by number: made once for all breakpoints in the type.

A class may have thousands of lines, and an editor may set a breakpoint in each of them: looking for
one line must not read all of them. Made by the resolver, read by `line_locations`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jvmdebug.model.location import Location
    from jvmdebug.sources import SourceLine


class LineIndex:
    """What `breakable_lines` gives for a type, by line number."""

    def __init__(self, table: Mapping[SourceLine, tuple[Location, ...]]) -> None:
        self._table = table
        self._of_paths: dict[frozenset[str], LineIndex] = {}
        places: defaultdict[int, list[tuple[SourceLine, tuple[Location, ...]]]] = defaultdict(list)
        for source_line, locations in table.items():
            places[source_line.line].append((source_line, locations))
        self._places = dict(places)
        self.lines = frozenset(self._places)
        """The numbers of all lines with code."""
        self.paths = frozenset(each.path for each in table)
        """The paths of the sources that the lines belong to."""

    def at(self, line: int) -> Sequence[tuple[SourceLine, tuple[Location, ...]]]:
        """The lines of that number, one for each source, and the locations where each begins."""
        return self._places.get(line, ())

    def of(self, paths: Collection[str]) -> LineIndex:
        """The lines of these sources alone."""
        wanted = self.paths & frozenset(paths)
        if wanted == self.paths:
            return self
        if wanted not in self._of_paths:
            self._of_paths[wanted] = LineIndex(
                {line: where for line, where in self._table.items() if line.path in wanted}
            )
        return self._of_paths[wanted]


def all_lines(indexes: Iterable[LineIndex]) -> frozenset[int]:
    """The numbers of the lines that have code in any of the types."""
    sets = [each.lines for each in indexes]
    return sets[0] if len(sets) == 1 else frozenset().union(*sets)
