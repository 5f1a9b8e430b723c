# SPDX-License-Identifier: Apache-2.0
"""An independent reading of the wire, in plain Python: messages are dictionaries.

It interprets native/protocol/*.toml directly and shares nothing with the native codec or with the
generated classes. The fuzz tests hold the codec against it, and the fake VM speaks with it.

    wire = WireReading()
    wire.decode_request(11, 6, payload)   → {"thread": 7, "start_frame": 0, "length": -1}
    wire.encode_reply(11, 6, {"frames": [{"frame_id": 1, "location": {...}}]})
    wire.encode_event_set(2, [{"kind": 2, "request_id": 5, "thread": 7, "location": {...}}])

Numbers with names are ints; a location is {"tag", "type_id", "method_id", "index"}, a tagged
object {"tag", "id"}, a value {"tag", "value"}, an array region {"tag", "values"}, a case of a
variant has "kind" beside its fields, untagged values are {"count", "content"}.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.support.wire_grammar import (
    DECLARATIONS,
    Command,
    Grammar,
    ListOf,
    Numbered,
    Plain,
    RawValues,
    Struct,
    Type,
    VariantOf,
    read_grammar,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

Message: TypeAlias = dict[str, Any]

COMPOSITE = (64, 100)
_PRIMITIVES = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_OBJECT_TAGS = "[Lstglc"
_NUMBERS = {"boolean": "?", "byte": "b", "int": "i", "long": "q"}


class ReadingError(ValueError):
    """The bytes are not the message, or the message does not fit the wire."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of ids in bytes."""

    field: int = 8
    method: int = 8
    object: int = 8
    reference_type: int = 8
    frame: int = 8

    def of(self, type_name: str) -> int:
        """The size of ids of this type."""
        if type_name in ("referenceTypeID", "classID", "interfaceID", "arrayTypeID"):
            return self.reference_type
        own = {"fieldID": self.field, "methodID": self.method, "frameID": self.frame}
        return own.get(type_name, self.object)


class WireReading:
    """Reads and writes the payloads of all commands, replies and events."""

    def __init__(self, declarations: Path = DECLARATIONS, sizes: Sizes | None = None) -> None:
        self.grammar: Grammar = read_grammar(declarations)
        self.sizes = sizes or Sizes()

    def with_sizes(self, sizes: Sizes) -> WireReading:
        """The same grammar for a VM with other id sizes."""
        other = WireReading.__new__(WireReading)
        other.grammar = self.grammar
        other.sizes = sizes
        return other

    def command(self, command_set: int, number: int) -> Command:
        """The declaration of a command; KeyError if there is none."""
        return self.grammar.commands[command_set, number]

    def decode_request(self, command_set: int, number: int, payload: bytes) -> Message:
        """The fields of a request; ReadingError if the bytes are not exactly one."""
        return self.decode(self.command(command_set, number).request, payload)

    def encode_request(self, command_set: int, number: int, message: Mapping[str, Any]) -> bytes:
        """The payload of a request."""
        return self.encode(self.command(command_set, number).request, message)

    def decode_reply(self, command_set: int, number: int, payload: bytes) -> Message:
        """The fields of a reply; ReadingError if the bytes are not exactly one."""
        return self.decode(self.command(command_set, number).reply, payload)

    def encode_reply(self, command_set: int, number: int, message: Mapping[str, Any]) -> bytes:
        """The payload of a reply."""
        return self.encode(self.command(command_set, number).reply, message)

    def decode_event_set(self, payload: bytes) -> Message:
        """The fields of a composite event: "suspend_policy" and "events"."""
        return self.decode_request(*COMPOSITE, payload)

    def encode_event_set(self, suspend_policy: int, events: Iterable[Mapping[str, Any]]) -> bytes:
        """The payload of a composite event; each event has its "kind" and its fields."""
        message = {"suspend_policy": suspend_policy, "events": list(events)}
        return self.encode_request(*COMPOSITE, message)

    def decode(self, shape: Struct, payload: bytes) -> Message:
        """Reads one struct that is all of the payload."""
        reading = _Reading(self, payload)
        message = reading.read_struct(shape)
        if reading.rest:
            raise ReadingError(f"{len(reading.rest)} bytes are left over")
        return message

    def encode(self, shape: Struct, message: Mapping[str, Any]) -> bytes:
        """Writes one struct; every field must be there and nothing else."""
        writing = _Writing(self)
        writing.write_struct(shape, message)
        return bytes(writing.content)

    def decode_untagged(self, raw: Mapping[str, Any], tags: Sequence[int]) -> list[Any]:
        """The plain values of "raw_values" (an array's elements), whose tags the caller knows."""
        reading = _Reading(self, raw["content"])
        return [reading.read_untagged(tag) for tag in tags[: raw["count"]]]

    def decode_field_values(
        self, raw: Mapping[str, Any], tag_of_field: Callable[[int], int]
    ) -> list[tuple[int, Any]]:
        """The (field id, plain value) pairs of "raw_values:fieldID"."""
        reading = _Reading(self, raw["content"])
        pairs: list[tuple[int, Any]] = []
        for _ in range(raw["count"]):
            field_id = reading.read_plain("fieldID")
            pairs.append((field_id, reading.read_untagged(tag_of_field(field_id))))
        return pairs


