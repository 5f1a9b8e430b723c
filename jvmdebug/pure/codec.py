# SPDX-License-Identifier: Apache-2.0
"""Payloads of the generated classes, by their LAYOUT (see jvmdebug/jdwp/command.py).

Each type of a LAYOUT becomes an object that reads and writes it, once for a codec. Fields are set
without calling `__init__`, as the compiled one does. Errors name the class and the field.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from enum import Flag
from typing import Any, Final, TypeVar, cast

from jvmdebug.pure.wire import Reader, ShortError, WireError

MessageT = TypeVar("MessageT")

_set = object.__setattr__
_OBJECT_TAGS: Final = frozenset(b"[Lstglc")
_TAG_SIZES: Final = {
    ord(tag): size for tag, size in zip("VZBCSIFJD", (0, 1, 1, 2, 2, 4, 4, 8, 8), strict=True)
}
_REFERENCE_TYPES: Final = ("referenceTypeID", "classID", "interfaceID", "arrayTypeID")
_SHORTER: Final = "the packet is shorter than this field"
_SHORTER_ELEMENTS: Final = "the packet is shorter than its elements"


@dataclass(frozen=True, slots=True)
class IdSizes:
    """The sizes of a VM's ids in bytes: 1, 2, 4 or 8; other sizes raise WireError."""

    field: int = 8
    method: int = 8
    object: int = 8
    reference_type: int = 8
    frame: int = 8

    def __post_init__(self) -> None:
        for name in ("field", "method", "object", "reference_type", "frame"):
            size = getattr(self, name)
            if size not in (1, 2, 4, 8):
                raise WireError(f"an id size of {size} bytes ({name}); it can be 1, 2, 4 or 8")


class _Place:
    """The field that is read or written, for errors, and the tag of the one before it."""

    __slots__ = ("field", "layout", "tag")

    def __init__(self, layout: str) -> None:
        self.layout = layout
        self.field = ""
        self.tag = 0

    def refused(self, why: str) -> WireError:
        return WireError(f"{self.layout}.{self.field}: {why}")

    def wrong_type(self, wanted: str, value: object) -> TypeError:
        return TypeError(
            f"{self.layout}.{self.field}: expected {wanted}, not {type(value).__name__}"
        )


class _Type:
    """One type of a LAYOUT."""

    minimum = 0
    """The fewest bytes that a value has."""

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401 - any type
        raise NotImplementedError

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        raise NotImplementedError


def _write_number(out: bytearray, value: Any, width: int, place: _Place, *, signed: bool) -> None:  # noqa: ANN401
    if not isinstance(value, int):
        raise place.wrong_type("int", value)
    try:
        out += int(value).to_bytes(width, "big", signed=signed)
    except OverflowError:
        kind = "8 bytes" if signed and width == 8 else "its bytes (signed)"
        shown = kind if signed else "its bytes (unsigned)"
        raise place.refused(f"{value!r} does not fit {shown}") from None


class _Number(_Type):
    def __init__(self, width: int, *, signed: bool) -> None:
        self.minimum = self._width = width
        self._signed = signed

    def read(self, reader: Reader, place: _Place) -> int:
        del place
        return reader.signed(self._width) if self._signed else reader.unsigned(self._width)

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        _write_number(out, value, self._width, place, signed=self._signed)


class _Boolean(_Type):
    minimum = 1

    def read(self, reader: Reader, place: _Place) -> bool:
        del place
        return reader.unsigned(1) != 0

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if not isinstance(value, bool):
            raise place.wrong_type("bool", value)
        out.append(value)


class _String(_Type):
    minimum = 4

    def read(self, reader: Reader, place: _Place) -> str:
        try:
            return reader.counted().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise place.refused("the string is not UTF-8") from None

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if not isinstance(value, str):
            raise place.wrong_type("str", value)
        encoded = value.encode("utf-8", "surrogatepass")
        out += len(encoded).to_bytes(4, "big") + encoded


