# SPDX-License-Identifier: Apache-2.0
"""Logical views of objects with an element in a field of its own, or with no element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference


@dataclass(frozen=True, slots=True)
class Empty:
    """Collections.emptyList() and its like."""

    is_indexed: bool = False

    async def size(self, _reference: ObjectReference) -> int:
        return 0

    async def page(self, _reference: ObjectReference, _start: int, _count: int) -> list[Entry]:
        return []


@dataclass(frozen=True, slots=True)
class PairMap:
    """Map.of(k, v) and Collections.singletonMap: one entry in two fields."""

    key: str
    value: str
    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        await layout.read(reference, self.key)
        return 1

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        key, value = await layout.read(reference, self.key, self.value)
        return [Entry(value, key)][start : start + count]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Collections.nCopies: one element, `n` times over."""

    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        return await layout.read_int(reference, "n")

    async def page(self, reference: ObjectReference, _start: int, count: int) -> list[Entry]:
        (element,) = await layout.read(reference, "element")
        return [Entry(element)] * count


@dataclass(frozen=True, slots=True)
class Single:
    """Optional: nothing or one value. Primitive ones say by a boolean whether there is one."""

    present: str | None = None
    getter: str = "get()"
    is_indexed: bool = False
    field: str = "value"

    async def size(self, reference: ObjectReference) -> int:
        value = (await layout.read(reference, self.present or self.field))[0]
        if self.present is not None:
            return layout.integer(value)
        return 0 if layout.as_object(value) is None else 1

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        if not await self.size(reference):
            return []
        value = (await layout.read(reference, self.field))[0]
        return [Entry(value)][start : start + count]
