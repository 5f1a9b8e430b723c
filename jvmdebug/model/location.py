# SPDX-License-Identifier: Apache-2.0
"""A location in the code: a method and a code index. Immutable, compared by value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.jdwp.ids import Location as WireLocation

if TYPE_CHECKING:
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType


@dataclass(frozen=True, slots=True)
class Location:
    """One instruction. `index` is the bytecode index (bci); -1 in a native method."""

    method: Method
    index: int

    @property
    def type(self) -> ReferenceType:
        """The type that declares the method."""
        return self.method.declaring_type

    @property
    def wire(self) -> WireLocation:
        """The location as commands and modifiers take it."""
        return WireLocation(self.type.tag, self.type.id, self.method.id, self.index)

    async def line(self) -> int | None:
        """The source line; None in native methods and without line numbers."""
        if self.index < 0:
            return None
        return (await self.method.line_table()).line_at(self.index)

    async def as_text(self) -> str:
        """The text as in a Java stack trace: `shop.Cart.add(Cart.java:42)`."""
        where = f"{self.type.name}.{self.method.name}"
        if self.method.is_native:
            return f"{where}(Native Method)"
        source = await self.type.source_file()
        line = await self.line()
        if source is None:
            return f"{where}(Unknown Source)"
        return f"{where}({source})" if line is None else f"{where}({source}:{line})"

    def __str__(self) -> str:
        return f"{self.method}#{self.index}"
