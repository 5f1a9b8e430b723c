# SPDX-License-Identifier: Apache-2.0
"""Emits native/fuzz/seeds/packets/generated: a script with every command for each command set.

The words of a script are in native/fuzz/packet_script.h. A field of a kind of id becomes the id of
such a thing, a list one or two elements, a variant one command for each case; so every field of
every command is there for the fuzzer to change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from native.protocol.generate.model import (
    EnumType,
    FieldType,
    ListType,
    RawValues,
    Scalar,
    Struct,
    VariantType,
)
from native.protocol.generate.scalars import WIRE_SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from native.protocol.generate.model import Command, CommandSet, Declarations, Field, Variant

# How many cases of an enumeration are tried; those of a variant all are.
_MOST_ALTERNATIVES = 24
_FIRST_OWN_SET = 128

_PIECES = {
    "boolean": "bA",
    "byte": "bA",
    "int": "iA",
    "long": "lA",
    "string": "z@",
    "bytes": "sDabcd",
    "location": "LHB",
    "value": "v@A",
    "arrayregion": "v@iA",
    "taggedObjectID": "v@",
    "objectID": "oG",
    "threadID": "T@",
    "threadGroupID": "P",
    "stringID": "S",
    "classLoaderID": "G",
    "classObjectID": "tC",
    "arrayID": "AD",
    "moduleID": "U",
    "referenceTypeID": "tL",
    "classID": "tL",
    "interfaceID": "tK",
    "arrayTypeID": "tU",
    "methodID": "MY",
    "fieldID": "F@",
    "frameID": "D@@",
}


class _Scripts:
    def __init__(self, variants: Mapping[str, Variant]) -> None:
        self._variants = variants

    def fields(self, fields: tuple[Field, ...]) -> Iterator[str]:
        """The fields as pieces, once for each alternative of the last that has some."""
        texts = [""]
        for field in fields:
            alternatives = list(self._alternatives(field.type))[:_MOST_ALTERNATIVES]
            if len(alternatives) == 1:
                texts = [text + alternatives[0] for text in texts]
            else:
                # Not all with all: the first text with each, the others with the first.
                others = [text + alternatives[0] for text in texts[1:]]
                texts = [texts[0] + alternative for alternative in alternatives] + others
        return iter(texts)

    def _alternatives(self, type_: FieldType | Struct) -> Iterator[str]:
        match type_:
            case Scalar(name):
                yield _PIECES[name]
            case EnumType(wire, enum):
                for _, number in enum.members:
                    yield _number(wire, number)
            case RawValues(with_field):
                yield "iA" + ("F@" if with_field else "") + "0"
            case VariantType(variant):
                yield from self._cases(variant)
            case ListType(element):
                yield "i@"
                for text in self._alternatives(element):
                    yield "iA" + text
            case Struct(_, fields):
                yield from self.fields(fields)

    def _cases(self, variant: str) -> Iterator[str]:
        for case in self._variants[variant].cases:
            for text in self.fields(case.fields):
                yield _number("byte", case.tag) + text


def _number(wire: str, number: int) -> str:
    size = WIRE_SIZES[wire]
    octets = (number & (256**size - 1)).to_bytes(size, "big")
    return "".join(f"h{_letter(octet >> 4)}{_letter(octet & 15)}" for octet in octets)


def _letter(number: int) -> str:
    return chr(0x40 + number)


def _set_letter(number: int) -> str:
    return _letter(number if number < _FIRST_OWN_SET else number - _FIRST_OWN_SET + 0x30)


def _script(command_set: CommandSet, scripts: _Scripts) -> str:
    # The first byte chooses the VM. `AH` is VirtualMachine.Suspend, which many commands want.
    lines = [_letter(command_set.number % 3) + "AH"]
    for command in command_set.commands:
        lines.extend(_commands(command_set, command, scripts))
    return "\n".join(lines) + "\n"


def _commands(command_set: CommandSet, command: Command, scripts: _Scripts) -> Iterator[str]:
    start = _set_letter(command_set.number) + _letter(command.number)
    for text in scripts.fields(command.request):
        yield start + text


def emit_seeds(declarations: Declarations) -> dict[str, str]:
    """File name → text."""
    scripts = _Scripts({variant.name: variant for variant in declarations.variants})
    return {
        f"{command_set.module}.txt": _script(command_set, scripts)
        for command_set in declarations.command_sets
        if not all(command.from_agent for command in command_set.commands)
    }
