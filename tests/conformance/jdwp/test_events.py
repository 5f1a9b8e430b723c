# SPDX-License-Identifier: Apache-2.0
"""Event requests and what they report: kinds, modifiers, sets of events at one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.jdwp_session import (
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
    JdwpSession,
    class_exclude,
    class_match,
    count,
    location_only,
    session_of,
    thread_only,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind
    from tests.support.wire_reading import Message

    StartScenario = Callable[[str], JdwpSession]

ZEROS = {"tag": 0, "type_id": 0, "method_id": 0, "index": 0}


@pytest.fixture
def start(jdk: Jdk, agent_kind: AgentKind) -> Iterator[StartScenario]:
    """Starts a scenario."""
    contexts = []

    def open_session(scenario: str) -> JdwpSession:
        context = session_of(jdk, agent_kind, scenario)
        contexts.append(context)
        return context.__enter__()

    yield open_session
    for context in contexts:
        context.__exit__(None, None, None)


def refusal(session: JdwpSession, kind: int, *modifiers: Message) -> str:
    """How a request is answered."""
    return session.vm.refusal(
        "EventRequest.Set", event_kind=kind, suspend_policy=ALL, modifiers=list(modifiers)
    )


# --- breakpoints and sets -------------------------------------------------------------------------


def test_step_and_breakpoints_at_one_place_are_one_set(start: StartScenario) -> None:
    session = start("steps")
    thread = session.run_to("steps")
    first = session.break_at("callMiddle")
    second = session.break_at("callMiddle")
    step = session.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": OVER})
    session.resume()
    happened = session.vm.next_set()["events"]
    assert [event["kind"] for event in happened] == [SINGLE_STEP, BREAKPOINT, BREAKPOINT]
    assert happened[0]["request_id"] == step
    assert {event["request_id"] for event in happened[1:]} == {first, second}


def test_method_entry_and_breakpoint_are_one_set(start: StartScenario) -> None:
    session = start("steps")
    thread = session.run_to("callMiddle")
    session.request(METHOD_ENTRY, thread_only(thread), class_match("scenarios.Scenarios"))
    session.break_at("middle")
    session.resume()
    happened = session.vm.next_set()["events"]
    assert [event["kind"] for event in happened] == [METHOD_ENTRY, BREAKPOINT]


def test_breakpoint_set_where_a_step_stopped_is_not_hit_again(start: StartScenario) -> None:
    session = start("steps")
    thread = session.run_to("steps")
    location = session.step(thread, OVER)
    assert session.is_at(location, "callMiddle")
    session.break_at("callMiddle")
    session.break_at("callFib")
    session.resume()
    assert session.is_at(session.next_event(BREAKPOINT)["location"], "callFib")


def test_breakpoints_at_one_place_are_cleared_one_by_one(start: StartScenario) -> None:
    session = start("loop")
    first = session.break_at("loop")
    second = session.break_at("loop")
    session.resume()
    assert len(session.vm.next_set()["events"]) == 2
    session.clear(BREAKPOINT, first)
    session.resume()
    assert session.next_event(BREAKPOINT)["request_id"] == second
    session.vm.ask("EventRequest.ClearAllBreakpoints")
    session.clear(BREAKPOINT, second)  # gone already, which is no error
    assert session.run_out() == "done 0\n"


def test_count(start: StartScenario) -> None:
    session = start("loop")
    session.break_at("add", count(7))
    session.resume()
    event = session.next_event(BREAKPOINT)
    frame = session.frames(event["thread"])[0]
    slots = [{"slot": 1, "tag": ord("I")}]
    values = session.vm.ask(
        "StackFrame.GetValues", thread=event["thread"], frame=frame["frame_id"], slots=slots
    )["values"]
    assert values[0]["value"] == 3
    assert session.run_out() == "done 0\n"  # the request has ended with its count


def test_instance(start: StartScenario) -> None:
    session = start("loop")
    session.run_to("loop")
    second = session.static("second")
    session.break_at("add", {"kind": 11, "instance": second}, count(4))
    session.resume()
    event = session.next_event(BREAKPOINT)
    frame = session.frames(event["thread"])[0]["frame_id"]
    this = session.vm.ask("StackFrame.ThisObject", thread=event["thread"], frame=frame)
    assert this["this_object"]["id"] == second


@pytest.mark.parametrize(
    ("modifier", "stops"),
    [
        (class_match("scenarios.*"), True),
        (class_match("*Scenarios"), True),
        (class_match("scenarios"), False),
        (class_exclude("scenarios.Scenarios"), False),
        (class_exclude("other.*"), True),
    ],
)
def test_class_names(start: StartScenario, modifier: Message, *, stops: bool) -> None:
    session = start("loop")
    session.break_at("loop", modifier)
    if stops:
        session.resume()
        session.next_event(BREAKPOINT)
    else:
        assert session.run_out() == "done 0\n"


def test_class_and_thread(start: StartScenario) -> None:
    session = start("loop")
    thread = session.run_to("loop")
    other = next(number for name, number in session.threads().items() if name != "main")
    session.break_at("add", thread_only(other))
    only = session.break_at("add", thread_only(thread), {"kind": 4, "type_id": session.type()})
    session.resume()
    assert session.next_event(BREAKPOINT)["request_id"] == only


def test_refused_requests(start: StartScenario) -> None:
    session = start("loop")
    place = session.place("loop")
    beyond = {**place, "index": 10_000}
    assert refusal(session, BREAKPOINT, location_only(beyond)) == "INVALID_LOCATION"
    # The JDK's own agent has no word for it.
    assert refusal(session, BREAKPOINT, location_only(place), count(0)) in {
        "INVALID_COUNT",
        "INTERNAL",
    }
    assert refusal(session, CLASS_PREPARE, location_only(place)) == "ILLEGAL_ARGUMENT"
    assert refusal(session, 55) == "INVALID_EVENT_TYPE"
    session.clear(BREAKPOINT, 4711)
    assert session.run_out() == "done 0\n"


# --- exceptions -----------------------------------------------------------------------------------


def exception_only(type_id: int, *, caught: bool, uncaught: bool) -> Message:
    return {"kind": 8, "exception_type": type_id, "caught": caught, "uncaught": uncaught}


def test_exceptions_by_type_and_fate(start: StartScenario) -> None:
    session = start("exceptions")
    thread = session.run_to("callThrower")
    del thread
    state = session.vm.ask(
        "VirtualMachine.ClassesBySignature", signature="Ljava/lang/IllegalStateException;"
    )["classes"]
    if not state:  # not thrown yet: the runtime type stands for it
        state = session.vm.ask(
            "VirtualMachine.ClassesBySignature", signature="Ljava/lang/RuntimeException;"
        )["classes"]
    caught = session.request(
        EXCEPTION, exception_only(state[0]["type_id"], caught=True, uncaught=False)
    )
    session.resume()
    event = session.next_event(EXCEPTION)
    assert event["request_id"] == caught
    assert session.is_at(event["location"], "throw")
    assert event["catch_location"]["method_id"] == session.methods()["catcher"]
    session.clear(EXCEPTION, caught)

    session.request(
        EXCEPTION, exception_only(0, caught=False, uncaught=True), class_match("scenarios.*")
    )
    session.resume()
    event = session.next_event(EXCEPTION)
    name = session.vm.ask("ThreadReference.Name", thread=event["thread"])["name"]
    assert name == "uncaught"
    assert event["catch_location"]["method_id"] == 0


# --- classes --------------------------------------------------------------------------------------


def test_class_prepare_comes_before_its_code(start: StartScenario) -> None:
    session = start("invocations")
    session.request(CLASS_PREPARE, class_match("scenarios.Scenarios$Derived"))
    session.resume()
    event = session.next_event(CLASS_PREPARE)
    assert event["signature"] == "Lscenarios/Scenarios$Derived;"
    assert event["status"] & 2
    assert not event["status"] & 4
    request = session.request(CLASS_PREPARE, {"kind": 12, "pattern": "Nowhere.java"}, policy=NONE)
    session.clear(CLASS_PREPARE, request)


def test_class_unload(start: StartScenario) -> None:
    session = start("unload")
    session.run_to("ready")
    session.request(CLASS_UNLOAD, class_match("scenarios.*"), policy=NONE)
    # The JDK's own agent reports it with the next event of any kind.
    session.request(METHOD_ENTRY, class_match("none"), policy=NONE)
    session.resume()
    assert session.next_event(CLASS_UNLOAD)["signature"] == "Lscenarios/Scenarios$Lazy;"


# --- fields ---------------------------------------------------------------------------------------


def field_only(session: JdwpSession, name: str) -> Message:
    return {"kind": 9, "type_id": session.type(), "field_id": session.field(name)}


def test_field_writes_and_reads(start: StartScenario) -> None:
    session = start("fields")
    session.run_to("writeStatic")
    session.request(FIELD_MODIFICATION, field_only(session, "count"))
    written = session.request(FIELD_MODIFICATION, field_only(session, "field"))
    read = session.request(FIELD_ACCESS, field_only(session, "field"))
    first = session.static("first")

    session.resume()
    event = session.next_event(FIELD_MODIFICATION)
    assert session.is_at(event["location"], "writeStatic")
    assert event["object"]["id"] == 0
    assert event["new_value"] == {"tag": ord("I"), "value": 5}
    assert session.static("count") == 0  # it is before the write

    session.resume()
    event = session.next_event(FIELD_MODIFICATION)
    assert event["request_id"] == written
    assert event["object"]["id"] == first
    assert event["new_value"]["value"] == 7

    session.resume()
    event = session.next_event(FIELD_ACCESS)
    assert event["request_id"] == read
    assert session.is_at(event["location"], "readField")
    assert event["field_id"] == session.field("field")
    session.clear(FIELD_ACCESS, read)
    session.clear(FIELD_MODIFICATION, written)

    session.resume()
    event = session.next_event(FIELD_MODIFICATION)
    assert session.is_at(event["location"], "writeAgain")
    assert event["new_value"]["value"] == 8


# --- methods --------------------------------------------------------------------------------------


def test_method_entries_and_exits(start: StartScenario) -> None:
    session = start("steps")
    thread = session.run_to("callMiddle")
    only = (thread_only(thread), class_match("scenarios.Scenarios"))
    session.request(METHOD_ENTRY, *only, policy=NONE)
    session.request(METHOD_EXIT, *only, policy=NONE)
    session.request(METHOD_EXIT_WITH_RETURN_VALUE, *only, policy=NONE)
    session.break_at("callFib")
    session.resume()
    seen: list[tuple[int, str, Any]] = []
    names = {number: name for name, number in session.methods().items()}
    while True:
        events = session.vm.next_set()["events"]
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


def test_monitors(start: StartScenario) -> None:
    session = start("monitors")
    kinds = (MONITOR_CONTENDED_ENTER, MONITOR_CONTENDED_ENTERED)
    for kind in kinds:
        session.request(kind, class_match("scenarios.*"))
    for kind in (MONITOR_WAIT, MONITOR_WAITED):
        session.request(kind, class_match("java.lang.Object"))
    seen: list[Message] = []
    while len(seen) < 4:
        session.resume()
        (event,) = session.vm.next_set()["events"]
        if event["object"]["id"] == session.static("lock"):
            seen.append(event)
    assert [event["kind"] for event in seen] == [*kinds, MONITOR_WAIT, MONITOR_WAITED]
    assert seen[2]["timeout"] == 5
    assert seen[3]["timed_out"] == 1


# --- ends -----------------------------------------------------------------------------------------


def test_death_of_threads_and_of_the_vm(start: StartScenario) -> None:
    session = start("monitors")
    session.request(THREAD_DEATH)
    death = session.request(VM_DEATH)
    names = []
    while True:
        session.resume()
        events = session.vm.next_set()["events"]
        if events[0]["kind"] == VM_DEATH:
            break
        (event,) = events
        names.append(session.vm.ask("ThreadReference.Name", thread=event["thread"])["name"])
    assert "contender" in names
    assert {event["request_id"] for event in events} == {0, death}
    assert session.run_out() == "done 1\n"
    assert session.jvm.returncode == 0
