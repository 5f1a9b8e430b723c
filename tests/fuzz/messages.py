# SPDX-License-Identifier: Apache-2.0
"""Messages for the fuzz tests: every declared message, random values for it, and both readings.

A message pairs a generated class with its declaration. `plain` turns objects of the classes into
the dictionaries of tests/support/wire_reading.py, `build` does the opposite.
"""

from __future__ import annotations

import importlib
import struct
from dataclasses import dataclass, fields, is_dataclass
from enum import IntEnum
from typing import Any

from hypothesis import strategies as st

from jvmdebug.jdwp import command as commands
from jvmdebug.jdwp.generated import events
from tests.support.wire_grammar import (
    ListOf,
    Numbered,
    Plain,
    RawValues,
    Struct,
    Type,
    VariantOf,
)
from tests.support.wire_reading import Sizes, WireReading

WIRE = WireReading()

PRIMITIVE_TAGS = b"ZBCSIJFD"
OBJECT_TAGS = b"[Lstglc"


@dataclass(frozen=True)
class MessageKind:
    """A generated class and its declaration."""

    name: str
    message_class: type[Any]
    shape: Struct

    @property
    def ends_raw(self) -> bool:
        """Whether it ends with untagged values, so that a shorter one may be one too."""
        return any(isinstance(type_, RawValues) for _, type_ in self.shape.fields)


def _all_messages() -> list[MessageKind]:
    kinds: list[MessageKind] = []
    for command in WIRE.grammar.commands.values():
        module = importlib.import_module(f"jvmdebug.jdwp.generated.{command.module}")
        name = f"{command.set_name}.{command.name}"
        kinds.append(MessageKind(name, getattr(module, command.name), command.request))
        if command.reply.fields:
            reply_class = getattr(module, f"{command.name}Reply")
            kinds.append(MessageKind(f"{name}Reply", reply_class, command.reply))
    for variant in WIRE.grammar.variants.values():
        kinds += [
            MessageKind(name, getattr(events, name), shape) for name, shape in variant.values()
        ]
    return kinds


MESSAGES = _all_messages()

SIZES = st.builds(Sizes, *[st.sampled_from((4, 8))] * 5)


def _names(value: Any) -> list[str]:
    if isinstance(value, commands.Struct):
        return [name for name, _ in value.LAYOUT]
    return [field.name for field in fields(value)]


def plain(value: Any) -> Any:
    """The dictionary of an object, and so on down; floats as bytes, for a NaN equals nothing."""
    if isinstance(value, commands.Struct) or is_dataclass(value):
        content = {name: plain(getattr(value, name)) for name in _names(value)}
        kind = getattr(type(value), "KIND", None)
        return content if kind is None else {"kind": int(kind), **content}
    if isinstance(value, IntEnum):
        return int(value)
    return comparable(value)


def comparable(value: Any) -> Any:
    """The same for what is plain already."""
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return struct.pack(">d", value)
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    return int(value)


def build(layout_type: Any, value: Any) -> Any:
    """The object of a generated class from its dictionary."""
    if isinstance(layout_type, type):
        layout: Any = getattr(layout_type, "LAYOUT")  # noqa: B009  (type has none for mypy)
        return layout_type(*(build(type_, value[name]) for name, type_ in layout))
    built = value
    match layout_type:
        case ("list", element):
            built = tuple(build(element, one) for one in value)
        case ("enum" | "enum_or_null", _, enumeration):
            built = enumeration(value)
        case ("variant", cases):
            built = build(next(case for case in cases if value["kind"] == case.KIND), value)
        case ("raw_values", raw_class, _):
            built = raw_class(value["count"], value["content"])
        case ("region", element_class):
            built = tuple(
                build(element_class, one) if isinstance(one, dict) else one for one in value
            )
    return built


def _ids(size: int) -> st.SearchStrategy[int]:
    return st.integers(0, 2 ** (8 * size) - 1) | st.sampled_from((0, 1))


def _signed(size: int) -> st.SearchStrategy[int]:
    limit = 2 ** (8 * size - 1)
    return st.integers(-limit, limit - 1)


