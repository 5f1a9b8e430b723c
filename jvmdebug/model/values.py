# SPDX-License-Identifier: Apache-2.0
"""Values of the debuggee: primitives, null, void, and references to objects. All are immutable.

A reference is the VM and an object id; the object lives in the debuggee and may be collected there
unless `disable_collection` pins it. Two references to one object are equal. Made by `conversion`
from the wire; used by everything above.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.descriptors import is_primitive, java_name
from jvmdebug.errors import TypeMismatchError, UnsupportedError
from jvmdebug.jdwp.generated import (
    agent,
    array_reference,
    class_loader_reference,
    class_object_reference,
    object_reference,
    string_reference,
    thread_group_reference,
)
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import (
    ArrayId,
    ClassLoaderId,
    ClassObjectId,
    FieldValue,
    ObjectId,
    ReferenceTypeId,
    ThreadGroupId,
    ThreadId,
)
from jvmdebug.jdwp.ids import Value as WireValue
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.java_text import beginning_of, decoded, utf16_length
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue, converted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

__all__ = [
    "NULL",
    "VOID",
    "ArrayReference",
    "ClassLoaderReference",
    "ClassObjectReference",
    "MonitorState",
    "NullValue",
    "ObjectReference",
    "PrimitiveKind",
    "PrimitiveValue",
    "StringReference",
    "ThreadGroupReference",
    "ThreadReference",
    "UnavailableValue",
    "Value",
    "VoidValue",
]


@dataclass(frozen=True, slots=True)
class NullValue:
    """The null reference."""

    def __str__(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class VoidValue:
    """What a method without result returns."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class UnavailableValue:
    """A variable that exists and cannot be read here; `reason` is for messages."""

    reason: str

    def __str__(self) -> str:
        return f"<{self.reason}>"


NULL = NullValue()
VOID = VoidValue()
_LONGEST_KEPT: Final = 100_000
"""Characters of a string."""
_AT_ONCE: Final = 50_000  # the JDK's agent ends the VM where more than 65,535 objects are asked for


@dataclass(frozen=True, slots=True)
class MonitorState:
    """The owner of an object's monitor, its entry count, and the threads that wait on it."""

    owner: Thread | None
    entry_count: int
    waiters: tuple[Thread, ...]


class ObjectReference:
    """A reference to an object in the debuggee."""

    __slots__ = ("__weakref__", "id", "tag", "vm")

    def __init__(self, vm: VirtualMachine, object_id: ObjectId, tag: Tag = Tag.OBJECT) -> None:
        self.vm = vm
        self.id = object_id
        self.tag = tag

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectReference):
            return NotImplemented
        return self.vm is other.vm and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id:#x})"

    async def type(self) -> ReferenceType:
        """The object's run-time type. One round trip the first time (two for a new type)."""
        return await self.vm.type_of_object(self.id)

    async def get_values(self, fields: Sequence[Field]) -> tuple[Value, ...]:
        """The values of fields, in their order; static ones too. One round trip."""
        mine = [field for field in fields if not field.is_static]
        if len(mine) == len(fields):
            return await self._get_instance_values(mine)
        statics = [field for field in fields if field.is_static]
        own, shared = await asyncio.gather(
            self._get_instance_values(mine), self.vm.static_values(statics)
        )
        found = dict(zip(mine, own, strict=True)) | shared
        return tuple(found[field] for field in fields)

    async def _get_instance_values(self, fields: Sequence[Field]) -> tuple[Value, ...]:
        if not fields:
            return ()
        reply = await self.vm.request(
            object_reference.GetValues(self.id, tuple(field.id for field in fields))
        )
        return tuple(self.vm.value(value) for value in reply.values)

    async def set_value(self, field: Field, value: Value) -> None:
        """Writes a field, after Java's assignment conversion (TypeMismatchError if none)."""
        if field.is_static:
            await field.declaring_type.set_static_value(field, value)
            return
        wire = wire_value(assignable(value, field.signature, f"field {field}"))
        await self.vm.request(object_reference.SetValues(self.id, (FieldValue(field.id, wire),)))

    async def invoke(
        self,
        method: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        non_virtual: bool = False,
        single_threaded: bool = True,
        timeout_s: float | None = None,
    ) -> Value:
        """Calls a method on this object, on a thread that an event has suspended.

        `non_virtual` calls exactly `method`, not an override. `single_threaded` leaves the other
        threads suspended. Frames of `thread` stay valid. Raises DebuggeeException when the method
        throws, RequestTimeout when time is over: the method then still runs in the debuggee.
        """
        return await self.vm.invocations.on_object(
            self,
            method,
            arguments,
            thread,
            non_virtual=non_virtual,
            single_threaded=single_threaded,
            timeout_s=timeout_s,
        )

    async def disable_collection(self) -> None:
        """Keeps the object from being collected until `enable_collection`. Does not nest."""
        await self.vm.request(object_reference.DisableCollection(self.id))

    async def enable_collection(self) -> None:
        """Lets the object be collected again."""
        await self.vm.request(object_reference.EnableCollection(self.id))

    async def is_collected(self) -> bool:
        """Whether the object was collected."""
        reply = await self.vm.request(object_reference.IsCollected(self.id))
        return reply.is_collected

    async def monitor_state(self) -> MonitorState:
        """Asks who owns the monitor. The threads concerned must be suspended."""
        reply = await self.vm.request(object_reference.MonitorInfo(self.id))
        return MonitorState(
            owner=self.vm.thread(reply.owner) if reply.owner else None,
            entry_count=reply.entry_count,
            waiters=tuple(self.vm.thread(waiter) for waiter in reply.waiters),
        )

    async def referring_objects(self, max_count: int = 0) -> list[ObjectReference]:
        """Objects that refer to this one, at most `max_count` of them; 0: all."""
        reply = await self.vm.request(object_reference.ReferringObjects(self.id, max_count))
        return [self.vm.reference(item.tag, item.id) for item in reply.referring_objects]


