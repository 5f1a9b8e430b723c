# SPDX-License-Identifier: Apache-2.0
"""Objects of a recording: elements and texts as they were seen, whatever class they are of.

A recording knows nothing of the fields of a collection or a number, but what they held: the types
of a replayed program have fields for that, by the names here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.view import Entry
from jvmdebug.model.values import ArrayReference, StringReference

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference

ELEMENTS: Final = "recorded elements"
ENTRIES: Final = "recorded entries"
"""Keys and values in turn."""
TEXT: Final = "recorded text"


@dataclass(frozen=True, slots=True)
class Recorded:
    """The first elements of a collection, or the first entries of a map."""

    field: str
    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        array = await self._array(reference)
        return 0 if array is None else await array.length() // self._step

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        array = await self._array(reference)
        if array is None or count <= 0:
            return []
        step = self._step
        values = await layout.read_range(array, start * step, count * step)
        if step == 1:
            return [Entry(value) for value in values]
        return [Entry(value, key) for key, value in zip(values[::2], values[1::2], strict=True)]

    @property
    def _step(self) -> int:
        return 2 if self.field == ENTRIES else 1

    async def _array(self, reference: ObjectReference) -> ArrayReference | None:
        found = await layout.read_nearest(reference, self.field)
        return found if isinstance(found, ArrayReference) else None


_VIEWS: Final = {ELEMENTS: Recorded(ELEMENTS), ENTRIES: Recorded(ENTRIES, is_indexed=False)}


async def recorded_view(type_: ReferenceType) -> Recorded | None:
    """The view of a type of a recording; None for another one, and where no elements are known."""
    if not type_.vm.connection.is_recording:
        return None
    names = [each.name for each in await type_.fields()]
    return next((_VIEWS[name] for name in names if name in _VIEWS), None)


async def recorded_text(type_: ReferenceType) -> TextOf | None:
    """The text of a type of a recording: of a number, a date, a path."""
    if not type_.vm.connection.is_recording:
        return None
    return _text if any(each.name == TEXT for each in await type_.fields()) else None


async def _text(reference: ObjectReference, _line: Line) -> str:
    found = await layout.read_nearest(reference, TEXT)
    return await found.as_text() if isinstance(found, StringReference) else str(found)
