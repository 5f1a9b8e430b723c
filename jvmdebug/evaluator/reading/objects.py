# SPDX-License-Identifier: Apache-2.0
"""Objects as the interpreter has them.

An object of the program has a reference, and what is read of it is kept until the evaluation ends;
an object without one was made by the call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.reading.arrays import ReadArray

if TYPE_CHECKING:
    from jvmdebug.evaluator.reading.read_class import ReadClass
    from jvmdebug.evaluator.reading.slots import Slot
    from jvmdebug.model.values import ObjectReference

STRING: Final = "java/lang/String"
OBJECT: Final = "java/lang/Object"


class ReadObject:
    """An object; its class and fields are None until they are read."""

    __slots__ = ("captured", "fields", "mirrored", "of_class", "reference", "text")

    def __init__(
        self, of_class: ReadClass | None, reference: ObjectReference | None = None
    ) -> None:
        self.of_class = of_class
        self.reference = reference
        self.fields: dict[str, Slot] | None = None
        """By `java/util/HashMap.table`."""
        self.text: str | None = None
        """Of a string."""
        self.mirrored: ReadClass | str | None = None
        """Of a java.lang.Class: the class; the descriptor of an array or primitive type."""
        self.captured: LambdaCode | None = None
        """Of a lambda that the call has made."""


@dataclass(frozen=True, slots=True, eq=False)
class LambdaCode:
    """What a lambda calls: the method by kind of its handle and name, after what it captured."""

    home: ReadClass
    name: str
    kind: int
    """That of the method handle (JVMS 5.4.3.5)."""
    target: tuple[str, str, str]
    """Owner, name and descriptor."""
    captured: list[Slot]
    captured_kinds: tuple[str, ...]
    """Their descriptors."""
    is_serializable: bool = False


def string_fields(text: str) -> dict[str, Slot]:
    """The fields of a String, as java.lang.String has them from JDK 9 on."""
    is_latin = all(each <= "\xff" for each in text)
    content = text.encode("latin-1") if is_latin else text.encode("utf-16-le", "surrogatepass")
    signed = [each - 256 if each > 127 else each for each in content]
    return {
        f"{STRING}.value": ReadArray("[B", signed, len(signed)),
        f"{STRING}.coder": 0 if is_latin else 1,
        f"{STRING}.hash": 0,
        f"{STRING}.hashIsZero": 0,
    }


def text_of_fields(fields: dict[str, Slot]) -> str | None:
    """The text of a string that the call has made; None before its constructor is done."""
    value = fields.get(f"{STRING}.value")
    if not isinstance(value, ReadArray) or not isinstance(value.items, list):
        return None
    content = bytes(each & 0xFF for each in value.items)
    if fields.get(f"{STRING}.coder"):
        return content.decode("utf-16-le", "surrogatepass")
    return content.decode("latin-1")
