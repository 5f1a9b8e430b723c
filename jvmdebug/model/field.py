# SPDX-License-Identifier: Apache-2.0
"""A field that a type declares. Immutable; its value is read through the object or the type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.model.modifiers import is_synthetic
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import FieldId
    from jvmdebug.model.reference_type import ReferenceType

_VISIBILITIES = (
    (Access.PUBLIC, "public"),
    (Access.PROTECTED, "protected"),
    (Access.PRIVATE, "private"),
)
CAPTURED: Final = ("val$", "$")
"""How javac and Kotlin's compiler begin the names of fields for captured variables."""

GROOVY_REFERENCE: Final = "Lgroovy/lang/Reference;"
"""The type of the synthetic fields of a closure in Groovy, which have the names of variables."""


def is_captured(name: str) -> bool:
    """Whether a synthetic field of this name holds a variable of the method around the class."""
    return name.startswith(CAPTURED) and not name.startswith("$$")


def captured_name(name: str) -> str:
    """The variable's name in the source; a name of another kind is returned as it is."""
    if not is_captured(name):
        return name
    return name.removeprefix("val$") if name.startswith("val$") else name[1:]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One declared field; mirrors are unique, so identity is equality."""

    declaring_type: ReferenceType
    id: FieldId
    name: str
    signature: str
    """Descriptor of its type, such as `I` or `Ljava/lang/String;`."""
    generic: str | None
    """Generic signature, None when there is none."""
    modifiers: int

    @property
    def type_name(self) -> str:
        """Java name of its type."""
        return java_name(self.signature)

    @property
    def is_static(self) -> bool:
        return bool(self.modifiers & Access.STATIC)

    @property
    def is_final(self) -> bool:
        return bool(self.modifiers & Access.FINAL)

    @property
    def is_private(self) -> bool:
        return bool(self.modifiers & Access.PRIVATE)

    @property
    def visibility(self) -> str:
        """`public`, `protected`, `package` or `private`."""
        for flag, word in _VISIBILITIES:
            if self.modifiers & flag:
                return word
        return "package"

    @property
    def is_synthetic(self) -> bool:
        """Made by the compiler, such as `this$0` and `val$x`."""
        return is_synthetic(self.modifiers)

    @property
    def is_captured(self) -> bool:
        """Whether it holds a variable of the method around the class: of javac, Kotlin, Groovy."""
        is_held = self.signature == GROOVY_REFERENCE and not self.is_static
        return self.is_synthetic and (is_held or is_captured(self.name))

    def __str__(self) -> str:
        return f"{self.declaring_type.name}.{self.name}"

    def __repr__(self) -> str:
        return one_line(f"Field({self})")
