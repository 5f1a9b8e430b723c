# SPDX-License-Identifier: Apache-2.0
"""Methods of the JDK whose results follow from what a recording knows of an object.

A text is known up to a length, a collection up to a number of elements, both as they were when the
object was last seen; a result that needs more is refused with what is missing. To add one, see
`jvmdebug.evaluator.bind.recorded_calls`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import simple_name
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import Value
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import ObjectDefinition, ObjectKind
from jvmdebug.recording.replay.objects import THREADS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.recording.replay.objects import ReplayObjects

_STRING: Final = "java.lang.String"
_OF_TAG: Final = {
    Tag.INT: "java.lang.Integer",
    Tag.LONG: "java.lang.Long",
    Tag.SHORT: "java.lang.Short",
    Tag.BYTE: "java.lang.Byte",
    Tag.CHAR: "java.lang.Character",
    Tag.BOOLEAN: "java.lang.Boolean",
    Tag.FLOAT: "java.lang.Float",
    Tag.DOUBLE: "java.lang.Double",
}
_BY_TEXT: Final = (ObjectKind.STRING, ObjectKind.BOXED, ObjectKind.TEXT)
"""Objects that are equal if their texts and classes are."""
_EQUAL_ONLY_TO_THEMSELVES: Final = ("java.lang.StringBu", "java.util.concurrent.atomic.")
"""Classes whose objects have a text, and no `equals` of their own."""
_LISTS: Final = ("List", "ListN", "List12")


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of an object or a value; `serial` is 0 of one that an expression has made."""

    class_name: str
    kind: ObjectKind
    serial: int = 0
    text: str = ""
    """In UTF-16 units, one a character."""
    length: int = 0
    elements: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of it was recorded."""
        if self.kind is ObjectKind.STRING:
            return len(self.text) == self.length
        size = len(self.elements)
        return (size // 2 if self.kind is ObjectKind.MAP else size) == self.length


class JdkMethods:
    """Computes the methods for the objects of one replayed program."""

    def __init__(self, objects: ReplayObjects) -> None:
        self._objects = objects
        self._of_texts: dict[str, Callable[..., Value | str]] = {
            "length": lambda it: _int(it.length),
            "isEmpty": lambda it: _boolean(it.length == 0),
            "charAt": self._char_at,
            "contains": lambda it, part: _boolean(self._index(it, part) >= 0),
            "indexOf": lambda it, part: _int(self._index(it, part, may_be_char=True)),
            "startsWith": self._starts_with,
            "endsWith": lambda it, part: _boolean(_whole(it).endswith(self._text(part))),
            "substring": self._substring,
            "trim": lambda it: _joined(_whole(it).strip("".join(map(chr, range(33))))),
            "hashCode": lambda it: _int(_hash(_whole(it))),
        }
        self._of_collections: dict[str, Callable[..., Value | str]] = {
            "size": lambda it: _int(it.length),
            "isEmpty": lambda it: _boolean(it.length == 0),
            "contains": lambda it, one: _boolean(self._found(it, it.elements, one) is not None),
            "get": self._element,
        }
        self._of_maps: dict[str, Callable[..., Value | str]] = {
            "size": lambda it: _int(it.length),
            "isEmpty": lambda it: _boolean(it.length == 0),
            "containsKey": lambda it, key: _boolean(
                self._found(it, it.elements[::2], key) is not None
            ),
            "containsValue": lambda it, value: _boolean(
                self._found(it, it.elements[1::2], value) is not None
            ),
            "get": self._mapped,
        }

        self._methods_of: dict[ObjectKind, dict[str, Callable[..., Value | str]]] = {
            ObjectKind.STRING: {**self._of_texts, "toString": lambda it: _joined(_whole(it))},
            ObjectKind.COLLECTION: self._of_collections,
            ObjectKind.MAP: self._of_maps,
            ObjectKind.BOXED: {"toString": lambda it: _joined(it.text)},
            ObjectKind.TEXT: {"toString": lambda it: _joined(it.text)},
            ObjectKind.ENUM: {"name": lambda it: _joined(it.text)},
            ObjectKind.CLASS: {"getName": lambda it: _joined(it.text)},
            ObjectKind.THROWABLE: {"getMessage": lambda it: _joined(it.text)},
        }

    def call(self, target: Value | str, name: str, arguments: Sequence[Value | str]) -> Value | str:
        """The result of a method. RecordingError that says why it cannot be computed."""
        known = self._known(target)
        if known is None:
            raise RecordingError(f"{name}() cannot be computed of null")
        if known.kind is ObjectKind.REDACTED:
            raise RecordingError(f"{name}() cannot be computed: the value was redacted")
        if name == "equals" and len(arguments) == 1:
            return _boolean(self._are_equal(known, self._known(arguments[0])))
        method = self._methods(known).get(name)
        if method is None:
            raise RecordingError(
                f"{simple_name(known.class_name)}.{name}() cannot be computed: it does not follow"
                " from what was recorded of the object, and a recording has no code to run"
            )
        return method(known, *map(self._known, arguments))

    def _methods(self, known: _Known) -> dict[str, Callable[..., Value | str]]:
        if known.kind is ObjectKind.THROWABLE and not known.text:
            return {}  # it may be null
        return self._methods_of.get(known.kind, {})

    # Objects

    def _known(self, value: Value | str) -> _Known | None:
        """What is known of a value; None of null."""
        if isinstance(value, str):
            return _of_text(value)
        if value.tag in _OF_TAG:
            plain = value.value
            text = str(plain).lower() if value.tag is Tag.BOOLEAN else str(plain)
            if value.tag is Tag.CHAR and isinstance(plain, int):
                text = chr(plain)
            return _Known(_OF_TAG[value.tag], ObjectKind.BOXED, text=text)
        number = value.value if isinstance(value.value, int) else 0
        if not number:
            return None
        if number < THREADS:
            return _of(self._objects.definition(number))
        if value.tag is Tag.STRING:
            return _of_text(self._objects.text(number))
        return _Known(self._objects.type_of(number).name, ObjectKind.PLAIN, number)

    def _are_equal(self, one: _Known, other: _Known | None) -> bool:
        if other is None:
            return False
        if one.serial and one.serial == other.serial:
            return True
        if one.kind in _BY_TEXT:
            is_alone = one.class_name.startswith(_EQUAL_ONLY_TO_THEMSELVES)
            if is_alone or (one.class_name, one.kind) != (other.class_name, other.kind):
                return False
            if one.kind is ObjectKind.STRING:
                return one.length == other.length and _whole(one) == _whole(other)
            return _number(one) == _number(other)
        if one.kind in (ObjectKind.ENUM, ObjectKind.CLASS, ObjectKind.ARRAY):
            return (one.class_name, one.text) == (other.class_name, other.text) and bool(one.text)
        raise RecordingError(
            f"{simple_name(one.class_name)}.equals() cannot be computed: it does not follow from"
            " what was recorded of the objects, and a recording has no code to run"
        )

    # Texts

    def _text(self, known: _Known | None) -> str:
        if known is None or known.kind is not ObjectKind.STRING:
            raise RecordingError("what is looked for in a text is another text")
        return _whole(known)

    def _index(self, known: _Known, part: _Known | None, *, may_be_char: bool = False) -> int:
        is_char = may_be_char and part is not None and part.class_name == _OF_TAG[Tag.CHAR]
        wanted = part.text if is_char and part is not None else self._text(part)
        at = known.text.find(wanted)
        return at if at >= 0 else _whole(known).find(wanted)

    def _starts_with(self, known: _Known, part: _Known | None) -> Value:
        wanted = self._text(part)
        text = known.text if len(wanted) <= len(known.text) else _whole(known)
        return _boolean(text.startswith(wanted))

    def _char_at(self, known: _Known, index: _Known) -> Value:
        at = int(index.text)
        if not 0 <= at < known.length:
            raise RecordingError(f"the text has no character {at}: its length is {known.length}")
        text = known.text if at < len(known.text) else _whole(known)
        return Value(Tag.CHAR, ord(text[at]))

    def _substring(self, known: _Known, begin: _Known, end: _Known | None = None) -> str:
        start, stop = int(begin.text), known.length if end is None else int(end.text)
        if not 0 <= start <= stop <= known.length:
            raise RecordingError(f"the text has no part {start} to {stop}: length {known.length}")
        text = known.text if stop <= len(known.text) else _whole(known)
        return _joined(text[start:stop])

    # Collections

    def _found(self, known: _Known, elements: Sequence[int], wanted: _Known | None) -> int | None:
        """The place of an element; None if it is none of them."""
        for at, each in enumerate(elements):
            if self._is(wanted, each):
                return at
        _check_whole(known)
        return None

    def _is(self, wanted: _Known | None, serial: int) -> bool:
        if wanted is None or not serial:
            return wanted is None and not serial
        element = _of(self._objects.definition(serial))
        if element.kind is ObjectKind.REDACTED:
            raise RecordingError("it cannot be looked for: an element was redacted")
        return self._are_equal(wanted, element)

    def _element(self, known: _Known, index: _Known) -> Value:
        if not simple_name(known.class_name).endswith(("List", *_LISTS)):
            raise RecordingError(f"{simple_name(known.class_name)} has no method get")
        at = int(index.text)
        if not 0 <= at < known.length:
            raise RecordingError(f"the list has no element {at}: its size is {known.length}")
        if at >= len(known.elements):
            _check_whole(known)
        return self._objects.value(known.elements[at], "L")

    def _mapped(self, known: _Known, key: _Known | None) -> Value:
        at = self._found(known, known.elements[::2], key)
        return self._objects.value(0 if at is None else known.elements[2 * at + 1], "L")


def _of(known: ObjectDefinition) -> _Known:
    return _Known(
        known.class_name, known.kind, known.serial, _units(known.text), known.length, known.elements
    )


def _of_text(text: str) -> _Known:
    units = _units(text)
    return _Known(_STRING, ObjectKind.STRING, 0, units, len(units))


def _units(text: str) -> str:
    """A text with a character for each UTF-16 unit."""
    if text.isascii():
        return text
    content = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, struct.unpack(f"<{len(content) // 2}H", content)))


def _joined(units: str) -> str:
    """The inverse of `_units`."""
    content = struct.pack(f"<{len(units)}H", *map(ord, units))
    return content.decode("utf-16-le", "surrogatepass")


def _whole(known: _Known) -> str:
    if not known.is_whole:
        raise RecordingError(
            f"of the text, of {known.length:,} characters, {len(known.text):,} were recorded"
        )
    return known.text


def _check_whole(known: _Known) -> None:
    if not known.is_whole:
        raise RecordingError(
            f"of the {known.length:,} elements not all were recorded, so it cannot be said"
        )


def _number(known: _Known) -> float | str:
    if known.kind is ObjectKind.BOXED and known.class_name.endswith(("Float", "Double")):
        try:
            return float(known.text.replace("Infinity", "inf"))
        except ValueError:
            return known.text
    return known.text


def _hash(text: str) -> int:
    found = 0
    for each in text:
        found = (31 * found + ord(each)) & 0xFFFFFFFF
    return found - (1 << 32) if found >> 31 else found


def _int(value: int) -> Value:
    return Value(Tag.INT, value)


def _boolean(value: bool) -> Value:  # noqa: FBT001 - the value itself
    return Value(Tag.BOOLEAN, value)