class _Bytes(_Type):
    def __init__(self, *, is_rest: bool) -> None:
        self._is_rest = is_rest
        self.minimum = 0 if is_rest else 4

    def read(self, reader: Reader, place: _Place) -> bytes:
        del place
        return reader.span(reader.remaining) if self._is_rest else reader.counted()

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if not isinstance(value, bytes):
            raise place.wrong_type("bytes", value)
        if not self._is_rest:
            out += len(value).to_bytes(4, "big")
        out += value


class _Enum(_Type):
    def __init__(self, width: int, enumeration: Any, *, or_null: bool) -> None:  # noqa: ANN401
        self.minimum = self._width = width
        self._enumeration = enumeration
        self._or_null = or_null
        self._members = {int(each): each for each in enumeration}
        self._is_flags = issubclass(enumeration, Flag)
        self._signed = width == 4 and not self._is_flags

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401
        number = reader.signed(4) if self._signed else reader.unsigned(self._width)
        place.tag = number
        found = self._members.get(number)
        if found is not None:
            return found
        if self._is_flags:
            return self._enumeration(number)
        if number == 0 and self._or_null:
            return next(iter(self._members.values()))
        raise place.refused(f"{number} is no {self._enumeration.__qualname__}")

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        _write_number(out, value, self._width, place, signed=self._signed)
        place.tag = int(value)


class _List(_Type):
    minimum = 4

    def __init__(self, element: _Type) -> None:
        self._element = element

    def read(self, reader: Reader, place: _Place) -> tuple[Any, ...]:
        try:
            count = reader.count(self._element.minimum)
        except ShortError:
            raise place.refused(_SHORTER_ELEMENTS) from None
        read = self._element.read
        return tuple([read(reader, place) for _ in range(count)])

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if not isinstance(value, tuple):
            raise place.wrong_type("tuple", value)
        out += len(value).to_bytes(4, "big")
        for each in value:
            self._element.write(out, each, place)


class _Struct(_Type):
    """A class with a LAYOUT; its maker adds `fields`, name and type in the order of the wire."""

    def __init__(self, python_class: type) -> None:
        self.python_class = python_class
        self.name = python_class.__qualname__
        self.fields: list[tuple[str, _Type]] = []

    def read(self, reader: Reader, place: _Place | None = None) -> Any:  # noqa: ANN401
        del place
        here = _Place(self.name)
        made: Any = object.__new__(self.python_class)
        for name, type_ in self.fields:
            here.field = name
            try:
                _set(made, name, type_.read(reader, here))
            except ShortError:
                raise here.refused(_SHORTER) from None
        return made

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if type(value) is not self.python_class:
            raise place.wrong_type(self.name, value)
        self.write_fields(out, value)

    def write_fields(self, out: bytearray, value: object) -> None:
        here = _Place(self.name)
        for name, type_ in self.fields:
            here.field = name
            try:
                content = getattr(value, name)
            except AttributeError:
                raise TypeError(f"{self.name}.{name} has no value") from None
            type_.write(out, content, here)


class _Variant(_Type):
    minimum = 1

    def __init__(self, cases: dict[int, _Struct]) -> None:
        self._cases = cases
        self._kinds = {case.python_class: kind for kind, case in cases.items()}

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401
        kind = reader.unsigned(1)
        if kind not in self._cases:
            raise place.refused(f"there is no case {kind}")
        return self._cases[kind].read(reader)

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        kind = self._kinds.get(type(value))
        if kind is None:
            raise place.wrong_type("one of the cases", value)
        out.append(kind)
        self._cases[kind].write_fields(out, value)


