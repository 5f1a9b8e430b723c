# SPDX-License-Identifier: Apache-2.0
"""Ids of what lives in the debuggee, and the small values that carry them on the wire.

Owns the types only: an id is a number that the VM has sent, 0 is null, and nothing here sends a
request (jvmdebug.model does). Each value class carries the LAYOUT from which jvmdebug._native
encodes and decodes it. The generated commands, the model and the fake VM use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NewType, TypeAlias

from jvmdebug.jdwp.generated.constants import Tag, TypeTag

if TYPE_CHECKING:
    from jvmdebug.jdwp.command import Layout

ObjectId = NewType("ObjectId", int)
ThreadId = NewType("ThreadId", ObjectId)
ThreadGroupId = NewType("ThreadGroupId", ObjectId)
StringId = NewType("StringId", ObjectId)
ClassLoaderId = NewType("ClassLoaderId", ObjectId)
ClassObjectId = NewType("ClassObjectId", ObjectId)
ArrayId = NewType("ArrayId", ObjectId)
ModuleId = NewType("ModuleId", ObjectId)
ReferenceTypeId = NewType("ReferenceTypeId", ObjectId)
ClassId = NewType("ClassId", ReferenceTypeId)
InterfaceId = NewType("InterfaceId", ReferenceTypeId)
ArrayTypeId = NewType("ArrayTypeId", ReferenceTypeId)
MethodId = NewType("MethodId", int)
FieldId = NewType("FieldId", int)
FrameId = NewType("FrameId", int)
RequestId = NewType("RequestId", int)

PrimitiveOrId: TypeAlias = int | float | bool | None


@dataclass(frozen=True, slots=True)
class Location:
    """A code location. `index` is the code index, -1 in a native method.

    A null location (of an uncaught exception) has type id 0; its tag says nothing.
    """

    tag: TypeTag
    type_id: ReferenceTypeId
    method_id: MethodId
    index: int

    LAYOUT: ClassVar[Layout] = (
        ("tag", ("enum_or_null", "byte", TypeTag)),
        ("type_id", "referenceTypeID"),
        ("method_id", "methodID"),
        ("index", "long"),
    )


@dataclass(frozen=True, slots=True)
class TaggedObject:
    """An object and what kind of object it is; id 0 is null."""

    tag: Tag
    id: ObjectId

    LAYOUT: ClassVar[Layout] = (("tag", ("enum", "byte", Tag)), ("id", "objectID"))


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the debuggee: bool, float or int by its tag; void is None.

    Objects carry their id, null is 0. A char is its UTF-16 code unit, an int.
    """

    tag: Tag
    value: PrimitiveOrId

    LAYOUT: ClassVar[Layout] = (("tag", ("enum", "byte", Tag)), ("value", "by_tag"))


@dataclass(frozen=True, slots=True)
class NoValue(Value):
    """A value that a recording does not have; it is never on the wire."""

    why: str
    """For messages: `not recorded`."""


@dataclass(frozen=True, slots=True)
class ArrayRegion:
    """Elements of an array: plain values, or objects that each carry their own tag."""

    tag: Tag
    values: tuple[int | float | bool | TaggedObject, ...]

    LAYOUT: ClassVar[Layout] = (
        ("tag", ("enum", "byte", Tag)),
        ("values", ("region", TaggedObject)),
    )


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field and its new value, whose tag is not sent: the VM knows the type of the field."""

    field_id: FieldId
    value: Value

    LAYOUT: ClassVar[Layout] = (("field_id", "fieldID"), ("value", ("untagged", Value)))


@dataclass(frozen=True, slots=True)
class RawValues:
    """Untagged values as they came: reading the bytes requires their types."""

    count: int
    content: bytes

    LAYOUT: ClassVar[Layout] = (("count", "int"), ("content", "rest"))


# What a request may be given for its untagged values. Decoding always makes RawValues.
UntaggedElements: TypeAlias = tuple[Value, ...] | RawValues
UntaggedFields: TypeAlias = tuple[FieldValue, ...] | RawValues
