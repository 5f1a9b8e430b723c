# SPDX-License-Identifier: Apache-2.0
"""What the agents say about objects, strings and arrays, and what they let one change."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import TYPES
from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.jdwp.target import ids, raw

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient

LEAF, ROOT, BOX = "Ltypes/Types$Leaf;", "Ltypes/Types$Root;", "Ltypes/Types$Box;"
PRIMITIVES = "Ltypes/Types$Primitives;"
POINT, SHAPE = "Ltypes/Types$Point;", "Ltypes/Types$Shape;"
_OBJECTS = (
    "box",
    "planet",
    "point",
    "shape",
    "leaf",
    "innermost",
    "primitives",
    "lambda",
    "hidden",
    "proxy",
    "twin",
    "counted",
    "objects",
    "text",
    "primitiveClass",
    "arrayClass",
    "loader",
    "definer",
    "named",
    "group",
    "main",
    "dead",
    "unstarted",
)
_ARRAYS = (
    "booleans",
    "bytes",
    "chars",
    "shorts",
    "ints",
    "longs",
    "floats",
    "doubles",
    "objects",
    "strings",
    "grid",
    "storeless",
    "deep",
    "points",
    "empty",
    "counted",
)


# --- reading --------------------------------------------------------------------------------------


@conversations_over({name: name for name in _OBJECTS}, TYPES)
def known(client: RecordingClient, name: str) -> None:
    """The type of an object, and whether it is there."""
    find = Finds(client)
    shown = client.ask(
        "ReferenceType.GetValues", type_id=find.type(), fields=[find.field("", name)]
    )
    number = shown["values"][0]["value"]
    client.ask("ObjectReference.ReferenceType", object=number)
    client.ask("ObjectReference.IsCollected", object=number)
    client.ask("ObjectReference.MonitorInfo", object=number)


@conversations_over({name: name for name in ("lock", "outer", "bell", "unnotified", "leaf")}, TYPES)
def monitors(client: RecordingClient, name: str) -> None:
    """Owners and waiters of monitors."""
    client.ask("ObjectReference.MonitorInfo", object=Finds(client).object(name))


@conversation(TYPES)
def static_fields(client: RecordingClient) -> None:
    """All of them, one by one and at once; inherited ones too."""
    find = Finds(client)
    for signature in ("", PRIMITIVES, LEAF, ROOT, SHAPE, "Ltypes/Types$Planet;", POINT):
        listed = client.ask("ReferenceType.Fields", type_id=find.type(signature))["fields"]
        static = [one["field_id"] for one in listed if one["modifiers"] & 8]
        for number in (static, static[:1], []):
            client.ask("ReferenceType.GetValues", type_id=find.type(signature), fields=number)
    inherited = [find.field(ROOT, "inherited"), find.field(LEAF, "shared")]
    client.ask("ReferenceType.GetValues", type_id=find.type(LEAF), fields=inherited)


@conversation(TYPES)
def constants_of_an_interface(client: RecordingClient) -> None:
    find = Finds(client)
    sides = [find.field(SHAPE, "SIDES")]
    client.ask("ReferenceType.GetValues", type_id=find.type(SHAPE), fields=sides)


@conversation(TYPES)
def constants_of_an_interface_through_a_class(client: RecordingClient) -> None:
    find = Finds(client)
    sides = [find.field(SHAPE, "SIDES")]
    client.ask("ReferenceType.GetValues", type_id=find.type("Ltypes/Types$Circle;"), fields=sides)
    client.ask("ObjectReference.GetValues", object=find.object("shape"), fields=sides)


@conversation(TYPES)
def static_fields_through_an_object(client: RecordingClient) -> None:
    find = Finds(client)
    for fields in (
        [find.field(LEAF, "shared")],
        [find.field(ROOT, "inherited"), find.field(ROOT, "CONSTANT")],
    ):
        client.ask("ObjectReference.GetValues", object=find.object("leaf"), fields=fields)


@conversation(TYPES)
def uninitialised_fields(client: RecordingClient) -> None:
    """Fields of classes whose initialiser has not run, or has failed."""
    find = Finds(client)
    for signature in ("Ltypes/Types$Prepared;", "Ltypes/Types$Broken;"):
        fields = [find.field(signature, "value")]
        client.ask("ReferenceType.GetValues", type_id=find.type(signature), fields=fields)


@conversation(TYPES)
def instance_fields(client: RecordingClient) -> None:
    """Own, inherited and hidden ones."""
    find = Finds(client)
    own = find.fields(LEAF) | {f"root {k}": v for k, v in find.fields(ROOT).items()}
    for names in (
        ["hidden", "row"],
        ["root number", "root hidden"],
        [],
    ):
        fields = [own[name] for name in names]
        client.ask("ObjectReference.GetValues", object=find.object("leaf"), fields=fields)
    fields = [one for name, one in find.fields(PRIMITIVES).items() if name not in _STORES]
    client.ask("ObjectReference.GetValues", object=find.object("primitives"), fields=fields)
    fields = [one for name, one in find.fields(BOX).items() if name != "NAMES"]
    client.ask("ObjectReference.GetValues", object=find.object("box"), fields=fields)


@conversations_over({name: name for name in ("text", "unusual", "blank")}, TYPES)
def strings(client: RecordingClient, name: str) -> None:
    client.ask("StringReference.Value", string=Finds(client).object(name))


@conversations_over(
    {
        "ascii": "text",
        "empty": "",
        "nul": "a\0b",
        "two_bytes": "\u00e9",
        "three_bytes": "\u20ac",
        "four_bytes": "\U0001f600",
        "lone_surrogate": "\ud800c",
        "long": "x" * 70_000,
    },
    TYPES,
)
def new_strings(client: RecordingClient, text: str) -> None:
    """A string as it comes back."""
    string = client.ask("VirtualMachine.CreateString", text=text)["string"]
    client.ask("ObjectReference.ReferenceType", object=string)
    client.ask("StringReference.Value", string=string)


@conversations_over(
    {"one": 1, "two": 2, "all": 0, "more": 100, "negative": -1, "least": -(2**31)}, TYPES
)
def referrers(client: RecordingClient, most: int) -> None:
    find = Finds(client)
    for name in ("grid", "outer", "point", "counted"):
        client.ask("ObjectReference.ReferringObjects", object=find.object(name), max_referrers=most)


@conversation(TYPES)
def collection(client: RecordingClient) -> None:
    """Disabled twice, enabled once too often."""
    find = Finds(client)
    string = find.new_string("kept")
    for name in ("Disable", "Disable", "Enable", "Enable", "Enable"):
        client.ask(f"ObjectReference.{name}Collection", object=string)
        client.ask("ObjectReference.IsCollected", object=string)


@conversations_over({"zero": 0, "one": 1, "two": 2}, TYPES)
def disposed(client: RecordingClient, count: int) -> None:
    """An id that was received twice is given back this many times."""
    find = Finds(client)
    client.vm.ask("VirtualMachine.IDSizes")
    array = find.object("deep")
    find.object("deep")
    client.ask("VirtualMachine.DisposeObjects", requests=[{"object": array, "count": count}])
    client.ask("ArrayReference.Length", array=array)


@conversation(TYPES)
def disposed_nothing(client: RecordingClient) -> None:
    client.ask("VirtualMachine.DisposeObjects", requests=[])


# --- arrays ---------------------------------------------------------------------------------------

_RANGES = {
    "all": (0, -1),
    "first": (0, 1),
    "none": (0, 0),
    "from_one": (1, -1),
    "none_at_the_end": (-9, 0),
    "past_the_end": (-9, 1),
    "too_many": (0, 100),
    "negative_index": (-1, 1),
    "negative_length": (0, -2),
    "all_of_nothing": (-9, -1),
    "most": (2**31 - 1, 2**31 - 1),
}
"""First index and length; -9 stands for the length of the array."""


@conversations_over({name: name for name in _ARRAYS}, TYPES)
def elements(client: RecordingClient, name: str) -> None:
    """Every range of every kind of array."""
    array = Finds(client).object(name)
    length = client.ask("ArrayReference.Length", array=array)["length"]
    for first, count in _RANGES.values():
        index = length if first == -9 else first
        client.ask("ArrayReference.GetValues", array=array, first_index=index, length=count)


_NEW_ELEMENTS = {
    "booleans": ">?",
    "bytes": ">b",
    "chars": ">H",
    "shorts": ">h",
    "ints": ">i",
    "longs": ">q",
    "floats": ">f",
    "doubles": ">d",
}


@conversations_over(_NEW_ELEMENTS, TYPES)
def set_elements(client: RecordingClient, layout: str) -> None:
    """One element is set, shown and put back; then ranges that are not there."""
    name = next(key for key, value in _NEW_ELEMENTS.items() if value == layout)
    array = Finds(client).object(name)
    before = client.ask("ArrayReference.GetValues", array=array, first_index=0, length=1)
    for value in (1, before["values"]["values"][0]):
        new = raw(1, struct.pack(layout, value))
        client.ask("ArrayReference.SetValues", array=array, first_index=0, values=new)
        client.ask("ArrayReference.GetValues", array=array, first_index=0, length=-1)
    for first in (-1, 100, 2**31 - 1):
        new = raw(1, struct.pack(layout, 1))
        client.ask("ArrayReference.SetValues", array=array, first_index=first, values=new)
    many = raw(9, struct.pack(layout, 1) * 9)
    client.ask("ArrayReference.SetValues", array=array, first_index=0, values=many)
    client.ask("ArrayReference.SetValues", array=array, first_index=0, values=raw(0, b""))
    client.ask("ArrayReference.GetValues", array=array, first_index=0, length=-1)


@conversation(TYPES)
def set_object_elements(client: RecordingClient) -> None:
    """Null, a fitting and an unfitting object, an id of nothing."""
    find = Finds(client)
    for name in ("objects", "strings", "grid", "storeless", "points"):
        array = find.object(name)
        before = client.vm.ask("ArrayReference.GetValues", array=array, first_index=0, length=1)
        first = before["values"]["values"][0]["id"]
        for number in (0, find.object("text"), find.object("ints"), find.object("point"), first):
            new = raw(1, ids(number))
            client.ask("ArrayReference.SetValues", array=array, first_index=0, values=new)
            client.ask("ArrayReference.GetValues", array=array, first_index=0, length=1)


@conversations_over(
    {
        "ints": "[I",
        "booleans": "[Z",
        "objects": "[Ljava/lang/Object;",
        "arrays": "[[I",
        "records": "[Ltypes/Types$Point;",
    },
    TYPES,
)
def new_arrays(client: RecordingClient, signature: str) -> None:
    type_id = Finds(client).type(signature)
    for length in (0, 3, -1, -(2**31), 2**31 - 1):
        made = client.ask("ArrayType.NewInstance", type_id=type_id, length=length)
        if made:
            array = made["new_array"]["id"]
            client.ask("ArrayReference.Length", array=array)
            client.ask("ArrayReference.GetValues", array=array, first_index=0, length=-1)


# --- fields ---------------------------------------------------------------------------------------

_STORES = {"z": ">?", "b": ">b", "c": ">H", "s": ">h", "i": ">i", "j": ">q", "f": ">f", "d": ">d"}


@conversations_over(_STORES, TYPES)
def set_primitive_fields(client: RecordingClient, layout: str) -> None:
    """A static field and an instance field of each primitive type, there and back."""
    find = Finds(client)
    static = next(key for key, value in _STORES.items() if value == layout)
    fields = find.fields(PRIMITIVES)
    own = next(name for name in (f"i{static}", f"j{static}") if name in fields)
    type_id, holder = find.type(PRIMITIVES), find.object("primitives")
    old = client.ask("ReferenceType.GetValues", type_id=type_id, fields=[fields[static]])
    for value in (1, old["values"][0]["value"]):
        new = raw(1, ids(fields[static]) + struct.pack(layout, value))
        client.ask("ClassType.SetValues", type_id=type_id, values=new)
        client.ask("ReferenceType.GetValues", type_id=type_id, fields=[fields[static]])
    old = client.ask("ObjectReference.GetValues", object=holder, fields=[fields[own]])
    for value in (1, old["values"][0]["value"]):
        new = raw(1, ids(fields[own]) + struct.pack(layout, value))
        client.ask("ObjectReference.SetValues", object=holder, values=new)
        client.ask("ObjectReference.GetValues", object=holder, fields=[fields[own]])


@conversation(TYPES)
def set_object_fields(client: RecordingClient) -> None:
    """Null, fitting and unknown objects; final, inherited and static fields."""
    find = Finds(client)
    leaf, text = find.object("leaf"), find.object("text")
    own, above = find.fields(LEAF), find.fields(ROOT)
    for field, value in (
        (own["hidden"], 0),
        (own["hidden"], text),
        (own["row"], find.object("empty")),
        (above["hidden"], text),
    ):
        new = raw(1, ids(field, value))
        client.ask("ObjectReference.SetValues", object=leaf, values=new)
        client.ask("ObjectReference.GetValues", object=leaf, fields=[field])
    for value in (0, leaf, text):
        new = raw(1, ids(own["shared"], value))
        client.ask("ClassType.SetValues", type_id=find.type(LEAF), values=new)
        client.ask("ReferenceType.GetValues", type_id=find.type(LEAF), fields=[own["shared"]])
    client.ask("ObjectReference.SetValues", object=leaf, values=raw(0, b""))
    client.ask("ClassType.SetValues", type_id=find.type(LEAF), values=raw(0, b""))
