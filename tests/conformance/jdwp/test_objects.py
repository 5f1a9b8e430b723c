# SPDX-License-Identifier: Apache-2.0
"""Objects and strings: their types, their values, what refers to them, and their ids."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.jdwp.zoo import CLASS, UNKNOWN_ID, ids, raw

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

ZOO, DOG, CAT, CREATURE = "Lzoo/Zoo;", "Lzoo/Zoo$Dog;", "Lzoo/Zoo$Cat;", "Lzoo/Zoo$Creature;"


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
def test_static_values(zoo: Zoo, name: str, tag: str, value: object) -> None:
    assert zoo.static(name) == {"tag": ord(tag), "value": value}


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
def test_tags_of_objects(zoo: Zoo, name: str, tag: str) -> None:
    assert chr(zoo.static(name)["tag"]) == tag


def test_an_object_has_one_id(zoo: Zoo) -> None:
    assert zoo.object("dog") == zoo.object("dog")
    assert zoo.object("dog") != zoo.object("cat")


def test_reference_type(zoo: Zoo) -> None:
    reply = zoo.vm.ask("ObjectReference.ReferenceType", object=zoo.object("dog"))
    assert reply == {"type_tag": CLASS, "type_id": zoo.type(DOG)}
    assert zoo.vm.refusal("ObjectReference.ReferenceType", object=UNKNOWN_ID) == "INVALID_OBJECT"


def values_of(zoo: Zoo, obj: int, *fields: int) -> list[Any]:
    return list(zoo.vm.ask("ObjectReference.GetValues", object=obj, fields=fields)["values"])


def test_instance_values(zoo: Zoo) -> None:
    dog, creature = zoo.type(DOG), zoo.type(CREATURE)
    weight, age = zoo.field(dog, "weight"), zoo.field(dog, "age")
    inherited, friend = zoo.field(creature, "age"), zoo.field(creature, "friend")
    rex = zoo.object("dog")
    assert values_of(zoo, rex, weight, age, inherited, friend, zoo.field(dog, "self")) == [
        {"tag": ord("J"), "value": 12},
        {"tag": ord("I"), "value": 7},
        {"tag": ord("I"), "value": 3},
        {"tag": ord("L"), "value": 0},
        {"tag": ord("L"), "value": rex},
    ]
    assert values_of(zoo, rex) == []


def test_fields_that_are_none(our_zoo: Zoo) -> None:
    vm, rex = our_zoo.vm, our_zoo.object("dog")
    statics = our_zoo.field(our_zoo.type(ZOO), "ints")
    weight = our_zoo.field(our_zoo.type(DOG), "weight")
    for field in (0, 1, UNKNOWN_ID, -1 & 0xFFFF_FFFF_FFFF_FFFF, statics, our_zoo.type(DOG)):
        assert vm.refusal("ObjectReference.GetValues", object=rex, fields=[field]) == (
            "INVALID_FIELDID"
        ), field
        for type_id in (our_zoo.type(CAT), our_zoo.type("[I")):
            assert vm.refusal("ReferenceType.GetValues", type_id=type_id, fields=[field]) == (
                "INVALID_FIELDID"
            ), field
    dog = our_zoo.type(DOG)
    assert vm.refusal("ReferenceType.GetValues", type_id=dog, fields=[weight]) == "INVALID_FIELDID"
    store = raw(1, ids(weight) + struct.pack(">q", 1))
    assert vm.refusal("ClassType.SetValues", type_id=dog, values=store) == "INVALID_FIELDID"
    assert vm.refusal("ObjectReference.GetValues", object=0, fields=[weight]) == "INVALID_OBJECT"


def test_set_instance_values(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    dog, rex = zoo.type(DOG), zoo.object("dog")
    friend, weight = zoo.field(zoo.type(CREATURE), "friend"), zoo.field(dog, "weight")
    name = zoo.field(dog, "name")
    cat = zoo.object("cat")
    text = zoo.vm.ask("VirtualMachine.CreateString", text="Rover \U0001f415")["string"]
    content = ids(friend, cat, weight) + struct.pack(">q", -5) + ids(name, text)
    zoo.vm.ask("ObjectReference.SetValues", object=rex, values=raw(3, content))
    assert [value["value"] for value in values_of(zoo, rex, friend, weight, name)] == [
        cat,
        -5,
        text,
    ]
    zoo.vm.ask("ObjectReference.SetValues", object=rex, values=raw(1, ids(friend, 0)))
    assert values_of(zoo, rex, friend) == [{"tag": ord("L"), "value": 0}]


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


def test_set_static_values(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    type_id = zoo.type(ZOO)
    for name, tag, code, value in STATICS:
        content = ids(zoo.field(type_id, name)) + struct.pack(code, value)
        zoo.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
        assert zoo.static(name) == {"tag": ord(tag), "value": value}
    content = ids(zoo.field(type_id, "nothing"), zoo.object("cat"))
    zoo.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
    assert zoo.object("nothing") == zoo.object("cat")


def test_a_store_of_a_wrong_class_is_refused(our_zoo: Zoo) -> None:
    vm, dog, rex = our_zoo.vm, our_zoo.type(DOG), our_zoo.object("dog")
    me, name = our_zoo.field(dog, "self"), our_zoo.field(dog, "name")
    tricks, weight = our_zoo.field(dog, "tricks"), our_zoo.field(dog, "weight")
    cat, row = our_zoo.object("cat"), our_zoo.object("ints")
    for field, value in ((me, cat), (name, rex), (tricks, cat), (me, row), (name, row)):
        # A store that is right comes first; the request is refused whole.
        content = ids(weight) + struct.pack(">q", 99) + ids(field, value)
        store = {"object": rex, "values": raw(2, content)}
        assert vm.refusal("ObjectReference.SetValues", **store) == "TYPE_MISMATCH"
    assert values_of(our_zoo, rex, me, weight) == [
        {"tag": ord("L"), "value": rex},
        {"tag": ord("J"), "value": 12},
    ]
    zoo_type = our_zoo.type(ZOO)
    for name_of_field, value in (("ints", our_zoo.object("longs")), ("strings", row), ("dog", cat)):
        content = ids(our_zoo.field(zoo_type, name_of_field), value)
        store = {"type_id": zoo_type, "values": raw(1, content)}
        assert vm.refusal("ClassType.SetValues", **store) == "TYPE_MISMATCH"


def test_a_store_of_an_unknown_object_is_refused(our_zoo: Zoo) -> None:
    rex = our_zoo.object("dog")
    content = ids(our_zoo.field(our_zoo.type(CREATURE), "friend"), UNKNOWN_ID)
    store = {"object": rex, "values": raw(1, content)}
    assert our_zoo.vm.refusal("ObjectReference.SetValues", **store) == "INVALID_OBJECT"


def test_covariant_stores_are_allowed(fresh_zoo: Zoo) -> None:
    zoo, type_id = fresh_zoo, fresh_zoo.type(ZOO)
    for field, value in (("objects", "strings"), ("objects", "grid"), ("nothing", "ints")):
        content = ids(zoo.field(type_id, field), zoo.object(value))
        zoo.vm.ask("ClassType.SetValues", type_id=type_id, values=raw(1, content))
        assert zoo.object(field) == zoo.object(value)


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
def test_strings_go_and_come(zoo: Zoo, text: str) -> None:
    string = zoo.vm.ask("VirtualMachine.CreateString", text=text)["string"]
    assert zoo.vm.ask("StringReference.Value", string=string)["text"] == text
    reply = zoo.vm.ask("ObjectReference.ReferenceType", object=string)
    assert reply["type_id"] == zoo.type("Ljava/lang/String;")


def test_unusual_characters(zoo: Zoo) -> None:
    string = zoo.object("unusual")
    code, payload = zoo.vm.ask_raw(10, 1, ids(string))
    assert code == 0
    wanted = "a\0b\U0001f600".encode() + b"\xed\xa0\x80" + "cé".encode()
    assert payload == struct.pack(">i", len(wanted)) + wanted


def test_strings_that_are_none(zoo: Zoo) -> None:
    assert zoo.vm.refusal("StringReference.Value", string=zoo.object("dog")) == "INVALID_STRING"
    assert zoo.vm.refusal("StringReference.Value", string=UNKNOWN_ID) == "INVALID_OBJECT"


def test_a_null_string(our_zoo: Zoo) -> None:
    assert our_zoo.vm.refusal("StringReference.Value", string=0) == "INVALID_STRING"


# --- life of ids --------------------------------------------------------------------------------


def test_is_collected(zoo: Zoo) -> None:
    def is_collected(obj: int) -> object:
        return zoo.vm.ask("ObjectReference.IsCollected", object=obj)["is_collected"]

    assert is_collected(zoo.object("dog")) is False
    assert is_collected(UNKNOWN_ID) is True
    assert zoo.vm.refusal("ObjectReference.IsCollected", object=0) == "INVALID_OBJECT"


def test_disposed_ids_are_forgotten(zoo: Zoo) -> None:
    string = zoo.vm.ask("VirtualMachine.CreateString", text="short-lived")["string"]
    zoo.vm.ask("VirtualMachine.DisposeObjects", requests=[{"object": string, "count": 1}])
    assert zoo.vm.refusal("StringReference.Value", string=string) == "INVALID_OBJECT"
    again = {"object": string, "count": 1}
    zoo.vm.ask("VirtualMachine.DisposeObjects", requests=[again])


def test_an_id_lives_as_long_as_its_count(zoo: Zoo) -> None:
    cat = zoo.object("cat")
    assert zoo.object("cat") == cat
    zoo.vm.ask("VirtualMachine.DisposeObjects", requests=[{"object": cat, "count": 1}])
    assert zoo.vm.refusal("ObjectReference.ReferenceType", object=cat) == "NONE"


def test_more_is_disposed_than_was_given(our_zoo: Zoo) -> None:
    string = our_zoo.vm.ask("VirtualMachine.CreateString", text="once")["string"]
    for count in (-5, 0, 1000):
        request = {"object": string, "count": count}
        our_zoo.vm.ask("VirtualMachine.DisposeObjects", requests=[request])
    assert our_zoo.vm.refusal("StringReference.Value", string=string) == "INVALID_OBJECT"


def test_collection_is_held_and_let_go(zoo: Zoo) -> None:
    string = zoo.vm.ask("VirtualMachine.CreateString", text="held")["string"]
    zoo.vm.ask("ObjectReference.DisableCollection", object=string)
    assert zoo.vm.ask("StringReference.Value", string=string)["text"] == "held"
    zoo.vm.ask("ObjectReference.EnableCollection", object=string)
    assert zoo.vm.refusal("ObjectReference.DisableCollection", object=UNKNOWN_ID) == (
        "INVALID_OBJECT"
    )
    assert zoo.vm.refusal("ObjectReference.EnableCollection", object=UNKNOWN_ID) == "NONE"
    assert zoo.vm.refusal("ObjectReference.DisableCollection", object=0) == "NONE"


def test_referring_objects(zoo: Zoo) -> None:
    rex = zoo.object("dog")

    def referrers(obj: int, limit: int) -> list[Any]:
        request = {"object": obj, "max_referrers": limit}
        return list(zoo.vm.ask("ObjectReference.ReferringObjects", **request)["referring_objects"])

    found = referrers(rex, 0)
    # The static field of the class, and itself.
    assert {entry["id"] for entry in found} >= {zoo.type(ZOO), rex}
    assert {chr(entry["tag"]) for entry in found if entry["id"] == zoo.type(ZOO)} == {"c"}
    assert len(referrers(rex, 1)) == 1
    name = "ObjectReference.ReferringObjects"
    assert zoo.vm.refusal(name, object=rex, max_referrers=-1) == "ILLEGAL_ARGUMENT"
    assert zoo.vm.refusal(name, object=UNKNOWN_ID, max_referrers=0) == "INVALID_OBJECT"


def test_monitor_info(zoo: Zoo) -> None:
    held = zoo.vm.ask("ObjectReference.MonitorInfo", object=zoo.object("lock"))
    assert held == {
        "owner": zoo.thread,
        "entry_count": 1,
        "waiters": [zoo.named_thread("contender")],
    }
    free = zoo.vm.ask("ObjectReference.MonitorInfo", object=zoo.object("cat"))
    assert free == {"owner": 0, "entry_count": 0, "waiters": []}
    assert zoo.vm.refusal("ObjectReference.MonitorInfo", object=UNKNOWN_ID) == "INVALID_OBJECT"


def test_reflected_type_of_a_primitive(zoo: Zoo) -> None:
    primitive = zoo.object("primitive")
    reflected = zoo.vm.ask("ClassObjectReference.ReflectedType", class_object=primitive)
    assert reflected["type_tag"] == CLASS
    assert zoo.vm.ask("ReferenceType.Signature", type_id=primitive)["signature"] == "I"
