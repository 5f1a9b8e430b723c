# SPDX-License-Identifier: Apache-2.0
"""Local variables: reading and setting them, and the frames they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conformance.jdwp.zoo import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo
    from tests.support.wire_reading import Message


def get(zoo: Zoo, frame: Message, *slots: tuple[int, str]) -> list[Any]:
    request = {
        "thread": zoo.thread,
        "frame": frame["frame_id"],
        "slots": [{"slot": slot, "tag": ord(tag)} for slot, tag in slots],
    }
    return list(zoo.vm.ask("StackFrame.GetValues", **request)["values"])


def refused_get(zoo: Zoo, frame: Message, slot: int, tag: str) -> str:
    request = {
        "thread": zoo.thread,
        "frame": frame["frame_id"],
        "slots": [{"slot": slot, "tag": ord(tag)}],
    }
    return zoo.vm.refusal("StackFrame.GetValues", **request)


def set_request(zoo: Zoo, frame: Message, *slots: tuple[int, str, object]) -> Message:
    return {
        "thread": zoo.thread,
        "frame": frame["frame_id"],
        "slots": [
            {"slot": slot, "value": {"tag": ord(tag), "value": value}} for slot, tag, value in slots
        ],
    }


LOCALS = [
    ("argument", "L", None),
    ("flag", "Z", True),
    ("small", "B", -8),
    ("letter", "C", ord("x")),
    ("shorter", "S", -9),
    ("big", "J", 1 << 33),
    ("ratio", "F", 0.5),
    ("exact", "D", 0.25),
]


def test_get_values(zoo: Zoo) -> None:
    frame = zoo.frames()[0]
    slots = zoo.slots(frame)
    values = get(zoo, frame, *((slots[name], tag) for name, tag, _ in LOCALS))
    for (name, tag, wanted), value in zip(LOCALS, values, strict=True):
        expected = zoo.object("dog") if name == "argument" else wanted
        assert value == {"tag": ord(tag), "value": expected}, name
    (row, text) = get(zoo, frame, (slots["row"], "["), (slots["text"], "L"))
    assert row == {"tag": ord("["), "value": zoo.object("ints")}
    assert chr(text["tag"]) == "s"
    assert zoo.vm.ask("StringReference.Value", string=text["value"])["text"] == "local"
    assert get(zoo, frame) == []


def test_get_values_of_a_caller(zoo: Zoo) -> None:
    frame = zoo.frames()[1]
    slots = zoo.slots(frame)
    this, times = get(zoo, frame, (slots["this"], "L"), (slots["times"], "I"))
    assert this["value"] == zoo.object("dog")
    assert chr(times["tag"]) == "I"


def test_a_wrong_type_is_refused(zoo: Zoo) -> None:
    frame = zoo.frames()[0]
    slots = zoo.slots(frame)
    for name, tag in (("big", "I"), ("flag", "L"), ("text", "I"), ("ratio", "D")):
        assert refused_get(zoo, frame, slots[name], tag) == "TYPE_MISMATCH", name


def test_slots_that_are_none(zoo: Zoo) -> None:
    frame = zoo.frames()[0]
    for slot in (-1, 200, 2**31 - 1):
        for tag in "IL":
            assert refused_get(zoo, frame, slot, tag) == "INVALID_SLOT"


def test_a_slot_out_of_scope(zoo: Zoo) -> None:
    frame = zoo.frames()[0]
    where = frame["location"]
    table = zoo.vm.ask(
        "Method.VariableTable", type_id=where["type_id"], method_id=where["method_id"]
    )["variables"]
    (inner,) = [variable["slot"] for variable in table if variable["name"] == "inner"]
    assert refused_get(zoo, frame, inner, "I") == "INVALID_SLOT"


def test_a_tag_that_is_none(zoo: Zoo) -> None:
    assert refused_get(zoo, zoo.frames()[0], 0, "?") == "INVALID_TAG"


def test_native_frames_have_no_slots(zoo: Zoo) -> None:
    sleeper = zoo.named_thread("sleeper")
    top = zoo.frames(sleeper)[0]
    request = {"thread": sleeper, "frame": top["frame_id"]}
    slots = [{"slot": 0, "tag": ord("J")}]
    assert zoo.vm.refusal("StackFrame.GetValues", **request, slots=slots) == "OPAQUE_FRAME"
    value = {"tag": ord("J"), "value": 1}
    stores = [{"slot": 0, "value": value}]
    assert zoo.vm.refusal("StackFrame.SetValues", **request, slots=stores) == "OPAQUE_FRAME"
    this = zoo.vm.ask("StackFrame.ThisObject", **request)["this_object"]
    assert this == {"tag": ord("L"), "id": 0}


def test_this_object(zoo: Zoo) -> None:
    frames = zoo.frames()

    def this(frame: Message) -> object:
        request = {"thread": zoo.thread, "frame": frame["frame_id"]}
        return zoo.vm.ask("StackFrame.ThisObject", **request)["this_object"]

    assert this(frames[0]) == {"tag": ord("L"), "id": 0}
    assert this(frames[1]) == {"tag": ord("L"), "id": zoo.object("dog")}


def test_set_values(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    frame = zoo.frames()[0]
    slots = zoo.slots(frame)
    text = zoo.vm.ask("VirtualMachine.CreateString", text="changed")["string"]
    new = [
        ("flag", "Z", False),
        ("small", "B", 127),
        ("letter", "C", 0xFFFF),
        ("shorter", "S", -32768),
        ("number", "I", -1),
        ("big", "J", -(1 << 63)),
        ("ratio", "F", -0.5),
        ("exact", "D", 1e300),
        ("row", "[", zoo.object("empty")),
        ("any", "L", zoo.object("cat")),
        ("text", "s", text),
    ]
    changes = ((slots[name], tag, value) for name, tag, value in new)
    zoo.vm.ask("StackFrame.SetValues", **set_request(zoo, frame, *changes))
    values = get(zoo, frame, *((slots[name], tag) for name, tag, _ in new))
    assert values == [{"tag": ord(tag), "value": value} for _, tag, value in new]
    change = (slots["argument"], "L", 0)
    zoo.vm.ask("StackFrame.SetValues", **set_request(zoo, frame, change))
    assert get(zoo, frame, (slots["argument"], "L")) == [{"tag": ord("L"), "value": 0}]


def test_set_values_of_a_wrong_type(our_zoo: Zoo) -> None:
    zoo = our_zoo
    frame = zoo.frames()[0]
    slots = zoo.slots(frame)
    wrong = [
        ("argument", "L", zoo.object("cat")),
        ("text", "L", zoo.object("dog")),
        ("row", "[", zoo.object("longs")),
        ("row", "L", zoo.object("dog")),
        ("big", "I", 1),
        ("number", "L", zoo.object("dog")),
        ("any", "I", 1),
    ]
    for name, tag, value in wrong:
        request = set_request(zoo, frame, (slots[name], tag, value))
        assert zoo.vm.refusal("StackFrame.SetValues", **request) == "TYPE_MISMATCH", name
    request = set_request(zoo, frame, (slots["any"], "L", UNKNOWN_ID))
    assert zoo.vm.refusal("StackFrame.SetValues", **request) == "INVALID_OBJECT"


def test_set_slots_that_are_none(zoo: Zoo) -> None:
    frame = zoo.frames()[0]
    for slot in (-1, 200):
        request = set_request(zoo, frame, (slot, "I", 1))
        assert zoo.vm.refusal("StackFrame.SetValues", **request) == "INVALID_SLOT"


def test_frames_that_are_none(zoo: Zoo) -> None:
    for frame in (0, UNKNOWN_ID, zoo.frames()[0]["frame_id"] + 1000 * 65536):
        request = {"thread": zoo.thread, "frame": frame}
        assert zoo.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID", frame
        assert zoo.vm.refusal("StackFrame.GetValues", **request, slots=[]) == "INVALID_FRAMEID"
        assert zoo.vm.refusal("StackFrame.SetValues", **request, slots=[]) == "INVALID_FRAMEID"


def test_a_frame_of_another_thread(our_zoo: Zoo) -> None:
    other = our_zoo.frames(our_zoo.named_thread("sleeper"))[0]["frame_id"]
    request = {"thread": our_zoo.thread, "frame": other}
    assert our_zoo.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID"


def test_threads_that_have_no_frames(zoo: Zoo) -> None:
    frame = zoo.frames()[0]["frame_id"]
    name = "StackFrame.ThisObject"
    assert zoo.vm.refusal(name, thread=UNKNOWN_ID, frame=frame) == "INVALID_OBJECT"
    assert zoo.vm.refusal(name, thread=zoo.object("dog"), frame=frame) == "INVALID_THREAD"
    dead = zoo.object("dead")
    assert zoo.vm.refusal(name, thread=dead, frame=frame) == "THREAD_NOT_SUSPENDED"


def test_a_frame_id_ends_when_the_thread_runs(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    stale = zoo.frames()[0]["frame_id"]
    zoo.resume_to_stop()
    request = {"thread": zoo.thread, "frame": stale}
    assert zoo.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID"
    fresh = {"thread": zoo.thread, "frame": zoo.frames()[0]["frame_id"]}
    assert zoo.vm.refusal("StackFrame.ThisObject", **fresh) == "NONE"