_UNTAGGED: dict[str, st.SearchStrategy[Any]] = {
    "V": st.none(),
    "Z": st.booleans(),
    "B": _signed(1),
    "C": st.integers(0, 0xFFFF),
    "S": _signed(2),
    "I": _signed(4),
    "J": _signed(8),
    "F": st.floats(width=32),
    "D": st.floats(),
}
_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "byte": _signed(1),
    "int": _signed(4),
    "long": _signed(8),
    "string": st.text(st.characters(), max_size=20),  # lone surrogates too
    "bytes": st.binary(max_size=20),
}


def _untagged(tag: int, sizes: Sizes) -> st.SearchStrategy[Any]:
    letter = chr(tag)
    return _UNTAGGED[letter] if letter in _UNTAGGED else _ids(sizes.object)


def _tagged_object(sizes: Sizes) -> st.SearchStrategy[Any]:
    tags = st.sampled_from(sorted(WIRE.grammar.numbers["Tag"][0]))
    return st.fixed_dictionaries({"tag": tags, "id": _ids(sizes.object)})


def _region(sizes: Sizes) -> st.SearchStrategy[Any]:
    def elements(tag: int) -> st.SearchStrategy[Any]:
        one = _tagged_object(sizes) if tag in OBJECT_TAGS else _untagged(tag, sizes)
        return st.fixed_dictionaries({"tag": st.just(tag), "values": st.lists(one, max_size=5)})

    return st.sampled_from(PRIMITIVE_TAGS + OBJECT_TAGS).flatmap(elements)


def _location(sizes: Sizes) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {
            "tag": st.integers(1, 3),
            "type_id": _ids(sizes.reference_type),
            "method_id": _ids(sizes.method),
            "index": _signed(8),
        }
    )


def _value(sizes: Sizes) -> st.SearchStrategy[Any]:
    return st.sampled_from(b"V" + PRIMITIVE_TAGS + OBJECT_TAGS).flatmap(
        lambda tag: st.fixed_dictionaries({"tag": st.just(tag), "value": _untagged(tag, sizes)})
    )


def _plain_values(name: str, sizes: Sizes) -> st.SearchStrategy[Any]:
    compound = {
        "location": _location,
        "taggedObjectID": _tagged_object,
        "value": _value,
        "arrayregion": _region,
    }
    if name in compound:
        return compound[name](sizes)
    return _PLAIN[name] if name in _PLAIN else _ids(sizes.of(name))


def _cases(variant: str, sizes: Sizes) -> st.SearchStrategy[Any]:
    return st.one_of(
        [
            st.fixed_dictionaries(
                {"kind": st.just(kind), **{name: values(one, sizes) for name, one in shape.fields}}
            )
            for kind, (_, shape) in WIRE.grammar.variants[variant].items()
        ]
    )


def _numbers(type_: Numbered) -> st.SearchStrategy[int]:
    if type_.is_flags:
        return st.integers(0, 2**32 - 1 if type_.wire == "int" else 255)
    return st.sampled_from(sorted(type_.numbers))


def values(type_: Type, sizes: Sizes) -> st.SearchStrategy[Any]:
    """Random values of a declared type, as dictionaries."""
    strategy: st.SearchStrategy[Any]
    match type_:
        case Plain(name):
            strategy = _plain_values(name, sizes)
        case Numbered():
            strategy = _numbers(type_)
        case ListOf(element):
            strategy = st.lists(values(element, sizes), max_size=5)
        case Struct(shape):
            strategy = st.fixed_dictionaries({name: values(one, sizes) for name, one in shape})
        case VariantOf(name):
            strategy = _cases(name, sizes)
        case RawValues(with_field):
            strategy = _raw_values(sizes, with_field=with_field)
    return strategy


def _raw_values(sizes: Sizes, *, with_field: bool) -> st.SearchStrategy[Any]:
    smallest = 1 + (sizes.field if with_field else 0)
    return st.binary(max_size=60).flatmap(
        lambda content: st.fixed_dictionaries(
            {
                "count": st.integers(0, len(content) // smallest),
                "content": st.just(content),
            }
        )
    )