class _ByTag(_Type):
    """A value whose tag is the field before it."""

    def __init__(self, object_size: int) -> None:
        self._object_size = object_size

    def size(self, tag: int) -> int:
        """The bytes of a value of this tag; -1 for what is no tag."""
        return self._object_size if tag in _OBJECT_TAGS else _TAG_SIZES.get(tag, -1)

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401
        tag = place.tag
        size = self.size(tag)
        if size < 0:
            raise place.refused(f"a value cannot have the tag {tag}")
        content = reader.span(size)
        match chr(tag):
            case "V":
                return None
            case "Z":
                return content != b"\0"
            case "F":
                return struct.unpack(">f", content)[0]
            case "D":
                return struct.unpack(">d", content)[0]
            case "B" | "S" | "I" | "J":
                return int.from_bytes(content, "big", signed=True)
            case _:
                return int.from_bytes(content, "big")

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        tag = place.tag
        size = self.size(tag)
        if size < 0:
            raise place.refused(f"a value cannot have the tag {tag}")
        match chr(tag):
            case "V":
                if value is not None:
                    raise place.wrong_type("None", value)
            case "Z":
                _Boolean().write(out, value, place)
            case "F" | "D":
                _write_floating(out, value, size, place)
            case letter:
                _write_number(out, value, size, place, signed=letter in "BSIJ")


def _write_floating(out: bytearray, value: Any, width: int, place: _Place) -> None:  # noqa: ANN401
    try:
        number = float(value) if not isinstance(value, str | bytes) else None
    except (TypeError, OverflowError):
        number = None
    if number is None:
        raise place.wrong_type("float", value)
    try:
        out += struct.pack(">d" if width == 8 else ">f", number)
    except OverflowError:
        raise place.refused(f"{value!r} does not fit a float") from None
    if width == 4 and math.isnan(number):
        bits = struct.unpack(">Q", struct.pack(">d", number))[0]
        del out[-4:]
        narrow = ((bits >> 32) & 0x8000_0000) | 0x7FC0_0000 | ((bits >> 29) & 0x7F_FFFF)
        out += narrow.to_bytes(4, "big")


class _Untagged(_Type):
    """A Value without its tag, which can be written only."""

    minimum = 1

    def __init__(self, value: _Struct, content: _ByTag) -> None:
        self._value = value
        self._content = content

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401
        del reader
        raise place.refused("an untagged value cannot be read")

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if type(value) is not self._value.python_class:
            raise place.wrong_type(self._value.name, value)
        (tag, _), (content, _) = self._value.fields[:2]
        found = getattr(value, tag)
        if not isinstance(found, int):
            raise place.wrong_type("a value with a tag", value)
        here = _Place(place.layout)
        here.field, here.tag = place.field, int(found)
        self._content.write(out, getattr(value, content), here)


class _RawValues(_Type):
    minimum = 4

    def __init__(self, raw: _Struct, element: _Type) -> None:
        self._raw = raw
        self._element = element
        self._list = _List(element)

    def read(self, reader: Reader, place: _Place) -> Any:  # noqa: ANN401
        at = reader.position()
        try:
            reader.count(self._element.minimum)
        except ShortError:
            raise place.refused("the packet is shorter than its values") from None
        reader.go_to(at)
        return self._raw.read(reader)

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if type(value) is self._raw.python_class:
            self._raw.write_fields(out, value)
        else:
            self._list.write(out, value, place)


class _Region(_Type):
    """Elements of an array, whose tag is the field before them; objects have their own tags."""

    minimum = 4

    def __init__(self, tagged: _Struct, plain: _ByTag) -> None:
        self._tagged = tagged
        self._plain = plain

    def read(self, reader: Reader, place: _Place) -> tuple[Any, ...]:
        size = self._plain.size(place.tag)
        if size <= 0:
            raise place.refused(f"an array cannot have elements of the tag {place.tag}")
        element: _Type = self._tagged if place.tag in _OBJECT_TAGS else self._plain
        try:
            count = reader.count(element.minimum or size)
        except ShortError:
            raise place.refused(_SHORTER_ELEMENTS) from None
        return tuple([element.read(reader, place) for _ in range(count)])

    def write(self, out: bytearray, value: Any, place: _Place) -> None:  # noqa: ANN401
        if not isinstance(value, tuple):
            raise place.wrong_type("tuple", value)
        if self._plain.size(place.tag) <= 0:
            raise place.refused(f"an array cannot have elements of the tag {place.tag}")
        element: _Type = self._tagged if place.tag in _OBJECT_TAGS else self._plain
        out += len(value).to_bytes(4, "big")
        for each in value:
            element.write(out, each, place)


