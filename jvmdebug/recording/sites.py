# SPDX-License-Identifier: Apache-2.0
"""All sites of a recording by number: their kinds, methods and details, as columns."""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, Final

from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import FIRST_SITE, RESERVED_SITES, SITE, RecordKind, Site

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER: Final = 4
_OF_NEXT: Final = (int(RecordKind.OBJECT), int(RecordKind.INDEX))
_MOST_HELD: Final = 8
_MOST_UNUSED: Final = 1 << 16
"""Numbers that no class has, at most: a table has room for each."""


class SiteTable:
    """Kind, type, method, code index and detail of each site."""

    def __init__(self) -> None:
        self.kinds = bytearray(FIRST_SITE)
        self._owners = array("i", [-1]) * FIRST_SITE
        self._unused = 0
        self._sites: dict[int, tuple[int, bytes]] = {}
        self.methods = array("q", [-1]) * FIRST_SITE
        """Number of the class << 16 | index of the method."""
        for number, kind in RESERVED_SITES.items():
            self.kinds[number] = kind

    def add(self, owner: int, first: int, sites: bytes) -> None:
        """Add those of a class; `owner` is its number in the recording."""
        gap = first - len(self.kinds)
        if gap < 0 or len(sites) % SITE.size or self._unused + gap > _MOST_UNUSED:
            raise RecordingError("the sites of a class are not numbered as they should be")
        self._unused += gap
        count = len(sites) // SITE.size
        self._grow(first + count)
        self.kinds[first : first + count] = sites[:: SITE.size]
        words = array("H", sites)
        if sys.byteorder == "big":
            words.byteswap()
        self.methods[first : first + count] = array("q", (owner << 16 | m for m in words[1::4]))
        self._owners[first : first + count] = array("i", [owner]) * count
        self._sites[owner] = (first, sites)

    def __getitem__(self, number: int) -> Site:
        """The site of that number."""
        owner = self._owners[number] if 0 <= number < len(self._owners) else -1
        if owner < 0:
            raise RecordingError(f"no class of the recording has site {number}")
        first, sites = self._sites[owner]
        return Site(*SITE.unpack_from(sites, (number - first) * SITE.size))

    def owner(self, number: int) -> int:
        """The number of the class that a site belongs to; -1: none."""
        return self._owners[number] if 0 <= number < len(self._owners) else -1

    def kinds_of(self, sites: Sequence[int]) -> bytes:
        """The kind of each record of a column. RecordingError for a site of no class."""
        try:
            found = bytes(map(self.kinds.__getitem__, sites))
        except IndexError:
            found = b"\0"
        if b"\0" in found:
            raise RecordingError("a chunk has records of a site that no class has")
        return found

    def whole(self, sites: bytes) -> int:
        """How many records of a column belong together: all, but for an object at its end whose
        write comes next. Between the two there may be a clock and others that are no site's.
        """
        count = len(sites) // _NUMBER
        for at in range(count - 1, max(0, count - _MOST_HELD) - 1, -1):
            number = int.from_bytes(sites[_NUMBER * at : _NUMBER * (at + 1)], "little")
            kind = self.kinds[number] if number < len(self.kinds) else 0
            if kind in _OF_NEXT:
                count = at
            elif kind < RecordKind.CLOCK:
                break
        return count

    def _grow(self, size: int) -> None:
        more = size - len(self.kinds)
        if more > 0:
            self.kinds += bytes(more)
            self._owners.extend(array("i", [-1]) * more)
            self.methods.extend(array("q", [-1]) * more)
