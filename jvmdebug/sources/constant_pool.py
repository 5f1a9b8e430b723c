# SPDX-License-Identifier: Apache-2.0
"""A class's constant pool (JVMS 4.4) as text: what the operands of instructions mean."""

from __future__ import annotations

import json
import struct
from typing import Final

from jvmdebug.model.constant_pool import constants
from jvmdebug.model.signature import java_name, parse_method_descriptor, simple_name

_UTF8, _INTEGER, _FLOAT, _LONG, _DOUBLE = 1, 3, 4, 5, 6
_MEMBERS: Final = frozenset({9, 10, 11})
_INVOKE_DYNAMIC = 18
_NUMBERS: Final = {_INTEGER: ">i", _FLOAT: ">f", _LONG: ">q", _DOUBLE: ">d"}
_SUFFIXES: Final = {_INTEGER: "", _FLOAT: "f", _LONG: "L", _DOUBLE: ""}


class ConstantPool:
    """The entries of JDWP's ReferenceType.ConstantPool: `count` is one more than the last index."""

    def __init__(self, count: int, content: bytes) -> None:
        """ValueError when the bytes are no constant pool."""
        self._entries = {
            each.number: (each.tag, content[each.start : each.end])
            for each in constants(content, 0, count)
        }

    def text(self, index: int) -> str:
        """The constant, as Java would write it as far as it can; `#7` for what is not there."""
        tag, content = self._entries.get(index, (0, b""))
        if tag in _NUMBERS:
            (number,) = struct.unpack(_NUMBERS[tag], content)
            return f"{number}{_SUFFIXES.get(tag, '')}"
        match tag:
            case 7:
                text = self._class(index)
            case 8:
                text = json.dumps(self._utf8(_first(content)), ensure_ascii=False)
            case 9:
                name, descriptor = self._name_and_type(_second(content))
                text = f"{self._class(_first(content))}.{name} : {java_name(descriptor)}"
            case 10 | 11:
                text = f"{self._class(_first(content))}.{self._method(_second(content))}"
            case 15:
                text = self.text(int.from_bytes(content[1:]))
            case 16:
                text = self._utf8(_first(content))
            case 17 | 18:
                text = self._method(_second(content))
            case _:
                text = f"#{index}"
        return text

    def member(self, index: int) -> tuple[str, str, str] | None:
        """Owner (`java/util/Map`), name and descriptor of a field or method; None for others.

        What an invokedynamic links has no owner: an empty name.
        """
        tag, content = self._entries.get(index, (0, b""))
        if tag in _MEMBERS:
            _, owner = self._entries.get(_first(content), (0, bytes(2)))
            return (self._utf8(_first(owner)), *self._name_and_type(_second(content)))
        if tag == _INVOKE_DYNAMIC:
            return ("", *self._name_and_type(_second(content)))
        return None

    def _class(self, index: int) -> str:
        name = self._utf8(_first(self._entries[index][1])) if index in self._entries else "?"
        return java_name(name) if name.startswith("[") else name.replace("/", ".")

    def _utf8(self, index: int) -> str:
        _, content = self._entries.get(index, (0, b""))
        # Modified UTF-8: the two bytes of NUL, and surrogates one by one.
        text = content.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _name_and_type(self, index: int) -> tuple[str, str]:
        _, content = self._entries.get(index, (0, bytes(4)))
        return self._utf8(_first(content)), self._utf8(_second(content))

    def _method(self, index: int) -> str:
        name, descriptor = self._name_and_type(index)
        if not descriptor.startswith("("):
            return f"{name} : {java_name(descriptor)}"  # a dynamic constant
        parsed = parse_method_descriptor(descriptor)
        parameters = ", ".join(simple_name(java_name(each)) for each in parsed.parameters)
        return f"{name}({parameters}) : {java_name(parsed.result)}"


def _first(content: bytes) -> int:
    return int.from_bytes(content[:2])


def _second(content: bytes) -> int:
    return int.from_bytes(content[2:4])
