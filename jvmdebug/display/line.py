# SPDX-License-Identifier: Apache-2.0
"""The context in which a line of text is written for a value and for its parts.

A text function gets a Line and asks it for the texts of the parts. The line knows its depth, so the
text of an object that contains itself ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.display.literals import cut

if TYPE_CHECKING:
    from jvmdebug.display.style import ValueStyle
    from jvmdebug.model.values import ObjectReference, Value

BRIEF_LENGTH: Final = 40
_MAX_DEPTH: Final = 2


@dataclass(frozen=True, slots=True)
class Line:
    """The style, the depth, and the function that writes the parts."""

    style: ValueStyle
    write: Callable[[Value, Line], Awaitable[str]]
    depth: int = 0

    @property
    def is_brief(self) -> bool:
        """Whether this is a part of a longer line: objects without their fields."""
        return self.depth > 0

    @property
    def is_deep(self) -> bool:
        """Whether the parts are too deep to be read."""
        return self.depth > _MAX_DEPTH

    @property
    def room(self) -> int:
        """The number of characters that fit."""
        return self.style.max_length

    async def part(self, value: Value, room: int = BRIEF_LENGTH) -> str:
        """The text of a value inside of this one: strings short, objects without their fields."""
        return cut(
            await self.write(value, Line(self.style.within(room), self.write, self.depth + 1)), room
        )

    def head(self, name: str, reference: ObjectReference) -> str:
        """`Cart@1f`"""
        return f"{self.style.class_name(name)}@{reference.id:x}"


TextOf: TypeAlias = Callable[["ObjectReference", Line], Awaitable[str]]
"""Writes the objects of one class; UnknownLayoutError when the class has an unknown layout."""
