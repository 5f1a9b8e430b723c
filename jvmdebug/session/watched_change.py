# SPDX-License-Identifier: Apache-2.0
"""What a stop at a watched field, local variable or array shows: the values before and after.

Belongs to its Stop, as its variables do. A field and an element still have the old value, a
variable the new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import INDEX, NEW, OLD, ElementStored, FieldChange, LocalWritten
from jvmdebug.events import FieldOccurrence
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.values import Value
    from jvmdebug.session.frame_handle import FrameHandle

_MAX_LENGTH = 80


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """One access to a field or element, about to happen, or a write of a local variable that has
    happened.
    """

    type_name: str
    """The type that declares the field; of a local variable the method, `shop.Cart#add`; of an
    element the array, as it was named: `prices`."""
    field_name: str
    """Of a local variable its name; of an element `[3]`."""
    is_write: bool
    old: Variable
    new: Variable
    """What is written; the same value as `old` when the field is read."""
    index: int | None = None
    """Of an element."""
    is_first: bool = False
    """A local variable had no value before; `old` is the same value then."""

    @classmethod
    async def make(
        cls, frame: FrameHandle | None, occurrence: LocatedOccurrence
    ) -> WatchedChange | None:
        """Read the value that the field has; one round trip. The others' are known.

        None without a frame, and for what is no access.
        """
        if frame is None:
            return None
        if isinstance(occurrence, LocalWritten):
            return cls._of_local(frame, occurrence)
        if isinstance(occurrence, ElementStored):
            return await cls._of_element(frame, occurrence)
        if not isinstance(occurrence, FieldOccurrence):
            return None
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
        return cls(
            method, variable.name, is_write=True, old=old, new=new, is_first=written.is_first
        )

    @classmethod
    async def _of_element(cls, frame: FrameHandle, stored: ElementStored) -> WatchedChange:
        """What the thread is about to store into an array."""
        type_name = (await stored.array.type()).name.removesuffix("[]")
        old, new = (
            Variable(frame, name, value, type_name, name)
            for name, value in ((OLD, stored.old), (NEW, stored.new))
        )
        at = stored.index
        return cls(stored.array_name, f"[{at}]", True, old, new, at)  # noqa: FBT003 - is_write

    def names(self) -> dict[str, Value]:
        """The names that expressions in the stopped thread may use, with their values."""
        names = {OLD: self.old.value, NEW: self.new.value}
        if self.index is not None:
            names[INDEX] = PrimitiveValue(PrimitiveKind.INT, self.index)
        return names

    async def as_text(self) -> str:
        """`shop.Cart.sum: 0 -> 20`, `shop.Cart.sum: 20 (read)`, `prices[3]: 0 -> 20`; of a local
        variable that had no value before `shop.Cart#add.sum: 20 (first value)`.
        """
        old = await self.old.as_text(max_length=_MAX_LENGTH)
        dot = "." if self.index is None else ""
        what = f"{self.type_name}{dot}{self.field_name}: {old}"
        if not self.is_write or self.is_first:
            return f"{what} ({'first value' if self.is_first else 'read'})"
        return f"{what} -> {await self.new.as_text(max_length=_MAX_LENGTH)}"
