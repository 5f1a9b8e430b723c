# SPDX-License-Identifier: Apache-2.0
"""The entries of a constant pool (JVMS 4.4) in a row: where each begins and ends.

What they mean is up to those who read: `sources` shows them as text, the evaluator changes class
files.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class ConstantTag(IntEnum):
    """The kinds of entries that readers ask for; there are more."""

    UTF8 = 1
    INTEGER = 3
    FLOAT = 4
    LONG = 5
    DOUBLE = 6
    CLASS = 7
    METHOD_REFERENCE = 10


class Constant(NamedTuple):
    """An entry; its content, behind tag and length, is [start, end) of the bytes."""

    number: int
    """Its index in the pool."""
    tag: int
    start: int
    end: int


# Sizes by tag, without the tag; Utf8 has its length in front.
_SIZES: Final = {
    3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4,
    19: 2, 20: 2,
}  # fmt: skip


def constants(data: bytes | bytearray, position: int, count: int) -> Iterator[Constant]:
    """The entries from `position` on; `count` is one more than the last index.

    ValueError for an entry that is unknown or not complete.
    """
    index = 1
    while index < count:
        tag = data[position] if position < len(data) else 0
        start = position + 1
        size = _SIZES.get(tag)
        if tag == ConstantTag.UTF8:
            size = int.from_bytes(data[start : start + 2])
            start += 2
        if size is None or start + size > len(data):
            raise ValueError(f"entry {index} of the constant pool cannot be read")
        position = start + size
        yield Constant(index, tag, start, position)
        # JVMS 4.4.5: the index behind an eight-byte constant is not used.
        index += 2 if tag in (ConstantTag.LONG, ConstantTag.DOUBLE) else 1
