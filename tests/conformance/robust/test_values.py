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

from tests.conformance.robust.requests import SINGLE_THREADED, number, raw, reference
from tests.conformance.robust.stopped_target import ANIMAL, DOG, MAIN, SPEAKER, UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.robust.stopped_target import StoppedTarget
    from tests.support.wire_reading import Message

_REFERENCE_ARRAYS = {
    "objects", "strings", "dogs", "animals", "dogsAsAnimals", "packs", "grid", "otherDogs",
}  # fmt: skip
_THREADS = {"main", "sleeper", "dead", "unstarted"}

# Signature → the objects of the stopped that may be put there; None: all of them.
TAKES: dict[str, set[str] | None] = {
    "Ljava/lang/Object;": None,
    "Ljava/lang/String;": {"text"},
    DOG: {"dog", "animal"},
    "Lrobust/Main$Cat;": {"cat"},
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
    "[Lrobust/Main$Dog;": {"dogs", "dogsAsAnimals"},
    "[Lrobust/Main$Animal;": {"animals", "dogs", "dogsAsAnimals"},
    "[[Lrobust/Main$Dog;": {"packs"},
}

_CODES = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_IN_ONE_INT = "ZBCSI"
_ALL_TAGS = "ZBCSIJFDV[Lstglc"


def all_objects(stopped: StoppedTarget) -> dict[str, int]:
    """Name → id."""
    return {name: obj for kind in stopped.objects.values() for name, obj in kind.items()}


def wanted(signature: str, name: str) -> str:
    """The answer to putting that object there."""
    takes = TAKES[signature]
    return "NONE" if takes is None or name in takes else "TYPE_MISMATCH"


def test_static_fields(stopped: StoppedTarget) -> None:
    stopped_type = stopped.types[MAIN]
    fields = stopped.vm.ask("ReferenceType.Fields", type_id=stopped_type)["fields"]
    cases = 0
    for entry in fields:
        if entry["signature"] not in TAKES:
            continue
        before = stopped.static(entry["name"])
        for name, obj in {**all_objects(stopped), "nothing": 0}.items():
            store = raw(1, struct.pack(">QQ", entry["field_id"], obj))
            answer = stopped.vm.refusal("ClassType.SetValues", type_id=stopped_type, values=store)
            expected = "NONE" if name == "nothing" else wanted(entry["signature"], name)
            assert answer == expected, f"{entry['name']} = {name}"
            assert stopped.static(entry["name"]) == (obj if answer == "NONE" else before)
            store = raw(1, struct.pack(">QQ", entry["field_id"], before))
            stopped.vm.ask("ClassType.SetValues", type_id=stopped_type, values=store)
            cases += 1
    assert cases > 500
    stopped.check()


@pytest.mark.parametrize("owner", ["dog", "otherDog"])
def test_instance_fields(stopped: StoppedTarget, owner: str) -> None:
    holder = stopped.objects["object"][owner]
    type_id = stopped.vm.ask("ObjectReference.ReferenceType", object=holder)["type_id"]
    fields = stopped.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
    mine = {"otherDog"} if owner == "otherDog" else {"dog", "animal"}
    packs = {"otherDogs"} if owner == "otherDog" else {"dogs", "dogsAsAnimals"}
    takes = {"self": mine, "any": set(all_objects(stopped)), "pack": packs}
    for entry in fields:
        if entry["name"] not in takes:
            continue
        get = {"object": holder, "fields": [entry["field_id"]]}
        before = stopped.vm.ask("ObjectReference.GetValues", **get)["values"][0]["value"]
        for name, obj in all_objects(stopped).items():
            store = raw(1, struct.pack(">QQ", entry["field_id"], obj))
            answer = stopped.vm.refusal("ObjectReference.SetValues", object=holder, values=store)
            expected = "NONE" if name in takes[entry["name"]] else "TYPE_MISMATCH"
            assert answer == expected, f"{owner}.{entry['name']} = {name}"
        store = raw(1, struct.pack(">QQ", entry["field_id"], before))
        stopped.vm.ask("ObjectReference.SetValues", object=holder, values=store)
    stopped.check()


