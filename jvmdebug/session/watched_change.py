# SPDX-License-Identifier: Apache-2.0
"""What a stop at a watched field shows: the field, its object, the values before and after.

Belongs to its Stop, as its variables do. The field still has the old value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import NEW, OLD, FieldChange
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from jvmdebug.events import FieldOccurrence
    from jvmdebug.model.values import Value
    from jvmdebug.session.frame_handle import FrameHandle

_MAX_LENGTH = 80


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """One access to a field, about to happen."""

    type_name: str
    """The type that declares the field."""
    field_name: str
    is_write: bool
    old: Variable
    new: Variable
    """What is written; the same value as `old` when the field is read."""

    @classmethod
    async def make(cls, frame: FrameHandle, occurrence: FieldOccurrence) -> WatchedChange:
        """Read the value that the field has; one round trip."""
        change = await FieldChange.read(occurrence)
        field = change.field
        old, new = (
            Variable(frame, name, value, field.type_name, name)
            for name, value in ((OLD, change.old), (NEW, change.new))
        )
        return cls(field.declaring_type.name, field.name, change.is_write, old, new)

    def names(self) -> dict[str, Value]:
        """What expressions in the stopped thread may use."""
        return {OLD: self.old.value, NEW: self.new.value}

    async def text(self) -> str:
        """`shop.Cart.sum: 0 -> 20`, or `shop.Cart.sum: 20 (read)`."""
        old = await self.old.text(max_length=_MAX_LENGTH)
        what = f"{self.type_name}.{self.field_name}: {old}"
        if not self.is_write:
            return f"{what} (read)"
        return f"{what} -> {await self.new.text(max_length=_MAX_LENGTH)}"
