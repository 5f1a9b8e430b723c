# SPDX-License-Identifier: Apache-2.0
"""Numbers for instructions, like the addresses of a native debugger.

A method's code is shorter than 65536 bytes, so an address is a number of the method and the code
index: `number << 16 | index`. The methods of a class have consecutive numbers in the order of the
class file, with a free number between two classes. An address is valid for the whole session; a
class gets its numbers with its first request. Called by the session.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.model.location import Location

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import MethodId
    from jvmdebug.model.reference_type import ReferenceType

_INDEX_BITS: Final = 16
_INDEX_MASK: Final = (1 << _INDEX_BITS) - 1
_FIRST: Final = 16


@dataclass(frozen=True, slots=True)
class _Block:
    """The numbers from `first` on are the methods of a class, in this order."""

    first: int
    type: ReferenceType
    methods: tuple[MethodId, ...]


class CodeAddresses:
    """The addresses of one session."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._starts: list[int] = []
        self._numbers: dict[tuple[ReferenceType, MethodId], int] = {}
        self._next = _FIRST

    async def address_of(self, location: Location) -> int | None:
        """The address of an instruction; None in a method without code and in replaced code."""
        if not location.method.has_code or not 0 <= location.index <= _INDEX_MASK:
            return None
        key = (location.type, location.method.id)
        if key not in self._numbers:
            self._add(location.type, tuple(each.id for each in await location.type.methods()))
        number = self._numbers.get(key)
        return None if number is None else number << _INDEX_BITS | location.index

    async def location_at(self, address: int) -> Location | None:
        """The location with this address; None for one that was never assigned.

        Does not check whether an instruction begins there.
        """
        number = address >> _INDEX_BITS
        index = bisect_right(self._starts, number) - 1
        if index < 0:
            return None
        block = self._blocks[index]
        if number - block.first >= len(block.methods):
            return None
        method = await block.type.method(block.methods[number - block.first])
        return Location(method, address & _INDEX_MASK) if method.has_code else None

    def _add(self, type_: ReferenceType, methods: tuple[MethodId, ...]) -> None:
        block = _Block(self._next, type_, methods)
        self._next += len(methods) + 1
        self._blocks.append(block)
        self._starts.append(block.first)
        self._numbers.update(
            ((type_, method), block.first + index) for index, method in enumerate(methods)
        )
