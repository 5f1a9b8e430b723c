# SPDX-License-Identifier: Apache-2.0
"""A named value as the public API shows it; belongs to a Stop and is refused after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.model import Value
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop


class Variable:
    """A local, argument, field, element or result, with its value at the time it was fetched."""

    name: str
    stop: Stop
    frame: FrameHandle
    value: Value
    declared_type: str
    """The declared type's Java name, `int`, `java.util.List`, `int[]`."""
    evaluate_name: str | None
    """An expression that gives this value in `frame`; None if there is none."""

    @property
    def is_argument(self) -> bool:
        """Whether this is a parameter of the frame's method."""
        raise NotImplementedError

    async def type_name(self) -> str:
        """The value's own type, more special than or the same as `declared_type`."""
        raise NotImplementedError

    async def text(self, *, max_length: int = 200) -> str:
        """The value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {...}`."""
        raise NotImplementedError

    async def child_count(self) -> int:
        """Fields of an object or elements of an array; 0 for primitives, null and strings."""
        raise NotImplementedError

    async def is_indexed(self) -> bool:
        """Whether the children are elements (an array), not fields."""
        raise NotImplementedError

    async def children(self, start: int = 0, count: int | None = None) -> list[Variable]:
        """Fields or elements from `start`; at most `count` of them."""
        raise NotImplementedError

    async def set(self, text: str) -> Variable:
        """Assign the value of the expression `text`; the variable with its new value."""
        raise NotImplementedError
