# SPDX-License-Identifier: Apache-2.0
"""What the agents say about types of every kind: set ReferenceType, ClassType.Superclass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import BARE_TARGET, TYPES
from tests.conformance.differential.registry import conversation, conversations_over

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient

TYPE_SIGNATURES = {
    "main": "Ltypes/Types;",
    "generic": "Ltypes/Types$Box;",
    "enum": "Ltypes/Types$Planet;",
    "enum_constant_body": "Ltypes/Types$Planet$1;",
    "record": "Ltypes/Types$Point;",
    "sealed_interface": "Ltypes/Types$Shape;",
    "extending_interface": "Ltypes/Types$Extended;",
    "final_class": "Ltypes/Types$Circle;",
    "annotation": "Ltypes/Types$Marked;",
    "abstract": "Ltypes/Types$Root;",
    "derived": "Ltypes/Types$Leaf;",
    "inner": "Ltypes/Types$Leaf$Inner;",
    "innermost": "Ltypes/Types$Leaf$Inner$Innermost;",
    "private_nested": "Ltypes/Types$Leaf$Secret;",
    "nested_interface": "Ltypes/Types$Leaf$Nested;",
    "anonymous": "Ltypes/Types$Leaf$1;",
    "local": "Ltypes/Types$Leaf$1Local;",
    "primitives": "Ltypes/Types$Primitives;",
    "not_initialised": "Ltypes/Types$Prepared;",
    "failed": "Ltypes/Types$Broken;",
    "object": "Ljava/lang/Object;",
    "string": "Ljava/lang/String;",
    "class": "Ljava/lang/Class;",
    "thread": "Ljava/lang/Thread;",
    "comparable": "Ljava/lang/Comparable;",
    "primitive_array": "[I",
    "array_of_arrays": "[[I",
    "object_array": "[Ljava/lang/Object;",
    "record_array": "[Ltypes/Types$Point;",
    "deep_array": "[[[Ljava/util/List;",
}
"""By the word for what they are about."""

_COMMANDS = (
    "Signature",
    "SignatureWithGeneric",
    "ClassLoader",
    "Modifiers",
    "Fields",
    "FieldsWithGeneric",
    "Methods",
    "MethodsWithGeneric",
    "SourceFile",
    "NestedTypes",
    "Status",
    "Interfaces",
    "ClassObject",
    "SourceDebugExtension",
    "ClassFileVersion",
    "ConstantPool",
    "Module",
)


def describe(client: RecordingClient, type_id: int) -> None:
    for command in _COMMANDS:
        client.ask(f"ReferenceType.{command}", type_id=type_id)
    client.ask("ClassType.Superclass", type_id=type_id)


@conversations_over(TYPE_SIGNATURES, TYPES)
def described(client: RecordingClient, signature: str) -> None:
    """Everything that can be asked about a type alone."""
    (found,) = client.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]
    describe(client, found["type_id"])


@conversations_over(
    {one: one for one in ("lambda", "reference", "hidden", "proxy", "twin", "definer")},
    TYPES,
)
def described_by_object(client: RecordingClient, field: str) -> None:
    """Types that no signature names alone: made at run time."""
    found = client.ask("ObjectReference.ReferenceType", object=Finds(client).object(field))
    describe(client, found["type_id"])


@conversation(TYPES)
def same_name_twice(client: RecordingClient) -> None:
    """Two loaders, one name."""
    signature = "Ltypes/Hidden;"
    found = client.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]
    for one in found:
        client.ask("ReferenceType.Status", type_id=one["type_id"])


@conversations_over(
    {
        "int": "primitiveClass",
        "void": "voidClass",
        "array": "arrayClass",
        "not_linked": "unlinked",
    },
    TYPES,
)
def reflected(client: RecordingClient, field: str) -> None:
    """Types that no list has: primitive ones, and classes that are loaded and not linked."""
    class_object = Finds(client).object(field)
    found = client.ask("ClassObjectReference.ReflectedType", class_object=class_object)
    describe(client, found["type_id"])


@conversations_over({"main": "Ltarget/Target;", "named": "Ljava/lang/String;"}, BARE_TARGET)
def described_without_tables(client: RecordingClient, signature: str) -> None:
    """A class file compiled with -g:none."""
    describe(client, Finds(client).type(signature))


@conversations_over(
    {"one": 1, "two": 2, "all": 0, "more": 100, "negative": -1, "least": -(2**31)}, TYPES
)
def instances(client: RecordingClient, most: int) -> None:
    """Instances and their number, with each kind of limit."""
    find = Finds(client)
    for name in ("Counted", "Uncounted", "Shape", "Planet", "Root"):
        type_id = find.type(f"Ltypes/Types${name};")
        client.ask("ReferenceType.Instances", type_id=type_id, max_instances=most)


@conversation(TYPES)
def instance_counts(client: RecordingClient) -> None:
    find = Finds(client)
    names = ("Counted", "Uncounted", "Shape", "Planet", "Root", "Leaf")
    types = [find.type(f"Ltypes/Types${name};") for name in names]
    client.ask("VirtualMachine.InstanceCounts", types=types)
    client.ask("VirtualMachine.InstanceCounts", types=[types[0], types[0]])
    client.ask("VirtualMachine.InstanceCounts", types=[])
