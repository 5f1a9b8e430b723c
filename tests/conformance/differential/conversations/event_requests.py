# SPDX-License-Identifier: Apache-2.0
"""How requests are answered: every kind of event with every modifier, and wrong modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.scenarios import (
    EVENTS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    CLASS_UNLOAD,
    EVENT_THREAD,
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
    SINGLE_STEP,
    THREAD_DEATH,
    THREAD_START,
    VM_DEATH,
    class_exclude,
    class_match,
    count,
    location_only,
    thread_only,
)

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

KINDS = {
    "single_step": SINGLE_STEP,
    "breakpoint": BREAKPOINT,
    "exception": EXCEPTION,
    "thread_start": THREAD_START,
    "thread_death": THREAD_DEATH,
    "class_prepare": CLASS_PREPARE,
    "class_unload": CLASS_UNLOAD,
    "field_access": FIELD_ACCESS,
    "field_modification": FIELD_MODIFICATION,
    "method_entry": METHOD_ENTRY,
    "method_exit": METHOD_EXIT,
    "method_exit_with_return_value": METHOD_EXIT_WITH_RETURN_VALUE,
    "monitor_contended_enter": MONITOR_CONTENDED_ENTER,
    "monitor_contended_entered": MONITOR_CONTENDED_ENTERED,
    "monitor_wait": MONITOR_WAIT,
    "monitor_waited": MONITOR_WAITED,
    "vm_death": VM_DEATH,
}

UNKNOWN_ID = 0x7FFF_FFF0


def offer(scenario: Scenario, kind: int, *modifiers: Message, policy: int = ALL) -> None:
    """How a request is answered; it is taken back at once, unrecorded."""
    answer = scenario.ask(
        "EventRequest.Set", event_kind=kind, suspend_policy=policy, modifiers=list(modifiers)
    )
    if answer.refused == "NONE":
        scenario.session.clear(kind, answer["request_id"])


def field_only(scenario: Scenario, name: str) -> Message:
    return {"kind": 9, "type_id": scenario.session.type(), "field_id": scenario.session.field(name)}


def needed(scenario: Scenario, kind: int) -> list[Message]:
    """The modifier without which a request of the kind is none."""
    if kind == BREAKPOINT:
        return [location_only(scenario.session.place("loop"))]
    if kind in (FIELD_ACCESS, FIELD_MODIFICATION):
        return [field_only(scenario, "field")]
    if kind == SINGLE_STEP:
        return [{"kind": 10, "thread": scenario.thread, "size": 1, "depth": 1}]
    return []


@scenario_conversations(KINDS, EVENTS, "nothing")
def allowed(scenario: Scenario, kind: int) -> None:
    """Each modifier on that kind of event."""
    base = needed(scenario, kind)
    offer(scenario, kind, *base)
    modifiers = [
        count(3),
        {"kind": 2, "expression_id": 1},
        thread_only(scenario.thread),
        {"kind": 4, "type_id": scenario.session.type()},
        class_match("scenarios.*"),
        class_exclude("scenarios.*"),
        {"kind": 8, "exception_type": 0, "caught": True, "uncaught": True},
        {"kind": 11, "instance": scenario.session.static("first")},
        {"kind": 11, "instance": 0},
        {"kind": 12, "pattern": "Events.java"},
        {"kind": 13},
    ]
    if kind != BREAKPOINT:
        modifiers.append(location_only(scenario.session.place("loop")))
    if kind not in (FIELD_ACCESS, FIELD_MODIFICATION):
        modifiers.append(field_only(scenario, "count"))
    if kind != SINGLE_STEP:
        modifiers.append({"kind": 10, "thread": scenario.thread, "size": 1, "depth": 1})
    for modifier in modifiers:
        offer(scenario, kind, *base, modifier)


@scenario_conversation(EVENTS, "nothing")
def kinds_that_are_not_to_be_had(scenario: Scenario) -> None:
    for kind in (0, 3, 5, 10, 30, 47, 55, 90, 100, 101, 255):
        offer(scenario, kind)


@scenario_conversations({"breakpoint": BREAKPOINT, "watch": FIELD_ACCESS}, EVENTS, "nothing")
def without_the_needed_modifier(scenario: Scenario, kind: int) -> None:
    offer(scenario, kind)


@scenario_conversation(EVENTS, "nothing")
def step_without_its_modifier(scenario: Scenario) -> None:
    offer(scenario, SINGLE_STEP)


@scenario_conversation(EVENTS, "nothing")
def policies(scenario: Scenario) -> None:
    for policy in (NONE, EVENT_THREAD, ALL):
        offer(scenario, METHOD_ENTRY, class_match("none"), policy=policy)


@scenario_conversation(EVENTS, "nothing")
def policy_that_is_none(scenario: Scenario) -> None:
    offer(scenario, METHOD_ENTRY, class_match("none"), policy=3)


@scenario_conversation(EVENTS, "nothing")
def counts_that_are_wrong(scenario: Scenario) -> None:
    for number in (0, -1):
        offer(scenario, METHOD_ENTRY, count(number))


WRONG_LOCATIONS: dict[str, Message] = {
    "beyond": {"index": 10_000},
    "negative": {"index": -1},
    "null_type": {"type_id": 0},
    "unknown_type": {"type_id": UNKNOWN_ID},
}


@scenario_conversations(WRONG_LOCATIONS, EVENTS, "nothing")
def location_that_is_wrong(scenario: Scenario, wrong: Message) -> None:
    offer(scenario, BREAKPOINT, location_only({**scenario.session.place("loop"), **wrong}))


@scenario_conversation(EVENTS, "nothing")
def location_in_a_thread(scenario: Scenario) -> None:
    """The id of an object where that of a type belongs."""
    wrong = {"type_id": scenario.thread}
    offer(scenario, BREAKPOINT, location_only({**scenario.session.place("loop"), **wrong}))


@scenario_conversation(EVENTS, "nothing")
def locations_without_code(scenario: Scenario) -> None:
    thread = scenario.session.type("Ljava/lang/Thread;")
    runnable = scenario.session.type("Ljava/lang/Runnable;")
    native = {
        "tag": 1,
        "type_id": thread,
        "method_id": scenario.session.methods("Ljava/lang/Thread;")["currentThread"],
    }
    abstract = {
        "tag": 2,
        "type_id": runnable,
        "method_id": scenario.session.methods("Ljava/lang/Runnable;")["run"],
    }
    for place in (native, abstract):
        offer(scenario, BREAKPOINT, location_only({**place, "index": 0}))


@scenario_conversation(EVENTS, "nothing")
def classes_that_are_wrong(scenario: Scenario) -> None:
    for wrong in (UNKNOWN_ID, scenario.thread, scenario.session.static("first")):
        offer(scenario, METHOD_ENTRY, {"kind": 4, "type_id": wrong})
        exception = {"kind": 8, "exception_type": wrong, "caught": True, "uncaught": True}
        offer(scenario, EXCEPTION, exception)


@scenario_conversation(EVENTS, "nothing")
def exceptions_that_are_none(scenario: Scenario) -> None:
    for signature in ("Ljava/lang/Object;", "Ljava/lang/Runnable;", "Ljava/lang/String;"):
        wrong = scenario.session.type(signature)
        exception = {"kind": 8, "exception_type": wrong, "caught": True, "uncaught": True}
        offer(scenario, EXCEPTION, exception)


@scenario_conversations(
    {"null": 0, "unknown": UNKNOWN_ID, "class": -1, "object": -2}, EVENTS, "nothing"
)
def thread_that_is_wrong(scenario: Scenario, wrong: int) -> None:
    ids = {-1: scenario.session.type(), -2: scenario.session.static("first")}
    offer(scenario, METHOD_ENTRY, thread_only(ids.get(wrong, wrong)), class_match("none"))


@scenario_conversations(
    {"null": 0, "unknown": UNKNOWN_ID, "class": -1, "object": -2}, EVENTS, "nothing"
)
def step_of_a_wrong_thread(scenario: Scenario, wrong: int) -> None:
    ids = {-1: scenario.session.type(), -2: scenario.session.static("first")}
    offer(
        scenario,
        SINGLE_STEP,
        {"kind": 10, "thread": ids.get(wrong, wrong), "size": 1, "depth": 1},
    )


@scenario_conversation(EVENTS, "nothing")
def instances_that_are_wrong(scenario: Scenario) -> None:
    offer(scenario, METHOD_ENTRY, {"kind": 11, "instance": UNKNOWN_ID}, class_match("none"))


@scenario_conversations({"null": 0, "unknown": UNKNOWN_ID}, EVENTS, "nothing")
def field_of_a_wrong_class(scenario: Scenario, wrong: int) -> None:
    offer(scenario, FIELD_ACCESS, {**field_only(scenario, "field"), "type_id": wrong})


@scenario_conversation(EVENTS, "nothing")
def field_of_a_thread(scenario: Scenario) -> None:
    """The id of an object where that of a type belongs."""
    offer(scenario, FIELD_ACCESS, {**field_only(scenario, "field"), "type_id": scenario.thread})


@scenario_conversation(EVENTS, "nothing")
def same_request_twice(scenario: Scenario) -> None:
    for kind in (BREAKPOINT, FIELD_ACCESS, FIELD_MODIFICATION, METHOD_ENTRY):
        base = [*needed(scenario, kind), class_match("none")]
        first, second = (scenario.request(kind, *base) for _ in range(2))
        scenario.clear(kind, first)
        scenario.clear(kind, second)


@scenario_conversation(EVENTS, "nothing")
def cleared_as_another_kind(scenario: Scenario) -> None:
    request = scenario.request(METHOD_ENTRY, class_match("none"))
    for kind in (METHOD_EXIT, BREAKPOINT, VM_DEATH, METHOD_EXIT_WITH_RETURN_VALUE):
        scenario.ask("EventRequest.Clear", event_kind=kind, request_id=request)
    scenario.clear(METHOD_ENTRY, request)
    scenario.ask("EventRequest.Clear", event_kind=METHOD_ENTRY, request_id=request)


@scenario_conversation(EVENTS, "nothing")
def cleared_by_the_sister_kind(scenario: Scenario) -> None:
    """Clears requests of both kinds of method exit."""
    first = scenario.request(METHOD_EXIT, class_match("none"))
    second = scenario.request(METHOD_EXIT_WITH_RETURN_VALUE, class_match("none"))
    scenario.clear(METHOD_EXIT, first)
    scenario.clear(METHOD_EXIT_WITH_RETURN_VALUE, second)


@scenario_conversation(EVENTS, "nothing")
def clear_of_what_was_never_there(scenario: Scenario) -> None:
    for kind in (BREAKPOINT, 0, 55, 100, 90, 30):
        scenario.ask("EventRequest.Clear", event_kind=kind, request_id=4711)
    scenario.ask("EventRequest.ClearAllBreakpoints")