class _Reading:
    """The bytes of one payload that are not read yet."""

    def __init__(self, wire: WireReading, payload: bytes) -> None:
        self._wire = wire
        self.rest = memoryview(payload)

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.rest):
            raise ReadingError(f"{size} bytes wanted, {len(self.rest)} are there")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return bytes(taken)

    def number(self, code: str) -> Any:
        return struct.unpack(">" + code, self.take(struct.calcsize(">" + code)))[0]

    def read_struct(self, shape: Struct) -> Message:
        return {name: self.read(type_) for name, type_ in shape.fields}

    def read(self, type_: Type) -> Any:
        match type_:
            case Plain(name):
                return self.read_plain(name)
            case Numbered(wire, numbers, is_flags):
                code = "i" if wire == "int" and not is_flags else "I" if wire == "int" else "B"
                return self._named(self.number(code), numbers, is_flags=is_flags)
            case ListOf(element):
                return [self.read(element) for _ in range(self._count())]
            case Struct():
                return self.read_struct(type_)
            case VariantOf(name):
                return self._read_case(name)
            case RawValues(with_field):
                count = self._count()
                smallest = 1 + (self._wire.sizes.of("fieldID") if with_field else 0)
                if count * smallest > len(self.rest):
                    raise ReadingError(f"{count} values are not in {len(self.rest)} bytes")
                return {"count": count, "content": self.take(len(self.rest))}

    def _count(self) -> int:
        count: int = self.number("i")
        if count < 0:
            raise ReadingError(f"a count of {count}")
        return count

    def _named(self, number: int, numbers: frozenset[int], *, is_flags: bool) -> int:
        if not is_flags and number not in numbers:
            raise ReadingError(f"{number} has no name")
        return number

    def _read_case(self, variant: str) -> Message:
        kind = self.number("B")
        if kind not in self._wire.grammar.variants[variant]:
            raise ReadingError(f"{variant} {kind} does not exist")
        return {"kind": kind, **self.read_struct(self._wire.grammar.variants[variant][kind][1])}

    def read_plain(self, name: str) -> Any:
        if name in _NUMBERS:
            return self.number("B") != 0 if name == "boolean" else self.number(_NUMBERS[name])
        if name in ("string", "bytes"):
            content = self.take(self._count())
            return content if name == "bytes" else self._text(content)
        if name.endswith("ID") and name != "taggedObjectID":
            return int.from_bytes(self.take(self._wire.sizes.of(name)), "big")
        return self._read_compound(name)

    def _text(self, content: bytes) -> str:
        try:
            return content.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise ReadingError(f"not UTF-8: {error}") from error

    def _read_compound(self, name: str) -> Message:
        tag: int = self.number("B")
        match name:
            case "location":
                return {
                    "tag": self._named(tag or 1, frozenset((1, 2, 3)), is_flags=False),
                    "type_id": self.read_plain("referenceTypeID"),
                    "method_id": self.read_plain("methodID"),
                    "index": self.number("q"),
                }
            case "taggedObjectID":
                self._named(tag, self._wire.grammar.numbers["Tag"][0], is_flags=False)
                return {"tag": tag, "id": self.read_plain("objectID")}
            case "value":
                return {"tag": tag, "value": self.read_untagged(tag)}
            case "arrayregion":
                return {"tag": tag, "values": self._read_elements(tag)}
            case _:
                raise ReadingError(f"{name} is not a type")

    def _read_elements(self, tag: int) -> list[Any]:
        if chr(tag) in _PRIMITIVES:
            return [self.read_untagged(tag) for _ in range(self._count())]
        if chr(tag) in _OBJECT_TAGS:
            return [self.read_plain("taggedObjectID") for _ in range(self._count())]
        raise ReadingError(f"no array has the tag {tag}")

    def read_untagged(self, tag: int) -> Any:
        """A value of this tag without the tag."""
        letter = chr(tag)
        if letter == "V":
            return None
        if letter == "Z":
            return self.number("B") != 0
        if letter in _PRIMITIVES:
            return self.number(_PRIMITIVES[letter])
        if letter in _OBJECT_TAGS:
            return self.read_plain("objectID")
        raise ReadingError(f"no value has the tag {tag}")


