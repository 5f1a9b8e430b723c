# SPDX-License-Identifier: Apache-2.0
"""Random values for the fields of commands, from what is known.

Owns the way from a declared type to a value; that a method belongs to a class, or a frame to a
thread, is seen to here. Changes nothing and asks nothing.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from tests.support.wire_grammar import ListOf, Numbered, Plain, RawValues, Struct, VariantOf

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from tests.stress.known import Known, Type
    from tests.support.wire_grammar import Type as WireType
    from tests.support.wire_reading import Message

_PRIMITIVES = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_PATTERNS = ("busy.*", "*Scratch", "busy.Worker$Summing", "java.*", "*", "busy.Passenger")
_TEXTS = ("", "Lbusy/Scratch;", "Java", "ä \U0001f600", "[I", "Ljava/lang/Object;")


class Values:
    """Draws values; the same chance gives the same ones."""

    def __init__(self, known: Known, chance: random.Random) -> None:
        self.known = known
        self.chance = chance

    def pick(self, choices: Sequence[Any], default: Any = 0) -> Any:
        """One of them."""
        return self.chance.choice(choices) if choices else default

    def request(self, shape: Struct) -> Message:
        """A value for each field, of things that belong together."""
        type_ = self.pick(self.known.types)
        thread, frame, place = self.pick(self.known.frames, (self.pick(self.known.threads), 1, {}))
        related = {"type": type_, "thread": thread, "frame": frame, "place": place}
        if self.chance.random() < 0.6:
            related["thread"] = self.pick(self.known.threads)
        return {name: self._of(wanted, name, related) for name, wanted in shape.fields}

    def _of(self, wanted: WireType, name: str, related: Message) -> Any:
        match wanted:
            case Plain(word):
                return self._plain(word, name, related)
            case Numbered(_, numbers, is_flags):
                return 0 if is_flags else self.pick(sorted(numbers))
            case ListOf(element):
                count = self.chance.randrange(4)
                return [self._of(element, name, related) for _ in range(count)]
            case Struct(fields):
                return {inner: self._of(one, inner, related) for inner, one in fields}
            case RawValues():
                return {"count": 0, "content": b""}
            case VariantOf():
                raise AssertionError("event requests are made by hand")

    def _plain(self, word: str, name: str, related: Message) -> Any:
        known = self.known
        if name == "length" and self.chance.random() < 0.7:
            return -1
        ids: dict[str, Any] = {
            "threadID": related["thread"],
            "frameID": related["frame"],
            "methodID": self.pick(related["type"].methods, {"method_id": 0})["method_id"],
            "fieldID": self.pick(related["type"].fields, {"field_id": 0})["field_id"],
            "referenceTypeID": related["type"].id,
            "classID": related["type"].id,
            "interfaceID": related["type"].id,
            "classObjectID": related["type"].id,
            "arrayTypeID": self.pick(known.of_tag("c"), related["type"].id),
            "threadGroupID": self.pick(known.groups),
            "classLoaderID": self.pick(known.loaders),
            "moduleID": self.pick(known.modules),
            "stringID": self.pick(known.of_tag("s")),
            "arrayID": self.pick(known.of_tag("[")),
            "objectID": self.pick(known.objects, (0, 0))[1],
            "boolean": self.chance.random() < 0.5,
            "byte": self.chance.randrange(-128, 128),
            "int": self.chance.randrange(0, 6),
            "long": self.chance.randrange(0, 20),
            "string": self.pick(_TEXTS),
            "bytes": b"",
            "location": self.pick(known.places, None) or self.place(related["type"]),
            "taggedObjectID": {"tag": ord("L"), "id": self.pick(known.objects, (0, 0))[1]},
            "value": self.value(self.pick("ZBCSIJFDLs[")),
        }
        return ids[word]

    def place(self, type_: Type) -> Message:
        """The beginning of a method."""
        method = self.pick(type_.methods, {"method_id": 0})
        return {"tag": type_.tag, "type_id": type_.id, "method_id": method["method_id"], "index": 0}

    def value(self, letter: str) -> Message:
        """A value of the type whose signature begins with that letter."""
        if letter == "V":
            return {"tag": ord("V"), "value": None}
        if letter not in _PRIMITIVES:
            tag, id_ = self.pick(self.known.objects, (ord("L"), 0))
            return {"tag": tag, "value": id_}
        if letter == "Z":
            return {"tag": ord(letter), "value": self.chance.random() < 0.5}
        if letter in "FD":
            return {"tag": ord(letter), "value": self.chance.random()}
        return {"tag": ord(letter), "value": self.chance.randrange(0, 100)}

    def untagged(self, letter: str) -> bytes:
        """The bytes of such a value without its tag."""
        value = self.value(letter)["value"]
        code = _PRIMITIVES.get(letter, "Q")
        return struct.pack(">" + code, value)

    def modifier(self, kind: int) -> Message:
        """A modifier that an event of the kind can have."""
        known = self.known
        type_ = self.pick(known.types)
        made: list[Message] = [{"kind": 1, "count": self.chance.randrange(1, 30)}]
        if kind not in (6, 7, 9):
            made += [
                {"kind": 5, "pattern": self.pick(_PATTERNS)},
                {"kind": 6, "pattern": self.pick(("java.*", "jdk.*", "*Scratch"))},
                {"kind": 4, "type_id": type_.id},
            ]
        if kind != 9 and known.threads:
            made.append({"kind": 3, "thread": self.pick(known.threads)})
        if kind == 8:
            made.append({"kind": 12, "pattern": self.pick(("Scratch.java", "*.java"))})
        if kind in (6, 7):
            made.append({"kind": 13})
        if kind in (1, 2, 4, 20, 21, 40, 41, 42) and known.scratches:
            made.append({"kind": 11, "instance": self.pick([*known.scratches, 0])})
        return self.chance.choice(made)
