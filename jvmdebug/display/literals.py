# SPDX-License-Identifier: Apache-2.0
"""Characters, strings and numbers as Java literals, and cutting. Pure functions."""

from __future__ import annotations

import math
from typing import Final

from jvmdebug.model.java_text import floating_text
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

ELLIPSIS: Final = "…"
_ESCAPES: Final = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    "\\": "\\\\",
}


_BITS: Final = {
    PrimitiveKind.BYTE: 8,
    PrimitiveKind.SHORT: 16,
    PrimitiveKind.INT: 32,
    PrimitiveKind.LONG: 64,
}


def primitive_text(value: PrimitiveValue, *, in_hex: bool = False) -> str:
    """`42`, `'c'`, `1.5`, `true`; a float and a long look like their values, without suffix.

    `in_hex` is about integers: `0x2a`.
    """
    number = value.value
    if in_hex and value.kind in _BITS:
        return hex_text(int(number), _BITS[value.kind])
    match value.kind:
        case PrimitiveKind.BOOLEAN:
            return "true" if number else "false"
        case PrimitiveKind.CHAR:
            return f"'{escaped(chr(int(number)), quote=chr(39))}'"
        case PrimitiveKind.FLOAT:
            return floating_text(float(number), is_float=True)
        case PrimitiveKind.DOUBLE:
            return floating_text(float(number), is_float=False)
        case _:
            return str(number)


def hex_text(number: int, bits: int) -> str:
    """`0x2a`; a negative number as the VM keeps it, in two's complement: `0xfffffffd`."""
    return f"0x{number & ((1 << bits) - 1):x}"


def literal(value: PrimitiveValue) -> str:
    """A Java expression for the value: `42L`, `1.5f`, `(byte) 3`, `0.0 / 0.0`."""
    text = primitive_text(value)
    match value.kind:
        case PrimitiveKind.LONG:
            return f"{text}L"
        case PrimitiveKind.BYTE | PrimitiveKind.SHORT:
            return f"({value.kind.java_name}) {text}"
        case PrimitiveKind.FLOAT | PrimitiveKind.DOUBLE:
            number = float(value.value)
            suffix = "f" if value.kind is PrimitiveKind.FLOAT else ""
            if math.isnan(number):
                return f"0.0{suffix} / 0.0{suffix}"
            if math.isinf(number):
                return f"{'-' if number < 0 else ''}1.0{suffix} / 0.0{suffix}"
            return text + suffix
        case _:
            return text


def escaped(text: str, *, quote: str = '"') -> str:
    """The text between the quotes of a Java literal: on one line, invisible characters escaped."""
    return "".join(_escaped_character(character, quote) for character in text)


def _escaped_character(character: str, quote: str) -> str:
    if character == quote:
        return "\\" + character
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def string_text(text: str, max_length: int, *, is_whole: bool = True) -> str:
    """`"text"`, escaped; a long one is cut inside of the quotes: `"text…"`.

    `is_whole` is false when `text` is only the beginning, of at least `max_length` characters.
    """
    room = max(max_length - 2, 1)
    shown = escaped(text[: room + 1])
    if is_whole and len(text) <= room and len(shown) <= room:
        return f'"{shown}"'
    cut = ""
    for character in text:
        piece = _escaped_character(character, '"')
        if len(cut) + len(piece) > room - 1:
            break
        cut += piece
    return f'"{cut}{ELLIPSIS}"'


def cut(text: str, max_length: int) -> str:
    """The text cut to that many characters, the last one an ellipsis when something is missing."""
    if len(text) <= max_length:
        return text
    return text[: max(max_length - 1, 0)] + ELLIPSIS