class StringReference(ObjectReference):
    """A java.lang.String. Its characters never change: what was read is kept, unless it is long."""

    __slots__ = ("_whole",)

    def __init__(self, vm: VirtualMachine, object_id: ObjectId, tag: Tag = Tag.STRING) -> None:
        super().__init__(vm, object_id, tag)
        self._whole: str | None = None

    async def as_text(self) -> str:
        """The characters; a lone surrogate is one in the result too."""
        if self._whole is None:
            reply = await self.vm.request(string_reference.Value(self.id))
            if len(reply.text) > _LONGEST_KEPT:
                return reply.text
            self._whole = reply.text
        return self._whole

    async def beginning(self, max_length: int) -> tuple[str, int]:
        """Reads at most `max_length` UTF-16 units, and the whole length; a huge string is not read.

        One round trip with our agent. JDWP gives strings whole only: with another agent three,
        through the string's array (JDK 9 and later).
        """
        if self._whole is not None:
            return beginning_of(self._whole, max_length), utf16_length(self._whole)
        if self.vm.agent_can(AgentCapability.STRING_BEGINNING):
            reply = await self.vm.request(agent.StringBeginning(self.id, max_length))
            text, length = reply.text, reply.length
        else:
            text, length = await self._beginning_of_array(max_length)
        if length <= min(max_length, _LONGEST_KEPT):
            self._whole = text
        return text, length

    async def _beginning_of_array(self, max_length: int) -> tuple[str, int]:
        by_name = {each.name: each for each in await (await self.type()).instance_fields()}
        array = coder = None
        if {"value", "coder"} <= by_name.keys():
            array, coder = await self.get_values([by_name["value"], by_name["coder"]])
        if not isinstance(array, ArrayReference) or not isinstance(coder, PrimitiveValue):
            text = await self.as_text()
            return text, utf16_length(text)
        bytes_each = 2 if coder.value else 1
        length = await array.length() // bytes_each
        content = await array.get_bytes(0, min(length, max_length) * bytes_each)
        return decoded(content, is_latin=bytes_each == 1), length


class ArrayReference(ObjectReference):
    """An array of any element type. Its length never changes."""

    __slots__ = ("_length",)

    def __init__(self, vm: VirtualMachine, object_id: ObjectId, tag: Tag = Tag.ARRAY) -> None:
        super().__init__(vm, object_id, tag)
        self._length: int | None = None

    async def length(self) -> int:
        """The number of elements."""
        if self._length is None:
            reply = await self.vm.request(array_reference.Length(ArrayId(self.id)))
            self._length = reply.length
        return self._length

    async def get(self, start: int = 0, count: int = -1) -> tuple[Value, ...]:
        """`count` elements from `start` on; -1: to the end. One round trip for every 50,000.

        Raises InvalidIndexError or InvalidLengthError when the range is not inside the array.
        """
        if count < 0:  # stock agents refuse -1 on an empty array
            count = await self.length() - start
        found: list[Value] = []
        end = start + count
        for at in range(start, end, _AT_ONCE):
            part = array_reference.GetValues(ArrayId(self.id), at, min(_AT_ONCE, end - at))
            found += self.vm.region_values((await self.vm.request(part)).values)
        return tuple(found)

    async def get_bytes(self, start: int, count: int) -> bytes:
        """The same of a byte array, without a value for each element."""
        if count <= 0:
            return b""
        reply = await self.vm.request(array_reference.GetValues(ArrayId(self.id), start, count))
        return struct.pack(f"{count}b", *reply.values.values)

    async def set(self, start: int, values: Sequence[Value]) -> None:
        """Writes elements from `start` on, after Java's assignment conversion."""
        if not values:
            return
        component = (await self.type()).signature[1:]
        wire = tuple(
            wire_value(assignable(value, component, f"element {start + offset} of {self!r}"))
            for offset, value in enumerate(values)
        )
        await self.vm.request(array_reference.SetValues(ArrayId(self.id), start, wire))


