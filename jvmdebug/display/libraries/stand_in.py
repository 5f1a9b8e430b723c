# SPDX-License-Identifier: Apache-2.0
"""What an object stands for, as `stand_ins` finds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.display.line import Line
    from jvmdebug.model.values import ObjectReference, Value


@dataclass(frozen=True, slots=True)
class StandIn:
    """`target` is None while it is not loaded; `key` is what it will be loaded by."""

    name: str
    """`shop.Author proxy`, or the class of a collection."""
    target: ObjectReference | None
    key: Value | None = None
    role: str | None = None
    """Of a collection: `shop.Author.books`."""

    async def text(self, line: Line) -> str:
        """`Author proxy[Author@1f]`, `Author proxy, not loaded, id=1`, `PersistentBag, not loaded,
        Author.books of 1`.
        """
        head = line.style.class_name(self.name)
        if self.target is not None:
            return head if line.is_brief else f"{head}[{await line.part(self.target, line.room)}]"
        if line.is_brief or self.key is None:
            return f"{head}, not loaded"
        key = await line.part(self.key, line.room)
        if self.role is None:
            return f"{head}, not loaded, id={key}"
        owner, _, field = self.role.rpartition(".")
        return f"{head}, not loaded, {line.style.class_name(owner)}.{field} of {key}"
