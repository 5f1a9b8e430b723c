# SPDX-License-Identifier: Apache-2.0
"""Local variables: reading and setting them, and the frames they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conformance.jdwp.target import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target
    from tests.support.wire_reading import Message


def get(target: Target, frame: Message, *slots: tuple[int, str]) -> list[Any]:
    request = {
        "thread": target.thread,
        "frame": frame["frame_id"],
        "slots": [{"slot": slot, "tag": ord(tag)} for slot, tag in slots],
    }
    return list(target.vm.ask("StackFrame.GetValues", **request)["values"])


def refused_get(target: Target, frame: Message, slot: int, tag: str) -> str:
    request = {
        "thread": target.thread,
        "frame": frame["frame_id"],
        "slots": [{"slot": slot, "tag": ord(tag)}],
    }
    return target.vm.refusal("StackFrame.GetValues", **request)


def set_request(target: Target, frame: Message, *slots: tuple[int, str, object]) -> Message:
    return {
        "thread": target.thread,
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


def test_get_values(target: Target) -> None:
    frame = target.frames()[0]
    slots = target.slots(frame)
    values = get(target, frame, *((slots[name], tag) for name, tag, _ in LOCALS))
    for (name, tag, wanted), value in zip(LOCALS, values, strict=True):
        expected = target.object("dog") if name == "argument" else wanted
        assert value == {"tag": ord(tag), "value": expected}, name
    (row, text) = get(target, frame, (slots["row"], "["), (slots["text"], "L"))
    assert row == {"tag": ord("["), "value": target.object("ints")}
    assert chr(text["tag"]) == "s"
    assert target.vm.ask("StringReference.Value", string=text["value"])["text"] == "local"
    assert get(target, frame) == []


def test_get_values_of_a_caller(target: Target) -> None:
    frame = target.frames()[1]
    slots = target.slots(frame)
    this, times = get(target, frame, (slots["this"], "L"), (slots["times"], "I"))
    assert this["value"] == target.object("dog")
    assert chr(times["tag"]) == "I"


def test_a_wrong_type_is_refused(target: Target) -> None:
    frame = target.frames()[0]
    slots = target.slots(frame)
    for name, tag in (("big", "I"), ("flag", "L"), ("text", "I"), ("ratio", "D")):
        assert refused_get(target, frame, slots[name], tag) == "TYPE_MISMATCH", name


def test_slots_that_are_none(target: Target) -> None:
    frame = target.frames()[0]
    for slot in (-1, 200, 2**31 - 1):
        for tag in "IL":
            assert refused_get(target, frame, slot, tag) == "INVALID_SLOT"


def test_a_slot_out_of_scope(target: Target) -> None:
    frame = target.frames()[0]
    where = frame["location"]
    table = target.vm.ask(
        "Method.VariableTable", type_id=where["type_id"], method_id=where["method_id"]
    )["variables"]
    (inner,) = [variable["slot"] for variable in table if variable["name"] == "inner"]
    assert refused_get(target, frame, inner, "I") == "INVALID_SLOT"


def test_a_tag_that_is_none(target: Target) -> None:
    assert refused_get(target, target.frames()[0], 0, "?") == "INVALID_TAG"


def test_native_frames_have_no_slots(target: Target) -> None:
    sleeper = target.named_thread("sleeper")
    top = target.frames(sleeper)[0]
    request = {"thread": sleeper, "frame": top["frame_id"]}
    slots = [{"slot": 0, "tag": ord("J")}]
    assert target.vm.refusal("StackFrame.GetValues", **request, slots=slots) == "OPAQUE_FRAME"
    value = {"tag": ord("J"), "value": 1}
    stores = [{"slot": 0, "value": value}]
    assert target.vm.refusal("StackFrame.SetValues", **request, slots=stores) == "OPAQUE_FRAME"
    this = target.vm.ask("StackFrame.ThisObject", **request)["this_object"]
    assert this == {"tag": ord("L"), "id": 0}


def test_this_object(target: Target) -> None:
    frames = target.frames()

    def this(frame: Message) -> object:
        request = {"thread": target.thread, "frame": frame["frame_id"]}
        return target.vm.ask("StackFrame.ThisObject", **request)["this_object"]

    assert this(frames[0]) == {"tag": ord("L"), "id": 0}
    assert this(frames[1]) == {"tag": ord("L"), "id": target.object("dog")}


def test_set_values(fresh_target: Target) -> None:
    target = fresh_target
    frame = target.frames()[0]
    slots = target.slots(frame)
    text = target.vm.ask("VirtualMachine.CreateString", text="changed")["string"]
    new = [
        ("flag", "Z", False),
        ("small", "B", 127),
        ("letter", "C", 0xFFFF),
        ("shorter", "S", -32768),
        ("number", "I", -1),
        ("big", "J", -(1 << 63)),
        ("ratio", "F", -0.5),
        ("exact", "D", 1e300),
        ("row", "[", target.object("empty")),
        ("any", "L", target.object("cat")),
        ("text", "s", text),
    ]
    changes = ((slots[name], tag, value) for name, tag, value in new)
    target.vm.ask("StackFrame.SetValues", **set_request(target, frame, *changes))
    values = get(target, frame, *((slots[name], tag) for name, tag, _ in new))
    assert values == [{"tag": ord(tag), "value": value} for _, tag, value in new]
    change = (slots["argument"], "L", 0)
    target.vm.ask("StackFrame.SetValues", **set_request(target, frame, change))
    assert get(target, frame, (slots["argument"], "L")) == [{"tag": ord("L"), "value": 0}]


def test_set_values_of_a_wrong_type(our_target: Target) -> None:
    target = our_target
    frame = target.frames()[0]
    slots = target.slots(frame)
    wrong = [
        ("argument", "L", target.object("cat")),
        ("text", "L", target.object("dog")),
        ("row", "[", target.object("longs")),
        ("row", "L", target.object("dog")),
        ("big", "I", 1),
        ("number", "L", target.object("dog")),
        ("any", "I", 1),
    ]
    for name, tag, value in wrong:
        request = set_request(target, frame, (slots[name], tag, value))
        assert target.vm.refusal("StackFrame.SetValues", **request) == "TYPE_MISMATCH", name
    request = set_request(target, frame, (slots["any"], "L", UNKNOWN_ID))
    assert target.vm.refusal("StackFrame.SetValues", **request) == "INVALID_OBJECT"


def test_set_slots_that_are_none(target: Target) -> None:
    frame = target.frames()[0]
    for slot in (-1, 200):
        request = set_request(target, frame, (slot, "I", 1))
        assert target.vm.refusal("StackFrame.SetValues", **request) == "INVALID_SLOT"


def test_frames_that_are_none(target: Target) -> None:
    for frame in (0, UNKNOWN_ID, target.frames()[0]["frame_id"] + 1000 * 65536):
        request = {"thread": target.thread, "frame": frame}
        assert target.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID", frame
        assert target.vm.refusal("StackFrame.GetValues", **request, slots=[]) == "INVALID_FRAMEID"
        assert target.vm.refusal("StackFrame.SetValues", **request, slots=[]) == "INVALID_FRAMEID"


def test_a_frame_of_another_thread(our_target: Target) -> None:
    other = our_target.frames(our_target.named_thread("sleeper"))[0]["frame_id"]
    request = {"thread": our_target.thread, "frame": other}
    assert our_target.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID"


def test_threads_that_have_no_frames(target: Target) -> None:
    frame = target.frames()[0]["frame_id"]
    name = "StackFrame.ThisObject"
    assert target.vm.refusal(name, thread=UNKNOWN_ID, frame=frame) == "INVALID_OBJECT"
    assert target.vm.refusal(name, thread=target.object("dog"), frame=frame) == "INVALID_THREAD"
    dead = target.object("dead")
    assert target.vm.refusal(name, thread=dead, frame=frame) == "THREAD_NOT_SUSPENDED"


def test_a_frame_id_ends_when_the_thread_runs(fresh_target: Target) -> None:
    target = fresh_target
    stale = target.frames()[0]["frame_id"]
    target.resume_to_stop()
    request = {"thread": target.thread, "frame": stale}
    assert target.vm.refusal("StackFrame.ThisObject", **request) == "INVALID_FRAMEID"
    fresh = {"thread": target.thread, "frame": target.frames()[0]["frame_id"]}
    assert target.vm.refusal("StackFrame.ThisObject", **fresh) == "NONE"
