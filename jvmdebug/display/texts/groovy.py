# SPDX-License-Identifier: Apache-2.0
"""One line for what holds a variable that a closure of Groovy has captured: its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import ObjectReference


async def _held(reference: ObjectReference, line: Line) -> str:
    (value,) = await layout.read(reference, "value")
    return await line.part(value, line.room)


GROOVY_TEXTS: Final[dict[str, TextOf]] = {"groovy.lang.Reference": _held}
