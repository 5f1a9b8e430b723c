# SPDX-License-Identifier: Apache-2.0
"""The access to a watched field that is about to happen: a read, or a write of another value.

Read when the event comes, before the access. Called by `hit`, for conditions, and by the session,
for what a stop shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.events import FieldModificationOccurrence

if TYPE_CHECKING:
    from jvmdebug.events import FieldOccurrence
    from jvmdebug.model.field import Field
    from jvmdebug.model.values import ObjectReference, Value

OLD: Final = "$old"
NEW: Final = "$new"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A read or write of a field."""

    field: Field
    instance: ObjectReference | None
    """The object with the field; None for a static field."""
    is_write: bool
    old: Value
    """The value that the field has."""
    new: Value
    """The value that is written; the same as `old` for a read."""

    @classmethod
    async def read(cls, occurrence: FieldOccurrence) -> FieldChange:
        """Read the value that the field has now, in one round trip."""
        field, instance = occurrence.field, occurrence.object
        if instance is None:
            (old,) = await field.declaring_type.static_values([field])
        else:
            (old,) = await instance.get_values([field])
        if isinstance(occurrence, FieldModificationOccurrence):
            return cls(field, instance, is_write=True, old=old, new=occurrence.new_value)
        return cls(field, instance, is_write=False, old=old, new=old)

    def names(self) -> dict[str, Value]:
        """The names that expressions may use, with their values."""
        return {OLD: self.old, NEW: self.new}
