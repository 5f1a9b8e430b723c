# SPDX-License-Identifier: Apache-2.0
"""What a stop at a watched field or local variable shows: the values before and after.

Belongs to its Stop, as its variables do. A field still has the old value, a variable the new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import NEW, OLD, FieldChange, LocalWritten
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from jvmdebug.events import FieldOccurrence
    from jvmdebug.model.values import Value
    from jvmdebug.session.frame_handle import FrameHandle

_MAX_LENGTH = 80


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """One access to a field, about to happen, or a write of a local variable that has happened."""

    type_name: str
    """The type that declares the field; of a local variable the method, `shop.Cart#add`."""
    field_name: str
    """Of a local variable its name."""
    is_write: bool
    old: Variable
    new: Variable
    """What is written; the same value as `old` when the field is read."""

    @classmethod
    async def make(
        cls, frame: FrameHandle | None, occurrence: FieldOccurrence | LocalWritten
    ) -> WatchedChange | None:
        """Read the value that the field has; one round trip. A variable's are known.

        None without a frame.
        """
        if frame is None:
            return None
        if isinstance(occurrence, LocalWritten):
            return cls._of_local(frame, occurrence)
        change = await FieldChange.read(occurrence)
        field = change.field
        old, new = (
            Variable(frame, name, value, field.type_name, name)
            for name, value in ((OLD, change.old), (NEW, change.new))
        )
        return cls(field.declaring_type.name, field.name, change.is_write, old, new)

    @classmethod
    def _of_local(cls, frame: FrameHandle, written: LocalWritten) -> WatchedChange:
        """What a method has written to its variable."""
        variable, where = written.variable, written.location
        old, new = (
            Variable(frame, name, value, variable.type_name, name)
            for name, value in ((OLD, written.old), (NEW, written.new))
        )
        method = f"{where.type.name}#{where.method.name}"
        return cls(method, variable.name, True, old, new)  # noqa: FBT003 - is_write

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
