# SPDX-License-Identifier: Apache-2.0
"""Values of every type put where every type is wanted: fields, elements, locals, arguments.

What Java would let the program assign is taken; everything else is refused, because the VM itself
does not look. Among it: elements of covariant arrays, and objects of a class of the same name that
another loader has defined. The table `TAKES` is written by hand from the debuggee.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.robust.pit import ANIMAL, DOG, PIT, SPEAKER, UNKNOWN_ID
from tests.conformance.robust.requests import SINGLE_THREADED, number, raw, reference

if TYPE_CHECKING:
    from tests.conformance.robust.pit import Pit
    from tests.support.wire_reading import Message

_REFERENCE_ARRAYS = {
    "objects", "strings", "dogs", "animals", "dogsAsAnimals", "packs", "grid", "otherDogs",
}  # fmt: skip
_THREADS = {"main", "sleeper", "dead", "unstarted"}

# Signature → the objects of the pit that may be put there; None: all of them.
TAKES: dict[str, set[str] | None] = {
    "Ljava/lang/Object;": None,
    "Ljava/lang/String;": {"text"},
    DOG: {"dog", "animal"},
    "Lrobust/Pit$Cat;": {"cat"},
    ANIMAL: {"dog", "cat", "animal"},
    # Both loaders mean the same interface.
    SPEAKER: {"dog", "cat", "animal", "otherDog", "otherCat"},
    "Ljava/lang/Runnable;": {"dog", "animal", "otherDog"} | _THREADS,
    "Ljava/lang/Throwable;": {"throwable"},
    "Ljava/lang/Thread;": _THREADS,
    "Ljava/lang/ThreadGroup;": {"group"},
    "Ljava/lang/ClassLoader;": {"loader", "otherLoader"},
    "Ljava/lang/Class;": {"type", "primitive", "arrayType", "unprepared", "otherDogType"},
    "[I": {"ints"},
    "[J": {"longs"},
    "[[I": {"grid"},
    "[Ljava/lang/Object;": _REFERENCE_ARRAYS,
    "[Ljava/lang/String;": {"strings"},
    "[Lrobust/Pit$Dog;": {"dogs", "dogsAsAnimals"},
    "[Lrobust/Pit$Animal;": {"animals", "dogs", "dogsAsAnimals"},
    "[[Lrobust/Pit$Dog;": {"packs"},
}

_CODES = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_IN_ONE_INT = "ZBCSI"
_ALL_TAGS = "ZBCSIJFDV[Lstglc"


def all_objects(pit: Pit) -> dict[str, int]:
    """Name → id."""
    return {name: obj for kind in pit.objects.values() for name, obj in kind.items()}


def wanted(signature: str, name: str) -> str:
    """The answer to putting that object there."""
    takes = TAKES[signature]
    return "NONE" if takes is None or name in takes else "TYPE_MISMATCH"


def test_static_fields(pit: Pit) -> None:
    pit_type = pit.types[PIT]
    fields = pit.vm.ask("ReferenceType.Fields", type_id=pit_type)["fields"]
    cases = 0
    for entry in fields:
        if entry["signature"] not in TAKES:
            continue
        before = pit.static(entry["name"])
        for name, obj in {**all_objects(pit), "nothing": 0}.items():
            store = raw(1, struct.pack(">QQ", entry["field_id"], obj))
            answer = pit.vm.refusal("ClassType.SetValues", type_id=pit_type, values=store)
            expected = "NONE" if name == "nothing" else wanted(entry["signature"], name)
            assert answer == expected, f"{entry['name']} = {name}"
            assert pit.static(entry["name"]) == (obj if answer == "NONE" else before)
            store = raw(1, struct.pack(">QQ", entry["field_id"], before))
            pit.vm.ask("ClassType.SetValues", type_id=pit_type, values=store)
            cases += 1
    assert cases > 500
    pit.check()


@pytest.mark.parametrize("owner", ["dog", "otherDog"])
def test_instance_fields(pit: Pit, owner: str) -> None:
    holder = pit.objects["object"][owner]
    type_id = pit.vm.ask("ObjectReference.ReferenceType", object=holder)["type_id"]
    fields = pit.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
    mine = {"otherDog"} if owner == "otherDog" else {"dog", "animal"}
    packs = {"otherDogs"} if owner == "otherDog" else {"dogs", "dogsAsAnimals"}
    takes = {"self": mine, "any": set(all_objects(pit)), "pack": packs}
    for entry in fields:
        if entry["name"] not in takes:
            continue
        get = {"object": holder, "fields": [entry["field_id"]]}
        before = pit.vm.ask("ObjectReference.GetValues", **get)["values"][0]["value"]
        for name, obj in all_objects(pit).items():
            store = raw(1, struct.pack(">QQ", entry["field_id"], obj))
            answer = pit.vm.refusal("ObjectReference.SetValues", object=holder, values=store)
            expected = "NONE" if name in takes[entry["name"]] else "TYPE_MISMATCH"
            assert answer == expected, f"{owner}.{entry['name']} = {name}"
        store = raw(1, struct.pack(">QQ", entry["field_id"], before))
        pit.vm.ask("ObjectReference.SetValues", object=holder, values=store)
    pit.check()


def test_elements(pit: Pit) -> None:
    component = {
        "objects": "Ljava/lang/Object;",
        "strings": "Ljava/lang/String;",
        "dogs": DOG,
        "animals": ANIMAL,
        "dogsAsAnimals": DOG,  # a Dog[] in a variable of Animal[]
        "packs": "[Lrobust/Pit$Dog;",
        "grid": "[I",
    }
    for array, signature in component.items():
        array_id = pit.objects["array"][array]
        get = {"array": array_id, "first_index": 0, "length": 1}
        (before,) = pit.vm.ask("ArrayReference.GetValues", **get)["values"]["values"]
        for name, obj in all_objects(pit).items():
            store = {"array": array_id, "first_index": 0, "values": raw(1, struct.pack(">Q", obj))}
            answer = pit.vm.refusal("ArrayReference.SetValues", **store)
            assert answer == wanted(signature, name), f"{array}[0] = {name}"
        restored = raw(1, struct.pack(">Q", before["id"]))
        pit.vm.ask("ArrayReference.SetValues", array=array_id, first_index=0, values=restored)
    # One that is right before one that is wrong: nothing is stored.
    texts, text = pit.objects["array"]["objects"], pit.objects["string"]["text"]
    both = raw(2, struct.pack(">QQ", pit.objects["object"]["cat"], UNKNOWN_ID))
    store = {"array": texts, "first_index": 0, "values": both}
    assert pit.vm.refusal("ArrayReference.SetValues", **store) == "INVALID_OBJECT"
    assert pit.vm.ask("ArrayReference.GetValues", array=texts, first_index=0, length=1)["values"][
        "values"
    ] == [{"tag": ord("s"), "id": text}]
    pit.check()


def test_elements_of_another_loader(pit: Pit) -> None:
    array = pit.objects["array"]["otherDogs"]
    for name, expected in {
        "dog": "TYPE_MISMATCH",
        "otherCat": "TYPE_MISMATCH",
        "otherDog": "NONE",
    }.items():
        store = raw(1, struct.pack(">Q", pit.objects["object"][name]))
        request = {"array": array, "first_index": 0, "values": store}
        assert pit.vm.refusal("ArrayReference.SetValues", **request) == expected
    restored = {"array": array, "first_index": 0, "values": raw(1, bytes(8))}
    pit.vm.ask("ArrayReference.SetValues", **restored)
    pit.check()


def test_too_few_bytes_of_untagged_values(pit: Pit) -> None:
    array, dog = pit.objects["array"]["ints"], pit.objects["object"]["dog"]
    weight = pit.field(pit.types[ANIMAL], "weight")
    number_field = pit.field(pit.types[PIT], "anInt")
    for size in range(4):
        store = {"array": array, "first_index": 0, "values": raw(1, bytes(size))}
        assert pit.vm.refusal("ArrayReference.SetValues", **store) == "INTERNAL"
    for size in range(16):
        content = struct.pack(">Qq", weight, 99)[:size]
        request = {"object": dog, "values": raw(1, content)}
        # A field id that is cut is no id of a field.
        assert pit.vm.refusal("ObjectReference.SetValues", **request) in (
            "INTERNAL",
            "INVALID_FIELDID",
        )
        content = struct.pack(">Qi", number_field, 99)[: min(size, 11)]
        request = {"type_id": pit.types[PIT], "values": raw(1, content)}
        assert pit.vm.refusal("ClassType.SetValues", **request) in ("INTERNAL", "INVALID_FIELDID")
    pit.check()


# --- locals -------------------------------------------------------------------------------------


def _value(tag: str, obj: int) -> Message:
    special: dict[str, Any] = {"Z": True, "F": 1.0, "D": 1.0, "V": None}
    return {"tag": ord(tag), "value": special.get(tag, obj if tag in "[Lstglc" else 1)}


def _fits(signature: str, tag: str) -> bool:
    letter = signature[0]
    if letter in _IN_ONE_INT:
        return tag in _IN_ONE_INT
    return tag in "[Lstglc" if letter in "[L" else tag == letter


def _set(pit: Pit, slot: int, value: Message) -> str:
    slots = [{"slot": slot, "value": value}]
    return pit.vm.refusal("StackFrame.SetValues", thread=pit.thread, frame=pit.top(), slots=slots)


def _get(pit: Pit, slot: int, tag: str) -> str:
    slots = [{"slot": slot, "tag": ord(tag)}]
    return pit.vm.refusal("StackFrame.GetValues", thread=pit.thread, frame=pit.top(), slots=slots)


def _read(pit: Pit, slot: int, tag: str) -> Message:
    slots = [{"slot": slot, "tag": ord(tag)}]
    reply = pit.vm.ask("StackFrame.GetValues", thread=pit.thread, frame=pit.top(), slots=slots)
    return dict(reply["values"][0])


def test_locals_of_every_type(pit: Pit) -> None:
    dog = pit.objects["object"]["dog"]
    for variable in pit.variables(pit.frames()[0]):
        signature, slot = variable["signature"], variable["slot"]
        before = _read(pit, slot, signature[0])
        for tag in _ALL_TAGS:
            fits = _fits(signature, tag)
            allowed = {"NONE"} if fits else {"TYPE_MISMATCH", "INVALID_TAG", "INVALID_SLOT"}
            assert _get(pit, slot, tag) in allowed, f"{variable['name']} read as {tag}"
            value = before if tag in "[Lstglc" and fits else _value(tag, dog)
            assert _set(pit, slot, value) in allowed, f"{variable['name']} written as {tag}"
        assert _set(pit, slot, before) == "NONE"
    pit.check()


def test_locals_take_objects_of_their_type(pit: Pit) -> None:
    for variable in pit.variables(pit.frames()[0]):
        signature, slot = variable["signature"], variable["slot"]
        if signature not in TAKES:
            continue
        before = _read(pit, slot, signature[0])
        for name, obj in all_objects(pit).items():
            answer = _set(pit, slot, reference(obj))
            assert answer == wanted(signature, name), f"{variable['name']} = {name}"
        assert _set(pit, slot, reference(UNKNOWN_ID)) == "INVALID_OBJECT"
        assert _set(pit, slot, reference(0)) == "NONE"
        assert _set(pit, slot, before) == "NONE"
    pit.check()


def test_slots_that_hold_nothing(pit: Pit) -> None:
    """The second halves, variables whose scope is over or has not begun, and beyond the frame."""
    where = pit.frames()[0]["location"]
    method = {"type_id": where["type_id"], "method_id": where["method_id"]}
    table = pit.vm.ask("Method.VariableTable", **method)["variables"]
    alive = {variable["slot"] for variable in pit.variables(pit.frames()[0])}
    halves = {v["slot"] + 1 for v in table if v["signature"] in "JD"}
    (ended,) = [v for v in table if v["name"] == "text"]
    dead = ({v["slot"] for v in table} | halves) - alive
    assert len(dead) >= 4
    for slot in dead | {max(dead | alive) + 1, 65_535, -1}:
        for tag in _ALL_TAGS:
            refused = {"INVALID_SLOT", "INVALID_TAG", "TYPE_MISMATCH"}
            if not (pit.version < 16 and slot == ended["slot"]):  # there a variable ends one later
                assert _get(pit, slot, tag) in refused, (slot, tag)
            value = _value(tag, pit.objects["object"]["dog"])
            assert _set(pit, slot, value) in refused, (slot, tag)
    pit.check()


# The parameters of `stop` by their slots; 2 is the second half of a long.
PARAMETERS = {0: "I", 1: "J", 3: DOG, 4: ANIMAL, 5: "Ljava/lang/Object;", 6: "[I"}


@pytest.mark.parametrize("slot", PARAMETERS)
def test_parameters_without_tables(bare_pit: Pit, slot: int) -> None:
    """What is known then is the method's descriptor. A reference is no number, a number none."""
    pit, signature = bare_pit, PARAMETERS[slot]
    before = _read(pit, slot, signature[0])
    for tag in _ALL_TAGS:
        fits = _fits(signature, tag)
        if signature in "IJ" and tag in _CODES and not (pit.version < 16 or fits):
            continue  # the VM tells numbers of different types from each other as it likes
        allowed = {"NONE"} if fits else {"TYPE_MISMATCH", "INVALID_TAG", "INVALID_SLOT"}
        value = before if tag in "[Lstglc" and fits else _value(tag, pit.objects["object"]["dog"])
        if pit.version >= 16:  # before, the VM gives 0 or null for what is none
            assert _get(pit, slot, tag) in allowed, f"read as {tag}"
        assert _set(pit, slot, value) in allowed, f"written as {tag}"
    if signature in TAKES:
        for name, obj in all_objects(pit).items():
            assert _set(pit, slot, reference(obj)) == wanted(signature, name), name
    assert _set(pit, slot, before) == "NONE"
    pit.check()


