# SPDX-License-Identifier: Apache-2.0
"""What a logical view is: how the contents of one class are counted and read, page by page.

Implemented by the other modules of this package; `known` says which class has which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from jvmdebug.display import layout

if TYPE_CHECKING:
    from jvmdebug.model.page import Walk
    from jvmdebug.model.values import ObjectReference, Value


@dataclass(frozen=True, slots=True)
class Entry:
    """One element. `key` is None for an element by index, else the key of a map's entry."""

    value: Value
    key: Value | None = None
    node: ObjectReference | None = None
    """The object that holds key and value, when the map has one."""


async def walked(
    reference: ObjectReference, way: Walk, start: int, count: int
) -> list[Entry] | None:
    """A page read by the agent; None where it cannot. Of two parts the first is a key."""
    found = await layout.walk(reference, way, start, count)
    if found is None:
        return None
    return [
        Entry(each.values[-1], each.values[0] if len(each.values) > 1 else None, each.node)
        for each in found
    ]


class View(Protocol):
    """How to read the contents of one class and its subclasses."""

    @property
    def is_indexed(self) -> bool:
        """Whether an element is denoted by its index: `get(i)` gives it."""

    async def size(self, reference: ObjectReference, /) -> int:
        """How many entries there are; UnknownLayoutError when the class has an unknown layout."""

    async def page(self, reference: ObjectReference, start: int, count: int, /) -> list[Entry]:
        """Entries from `start`, at most `count`; within the size."""
