# SPDX-License-Identifier: Apache-2.0
"""The outline of a class file (JVMS 4): name, supertypes, members. Pure: bytes in, values out."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

_MAGIC: Final = 0xCAFEBABE
_UTF8: Final = 1
_CLASS: Final = 7
_TWO_SLOTS: Final = frozenset({5, 6})
_SIZES: Final = {
    3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4,
    19: 2, 20: 2,
}  # fmt: skip
_FIRST_JAVA: Final = 44
"""Version 52 is Java 8."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field or a method."""

    name: str
    descriptor: str
    modifiers: int


@dataclass(frozen=True, slots=True)
class ClassFile:
    """What a class file declares. Names are internal ones: `shop/Cart$Item`."""

    name: str
    superclass: str | None
    interfaces: tuple[str, ...]
    modifiers: int
    fields: tuple[Member, ...]
    methods: tuple[Member, ...]
    java_release: int

    @property
    def java_name(self) -> str:
        """`shop.Cart$Item`"""
        return self.name.replace("/", ".")

    @classmethod
    def read(cls, content: bytes) -> ClassFile:
        """ValueError when it is no class file."""
        try:
            return _read(_Cursor(content))
        except (struct.error, KeyError, UnicodeDecodeError) as error:
            raise ValueError(f"not a whole class file: {error}") from error


class _Cursor:
    """Reads big-endian numbers from front to back; struct.error behind the end."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._position = 0

    def numbers(self, layout: str) -> tuple[int, ...]:
        found = struct.unpack_from(f">{layout}", self._content, self._position)
        self._position += struct.calcsize(f">{layout}")
        return found

    def number(self, layout: str = "H") -> int:
        return self.numbers(layout)[0]

    def content(self, size: int) -> bytes:
        begin, self._position = self._position, self._position + size
        found = self._content[begin : self._position]
        if len(found) != size:
            raise struct.error("it ends in the middle of an entry")
        return found


def _read(cursor: _Cursor) -> ClassFile:
    magic, _, version = cursor.numbers("IHH")
    if magic != _MAGIC:
        raise ValueError("not a class file: it does not begin with CAFEBABE")
    texts, classes = _constants(cursor)

    def class_name(index: int) -> str:
        return texts[classes[index]]

    modifiers, this_class, superclass, count = cursor.numbers("HHHH")
    interfaces = tuple(class_name(cursor.number()) for _ in range(count))
    fields, methods = (_members(cursor, texts) for _ in range(2))
    return ClassFile(
        class_name(this_class),
        class_name(superclass) if superclass else None,
        interfaces,
        modifiers,
        fields,
        methods,
        version - _FIRST_JAVA,
    )


def _constants(cursor: _Cursor) -> tuple[dict[int, str], dict[int, int]]:
    """The texts, and of each class the index of its name."""
    texts: dict[int, str] = {}
    classes: dict[int, int] = {}
    count = cursor.number()
    index = 1
    while index < count:
        tag = cursor.number("B")
        if tag == _UTF8:
            text = cursor.content(cursor.number()).replace(b"\xc0\x80", b"\0")
            texts[index] = text.decode("utf-8", "surrogatepass")
        elif tag == _CLASS:
            classes[index] = cursor.number()
        else:
            cursor.content(_SIZES[tag])
        index += 2 if tag in _TWO_SLOTS else 1
    return texts, classes


def _members(cursor: _Cursor, texts: dict[int, str]) -> tuple[Member, ...]:
    found = []
    for _ in range(cursor.number()):
        modifiers, name, descriptor, attributes = cursor.numbers("HHHH")
        found.append(Member(texts[name], texts[descriptor], modifiers))
        for _ in range(attributes):
            cursor.number()
            cursor.content(cursor.number("I"))
    return tuple(found)
