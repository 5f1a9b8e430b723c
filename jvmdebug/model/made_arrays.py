# SPDX-License-Identifier: Apache-2.0
"""Arrays that the evaluator has made without the VM, to be shown: see `made_reference`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.made_reference import MadeReference
from jvmdebug.model.values import ArrayReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


class MadeArrayReference(MadeReference, ArrayReference):
    """An array that exists here only."""

    __slots__ = ("_read", "_type", "made")

    def __init__(
        self, made: object, type_: ReferenceType, length: int, read: Callable[[int], Value]
    ) -> None:
        """`read` gives an element of the array; `made` is what the evaluator has."""
        super().__init__(type_.vm, ObjectId(0), Tag.ARRAY)
        self.made = made
        self._length = length
        self._type = type_
        self._read = read

    async def get(self, start: int = 0, count: int = -1) -> tuple[Value, ...]:
        """`count` elements from `start` on; -1: to the end."""
        length = self._length or 0
        end = length if count < 0 else min(start + count, length)
        return tuple(map(self._read, range(start, end)))

    async def get_bytes(self, start: int, count: int) -> bytes:
        """The same of a byte array."""
        values = await self.get(start, count)
        return bytes(int(each.value) & 0xFF for each in values if isinstance(each, PrimitiveValue))
