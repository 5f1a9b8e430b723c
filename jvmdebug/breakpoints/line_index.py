# SPDX-License-Identifier: Apache-2.0
"""The source lines of one type, by number. Made by the resolver, read by `line_locations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.sources import LinePlaces, SourceLine


class LineIndex:
    """The locations of a type's source lines."""

    __slots__ = ("_methods", "_places")

    def __init__(self, places: LinePlaces, methods: Sequence[Method]) -> None:
        """`methods`: those of the type, in the order of the places."""
        self._places = places
        self._methods = methods

    @property
    def lines(self) -> frozenset[int]:
        """The numbers of all lines with code."""
        return self._places.lines

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the sources that the lines belong to."""
        return self._places.paths

    def at(self, line: int) -> Sequence[tuple[SourceLine, tuple[Location, ...]]]:
        """The lines of that number, one for each source, and the locations where each begins."""
        return [
            (source, tuple(Location(self._methods[at], index) for at, index in places))
            for source, places in self._places.at(line)
        ]

    def of(self, paths: Collection[str]) -> LineIndex:
        """The lines of these sources alone."""
        places = self._places.of(paths)
        return self if places is self._places else LineIndex(places, self._methods)


def all_lines(indexes: Iterable[LineIndex]) -> frozenset[int]:
    """The numbers of the lines that have code in any of the types."""
    different = {id(each.lines): each.lines for each in indexes}
    sets = list(different.values())
    return sets[0] if len(sets) == 1 else frozenset().union(*sets)