class _Writing:
    """The bytes of one payload so far."""

    def __init__(self, wire: WireReading) -> None:
        self._wire = wire
        self.content = bytearray()

    def number(self, code: str, value: Any) -> None:
        try:
            self.content += struct.pack(">" + code, value)
        except (struct.error, OverflowError) as error:
            raise ReadingError(f"{value!r}: {error}") from error

    def write_struct(self, shape: Struct, message: Mapping[str, Any]) -> None:
        names = {name for name, _ in shape.fields}
        if names != set(message) - ({"kind"} - names):  # of a variant
            raise ReadingError(f"fields {sorted(message)}, wanted {sorted(names)}")
        for name, type_ in shape.fields:
            self.write(type_, message[name])

    def write(self, type_: Type, value: Any) -> None:
        match type_:
            case Plain(name):
                self._write_plain(name, value)
            case Numbered(wire, _, is_flags):
                self.number("i" if wire == "int" and not is_flags else "BI"[wire == "int"], value)
            case ListOf(element):
                self.number("i", len(value))
                for one in value:
                    self.write(element, one)
            case Struct():
                self.write_struct(type_, value)
            case VariantOf(name):
                self.number("B", value["kind"])
                self.write_struct(self._wire.grammar.variants[name][value["kind"]][1], value)
            case RawValues():
                self.number("i", value["count"])
                self.content += value["content"]

    def _write_plain(self, name: str, value: Any) -> None:
        match name:
            case "boolean" | "byte" | "int" | "long":
                self.number(_NUMBERS[name], value)
            case "string":
                self._write_plain("bytes", value.encode("utf-8", "surrogatepass"))
            case "bytes":
                self.number("i", len(value))
                self.content += value
            case "location":
                self.number("B", value["tag"])
                self._write_plain("referenceTypeID", value["type_id"])
                self._write_plain("methodID", value["method_id"])
                self.number("q", value["index"])
            case "taggedObjectID":
                self.number("B", value["tag"])
                self._write_plain("objectID", value["id"])
            case "value":
                self.number("B", value["tag"])
                self._write_untagged(value["tag"], value["value"])
            case "arrayregion":
                self._write_region(value)
            case _:
                self._write_id(name, value)

    def _write_id(self, name: str, value: int) -> None:
        try:
            self.content += value.to_bytes(self._wire.sizes.of(name), "big")
        except OverflowError as error:
            raise ReadingError(f"{name} {value}: {error}") from error

    def _write_region(self, region: Mapping[str, Any]) -> None:
        self.number("B", region["tag"])
        self.number("i", len(region["values"]))
        for value in region["values"]:
            if chr(region["tag"]) in _OBJECT_TAGS:
                self._write_plain("taggedObjectID", value)
            else:
                self._write_untagged(region["tag"], value)

    def _write_untagged(self, tag: int, value: Any) -> None:
        letter = chr(tag)
        if letter in _PRIMITIVES:
            self.number(_PRIMITIVES[letter], value)
        elif letter in _OBJECT_TAGS:
            self._write_plain("objectID", value)
        elif letter != "V" or value is not None:
            raise ReadingError(f"{value!r} cannot be a value of the tag {tag}")