class ThreadReference(ObjectReference):
    """A java.lang.Thread object."""

    __slots__ = ()

    @property
    def thread(self) -> Thread:
        """The thread."""
        return self.vm.thread(ThreadId(self.id))


class ThreadGroupReference(ObjectReference):
    """A java.lang.ThreadGroup object."""

    __slots__ = ()

    async def name(self) -> str:
        """The group's name."""
        reply = await self.vm.request(thread_group_reference.Name(ThreadGroupId(self.id)))
        return reply.name

    async def parent(self) -> ThreadGroupReference | None:
        """The group above; None for a top-level group."""
        reply = await self.vm.request(thread_group_reference.Parent(ThreadGroupId(self.id)))
        return self.vm.thread_group(reply.parent) if reply.parent else None

    async def children(self) -> tuple[list[Thread], list[ThreadGroupReference]]:
        """The live threads and the subgroups directly in it."""
        reply = await self.vm.request(thread_group_reference.Children(ThreadGroupId(self.id)))
        return (
            [self.vm.thread(thread) for thread in reply.threads],
            [self.vm.thread_group(group) for group in reply.groups],
        )


class ClassLoaderReference(ObjectReference):
    """A java.lang.ClassLoader object."""

    __slots__ = ()

    async def visible_classes(self) -> frozenset[ReferenceTypeId]:
        """The classes that it has defined, or found in another loader when code needed them."""
        reply = await self.vm.request(
            class_loader_reference.VisibleClasses(ClassLoaderId(ObjectId(self.id)))
        )
        return frozenset(each.type_id for each in reply.classes)


class ClassObjectReference(ObjectReference):
    """A java.lang.Class object."""

    __slots__ = ()

    async def reflected_type(self) -> ReferenceType:
        """The type it represents. Raises UnsupportedError for a primitive type's class object."""
        reply = await self.vm.request(class_object_reference.ReflectedType(ClassObjectId(self.id)))
        if not reply.type_id:
            raise UnsupportedError(
                f"{self!r} is the class object of a primitive type, which has no reference type"
            )
        return await self.vm.reference_type(reply.type_tag, reply.type_id)


Value: TypeAlias = PrimitiveValue | NullValue | VoidValue | UnavailableValue | ObjectReference
"""Any value: match on the class, with ObjectReference for all kinds of objects."""


def assignable(value: Value, descriptor: str, target: str) -> Value:
    """`value` as Java would store it in a variable of this type (JLS 5.2, without boxing).

    `target` names the variable in the message of the TypeMismatchError. Whether an object's class
    fits is for the VM to say.
    """
    if isinstance(value, PrimitiveValue):
        if is_primitive(descriptor):
            return converted(value, descriptor, f"{target} of type {java_name(descriptor)}")
    elif isinstance(value, VoidValue):
        if descriptor == "V":
            return value
    elif not isinstance(value, UnavailableValue) and not is_primitive(descriptor):
        return value
    raise TypeMismatchError(f"putting {value} into {target} of type {java_name(descriptor)}")


def wire_value(value: Value) -> WireValue:
    """The value as it goes over the wire. Raises TypeMismatchError for an UnavailableValue."""
    match value:
        case PrimitiveValue():
            return WireValue(Tag(ord(value.kind.value)), value.value)
        case ObjectReference():
            return WireValue(value.tag, value.id)
        case NullValue():
            return WireValue(Tag.OBJECT, 0)
        case VoidValue():
            return WireValue(Tag.VOID, None)
        case UnavailableValue():
            raise TypeMismatchError(f"sending {value} to the VM")
