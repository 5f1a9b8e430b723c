# SPDX-License-Identifier: Apache-2.0
"""A cursor over the big-endian numbers of a class file; ClassFileError behind the end."""

from __future__ import annotations

from jvmdebug.errors import ClassFileError


class Reader:
    """Reads from front to back. Every length is checked against the bytes that are there."""

    def __init__(self, content: bytes, position: int = 0) -> None:
        self._content = content
        self.position = position

    def u1(self) -> int:
        return int.from_bytes(self.raw(1))

    def u2(self) -> int:
        return int.from_bytes(self.raw(2))

    def u4(self) -> int:
        return int.from_bytes(self.raw(4))

    def raw(self, size: int) -> bytes:
        """The next `size` bytes as they are."""
        begin, end = self.position, self.position + size
        if end > len(self._content):
            raise ClassFileError(
                f"not a whole class file: {size} bytes are missing at byte {begin}, "
                f"it ends at {len(self._content)}"
            )
        self.position = end
        return self._content[begin:end]

    def expect_end(self, what: str) -> None:
        """ClassFileError when there are bytes behind what was read."""
        remaining = len(self._content) - self.position
        if remaining:
            raise ClassFileError(f"{remaining} bytes too many behind the end of {what}")