def test_elements(stopped: StoppedTarget) -> None:
    component = {
        "objects": "Ljava/lang/Object;",
        "strings": "Ljava/lang/String;",
        "dogs": DOG,
        "animals": ANIMAL,
        "dogsAsAnimals": DOG,  # a Dog[] in a variable of Animal[]
        "packs": "[Lrobust/Main$Dog;",
        "grid": "[I",
    }
    for array, signature in component.items():
        array_id = stopped.objects["array"][array]
        get = {"array": array_id, "first_index": 0, "length": 1}
        (before,) = stopped.vm.ask("ArrayReference.GetValues", **get)["values"]["values"]
        for name, obj in all_objects(stopped).items():
            store = {"array": array_id, "first_index": 0, "values": raw(1, struct.pack(">Q", obj))}
            answer = stopped.vm.refusal("ArrayReference.SetValues", **store)
            assert answer == wanted(signature, name), f"{array}[0] = {name}"
        restored = raw(1, struct.pack(">Q", before["id"]))
        stopped.vm.ask("ArrayReference.SetValues", array=array_id, first_index=0, values=restored)
    # One that is right before one that is wrong: nothing is stored.
    texts, text = stopped.objects["array"]["objects"], stopped.objects["string"]["text"]
    both = raw(2, struct.pack(">QQ", stopped.objects["object"]["cat"], UNKNOWN_ID))
    store = {"array": texts, "first_index": 0, "values": both}
    assert stopped.vm.refusal("ArrayReference.SetValues", **store) == "INVALID_OBJECT"
    assert stopped.vm.ask("ArrayReference.GetValues", array=texts, first_index=0, length=1)[
        "values"
    ]["values"] == [{"tag": ord("s"), "id": text}]
    stopped.check()


def test_elements_of_another_loader(stopped: StoppedTarget) -> None:
    array = stopped.objects["array"]["otherDogs"]
    for name, expected in {
        "dog": "TYPE_MISMATCH",
        "otherCat": "TYPE_MISMATCH",
        "otherDog": "NONE",
    }.items():
        store = raw(1, struct.pack(">Q", stopped.objects["object"][name]))
        request = {"array": array, "first_index": 0, "values": store}
        assert stopped.vm.refusal("ArrayReference.SetValues", **request) == expected
    restored = {"array": array, "first_index": 0, "values": raw(1, bytes(8))}
    stopped.vm.ask("ArrayReference.SetValues", **restored)
    stopped.check()


def test_too_few_bytes_of_untagged_values(stopped: StoppedTarget) -> None:
    array, dog = stopped.objects["array"]["ints"], stopped.objects["object"]["dog"]
    weight = stopped.field(stopped.types[ANIMAL], "weight")
    number_field = stopped.field(stopped.types[MAIN], "anInt")
    for size in range(4):
        store = {"array": array, "first_index": 0, "values": raw(1, bytes(size))}
        assert stopped.vm.refusal("ArrayReference.SetValues", **store) == "INTERNAL"
    for size in range(16):
        content = struct.pack(">Qq", weight, 99)[:size]
        request = {"object": dog, "values": raw(1, content)}
        # A field id that is cut is no id of a field.
        assert stopped.vm.refusal("ObjectReference.SetValues", **request) in (
            "INTERNAL",
            "INVALID_FIELDID",
        )
        content = struct.pack(">Qi", number_field, 99)[: min(size, 11)]
        request = {"type_id": stopped.types[MAIN], "values": raw(1, content)}
        assert stopped.vm.refusal("ClassType.SetValues", **request) in (
            "INTERNAL",
            "INVALID_FIELDID",
        )
    stopped.check()


# --- locals -------------------------------------------------------------------------------------


def _value(tag: str, obj: int) -> Message:
    special: dict[str, Any] = {"Z": True, "F": 1.0, "D": 1.0, "V": None}
    return {"tag": ord(tag), "value": special.get(tag, obj if tag in "[Lstglc" else 1)}


