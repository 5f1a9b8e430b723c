# SPDX-License-Identifier: Apache-2.0
"""Expressions that each stop shows, as gdb's `display` does.

Owns the expressions, their numbers and their last values. The shell asks for them after it has
shown a stop; the commands add and remove them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import Group

import jvmdebug
from jvmdebug_cli import view

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_DEADLINE_S: Final = 5.0
_CHANGED: Final = "bold yellow"


@dataclass(slots=True)
class Display:
    """One expression."""

    number: int
    expression: str
    last: str | None = None


class Displays:
    """All expressions, in the order in which they were added."""

    def __init__(self) -> None:
        self.all: list[Display] = []
        self._made = 0

    def add(self, expression: str) -> Display:
        """Show it from now on."""
        self._made += 1
        self.all.append(Display(self._made, expression))
        return self.all[-1]

    def remove(self, numbers: set[int]) -> None:
        """Show these no longer."""
        self.all = [each for each in self.all if each.number not in numbers]

    async def shown(self, frame: jvmdebug.FrameHandle) -> RenderableType | None:
        """Shows their values in a frame; what has changed since the last time stands out."""
        return Group(*[await self.one(each, frame) for each in self.all]) if self.all else None

    async def one(self, display: Display, frame: jvmdebug.FrameHandle) -> Text:
        """The value of one; in words why it has none here."""
        try:
            variable = await frame.evaluate(display.expression, deadline_s=_DEADLINE_S)
            text = await variable.as_text()
        except jvmdebug.EvaluationError as error:
            display.last = None
            name = view.named(f"{display.number}: {display.expression}", "")
            return name.append(f"<{jvmdebug.one_line(str(error))}>", view.MINOR)
        has_changed = display.last is not None and display.last != text
        display.last = text
        line = view.named(f"{display.number}: {display.expression}", "")
        return line.append(text, _CHANGED if has_changed else "")
