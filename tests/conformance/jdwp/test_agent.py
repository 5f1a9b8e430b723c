# SPDX-License-Identifier: Apache-2.0
"""Our own command set: what the agent reports about itself, in both modes.

Never sent to the JDK's own agent, which takes the number of the set for a signed byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES
from jvmdebug.platform.binaries import platform_of
from tests.conformance.jdwp.target import ids, raw
from tests.conformance.jdwp.test_session import ours
from tests.support.jdwp_client import EventSetClient, RefusedError
from tests.support.jdwp_session import OPTIONS, launched, listening_port, session_of
from tests.support.process import agent_library
from tests.support.wire_reading import WireReading

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target
    from tests.support.jdks import Jdk
    from tests.support.wire_reading import Message

WITHOUT_IN_FAST_MODE = {"method_exit_events"}


@pytest.mark.agent
@pytest.mark.parametrize("mode", ["full", "fast"])
def test_mode_and_capabilities(jdk: Jdk, mode: str) -> None:
    options = OPTIONS if mode == "full" else f"{OPTIONS},mode=fast"
    with launched(jdk, ours(options), "none") as jvm:
        vm = EventSetClient(listening_port(jvm))
        reply = vm.ask("Agent.Capabilities")
        assert reply["mode"] == mode
        assert reply["version"].count(".") == 2
        off = {each["name"]: each["reason"] for each in reply["capabilities"] if not each["is_on"]}
        if not (platform_of(agent_library()) or "").startswith("linux"):
            assert "CPU time of one thread" in off.pop("signal_sampling")
        if not vm.ask("VirtualMachine.CapabilitiesNew")["can_pop_frames"]:
            assert off.pop("jump") == "this VM does not offer it"
        assert set(off) == (WITHOUT_IN_FAST_MODE if mode == "fast" else set())
        assert all("mode=full" in reason for reason in off.values())
        assert {each["name"] for each in reply["capabilities"]} >= WITHOUT_IN_FAST_MODE
        vm.close()


WHAT_THE_STOP_SHOWS = {
    "ThreadReference.FrameCount",
    "ThreadReference.Frames",
    "StackFrame.ThisObject",
    "StackFrame.GetValues",
    "ObjectReference.ReferenceType",
    "ObjectReference.GetValues",
    "StringReference.Value",
    "ArrayReference.Length",
    "ArrayReference.GetValues",
}
ONCE = {
    "ReferenceType.SignatureWithGeneric",
    "ReferenceType.MethodsWithGeneric",
    "ReferenceType.FieldsWithGeneric",
    "ReferenceType.SourceFile",
    "ReferenceType.SourceDebugExtension",
    "ClassType.Superclass",
    "Method.LineTable",
    "Method.Bytecodes",
    "Method.VariableTableWithGeneric",
    "ReferenceType.Interfaces",
    "ReferenceType.Modifiers",
    "ReferenceType.ClassLoader",
}


def stack(target: Target, *, with_contents: bool = True, **asked: int) -> list[Message]:
    request = {"thread": target.thread, "start_frame": 0, "length": 20, **asked}
    reply = target.vm.ask("Agent.Stack", **request, with_contents=with_contents)
    answers: list[Message] = reply["answers"]
    return answers


def names(answers: list[Message]) -> set[str]:
    return {COMMAND_NAMES[each["command_set"], each["command"]] for each in answers}


def test_prefetched_replies_equal_requested_replies(our_target: Target) -> None:
    answers = stack(our_target)
    assert names(answers) >= WHAT_THE_STOP_SHOWS
    for each in answers:
        asked = our_target.vm.ask_raw(each["command_set"], each["command"], each["request"])
        assert asked == (each["error"], each["reply"]), COMMAND_NAMES[
            each["command_set"], each["command"]
        ]


@pytest.mark.agent
def test_constant_facts_are_prefetched_once_in_a_connection(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug", "threads") as session:
        asked = {"start_frame": 0, "length": 20, "with_contents": True}
        asked["thread"] = session.run_to("ready")
        first = names(session.vm.ask("Agent.Stack", **asked)["answers"])
        second = names(session.vm.ask("Agent.Stack", **asked)["answers"])
        assert first >= {"Method.LineTable", "ReferenceType.MethodsWithGeneric"}
        assert not second & ONCE
        assert second == first - ONCE


def test_contents_only_when_they_are_wanted(our_target: Target) -> None:
    without = names(stack(our_target, with_contents=False))
    assert not without & {"ObjectReference.GetValues", "ArrayReference.GetValues"}
    assert "StackFrame.GetValues" in without


def test_ranges_and_threads_are_checked(our_target: Target) -> None:
    depth = our_target.vm.ask("ThreadReference.FrameCount", thread=our_target.thread)["frame_count"]
    (count,) = stack(our_target, start_frame=depth)
    assert COMMAND_NAMES[count["command_set"], count["command"]] == "ThreadReference.FrameCount"
    assert names(stack(our_target, start_frame=1, length=1)) <= {
        "ThreadReference.FrameCount",
        "ThreadReference.Frames",
        *ONCE,
    }
    for wrong, error in (
        ({"start_frame": depth + 1}, "INVALID_INDEX"),
        ({"start_frame": -1}, "INVALID_INDEX"),
        ({"start_frame": -(2**31)}, "INVALID_INDEX"),
        ({"thread": 0}, "INVALID_THREAD"),
        ({"thread": 123456789}, "INVALID_OBJECT"),
    ):
        with pytest.raises(RefusedError) as refused:
            stack(our_target, **wrong)
        assert refused.value.name == error


RETURNS, STEPS, NEAR_FRAME = 42, 1, 100


def test_events_near_a_frame_are_asked_for_with_care(our_target: Target) -> None:
    def near(kind: int, **more: int) -> int:
        modifier = {
            "kind": NEAR_FRAME,
            "thread": our_target.thread,
            "above": 1,
            "budget": 0,
            **more,
        }
        fields = {"event_kind": kind, "suspend_policy": 0, "modifiers": [modifier]}
        number: int = our_target.vm.ask("EventRequest.Set", **fields)["request_id"]
        return number

    for wrong, error in (
        (({}, STEPS), "ILLEGAL_ARGUMENT"),
        (({"above": -1}, RETURNS), "ILLEGAL_ARGUMENT"),
        (({"budget": -1}, RETURNS), "ILLEGAL_ARGUMENT"),
        (({"thread": 0}, RETURNS), "INVALID_THREAD"),
        (({"thread": 123456789}, RETURNS), "INVALID_OBJECT"),
    ):
        more, kind = wrong
        with pytest.raises(RefusedError) as refused:
            near(kind, **more)
        assert refused.value.name == error
    for above in (0, 1, 2**31 - 1):
        request = near(RETURNS, above=above)
        our_target.vm.ask("EventRequest.Clear", event_kind=RETURNS, request_id=request)


@pytest.mark.parametrize(
    ("most", "text"), [(0, ""), (3, "abc"), (4, "abc\ud83d"), (5, "abc\U0001f415"), (99, None)]
)
def test_the_beginning_of_a_string(our_target: Target, most: int, text: str | None) -> None:
    whole = "abc\U0001f415" + "x" * 20
    string = our_target.vm.ask("VirtualMachine.CreateString", text=whole)["string"]
    reply = our_target.vm.ask("Agent.StringBeginning", string=string, length=most)
    assert reply == {"length": 25, "text": whole if text is None else text}


def test_the_beginning_of_no_string(our_target: Target) -> None:
    vm, string = our_target.vm, our_target.vm.ask("VirtualMachine.CreateString", text="s")["string"]
    asked = "Agent.StringBeginning"
    assert vm.refusal(asked, string=string, length=-1) == "INVALID_LENGTH"
    assert vm.refusal(asked, string=our_target.object("dog"), length=1) == "INVALID_STRING"
    assert vm.refusal(asked, string=0, length=1) == "INVALID_STRING"


def page(target: Target, object_id: int, **asked: object) -> Message:
    alone: Message = {
        **dict.fromkeys(("of", "before", "after", "holds"), ""),
        **{name: [] for name in ("path", "parts", "redirects")},
        **dict.fromkeys(("first", "skip", "count"), 0),
        **dict.fromkeys(("is_backwards", "skips_null"), False),
        "slot_size": 1,
        "with_contents": True,
    }
    reply: Message = target.vm.ask("Agent.Page", **{**alone, "object": object_id, **asked})
    return reply


def test_an_object_is_opened_at_once(our_target: Target) -> None:
    found = page(our_target, our_target.object("dog"))
    assert found["entries"] == []
    assert names(found["answers"]) >= {"ObjectReference.ReferenceType", "ObjectReference.GetValues"}
    for each in found["answers"]:
        asked = our_target.vm.ask_raw(each["command_set"], each["command"], each["request"])
        assert asked == (each["error"], each["reply"])


def test_a_page_is_asked_for_with_care(our_target: Target) -> None:
    dog = our_target.object("dog")
    for wrong, error in (
        ({"path": ["nothing"]}, "INVALID_FIELDID"),
        ({"of": "Lno/Such;", "count": 1}, "INVALID_FIELDID"),
        ({"count": 1}, "INVALID_FIELDID"),
        ({"count": 1, "parts": ["nothing"]}, "INVALID_FIELDID"),
        ({"count": 1, "parts": ["name"], "after": "nothing"}, "INVALID_FIELDID"),
        ({"count": -1}, "INVALID_LENGTH"),
        ({"count": 10_001}, "INVALID_LENGTH"),
        ({"count": 1, "skip": -1}, "INVALID_INDEX"),
    ):
        with pytest.raises(RefusedError) as refused:
            page(our_target, dog, **wrong)
        assert refused.value.name == error, wrong
    with pytest.raises(RefusedError) as refused:
        page(our_target, 123456789)
    assert refused.value.name == "INVALID_OBJECT"


FURTHEST = 2**31 - 1


@pytest.mark.timeout(20)
def test_a_page_of_a_circle_is_refused_at_once(our_target: Target) -> None:
    dog = our_target.object("dog")
    entries = page(our_target, dog, parts=["name"], after="self", count=3)["entries"]
    assert [each["node"]["id"] for each in entries] == [dog] * 3
    friend = our_target.field(our_target.type("Ltarget/Target$Creature;"), "friend")
    dogs = {"array": our_target.object("dogs"), "first_index": 0, "length": 1}
    (other,) = our_target.vm.ask("ArrayReference.GetValues", **dogs)["values"]["values"]
    circle = ((dog, other["id"]), (other["id"], dog))
    try:
        for each, following in circle:
            befriend(our_target, each, friend, following)
        for after in ("self", "friend"):
            with pytest.raises(RefusedError) as refused:
                page(our_target, dog, parts=["name"], after=after, skip=FURTHEST, count=10)
            assert refused.value.name == "INVALID_FIELDID", after
    finally:
        for each, _ in circle:
            befriend(our_target, each, friend, 0)


def befriend(target: Target, dog: int, friend: int, other: int) -> None:
    target.vm.ask("ObjectReference.SetValues", object=dog, values=raw(1, ids(friend, other)))


@pytest.mark.slow  # counts through 100 million slots
def test_a_page_behind_too_many_slots_is_refused(our_target: Target) -> None:
    vm, length = our_target.vm, 100_000_001
    type_id = our_target.type("[Ljava/lang/Object;")
    array = vm.ask("ArrayType.NewInstance", type_id=type_id, length=length)["new_array"]["id"]
    vm.ask("ObjectReference.DisableCollection", object=array)
    try:
        with pytest.raises(RefusedError) as refused:
            page(our_target, array, skips_null=True, count=1)
        assert refused.value.name == "ILLEGAL_ARGUMENT"
    finally:
        vm.ask("ObjectReference.EnableCollection", object=array)


def test_a_page_behind_the_end_is_empty(our_target: Target) -> None:
    for chain in ({"parts": ["name"]}, {"parts": ["name"], "after": "friend"}):
        found = page(our_target, our_target.object("dog"), **chain, skip=FURTHEST, count=10)
        assert (found["skipped"], found["entries"]) == (1, [])


def test_all_threads_with_their_names(our_target: Target) -> None:
    found = our_target.vm.ask("Agent.Threads")["threads"]
    listed = our_target.vm.ask("VirtualMachine.AllThreads")["threads"]
    assert [each["thread"] for each in found] == listed
    for each in found:
        assert (
            our_target.vm.ask("ThreadReference.Name", thread=each["thread"])["name"] == each["name"]
        )
        assert our_target.vm.ask("Agent.ThreadName", thread=each["thread"])["name"] == each["name"]


def test_the_class_file_of_a_class(our_target: Target) -> None:
    type_id = our_target.vm.ask("ObjectReference.ReferenceType", object=our_target.object("dog"))
    found = our_target.vm.ask("Agent.ClassFile", type_id=type_id["type_id"])["class_file"]
    assert found[:4] == bytes.fromhex("cafebabe")
    signature = our_target.vm.ask("ReferenceType.Signature", type_id=type_id["type_id"])
    assert signature["signature"][1:-1].encode() in found
    # It was read, and nothing was changed: it can be read again.
    assert our_target.vm.ask("Agent.ClassFile", type_id=type_id["type_id"])["class_file"] == found


def test_the_outline_of_a_class_is_what_the_standard_commands_answer(our_target: Target) -> None:
    vm = our_target.vm
    found = vm.ask("ObjectReference.ReferenceType", object=our_target.object("dog"))
    outline = vm.ask("Agent.ClassOutline", type_id=found["type_id"])
    source = vm.ask("ReferenceType.SourceFile", type_id=found["type_id"])["source_file"]
    assert (outline["source_file"], outline["source_map"]) == (source, "")
    methods = vm.ask("ReferenceType.MethodsWithGeneric", type_id=found["type_id"])["methods"]
    assert [each["id"] for each in outline["methods"]] == [each["method_id"] for each in methods]
    without_ids = {"methods": [{**each, "method_id": 0} for each in methods]}
    assert outline["declared"] == WireReading().encode_reply(2, 15, without_ids)
    for each in outline["methods"]:
        lines = vm.ask("Method.LineTable", type_id=found["type_id"], method_id=each["id"])
        assert each["lines"] == WireReading().encode_reply(6, 1, lines)
        numbers = [line["line"] for line in lines["lines"]]
        repeats = len(numbers) != len(set(numbers))
        code = vm.ask("Method.Bytecodes", type_id=found["type_id"], method_id=each["id"])
        assert each["code"] == (code["bytecodes"] if repeats else b"")
    assert bool(outline["constants"]) == any(each["code"] for each in outline["methods"])


def test_an_array_has_no_outline(our_target: Target) -> None:
    array = our_target.vm.ask("ObjectReference.ReferenceType", object=our_target.object("dogs"))
    outline = our_target.vm.ask("Agent.ClassOutline", type_id=array["type_id"])
    assert (outline["source_file"], outline["methods"]) == ("", [])


def test_an_array_has_no_class_file(our_target: Target) -> None:
    array = our_target.vm.ask("ObjectReference.ReferenceType", object=our_target.object("dogs"))
    with pytest.raises(RefusedError) as refused:
        our_target.vm.ask("Agent.ClassFile", type_id=array["type_id"])
    assert refused.value.name == "ABSENT_INFORMATION"


def test_the_event_requests(our_target: Target) -> None:
    vm = our_target.vm

    def requests() -> list[tuple[int, int]]:
        found = vm.ask("Agent.Requests")["requests"]
        return [(each["event_kind"], each["request_id"]) for each in found]

    before = requests()
    made = vm.ask("EventRequest.Set", event_kind=8, suspend_policy=0, modifiers=[])["request_id"]
    assert requests() == [*before, (8, made)]
    vm.ask("EventRequest.Clear", event_kind=8, request_id=made)
    assert requests() == before
