# SPDX-License-Identifier: Apache-2.0
"""The objects of a replayed program: ids, types and contents at the position.

The id of an object is its serial number in the recording; others begin at the numbers here.
What the recording does not know is a NoValue, which says so.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.display.views import recorded
from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated.constants import ErrorCode, Tag
from jvmdebug.jdwp.ids import ArrayRegion, NoValue, ObjectId, TaggedObject, Value
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import REDACTED, ObjectDefinition, ObjectKind
from jvmdebug.recording.states import primitive

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.recording.replay.type_table import ReplayTypes
    from jvmdebug.recording.replay.types import FieldDefinition, ReplayType
    from jvmdebug.recording.states import Past, Position

THREADS: Final = 1 << 50
CLASS_OBJECTS: Final = 1 << 51
_MADE: Final = 1 << 52
_NOT_RECORDED: Final = "not recorded"
_REDACTED: Final = REDACTED.strip("<>")  # shown between such brackets
_STATIC: Final = 0x0008
_TAGS: Final = {
    ObjectKind.STRING: Tag.STRING,
    ObjectKind.ARRAY: Tag.ARRAY,
    ObjectKind.CLASS: Tag.CLASS_OBJECT,
}


class ReplayObjects:
    """All objects of one replayed program."""

    def __init__(self, past: Past, types: ReplayTypes, at: Callable[[], Position]) -> None:
        self._past = past
        self._types = types
        self._at = at
        self._made: list[str | tuple[int, ...]] = []
        """Strings and arrays that stand for a part of what is known of an object."""
        self._numbers: dict[str | tuple[int, ...], int] = {}

    # Ids

    def definition(self, object_id: int) -> ObjectDefinition:
        """What is known of an object, at least its number."""
        serial = self.serial(object_id)
        found = self._past.definition(serial, self._at())
        return found or ObjectDefinition(serial, "java.lang.Object")

    def serial(self, object_id: int) -> int:
        """The number of an object in the recording."""
        if not 0 < object_id < THREADS:
            raise VmError.of_code(ErrorCode.INVALID_OBJECT, "an object")
        return object_id

    def tagged(self, serial: int) -> TaggedObject:
        """The id of an object with its tag; 0 is null."""
        if not serial:
            return TaggedObject(Tag.OBJECT, ObjectId(0))
        if serial >= THREADS:
            raise RecordingError("an object has a number that none can have")
        known = self._past.definition(serial)
        if known is not None and known.kind is ObjectKind.CLASS:
            of = self._types.named(known.text or known.class_name)
            return TaggedObject(Tag.CLASS_OBJECT, ObjectId(CLASS_OBJECTS + of.id))
        tag = Tag.OBJECT if known is None else _TAGS.get(known.kind, Tag.OBJECT)
        if tag is Tag.OBJECT and known is not None and known.class_name.startswith("["):
            tag = Tag.ARRAY
        return TaggedObject(tag, ObjectId(serial))

    def value(self, bits: int, signature: str) -> Value:
        """A value of a record as the wire has it."""
        if signature[0] in "L[":
            if self._is_secret(bits):
                return NoValue(Tag.OBJECT, 0, _REDACTED)
            found = self.tagged(bits)
            return Value(found.tag, found.id)
        return Value(Tag(ord(signature[0])), primitive(bits, signature[0]))

    def at_site(self, site: int, bits: int, signature: str) -> Value:
        """The same of a record; of a site whose values may be secrets there is none."""
        if self._past.is_redacted(site):
            return NoValue(Tag.OBJECT, 0, _REDACTED)
        return self.value(bits, signature)

    def _is_secret(self, serial: int) -> bool:
        known = self._past.definition(serial) if 0 < serial < THREADS else None
        return known is not None and known.kind is ObjectKind.REDACTED

    def _string(self, text: str) -> Value:
        return Value(Tag.STRING, self._number(text))

    def _number(self, made: str | tuple[int, ...]) -> int:
        number = self._numbers.get(made)
        if number is None:
            number = self._numbers[made] = _MADE + len(self._made)
            self._made.append(made)
        return number

    # Contents

    def type_of(self, object_id: int) -> ReplayType:
        """The type of an object."""
        if object_id >= _MADE:
            made = self._made[object_id - _MADE]
            is_text = isinstance(made, str)
            return self._types.named("java.lang.String" if is_text else "[Ljava.lang.Object;")
        if object_id >= CLASS_OBJECTS:
            return self._types.named("java.lang.Class")
        if object_id >= THREADS:
            return self._types.named("java.lang.Thread")
        known = self.definition(object_id)
        return self._types.named(known.class_name, known.kind)

    def text(self, object_id: int) -> str:
        """The text of a string."""
        if object_id >= _MADE:
            made = self._made[object_id - _MADE]
            return made if isinstance(made, str) else ""
        return self.definition(object_id).text

    def length(self, array: int) -> int:
        """The length of an array."""
        if array >= _MADE:
            return len(self._made[array - _MADE])
        return self.definition(array).length

    def elements(self, array: int, first: int, count: int) -> ArrayRegion:
        """A part of an array."""
        length = self.length(array)
        if first < 0 or first > length or count < -1 or first + max(count, 0) > length:
            raise VmError.of_code(ErrorCode.INVALID_LENGTH, "elements")
        stop = length if count == -1 else first + count
        if array >= _MADE:
            made = self._made[array - _MADE]
            known = made if isinstance(made, tuple) else ()
            return ArrayRegion(Tag.OBJECT, tuple(map(self._element, known[first:stop])))
        found = self.definition(array)
        signature = found.class_name[1:].replace(".", "/") or "Ljava/lang/Object;"
        written = self._past.elements(self._at(), found.serial)
        values: list[int | float | bool | TaggedObject] = []
        for index in range(first, stop):
            bits = self._past.seen_element(found, index)
            if index in written:
                bits = written[index].value
            if bits is None:
                values.append(NoValue(Tag.OBJECT, 0, _NOT_RECORDED))  # type: ignore[arg-type]
                continue
            if signature[0] in "L[":
                values.append(self._element(bits))
            else:
                values.append(primitive(bits, signature[0]))
        return ArrayRegion(Tag(ord(signature[0])), tuple(values))

    def _element(self, serial: int) -> TaggedObject:
        if self._is_secret(serial):
            return NoValue(Tag.OBJECT, 0, _REDACTED)  # type: ignore[return-value]
        return self.tagged(serial)

    def field(self, object_id: int, owner: ReplayType, field: FieldDefinition) -> Value:
        """A field of an object; of a static one the object is 0."""
        if owner.info is None:
            return self._made_field(object_id, field)
        serial = 0 if field.modifiers & _STATIC else self.serial(object_id)
        written = self._past.field(self._at(), serial, owner.name, field.name)
        if written is not None:
            return self.at_site(written.site, written.value, field.signature)
        if serial and self._past.was_constructed(self._at(), serial, owner.name):
            return self.value(0, field.signature)
        return NoValue(Tag.OBJECT, 0, _NOT_RECORDED)

    def _made_field(self, object_id: int, field: FieldDefinition) -> Value:
        known = self.definition(object_id)
        match field.name:
            case recorded.ELEMENTS | recorded.ENTRIES:
                return Value(Tag.ARRAY, self._number(known.elements))
            case "size":
                return Value(Tag.INT, known.length)
            case recorded.TEXT | "detailMessage" | "name" if known.text or _is_empty(known):
                return self._string(known.text)
            case "stack" if known.stack:
                return self._string(known.stack)
            case "value":
                return _boxed(known, field.signature)
            case _:
                return NoValue(Tag.OBJECT, 0, _NOT_RECORDED)


def _is_empty(known: ObjectDefinition) -> bool:
    """Whether its text is empty, and not left out."""
    return known.class_name == "java.lang.StringBuilder" and not known.length


def _boxed(known: ObjectDefinition, signature: str) -> Value:
    tag, text = Tag(ord(signature)), known.text
    try:
        match signature:
            case "Z":
                return Value(tag, text == "true")
            case "C":
                return Value(tag, ord(text[:1] or "\0"))
            case "F" | "D":
                number = float(text.replace("Infinity", "inf"))
                if signature == "F":
                    number = struct.unpack("f", struct.pack("f", number))[0]
                return Value(tag, number)
            case _:
                return Value(tag, int(text))
    except (ValueError, OverflowError):
        return NoValue(Tag.OBJECT, 0, f"not readable: {text}")