def test_other_slots_without_tables(bare_pit: Pit) -> None:
    pit = bare_pit
    for slot in range(7, 30):
        for obj in (0, pit.objects["object"]["dog"]):
            assert _set(pit, slot, reference(obj)) in {"INVALID_SLOT", "TYPE_MISMATCH"}, slot
    for slot in (-1, 40, 65_535):
        for tag in _ALL_TAGS:
            assert _get(pit, slot, tag) in {"INVALID_SLOT", "INVALID_TAG"}, (slot, tag)
            value = _value(tag, pit.objects["object"]["dog"])
            assert _set(pit, slot, value) in {"INVALID_SLOT", "INVALID_TAG"}, (slot, tag)
    pit.check()


# --- arguments ----------------------------------------------------------------------------------


def _invoke(pit: Pit, name: str, arguments: list[Message]) -> str:
    return pit.vm.refusal(
        "ClassType.InvokeMethod",
        type_id=pit.types[PIT],
        thread=pit.thread,
        method_id=pit.method(pit.types[PIT], name),
        arguments=arguments,
        options=SINGLE_THREADED,
    )


def test_arguments_that_are_objects(pit: Pit) -> None:
    signatures = ["Ljava/lang/Object;", "Ljava/lang/String;", ANIMAL, DOG, SPEAKER]
    signatures += ["[I", "[Lrobust/Pit$Dog;"]
    for index, signature in enumerate(signatures):
        for name, obj in {**all_objects(pit), "unknown": UNKNOWN_ID}.items():
            arguments = [reference(0)] * len(signatures)
            arguments[index] = reference(obj, "sL[t"[index % 4])
            expected = "INVALID_OBJECT" if name == "unknown" else wanted(signature, name)
            assert _invoke(pit, "give", arguments) == expected, f"argument {index} = {name}"
        for tag in "ZBCSIJFDV":
            arguments = [reference(0)] * len(signatures)
            arguments[index] = _value(tag, 0)
            assert _invoke(pit, "give", arguments) == "TYPE_MISMATCH"
    pit.check()


def test_arguments_that_are_numbers(pit: Pit) -> None:
    right = [_value(tag, 0) for tag in _CODES]
    assert _invoke(pit, "answer", right) == "NONE"
    for index, own in enumerate(_CODES):
        for tag in _ALL_TAGS:
            arguments = list(right)
            arguments[index] = _value(tag, pit.objects["object"]["dog"])
            expected = "NONE" if tag == own else "TYPE_MISMATCH"
            assert _invoke(pit, "answer", arguments) == expected, (own, tag)
    for wrong in ([], right[:-1], [*right, number(1)], [number(1)] * 300):
        assert _invoke(pit, "answer", wrong) == "ILLEGAL_ARGUMENT"
    pit.check()
