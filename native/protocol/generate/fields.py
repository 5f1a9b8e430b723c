# SPDX-License-Identifier: Apache-2.0
"""Reads the field tables of the declarations: one field a line, `name  type  what it means`.

A type is a plain one (`frameID`), a number with names (`int:ClassStatus`), a variant, a list of one
of these (`*threadID`), or a list of structs: `[Frame` and, on their own lines, its fields and `]`.

Knows the text of a table and nothing of commands; declarations.py calls it and adds file and line.
"""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING

from native.protocol.generate.model import (
    Enum,
    EnumType,
    Field,
    FieldType,
    ListType,
    RawValues,
    Scalar,
    Struct,
    VariantType,
)
from native.protocol.generate.scalars import SCALARS

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_STRUCT_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
# Words that no field may be called: those of the languages, and the members of every struct.
_CPP_WORDS = """
    alignas alignof asm auto bool break case catch char class concept const constexpr continue
    decltype default delete do double else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new operator private protected public register
    requires return short signed sizeof static struct switch template this throw true try
    typedef typeid typename union unsigned using virtual void volatile while read
    write reader writer element
"""
_RESERVED = frozenset(keyword.kwlist) | frozenset(_CPP_WORDS.split())


class FieldError(Exception):
    """A line of a field table is wrong; `line` counts from 0 within the table."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class FieldTable:
    """The reader of one table. It knows the enumerations and variants that may be named."""

    def __init__(self, enums: dict[str, Enum], variants: frozenset[str]) -> None:
        self._enums = enums
        self._variants = variants

    def read(self, text: str) -> tuple[Field, ...]:
        """Reads a whole table; raises FieldError."""
        lines = iter(enumerate(text.splitlines()))
        fields = self._read_until(lines, closing=None)
        for field in fields[:-1]:
            if isinstance(field.type, RawValues):
                raise FieldError(
                    0, f"field {field.name}: raw_values can only be last: its length is not known"
                )
        return fields

    def _read_until(
        self, lines: Iterator[tuple[int, str]], closing: tuple[int, str] | None
    ) -> tuple[Field, ...]:
        fields: list[Field] = []
        for number, line in lines:
            text = line.strip()
            if not text:
                continue
            if text == "]":
                if closing is None:
                    raise FieldError(number, "`]` closes nothing")
                if not fields:
                    raise FieldError(number, f"list {closing[1]} has elements without fields")
                return tuple(fields)
            field = self._read_field(number, text, lines)
            if any(field.name == other.name for other in fields):
                raise FieldError(number, f"there are two fields {field.name}")
            fields.append(field)
        if closing is not None:
            raise FieldError(closing[0], f"list {closing[1]} is not closed by `]`")
        return tuple(fields)

    def _read_field(self, number: int, text: str, lines: Iterator[tuple[int, str]]) -> Field:
        name, _, rest = text.partition(" ")
        type_text, _, doc = rest.strip().partition(" ")
        doc = doc.strip()
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise FieldError(number, f"{name!r} cannot be the name of a field")
        if not type_text or not doc:
            raise FieldError(number, f"field {name}: expected `name  type  what it means`")
        if type_text.startswith("["):
            struct_name = type_text[1:]
            if not _STRUCT_NAME.fullmatch(struct_name):
                raise FieldError(number, f"field {name}: {struct_name!r} cannot name a struct")
            nested = self._read_until(lines, closing=(number, name))
            if any(isinstance(field.type, RawValues) for field in nested):
                raise FieldError(number, f"field {name}: raw_values cannot be inside a list")
            return Field(name, ListType(Struct(struct_name, nested)), doc)
        return Field(name, self._read_type(number, name, type_text), doc)

    def _read_type(self, number: int, name: str, text: str) -> FieldType:
        if text in ("raw_values", "raw_values:fieldID"):
            return RawValues(with_field=text.endswith(":fieldID"))
        if text.startswith("*"):
            return ListType(self._read_element(number, name, text[1:]))
        return self._read_element(number, name, text)

    def _read_element(self, number: int, name: str, text: str) -> Scalar | EnumType | VariantType:
        if text in SCALARS:
            return Scalar(text)
        if text in self._variants:
            return VariantType(text)
        wire, colon, enum_name = text.partition(":")
        if not colon:
            raise FieldError(number, f"field {name}: {text!r} is not a type")
        enum = self._enums.get(enum_name)
        if enum is None:
            raise FieldError(number, f"field {name}: constants.toml has no {enum_name!r}")
        if enum.wire != wire:
            raise FieldError(
                number, f"field {name}: {enum_name} is {enum.wire} on the wire, not {wire}"
            )
        return EnumType(wire, enum)
