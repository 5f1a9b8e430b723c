# SPDX-License-Identifier: Apache-2.0
"""Places in the code as our agent names them in stacks of allocations and of full heaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_NATIVE: Final = -3


class WireFrame(Protocol):
    """A frame as it comes."""

    type: str
    method: str
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A place in the code; `str(place)` is as in a stack trace: `shop.Cart.add(Cart.java:42)`."""

    type_name: str
    method_name: str
    source: str | None
    """The file's name, `Cart.java`; None if it is not known."""
    line: int | None
    is_native: bool = False

    def __str__(self) -> str:
        where = "Native Method" if self.is_native else self.source or "Unknown Source"
        where = where if self.line is None else f"{where}:{self.line}"
        return one_line(f"{self.type_name}.{self.method_name}({where})")


def places(frames: Iterable[WireFrame]) -> list[CodePlace]:
    """What the agent has sent."""
    return [
        CodePlace(
            java_name(each.type) if each.type else "?",
            each.method or "?",
            each.source or None,
            each.line if each.line > 0 else None,
            each.line == _NATIVE,
        )
        for each in frames
    ]
