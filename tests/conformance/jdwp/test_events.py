# SPDX-License-Identifier: Apache-2.0
"""Event requests and what they report: kinds, modifiers, sets of events at one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.jdwp.stage import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    CLASS_UNLOAD,
    EXCEPTION,
    FIELD_ACCESS,
    FIELD_MODIFICATION,
    METHOD_ENTRY,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    MONITOR_CONTENDED_ENTER,
    MONITOR_CONTENDED_ENTERED,
    MONITOR_WAIT,
    MONITOR_WAITED,
    NONE,
    OVER,
    SINGLE_STEP,
    THREAD_DEATH,
    VM_DEATH,
    Stage,
    class_exclude,
    class_match,
    count,
    location_only,
    staged,
    thread_only,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind
    from tests.support.wire_reading import Message

    Play = Callable[[str], Stage]

ZEROS = {"tag": 0, "type_id": 0, "method_id": 0, "index": 0}


@pytest.fixture
def play(jdk: Jdk, agent_kind: AgentKind) -> Iterator[Play]:
    """Starts a scene."""
    contexts = []

    def start(scene: str) -> Stage:
        context = staged(jdk, agent_kind, scene)
        contexts.append(context)
        return context.__enter__()

    yield start
    for context in contexts:
        context.__exit__(None, None, None)


def refusal(stage: Stage, kind: int, *modifiers: Message) -> str:
    """How a request is answered."""
    return stage.vm.refusal(
        "EventRequest.Set", event_kind=kind, suspend_policy=ALL, modifiers=list(modifiers)
    )


# --- breakpoints and sets -------------------------------------------------------------------------


def test_step_and_breakpoints_at_one_place_are_one_set(play: Play) -> None:
    stage = play("steps")
    thread = stage.run_to("steps")
    first = stage.break_at("callMiddle")
    second = stage.break_at("callMiddle")
    step = stage.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": OVER})
    stage.resume()
    happened = stage.vm.next_set()["events"]
    assert [event["kind"] for event in happened] == [SINGLE_STEP, BREAKPOINT, BREAKPOINT]
    assert happened[0]["request_id"] == step
    assert {event["request_id"] for event in happened[1:]} == {first, second}


def test_method_entry_and_breakpoint_are_one_set(play: Play) -> None:
    stage = play("steps")
    thread = stage.run_to("callMiddle")
    stage.request(METHOD_ENTRY, thread_only(thread), class_match("stage.Stage"))
    stage.break_at("middle")
    stage.resume()
    happened = stage.vm.next_set()["events"]
    assert [event["kind"] for event in happened] == [METHOD_ENTRY, BREAKPOINT]


def test_breakpoint_set_where_a_step_stopped_is_not_hit_again(play: Play) -> None:
    stage = play("steps")
    thread = stage.run_to("steps")
    location = stage.step(thread, OVER)
    assert stage.is_at(location, "callMiddle")
    stage.break_at("callMiddle")
    stage.break_at("callFib")
    stage.resume()
    assert stage.is_at(stage.next_event(BREAKPOINT)["location"], "callFib")


def test_breakpoints_at_one_place_are_cleared_one_by_one(play: Play) -> None:
    stage = play("loop")
    first = stage.break_at("loop")
    second = stage.break_at("loop")
    stage.resume()
    assert len(stage.vm.next_set()["events"]) == 2
    stage.clear(BREAKPOINT, first)
    stage.resume()
    assert stage.next_event(BREAKPOINT)["request_id"] == second
    stage.vm.ask("EventRequest.ClearAllBreakpoints")
    stage.clear(BREAKPOINT, second)  # gone already, which is no error
    assert stage.run_out() == "done 0\n"


def test_count(play: Play) -> None:
    stage = play("loop")
    stage.break_at("add", count(7))
    stage.resume()
    event = stage.next_event(BREAKPOINT)
    frame = stage.frames(event["thread"])[0]
    slots = [{"slot": 1, "tag": ord("I")}]
    values = stage.vm.ask(
        "StackFrame.GetValues", thread=event["thread"], frame=frame["frame_id"], slots=slots
    )["values"]
    assert values[0]["value"] == 3
    assert stage.run_out() == "done 0\n"  # the request has ended with its count


def test_instance(play: Play) -> None:
    stage = play("loop")
    stage.run_to("loop")
    second = stage.static("second")
    stage.break_at("add", {"kind": 11, "instance": second}, count(4))
    stage.resume()
    event = stage.next_event(BREAKPOINT)
    frame = stage.frames(event["thread"])[0]["frame_id"]
    this = stage.vm.ask("StackFrame.ThisObject", thread=event["thread"], frame=frame)
    assert this["this_object"]["id"] == second


@pytest.mark.parametrize(
    ("modifier", "stops"),
    [
        (class_match("stage.*"), True),
        (class_match("*Stage"), True),
        (class_match("stage"), False),
        (class_exclude("stage.Stage"), False),
        (class_exclude("other.*"), True),
    ],
)
def test_class_names(play: Play, modifier: Message, *, stops: bool) -> None:
    stage = play("loop")
    stage.break_at("loop", modifier)
    if stops:
        stage.resume()
        stage.next_event(BREAKPOINT)
    else:
        assert stage.run_out() == "done 0\n"


def test_class_and_thread(play: Play) -> None:
    stage = play("loop")
    thread = stage.run_to("loop")
    other = next(number for name, number in stage.threads().items() if name != "main")
    stage.break_at("add", thread_only(other))
    only = stage.break_at("add", thread_only(thread), {"kind": 4, "type_id": stage.type()})
    stage.resume()
    assert stage.next_event(BREAKPOINT)["request_id"] == only


def test_refused_requests(play: Play) -> None:
    stage = play("loop")
    place = stage.place("loop")
    beyond = {**place, "index": 10_000}
    assert refusal(stage, BREAKPOINT, location_only(beyond)) == "INVALID_LOCATION"
    # The JDK's own agent has no word for it.
    assert refusal(stage, BREAKPOINT, location_only(place), count(0)) in {
        "INVALID_COUNT",
        "INTERNAL",
    }
    assert refusal(stage, CLASS_PREPARE, location_only(place)) == "ILLEGAL_ARGUMENT"
    assert refusal(stage, 55) == "INVALID_EVENT_TYPE"
    stage.clear(BREAKPOINT, 4711)
    assert stage.run_out() == "done 0\n"


# --- exceptions -----------------------------------------------------------------------------------


def exception_only(type_id: int, *, caught: bool, uncaught: bool) -> Message:
    return {"kind": 8, "exception_type": type_id, "caught": caught, "uncaught": uncaught}


def test_exceptions_by_type_and_fate(play: Play) -> None:
    stage = play("exceptions")
    thread = stage.run_to("callThrower")
    del thread
    state = stage.vm.ask(
        "VirtualMachine.ClassesBySignature", signature="Ljava/lang/IllegalStateException;"
    )["classes"]
    if not state:  # not thrown yet: the runtime type stands for it
        state = stage.vm.ask(
            "VirtualMachine.ClassesBySignature", signature="Ljava/lang/RuntimeException;"
        )["classes"]
    caught = stage.request(
        EXCEPTION, exception_only(state[0]["type_id"], caught=True, uncaught=False)
    )
    stage.resume()
    event = stage.next_event(EXCEPTION)
    assert event["request_id"] == caught
    assert stage.is_at(event["location"], "throw")
    assert event["catch_location"]["method_id"] == stage.methods()["catcher"]
    stage.clear(EXCEPTION, caught)

    stage.request(EXCEPTION, exception_only(0, caught=False, uncaught=True), class_match("stage.*"))
    stage.resume()
    event = stage.next_event(EXCEPTION)
    name = stage.vm.ask("ThreadReference.Name", thread=event["thread"])["name"]
    assert name == "uncaught"
    assert event["catch_location"]["method_id"] == 0


# --- classes --------------------------------------------------------------------------------------


def test_class_prepare_comes_before_its_code(play: Play) -> None:
    stage = play("invocations")
    stage.request(CLASS_PREPARE, class_match("stage.Stage$Derived"))
    stage.resume()
    event = stage.next_event(CLASS_PREPARE)
    assert event["signature"] == "Lstage/Stage$Derived;"
    assert event["status"] & 2
    assert not event["status"] & 4
    request = stage.request(CLASS_PREPARE, {"kind": 12, "pattern": "Nowhere.java"}, policy=NONE)
    stage.clear(CLASS_PREPARE, request)


def test_class_unload(play: Play) -> None:
    stage = play("unload")
    stage.run_to("ready")
    stage.request(CLASS_UNLOAD, class_match("stage.*"), policy=NONE)
    # The JDK's own agent tells it at the next event of any kind.
    stage.request(METHOD_ENTRY, class_match("none"), policy=NONE)
    stage.resume()
    assert stage.next_event(CLASS_UNLOAD)["signature"] == "Lstage/Stage$Lazy;"


# --- fields ---------------------------------------------------------------------------------------


def field_only(stage: Stage, name: str) -> Message:
    return {"kind": 9, "type_id": stage.type(), "field_id": stage.field(name)}


def test_field_writes_and_reads(play: Play) -> None:
    stage = play("fields")
    stage.run_to("writeStatic")
    stage.request(FIELD_MODIFICATION, field_only(stage, "count"))
    written = stage.request(FIELD_MODIFICATION, field_only(stage, "field"))
    read = stage.request(FIELD_ACCESS, field_only(stage, "field"))
    first = stage.static("first")

    stage.resume()
    event = stage.next_event(FIELD_MODIFICATION)
    assert stage.is_at(event["location"], "writeStatic")
    assert event["object"]["id"] == 0
    assert event["new_value"] == {"tag": ord("I"), "value": 5}
    assert stage.static("count") == 0  # it is before the write

    stage.resume()
    event = stage.next_event(FIELD_MODIFICATION)
    assert event["request_id"] == written
    assert event["object"]["id"] == first
    assert event["new_value"]["value"] == 7

    stage.resume()
    event = stage.next_event(FIELD_ACCESS)
    assert event["request_id"] == read
    assert stage.is_at(event["location"], "readField")
    assert event["field_id"] == stage.field("field")
    stage.clear(FIELD_ACCESS, read)
    stage.clear(FIELD_MODIFICATION, written)

    stage.resume()
    event = stage.next_event(FIELD_MODIFICATION)
    assert stage.is_at(event["location"], "writeAgain")
    assert event["new_value"]["value"] == 8


# --- methods --------------------------------------------------------------------------------------


def test_method_entries_and_exits(play: Play) -> None:
    stage = play("steps")
    thread = stage.run_to("callMiddle")
    only = (thread_only(thread), class_match("stage.Stage"))
    stage.request(METHOD_ENTRY, *only, policy=NONE)
    stage.request(METHOD_EXIT, *only, policy=NONE)
    stage.request(METHOD_EXIT_WITH_RETURN_VALUE, *only, policy=NONE)
    stage.break_at("callFib")
    stage.resume()
    seen: list[tuple[int, str, Any]] = []
    names = {number: name for name, number in stage.methods().items()}
    while True:
        events = stage.vm.next_set()["events"]
        if events[0]["kind"] == BREAKPOINT:
            break
        for event in events:
            name = names[event["location"]["method_id"]]
            seen.append((event["kind"], name, event.get("value", {}).get("value")))
    assert [entry for entry in seen if entry[0] == METHOD_ENTRY] == [
        (METHOD_ENTRY, "middle", None),
        (METHOD_ENTRY, "leaf", None),
    ]
    assert [entry for entry in seen if entry[0] == METHOD_EXIT] == [
        (METHOD_EXIT, "leaf", None),
        (METHOD_EXIT, "middle", None),
    ]
    assert [entry for entry in seen if entry[0] == METHOD_EXIT_WITH_RETURN_VALUE] == [
        (METHOD_EXIT_WITH_RETURN_VALUE, "leaf", 41),
        (METHOD_EXIT_WITH_RETURN_VALUE, "middle", 42),
    ]


# --- monitors -------------------------------------------------------------------------------------


def test_monitors(play: Play) -> None:
    stage = play("monitors")
    kinds = (MONITOR_CONTENDED_ENTER, MONITOR_CONTENDED_ENTERED)
    for kind in kinds:
        stage.request(kind, class_match("stage.*"))
    for kind in (MONITOR_WAIT, MONITOR_WAITED):
        stage.request(kind, class_match("java.lang.Object"))
    seen: list[Message] = []
    while len(seen) < 4:
        stage.resume()
        (event,) = stage.vm.next_set()["events"]
        if event["object"]["id"] == stage.static("lock"):
            seen.append(event)
    assert [event["kind"] for event in seen] == [*kinds, MONITOR_WAIT, MONITOR_WAITED]
    assert seen[2]["timeout"] == 5
    assert seen[3]["timed_out"] == 1


# --- ends -----------------------------------------------------------------------------------------


def test_death_of_threads_and_of_the_vm(play: Play) -> None:
    stage = play("monitors")
    stage.request(THREAD_DEATH)
    death = stage.request(VM_DEATH)
    names = []
    while True:
        stage.resume()
        events = stage.vm.next_set()["events"]
        if events[0]["kind"] == VM_DEATH:
            break
        (event,) = events
        names.append(stage.vm.ask("ThreadReference.Name", thread=event["thread"])["name"])
    assert "contender" in names
    assert {event["request_id"] for event in events} == {0, death}
    assert stage.run_out() == "done 1\n"
    assert stage.jvm.returncode == 0
