# SPDX-License-Identifier: Apache-2.0
"""Objects and strings: their types, their values, what refers to them, and their ids."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.jdwp.target import CLASS, UNKNOWN_ID, ids, raw

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

TARGET, DOG, CAT, CREATURE = (
    "Ltarget/Target;",
    "Ltarget/Target$Dog;",
    "Ltarget/Target$Cat;",
    "Ltarget/Target$Creature;",
)


@pytest.mark.parametrize(
    ("name", "tag", "value"),
    [
        ("aBoolean", "Z", True),
        ("aByte", "B", -2),
        ("aChar", "C", 0x20AC),
        ("aLong", "J", 1 << 40),
        ("aFloat", "F", 1.5),
        ("aDouble", "D", -2.25),
        ("CONSTANT", "I", 5),
        ("nothing", "L", 0),
    ],
)
def test_static_values(target: Target, name: str, tag: str, value: object) -> None:
    assert target.static(name) == {"tag": ord(tag), "value": value}


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("aString", "s"),
        ("ints", "["),
        ("objects", "["),
        ("grid", "["),
        ("type", "c"),
        ("primitive", "c"),
        ("group", "g"),
        ("loader", "l"),
        ("dead", "t"),
        ("unstarted", "t"),
        ("dog", "L"),
        ("module", "L"),
    ],
)
def test_tags_of_objects(target: Target, name: str, tag: str) -> None:
    assert chr(target.static(name)["tag"]) == tag


def test_an_object_has_one_id(target: Target) -> None:
    assert target.object("dog") == target.object("dog")
    assert target.object("dog") != target.object("cat")


def test_reference_type(target: Target) -> None:
    reply = target.vm.ask("ObjectReference.ReferenceType", object=target.object("dog"))
    assert reply == {"type_tag": CLASS, "type_id": target.type(DOG)}
    assert target.vm.refusal("ObjectReference.ReferenceType", object=UNKNOWN_ID) == "INVALID_OBJECT"


def values_of(target: Target, obj: int, *fields: int) -> list[Any]:
    return list(target.vm.ask("ObjectReference.GetValues", object=obj, fields=fields)["values"])


def test_instance_values(target: Target) -> None:
    dog, creature = target.type(DOG), target.type(CREATURE)
    weight, age = target.field(dog, "weight"), target.field(dog, "age")
    inherited, friend = target.field(creature, "age"), target.field(creature, "friend")
    rex = target.object("dog")
    assert values_of(target, rex, weight, age, inherited, friend, target.field(dog, "self")) == [
        {"tag": ord("J"), "value": 12},
        {"tag": ord("I"), "value": 7},
        {"tag": ord("I"), "value": 3},
        {"tag": ord("L"), "value": 0},
        {"tag": ord("L"), "value": rex},
    ]
    assert values_of(target, rex) == []


def test_fields_that_are_none(our_target: Target) -> None:
    vm, rex = our_target.vm, our_target.object("dog")
    statics = our_target.field(our_target.type(TARGET), "ints")
    weight = our_target.field(our_target.type(DOG), "weight")
    for field in (0, 1, UNKNOWN_ID, -1 & 0xFFFF_FFFF_FFFF_FFFF, statics, our_target.type(DOG)):
        assert vm.refusal("ObjectReference.GetValues", object=rex, fields=[field]) == (
            "INVALID_FIELDID"
        ), field
        for type_id in (our_target.type(CAT), our_target.type("[I")):
            assert vm.refusal("ReferenceType.GetValues", type_id=type_id, fields=[field]) == (
                "INVALID_FIELDID"
            ), field
    dog = our_target.type(DOG)
    assert vm.refusal("ReferenceType.GetValues", type_id=dog, fields=[weight]) == "INVALID_FIELDID"
    store = raw(1, ids(weight) + struct.pack(">q", 1))
    assert vm.refusal("ClassType.SetValues", type_id=dog, values=store) == "INVALID_FIELDID"
    assert vm.refusal("ObjectReference.GetValues", object=0, fields=[weight]) == "INVALID_OBJECT"


def test_set_instance_values(fresh_target: Target) -> None:
    target = fresh_target
    dog, rex = target.type(DOG), target.object("dog")
    friend, weight = target.field(target.type(CREATURE), "friend"), target.field(dog, "weight")
    name = target.field(dog, "name")
    cat = target.object("cat")
    text = target.vm.ask("VirtualMachine.CreateString", text="Rover \U0001f415")["string"]
    content = ids(friend, cat, weight) + struct.pack(">q", -5) + ids(name, text)
    target.vm.ask("ObjectReference.SetValues", object=rex, values=raw(3, content))
    assert [value["value"] for value in values_of(target, rex, friend, weight, name)] == [
        cat,
        -5,
        text,
    ]
    target.vm.ask("ObjectReference.SetValues", object=rex, values=raw(1, ids(friend, 0)))
    assert values_of(target, rex, friend) == [{"tag": ord("L"), "value": 0}]


STATICS = [
    ("aBoolean", "Z", ">?", False),
    ("aByte", "B", ">b", -128),
    ("aChar", "C", ">H", 0xD800),
    ("aShort", "S", ">h", 32767),
    ("anInt", "I", ">i", -1),
    ("aLong", "J", ">q", -(1 << 63)),
    ("aFloat", "F", ">f", -0.5),
    ("aDouble", "D", ">d", 1e300),
]


def test_set_static_values(fresh_target: Target) -> None:
    target = fresh_target
    type_id = target.type(TARGET)
    for name, tag, code, value in STATICS:
        content = ids(target.field(type_id, name)) + struct.pack(code, value)
        target.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
        assert target.static(name) == {"tag": ord(tag), "value": value}
    content = ids(target.field(type_id, "nothing"), target.object("cat"))
    target.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
    assert target.object("nothing") == target.object("cat")


def test_a_store_of_a_wrong_class_is_refused(our_target: Target) -> None:
    vm, dog, rex = our_target.vm, our_target.type(DOG), our_target.object("dog")
    me, name = our_target.field(dog, "self"), our_target.field(dog, "name")
    tricks, weight = our_target.field(dog, "tricks"), our_target.field(dog, "weight")
    cat, row = our_target.object("cat"), our_target.object("ints")
    for field, value in ((me, cat), (name, rex), (tricks, cat), (me, row), (name, row)):
        # A store that is right comes first; the request is refused whole.
        content = ids(weight) + struct.pack(">q", 99) + ids(field, value)
        store = {"object": rex, "values": raw(2, content)}
        assert vm.refusal("ObjectReference.SetValues", **store) == "TYPE_MISMATCH"
    assert values_of(our_target, rex, me, weight) == [
        {"tag": ord("L"), "value": rex},
        {"tag": ord("J"), "value": 12},
    ]
    target_type = our_target.type(TARGET)
    for name_of_field, value in (
        ("ints", our_target.object("longs")),
        ("strings", row),
        ("dog", cat),
    ):
        content = ids(our_target.field(target_type, name_of_field), value)
        store = {"type_id": target_type, "values": raw(1, content)}
        assert vm.refusal("ClassType.SetValues", **store) == "TYPE_MISMATCH"


def test_a_store_of_an_unknown_object_is_refused(our_target: Target) -> None:
    rex = our_target.object("dog")
    content = ids(our_target.field(our_target.type(CREATURE), "friend"), UNKNOWN_ID)
    store = {"object": rex, "values": raw(1, content)}
    assert our_target.vm.refusal("ObjectReference.SetValues", **store) == "INVALID_OBJECT"


def test_covariant_stores_are_allowed(fresh_target: Target) -> None:
    target, type_id = fresh_target, fresh_target.type(TARGET)
    for field, value in (("objects", "strings"), ("objects", "grid"), ("nothing", "ints")):
        content = ids(target.field(type_id, field), target.object(value))
        target.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
        assert target.object(field) == target.object(value)


# --- strings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "plain", "ä€", "\U0001f600", "x" * 100_000),
        # Long strings are read in pieces: a character of two units at each place.
        *("x" * odd + "\U0001f600" * 5_000 for odd in (0, 1)),
    ],
    ids=["empty", "plain", "letters", "face", "long", "faces-even", "faces-odd"],
)
def test_strings_are_sent_and_read_back(target: Target, text: str) -> None:
    string = target.vm.ask("VirtualMachine.CreateString", text=text)["string"]
    assert target.vm.ask("StringReference.Value", string=string)["text"] == text
    reply = target.vm.ask("ObjectReference.ReferenceType", object=string)
    assert reply["type_id"] == target.type("Ljava/lang/String;")


def test_unusual_characters(target: Target) -> None:
    string = target.object("unusual")
    code, payload = target.vm.ask_raw(10, 1, ids(string))
    assert code == 0
    wanted = "a\0b\U0001f600".encode() + b"\xed\xa0\x80" + "cé".encode()
    assert payload == struct.pack(">i", len(wanted)) + wanted


def test_strings_that_are_none(target: Target) -> None:
    assert (
        target.vm.refusal("StringReference.Value", string=target.object("dog")) == "INVALID_STRING"
    )
    assert target.vm.refusal("StringReference.Value", string=UNKNOWN_ID) == "INVALID_OBJECT"


def test_a_null_string(our_target: Target) -> None:
    assert our_target.vm.refusal("StringReference.Value", string=0) == "INVALID_STRING"


# --- life of ids --------------------------------------------------------------------------------


def test_is_collected(target: Target) -> None:
    def is_collected(obj: int) -> object:
        return target.vm.ask("ObjectReference.IsCollected", object=obj)["is_collected"]

    assert is_collected(target.object("dog")) is False
    assert is_collected(UNKNOWN_ID) is True
    assert target.vm.refusal("ObjectReference.IsCollected", object=0) == "INVALID_OBJECT"


def test_disposed_ids_are_forgotten(target: Target) -> None:
    string = target.vm.ask("VirtualMachine.CreateString", text="short-lived")["string"]
    target.vm.ask("VirtualMachine.DisposeObjects", requests=[{"object": string, "count": 1}])
    assert target.vm.refusal("StringReference.Value", string=string) == "INVALID_OBJECT"
    again = {"object": string, "count": 1}
    target.vm.ask("VirtualMachine.DisposeObjects", requests=[again])


def test_an_id_lives_as_long_as_its_count(target: Target) -> None:
    cat = target.object("cat")
    assert target.object("cat") == cat
    target.vm.ask("VirtualMachine.DisposeObjects", requests=[{"object": cat, "count": 1}])
    assert target.vm.refusal("ObjectReference.ReferenceType", object=cat) == "NONE"


def test_more_is_disposed_than_was_given(our_target: Target) -> None:
    string = our_target.vm.ask("VirtualMachine.CreateString", text="once")["string"]
    for count in (-5, 0, 1000):
        request = {"object": string, "count": count}
        our_target.vm.ask("VirtualMachine.DisposeObjects", requests=[request])
    assert our_target.vm.refusal("StringReference.Value", string=string) == "INVALID_OBJECT"


def test_collection_is_held_and_let_go(target: Target) -> None:
    string = target.vm.ask("VirtualMachine.CreateString", text="held")["string"]
    target.vm.ask("ObjectReference.DisableCollection", object=string)
    assert target.vm.ask("StringReference.Value", string=string)["text"] == "held"
    target.vm.ask("ObjectReference.EnableCollection", object=string)
    assert target.vm.refusal("ObjectReference.DisableCollection", object=UNKNOWN_ID) == (
        "INVALID_OBJECT"
    )
    assert target.vm.refusal("ObjectReference.EnableCollection", object=UNKNOWN_ID) == "NONE"
    assert target.vm.refusal("ObjectReference.DisableCollection", object=0) == "NONE"


def test_referring_objects(target: Target) -> None:
    rex = target.object("dog")

    def referrers(obj: int, limit: int) -> list[Any]:
        request = {"object": obj, "max_referrers": limit}
        return list(
            target.vm.ask("ObjectReference.ReferringObjects", **request)["referring_objects"]
        )

    found = referrers(rex, 0)
    # The static field of the class, and itself.
    assert {entry["id"] for entry in found} >= {target.type(TARGET), rex}
    assert {chr(entry["tag"]) for entry in found if entry["id"] == target.type(TARGET)} == {"c"}
    assert len(referrers(rex, 1)) == 1
    name = "ObjectReference.ReferringObjects"
    assert target.vm.refusal(name, object=rex, max_referrers=-1) == "ILLEGAL_ARGUMENT"
    assert target.vm.refusal(name, object=UNKNOWN_ID, max_referrers=0) == "INVALID_OBJECT"


def test_monitor_info(target: Target) -> None:
    held = target.vm.ask("ObjectReference.MonitorInfo", object=target.object("lock"))
    assert held == {
        "owner": target.thread,
        "entry_count": 1,
        "waiters": [target.named_thread("contender")],
    }
    free = target.vm.ask("ObjectReference.MonitorInfo", object=target.object("cat"))
    assert free == {"owner": 0, "entry_count": 0, "waiters": []}
    assert target.vm.refusal("ObjectReference.MonitorInfo", object=UNKNOWN_ID) == "INVALID_OBJECT"


def test_reflected_type_of_a_primitive(target: Target) -> None:
    primitive = target.object("primitive")
    reflected = target.vm.ask("ClassObjectReference.ReflectedType", class_object=primitive)
    assert reflected["type_tag"] == CLASS
    assert target.vm.ask("ReferenceType.Signature", type_id=primitive)["signature"] == "I"
