# SPDX-License-Identifier: Apache-2.0
"""Annotations that reflection gives: the JDK's proxies, shown as they are written in the source.

Called by `stand_ins`, which finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display.libraries.stand_in import StandIn
from jvmdebug.model.values import StringReference
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.display.line import Line

HANDLER: Final = "sun.reflect.annotation.AnnotationInvocationHandler"
_ONLY: Final = "value"


@dataclass(frozen=True, slots=True)
class AnnotationStandIn(StandIn):
    """An annotation; `target` is the map of its elements, those with their defaults too."""

    async def text(self, line: Line) -> str:
        """`@Audited("aud")`, `@Column(name="total", length=7)`, `@Test`."""
        from jvmdebug.display.views.known import contents  # noqa: PLC0415 - it needs this package

        head = f"@{line.style.class_name(self.name)}"
        found = None if self.target is None else await contents(self.target)
        if found is None or line.is_deep:
            return head
        entries = await found.page(0, found.size)
        values = await together(line.part(each.value) for each in entries)
        names = [
            await each.key.as_text() if isinstance(each.key, StringReference) else "?"
            for each in entries
        ]
        if names == [_ONLY]:
            return f"{head}({values[0]})"
        shown = [f"{name}={value}" for name, value in zip(names, values, strict=True)]
        return f"{head}({', '.join(shown)})" if shown else head
