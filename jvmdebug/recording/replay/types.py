# SPDX-License-Identifier: Apache-2.0
"""The types of a replayed program: recorded classes by their class files, others by their names.

A class that was not recorded has Object as its superclass, no methods, and the fields that stand
for what the recording knows of its objects: the elements of a collection, the text of a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.display.views.recorded import ELEMENTS, ENTRIES, TEXT
from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated.constants import ErrorCode, TypeTag
from jvmdebug.recording.format import ObjectKind

if TYPE_CHECKING:
    from jvmdebug.recording.classes import ClassInfo
    from jvmdebug.recording.methods import MethodInfo

OBJECT: Final = "java.lang.Object"
_INTERFACE: Final = 0x0200
_PUBLIC: Final = 1
FIELD_BITS: Final = 16
BOXED: Final = {
    "java.lang.Boolean": "Z",
    "java.lang.Byte": "B",
    "java.lang.Character": "C",
    "java.lang.Short": "S",
    "java.lang.Integer": "I",
    "java.lang.Long": "J",
    "java.lang.Float": "F",
    "java.lang.Double": "D",
}
_STRING: Final = "Ljava/lang/String;"
_ELEMENTS: Final = "[Ljava/lang/Object;"


@dataclass(frozen=True, slots=True)
class FieldDefinition:
    """A field of a type."""

    name: str
    signature: str
    modifiers: int = _PUBLIC
    generic: str = ""


_OF_KIND: Final = {
    ObjectKind.COLLECTION: (FieldDefinition(ELEMENTS, _ELEMENTS), FieldDefinition("size", "I")),
    ObjectKind.MAP: (FieldDefinition(ENTRIES, _ELEMENTS), FieldDefinition("size", "I")),
    ObjectKind.TEXT: (FieldDefinition(TEXT, _STRING),),
}
_OF_NAME: Final = {
    "java.lang.Enum": (FieldDefinition("name", _STRING), FieldDefinition("ordinal", "I")),
    "java.lang.Throwable": (
        FieldDefinition("detailMessage", _STRING),
        FieldDefinition("cause", "Ljava/lang/Throwable;"),
        FieldDefinition("stack", _STRING),
    ),
}
_ABOVE: Final = {
    ObjectKind.ENUM: "java.lang.Enum",
    ObjectKind.THROWABLE: "java.lang.Throwable",
}


class ReplayType:
    """One type."""

    def __init__(self, number: int, name: str, kind: ObjectKind, info: ClassInfo | None) -> None:
        self.id = number
        self.name = name
        """As Class.getName has it."""
        self.kind = kind
        self.info = info
        self.signature = signature_of(name)
        self.tag = TypeTag.ARRAY if name.startswith("[") else TypeTag.CLASS
        if info is not None and info.file.access & _INTERFACE:
            self.tag = TypeTag.INTERFACE
        self.fields = self._fields()

    def become(self, kind: ObjectKind) -> None:
        """Take the kind of its objects, once that is known."""
        self.kind = kind
        self.fields = self._fields()

    @property
    def modifiers(self) -> int:
        """The access flags."""
        return _PUBLIC if self.info is None else self.info.file.access

    @property
    def superclass(self) -> str | None:
        """The name of its superclass."""
        if self.info is not None:
            above = self.info.file.superclass
            return None if above is None else above.replace("/", ".")
        if self.name == OBJECT or self.tag is not TypeTag.CLASS:
            return None
        above = _ABOVE.get(self.kind)
        return above if above is not None and above != self.name else OBJECT

    @property
    def interfaces(self) -> tuple[str, ...]:
        """The names of the interfaces that it declares, as far as they were recorded."""
        if self.info is None:
            return ()
        return tuple(each.replace("/", ".") for each in self.info.file.interfaces)

    @property
    def generic(self) -> str:
        """The generic signature; empty if it has none."""
        return "" if self.info is None else _generic(self.info, self.info.file.attribute)

    def method(self, method_id: int) -> MethodInfo:
        """The method of an id."""
        if self.info is None or not 0 < method_id <= len(self.info.methods):
            raise VmError.of_code(ErrorCode.INVALID_METHODID, "a method")
        return self.info.methods[method_id - 1]

    def field_id(self, number: int) -> int:
        """The id of its field of that number."""
        return self.id << FIELD_BITS | number + 1

    def _fields(self) -> tuple[FieldDefinition, ...]:
        if self.info is not None:
            return tuple(
                FieldDefinition(
                    each.name, each.descriptor, each.access, _generic(self.info, each.attribute)
                )
                for each in self.info.file.fields
            )
        if self.name in BOXED:
            return (FieldDefinition("value", BOXED[self.name]),)
        return _OF_NAME.get(self.name) or _OF_KIND.get(self.kind, ())


def signature_of(name: str) -> str:
    """The descriptor of what Class.getName gives."""
    if name.startswith("["):
        return name.replace(".", "/")
    return descriptor_of(name)


def _generic(info: ClassInfo, attribute: object) -> str:
    found = attribute("Signature") if callable(attribute) else None
    if found is None:
        return ""
    return info.file.constants.utf8(int.from_bytes(found.content))