def _fits(signature: str, tag: str) -> bool:
    letter = signature[0]
    if letter in _IN_ONE_INT:
        return tag in _IN_ONE_INT
    return tag in "[Lstglc" if letter in "[L" else tag == letter


def _set(stopped: StoppedTarget, slot: int, value: Message) -> str:
    slots = [{"slot": slot, "value": value}]
    return stopped.vm.refusal(
        "StackFrame.SetValues", thread=stopped.thread, frame=stopped.top(), slots=slots
    )


def _get(stopped: StoppedTarget, slot: int, tag: str) -> str:
    slots = [{"slot": slot, "tag": ord(tag)}]
    return stopped.vm.refusal(
        "StackFrame.GetValues", thread=stopped.thread, frame=stopped.top(), slots=slots
    )


def _read(stopped: StoppedTarget, slot: int, tag: str) -> Message:
    slots = [{"slot": slot, "tag": ord(tag)}]
    reply = stopped.vm.ask(
        "StackFrame.GetValues", thread=stopped.thread, frame=stopped.top(), slots=slots
    )
    return dict(reply["values"][0])


def test_locals_of_every_type(stopped: StoppedTarget) -> None:
    dog = stopped.objects["object"]["dog"]
    for variable in stopped.variables(stopped.frames()[0]):
        signature, slot = variable["signature"], variable["slot"]
        before = _read(stopped, slot, signature[0])
        for tag in _ALL_TAGS:
            fits = _fits(signature, tag)
            allowed = {"NONE"} if fits else {"TYPE_MISMATCH", "INVALID_TAG", "INVALID_SLOT"}
            assert _get(stopped, slot, tag) in allowed, f"{variable['name']} read as {tag}"
            value = before if tag in "[Lstglc" and fits else _value(tag, dog)
            assert _set(stopped, slot, value) in allowed, f"{variable['name']} written as {tag}"
        assert _set(stopped, slot, before) == "NONE"
    stopped.check()


def test_locals_take_objects_of_their_type(stopped: StoppedTarget) -> None:
    for variable in stopped.variables(stopped.frames()[0]):
        signature, slot = variable["signature"], variable["slot"]
        if signature not in TAKES:
            continue
        before = _read(stopped, slot, signature[0])
        for name, obj in all_objects(stopped).items():
            answer = _set(stopped, slot, reference(obj))
            assert answer == wanted(signature, name), f"{variable['name']} = {name}"
        assert _set(stopped, slot, reference(UNKNOWN_ID)) == "INVALID_OBJECT"
        assert _set(stopped, slot, reference(0)) == "NONE"
        assert _set(stopped, slot, before) == "NONE"
    stopped.check()


def test_slots_without_a_value(stopped: StoppedTarget) -> None:
    """The second halves, variables whose scope is over or has not begun, and beyond the frame."""
    where = stopped.frames()[0]["location"]
    method = {"type_id": where["type_id"], "method_id": where["method_id"]}
    table = stopped.vm.ask("Method.VariableTable", **method)["variables"]
    alive = {variable["slot"] for variable in stopped.variables(stopped.frames()[0])}
    halves = {v["slot"] + 1 for v in table if v["signature"] in "JD"}
    (ended,) = [v for v in table if v["name"] == "text"]
    dead = ({v["slot"] for v in table} | halves) - alive
    assert len(dead) >= 4
    for slot in dead | {max(dead | alive) + 1, 65_535, -1}:
        for tag in _ALL_TAGS:
            refused = {"INVALID_SLOT", "INVALID_TAG", "TYPE_MISMATCH"}
            if not (
                stopped.version < 16 and slot == ended["slot"]
            ):  # there a variable ends one later
                assert _get(stopped, slot, tag) in refused, (slot, tag)
            value = _value(tag, stopped.objects["object"]["dog"])
            assert _set(stopped, slot, value) in refused, (slot, tag)
    stopped.check()


# The parameters of `stop` by their slots; 2 is the second half of a long.
PARAMETERS = {0: "I", 1: "J", 3: DOG, 4: ANIMAL, 5: "Ljava/lang/Object;", 6: "[I"}


