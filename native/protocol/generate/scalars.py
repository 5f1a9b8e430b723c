# SPDX-License-Identifier: Apache-2.0
"""The types that need no declaration: how each is named in Python and C++, how small it can be.

`minimum_size` is in bytes with ids of 8 bytes, which is what the agent uses; a count is refused
when the rest of the packet cannot hold that many elements.
"""

from __future__ import annotations

from dataclasses import dataclass

from native.protocol.generate.model import (
    EnumType,
    Field,
    FieldType,
    ListType,
    RawValues,
    Scalar,
    Struct,
    VariantType,
)


@dataclass(frozen=True)
class ScalarType:
    """`python` is a name from jvmdebug.jdwp.ids or a builtin; `cpp` one from native/codec."""

    python: str
    cpp: str
    minimum_size: int
    is_id: bool = False


def _id(name: str) -> ScalarType:
    return ScalarType(name, name, 8, is_id=True)


SCALARS: dict[str, ScalarType] = {
    "boolean": ScalarType("bool", "bool", 1),
    "byte": ScalarType("int", "std::int8_t", 1),
    "int": ScalarType("int", "std::int32_t", 4),
    "long": ScalarType("int", "std::int64_t", 8),
    "string": ScalarType("str", "std::string", 4),
    "bytes": ScalarType("bytes", "std::vector<std::uint8_t>", 4),
    "location": ScalarType("Location", "Location", 25),
    "value": ScalarType("Value", "Value", 1),
    "arrayregion": ScalarType("ArrayRegion", "ArrayRegion", 5),
    "taggedObjectID": ScalarType("TaggedObject", "TaggedObject", 9),
    "objectID": _id("ObjectId"),
    "threadID": _id("ThreadId"),
    "threadGroupID": _id("ThreadGroupId"),
    "stringID": _id("StringId"),
    "classLoaderID": _id("ClassLoaderId"),
    "classObjectID": _id("ClassObjectId"),
    "arrayID": _id("ArrayId"),
    "moduleID": _id("ModuleId"),
    "referenceTypeID": _id("ReferenceTypeId"),
    "classID": _id("ClassId"),
    "interfaceID": _id("InterfaceId"),
    "arrayTypeID": _id("ArrayTypeId"),
    "methodID": _id("MethodId"),
    "fieldID": _id("FieldId"),
    "frameID": _id("FrameId"),
}

WIRE_SIZES = {"byte": 1, "int": 4}


def minimum_size(type_: FieldType | Struct) -> int:
    """The fewest bytes that a value of this type takes, ids being 8 bytes."""
    match type_:
        case Scalar(name):
            return SCALARS[name].minimum_size
        case EnumType(wire, _):
            return WIRE_SIZES[wire]
        case VariantType():
            return 1
        case ListType() | RawValues():
            return 4
        case Struct(_, fields):
            return sum(minimum_size(field.type) for field in fields)


def scalar_names(fields: tuple[Field, ...]) -> set[str]:
    """The names of the scalars that these fields use, nested ones too."""
    names: set[str] = set()
    for field in fields:
        match field.type:
            case Scalar(name) | ListType(Scalar(name)):
                names.add(name)
            case ListType(Struct(_, nested)):
                names |= scalar_names(nested)
            case _:
                pass
    return names