class Codec:
    """Encodes and decodes payloads for one VM's id sizes."""

    def __init__(self, sizes: IdSizes) -> None:
        self._sizes = sizes
        self._structs: dict[type, _Struct] = {}
        self._by_tag = _ByTag(sizes.object)
        self._named: dict[str, _Type] = {
            "boolean": _Boolean(),
            "byte": _Number(1, signed=True),
            "int": _Number(4, signed=True),
            "long": _Number(8, signed=True),
            "string": _String(),
            "bytes": _Bytes(is_rest=False),
            "rest": _Bytes(is_rest=True),
            "by_tag": self._by_tag,
        }

    @property
    def sizes(self) -> IdSizes:
        return self._sizes

    def encode(self, message: object) -> bytes:
        """The payload of a generated class. WireError: a value does not fit; TypeError."""
        out = bytearray()
        self._struct(type(message)).write_fields(out, message)
        return bytes(out)

    def decode(self, message_class: type[MessageT], content: bytes) -> MessageT:
        """The object of this class that the bytes are. WireError: they are not one."""
        struct_ = self._struct(message_class)
        reader = Reader(bytes(content))
        found = struct_.read(reader)
        if reader.remaining:
            raise WireError(
                f"{struct_.name}: {reader.remaining} bytes follow that belong to nothing"
            )
        return cast("MessageT", found)

    def _struct(self, python_class: Any) -> _Struct:  # noqa: ANN401 - it is checked
        found = self._structs.get(python_class)
        if found is not None:
            return found
        if not isinstance(python_class, type) or not hasattr(python_class, "LAYOUT"):
            raise TypeError(
                f"{python_class!r} has no LAYOUT: only classes of jvmdebug.jdwp can be on the wire"
            )
        _check_class(python_class)
        made = _Struct(python_class)
        for name, description in python_class.LAYOUT:
            _check_slot(python_class, name)
            type_ = self._type(description)
            made.fields.append((name, type_))
            made.minimum += type_.minimum
        self._structs[python_class] = made
        return made

    def _type(self, description: Any) -> _Type:  # noqa: ANN401, PLR0911 - one for each form
        if isinstance(description, str):
            return self._named.get(description) or self._id(description)
        if not isinstance(description, tuple):
            return self._struct(description)
        match description:
            case ("list", element):
                return _List(self._type(element))
            case ("enum" | "enum_or_null" as word, width, enumeration):
                size = 1 if width == "byte" else 4
                return _Enum(size, enumeration, or_null=word == "enum_or_null")
            case ("variant", cases):
                return _Variant({each.KIND: self._struct(each) for each in cases})
            case ("raw_values", raw, element):
                return _RawValues(self._struct(raw), self._type(element))
            case ("untagged", value):
                return _Untagged(self._struct(value), self._by_tag)
            case ("region", tagged):
                return _Region(self._struct(tagged), self._by_tag)
        raise TypeError(f"a LAYOUT holds '{description[0]}', which is none")

    def _id(self, name: str) -> _Type:
        sizes = self._sizes
        widths = {"methodID": sizes.method, "fieldID": sizes.field, "frameID": sizes.frame}
        widths |= dict.fromkeys(_REFERENCE_TYPES, sizes.reference_type)
        width = widths.get(name, sizes.object if name.endswith("ID") else 0)
        if not width:
            raise TypeError(f"a LAYOUT names the type '{name}', which is none")
        return self._named.setdefault(name, _Number(width, signed=False))


def _check_class(python_class: type) -> None:
    """Objects of the class can be made by allocation alone."""
    has_dict = any("__dict__" in vars(each) for each in python_class.__mro__[:-1])
    if has_dict or hasattr(python_class, "__post_init__"):
        raise TypeError(f"{python_class.__qualname__} is not a dataclass with slots alone")


def _check_slot(python_class: type, name: str) -> None:
    found = getattr(python_class, name, None)
    if type(found).__name__ != "member_descriptor":
        raise TypeError(
            f"{python_class.__qualname__}.{name} is not a slot: a class with a LAYOUT is a "
            "dataclass with slots"
        )
