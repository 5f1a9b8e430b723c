# SPDX-License-Identifier: Apache-2.0
"""Objects and arrays as the interpreter has them, and the errors that end a call.

Numbers are ints and floats, booleans and chars too; null is None. A long or double takes two slots
of a stack, the value and `SECOND`. An object of the program has a reference, and what is read of it
is kept until the evaluation ends; an object without one was made by the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.evaluator.errors import ReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.evaluator.reading.classes import ReadClass
    from jvmdebug.model.values import ObjectReference

Slot: TypeAlias = Any
"""int, float, None, ReadObject or ReadArray."""

STRING: Final = "java/lang/String"
OBJECT: Final = "java/lang/Object"
_WIDE: Final = "JD"


class _Second:
    """The second slot of a long or double."""


SECOND: Final = _Second()


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


class ReadArray:
    """An array; the elements that were not read yet are missing in `items`."""

    __slots__ = ("descriptor", "items", "length", "reference")

    def __init__(
        self,
        descriptor: str,
        items: dict[int, Slot] | list[Slot],
        length: int,
        reference: ObjectReference | None = None,
    ) -> None:
        self.descriptor = descriptor
        self.items = items
        self.length = length
        """-1 until it is read."""
        self.reference = reference


class LambdaCode:
    """What a lambda calls: the method by kind of its handle and name, after what it captured."""

    __slots__ = ("captured", "home", "interface", "kind", "name", "target")

    def __init__(
        self,
        home: ReadClass,
        interface: str,
        name: str,
        handle: tuple[int, tuple[str, str, str]],
        captured: list[Slot],
    ) -> None:
        self.home = home
        self.interface = interface
        self.name = name
        self.kind, self.target = handle
        self.captured = captured


class MissingError(Exception):
    """Something has to be read before the instruction can run; `load` reads it."""

    def __init__(self, load: Callable[[], Awaitable[None]]) -> None:
        super().__init__("not read yet")
        self.load = load


class ThrownError(Exception):
    """What Java throws; `thrown` is None where the VM itself would make the exception."""

    def __init__(self, name: str, detail: str | None, thrown: ReadObject | None = None) -> None:
        super().__init__(name)
        self.name = name
        """Internal name: `java/lang/NullPointerException`."""
        self.detail = detail
        self.thrown = thrown


class RefusedError(Exception):
    """A method does more than read; the message says which, and what it does."""


class UnreadableError(RefusedError):
    """A method needs what cannot be read; the message says what."""


class NotReadError(ReadOnlyError):
    """A call that cannot be computed by reading alone."""


def default_of(descriptor: str) -> Slot:
    """The value of a field before it is assigned."""
    kind = descriptor[0]
    if kind in "L[":
        return None
    return 0.0 if kind in "FD" else 0


def is_wide(descriptor: str) -> bool:
    """Whether a value takes two slots."""
    return descriptor[0] in _WIDE


def new_array(descriptor: str, length: int) -> ReadArray:
    """An array that the call makes, of that type."""
    return ReadArray(descriptor, [default_of(descriptor[1:])] * length, length)


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
