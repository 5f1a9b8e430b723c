# SPDX-License-Identifier: Apache-2.0
"""All types of a replayed program, by id and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated.constants import ErrorCode
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import ObjectKind
from jvmdebug.recording.replay.types import BOXED, FIELD_BITS, OBJECT, ReplayType

_THROWABLE_NAMES: Final = ("Exception", "Error", "Throwable")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.recording.replay.types import FieldDefinition
    from jvmdebug.recording.states import Past


class ReplayTypes:
    """All types of one replayed program, by id and by name."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._types: list[ReplayType] = []
        self._by_name: dict[str, ReplayType] = {}
        for info in past.classes:
            self._add(ReplayType(len(self._types) + 1, info.name, ObjectKind.PLAIN, info))
        self.object = self.named(OBJECT)
        self.named("java.lang.Throwable", ObjectKind.THROWABLE)
        self.named("java.lang.String", ObjectKind.STRING)  # expressions make some
        for name in BOXED:  # and unbox others
            self.named(name, ObjectKind.BOXED)
        for each in list(self._types):
            self.above(each)

    def __iter__(self) -> Iterator[ReplayType]:
        return iter(self._types)

    def _add(self, made: ReplayType) -> ReplayType:
        self._types.append(made)
        self._by_name[made.name] = made
        return made

    def of(self, type_id: int) -> ReplayType:
        """The type of an id."""
        if not 0 < type_id <= len(self._types):
            raise VmError.of_code(ErrorCode.INVALID_CLASS, "a type")
        return self._types[type_id - 1]

    def of_class(self, number: int) -> ReplayType:
        """The type of a recorded class."""
        return self._types[number]

    def known(self, signature: str) -> list[ReplayType]:
        """The types with this descriptor that there are."""
        return [each for each in self._types if each.signature == signature]

    def named(self, name: str, kind: ObjectKind = ObjectKind.PLAIN) -> ReplayType:
        """The type of a name; made if nothing is known of it but that. The first kind that is not
        PLAIN stays: one may be named as a superclass before an object of it is met.
        """
        if name == OBJECT:
            kind = ObjectKind.PLAIN
        found = self._by_name.get(name)
        if found is None:
            if kind is ObjectKind.PLAIN and name.endswith(_THROWABLE_NAMES):
                kind = ObjectKind.THROWABLE
            found = self._add(ReplayType(len(self._types) + 1, name, kind, None))
        elif found.kind is ObjectKind.PLAIN is not kind:
            found.become(kind)
        return found

    def field(self, field_id: int) -> tuple[ReplayType, FieldDefinition]:
        """The field of an id, and the type that declares it."""
        owner = self.of(field_id >> FIELD_BITS)
        number = (field_id & (1 << FIELD_BITS) - 1) - 1
        if not 0 <= number < len(owner.fields):
            raise VmError.of_code(ErrorCode.INVALID_FIELDID, "a field")
        return owner, owner.fields[number]

    def above(self, type_: ReplayType) -> list[ReplayType]:
        """A type and its superclasses, which are of its kind."""
        found = [type_]
        while (name := found[-1].superclass) is not None:
            above = self.named(name, type_.kind)
            if above in found:
                raise RecordingError(f"{type_.name} extends itself")
            found.append(above)
        return found
