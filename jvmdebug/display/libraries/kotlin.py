# SPDX-License-Identifier: Apache-2.0
"""Kotlin's own collections; others are the JDK's. Texts of its values are in `texts.kotlin`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.views.arrays import ArrayBacked
from jvmdebug.display.views.fields import Empty
from jvmdebug.display.views.view import Entry, View
from jvmdebug.display.views.wrapper import Wrapper
from jvmdebug.model.values import NULL, ArrayReference, PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.display.line import TextOf
    from jvmdebug.model.values import ObjectReference, Value

_COLLECTIONS: Final = "kotlin.collections."


@dataclass(frozen=True, slots=True)
class Deque:
    """ArrayDeque: `size` elements in a ring, from `head` on."""

    is_indexed: bool = True

    async def size(self, reference: ObjectReference) -> int:
        """The size that the deque has counted."""
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """The page, from at most two ranges of the array."""
        head = await layout.read_int(reference, "head")
        array = await layout.read_array(reference, "elementData")
        if array is None:
            return []
        length = await array.length()
        first = (head + start) % length
        values = await layout.read_range(array, first, min(count, length - first))
        if len(values) < count:
            values += await layout.read_range(array, 0, count - len(values))
        return [Entry(each) for each in values]


@dataclass(frozen=True, slots=True)
class Builder:
    """MapBuilder (`buildMap`): keys and values in arrays, in the order of insertion, with gaps."""

    is_indexed: bool = False

    async def size(self, reference: ObjectReference) -> int:
        """The size that the map has counted."""
        return await layout.read_int(reference, "size")

    async def page(self, reference: ObjectReference, start: int, count: int) -> list[Entry]:
        """Reads both arrays as a whole: where gaps are is in a third one."""
        keys, values, present = await layout.read(
            reference, "keysArray", "valuesArray", "presenceArray"
        )
        length = await layout.read_int(reference, "length")
        if not isinstance(keys, ArrayReference) or not isinstance(present, ArrayReference):
            raise layout.UnknownLayoutError("a map without keys")
        slots = await layout.read_range(present, 0, length)
        used = [at for at, each in enumerate(slots) if _is_used(each)][start : start + count]
        if not used:
            return []
        first, behind = used[0], used[-1] + 1
        own = await layout.read_range(keys, first, behind - first)
        theirs: list[Value] = [NULL] * (behind - first)
        if isinstance(values, ArrayReference):
            theirs = await layout.read_range(values, first, behind - first)
        return [Entry(theirs[at - first], own[at - first]) for at in used]


def _is_used(value: object) -> bool:
    return isinstance(value, PrimitiveValue) and int(value.value) >= 0


TEXTS: Final[dict[str, TextOf]] = {}
VIEWS: Final[dict[str, View | Wrapper]] = {
    f"{_COLLECTIONS}ArrayDeque": Deque(),
    f"{_COLLECTIONS}EmptyList": Empty(),
    f"{_COLLECTIONS}EmptySet": Empty(),
    f"{_COLLECTIONS}EmptyMap": Empty(),
    f"{_COLLECTIONS}builders.ListBuilder": ArrayBacked("backing", "length"),
    f"{_COLLECTIONS}builders.MapBuilder": Builder(),
    f"{_COLLECTIONS}builders.SetBuilder": Wrapper("backing", "keys"),
    f"{_COLLECTIONS}builders.MapBuilderKeys": Wrapper("backing", "keys"),
    f"{_COLLECTIONS}builders.MapBuilderValues": Wrapper("backing", "values"),
}
