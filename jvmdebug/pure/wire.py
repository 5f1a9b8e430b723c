# SPDX-License-Identifier: Apache-2.0
"""Reads and writes the plain types of the wire, which is big-endian."""

from __future__ import annotations

from typing import Final

_INT_BYTES: Final = 4
_LONG_BYTES: Final = 8


class WireError(ValueError):
    """The bytes are not the JDWP that was expected, or a value does not fit the wire."""


class ShortError(Exception):
    """There are fewer bytes than were to be read; who reads a field says which one."""


class Reader:
    """Reads bytes from the first to the last; ShortError where there are none left."""

    __slots__ = ("_at", "_content")

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    @property
    def remaining(self) -> int:
        return len(self._content) - self._at

    def span(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._content):
            raise ShortError
        found = self._content[self._at : end]
        self._at = end
        return found

    def unsigned(self, width: int) -> int:
        return int.from_bytes(self.span(width), "big")

    def signed(self, width: int) -> int:
        return int.from_bytes(self.span(width), "big", signed=True)

    def count(self, minimum_size: int) -> int:
        """A number of elements, each of at least that many bytes."""
        found = self.signed(_INT_BYTES)
        if found < 0 or found * minimum_size > self.remaining:
            raise ShortError
        return found

    def counted(self) -> bytes:
        """Bytes with their number in front of them."""
        return self.span(self.count(1))

    def position(self) -> int:
        return self._at

    def go_to(self, position: int) -> None:
        self._at = position

    def skip_text(self) -> None:
        self.counted()

    def long(self) -> int:
        return self.signed(_LONG_BYTES)

    def int(self) -> int:
        return self.signed(_INT_BYTES)