@pytest.mark.parametrize("slot", PARAMETERS)
def test_parameters_without_tables(bare_stopped: StoppedTarget, slot: int) -> None:
    """What is known then is the method's descriptor. A reference is no number, a number none."""
    stopped, signature = bare_stopped, PARAMETERS[slot]
    before = _read(stopped, slot, signature[0])
    for tag in _ALL_TAGS:
        fits = _fits(signature, tag)
        if signature in "IJ" and tag in _CODES and not (stopped.version < 16 or fits):
            continue  # the VM may or may not distinguish numbers of different types
        allowed = {"NONE"} if fits else {"TYPE_MISMATCH", "INVALID_TAG", "INVALID_SLOT"}
        value = (
            before if tag in "[Lstglc" and fits else _value(tag, stopped.objects["object"]["dog"])
        )
        if stopped.version >= 16:  # before, the VM gives 0 or null for what is none
            assert _get(stopped, slot, tag) in allowed, f"read as {tag}"
        assert _set(stopped, slot, value) in allowed, f"written as {tag}"
    if signature in TAKES:
        for name, obj in all_objects(stopped).items():
            assert _set(stopped, slot, reference(obj)) == wanted(signature, name), name
    assert _set(stopped, slot, before) == "NONE"
    stopped.check()


def test_other_slots_without_tables(bare_stopped: StoppedTarget) -> None:
    stopped = bare_stopped
    for slot in range(7, 30):
        for obj in (0, stopped.objects["object"]["dog"]):
            assert _set(stopped, slot, reference(obj)) in {"INVALID_SLOT", "TYPE_MISMATCH"}, slot
    for slot in (-1, 40, 65_535):
        for tag in _ALL_TAGS:
            assert _get(stopped, slot, tag) in {"INVALID_SLOT", "INVALID_TAG"}, (slot, tag)
            value = _value(tag, stopped.objects["object"]["dog"])
            assert _set(stopped, slot, value) in {"INVALID_SLOT", "INVALID_TAG"}, (slot, tag)
    stopped.check()


# --- arguments ----------------------------------------------------------------------------------


def _invoke(stopped: StoppedTarget, name: str, arguments: list[Message]) -> str:
    return stopped.vm.refusal(
        "ClassType.InvokeMethod",
        type_id=stopped.types[MAIN],
        thread=stopped.thread,
        method_id=stopped.method(stopped.types[MAIN], name),
        arguments=arguments,
        options=SINGLE_THREADED,
    )


def test_arguments_that_are_objects(stopped: StoppedTarget) -> None:
    signatures = ["Ljava/lang/Object;", "Ljava/lang/String;", ANIMAL, DOG, SPEAKER]
    signatures += ["[I", "[Lrobust/Main$Dog;"]
    for index, signature in enumerate(signatures):
        for name, obj in {**all_objects(stopped), "unknown": UNKNOWN_ID}.items():
            arguments = [reference(0)] * len(signatures)
            arguments[index] = reference(obj, "sL[t"[index % 4])
            expected = "INVALID_OBJECT" if name == "unknown" else wanted(signature, name)
            assert _invoke(stopped, "give", arguments) == expected, f"argument {index} = {name}"
        for tag in "ZBCSIJFDV":
            arguments = [reference(0)] * len(signatures)
            arguments[index] = _value(tag, 0)
            assert _invoke(stopped, "give", arguments) == "TYPE_MISMATCH"
    stopped.check()


def test_arguments_that_are_numbers(stopped: StoppedTarget) -> None:
    right = [_value(tag, 0) for tag in _CODES]
    assert _invoke(stopped, "answer", right) == "NONE"
    for index, own in enumerate(_CODES):
        for tag in _ALL_TAGS:
            arguments = list(right)
            arguments[index] = _value(tag, stopped.objects["object"]["dog"])
            expected = "NONE" if tag == own else "TYPE_MISMATCH"
            assert _invoke(stopped, "answer", arguments) == expected, (own, tag)
    for wrong in ([], right[:-1], [*right, number(1)], [number(1)] * 300):
        assert _invoke(stopped, "answer", wrong) == "ILLEGAL_ARGUMENT"
    stopped.check()
