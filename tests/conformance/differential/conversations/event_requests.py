# SPDX-License-Identifier: Apache-2.0
"""How requests are answered: every kind of event with every modifier, and wrong modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import EVENTS, Play, acting, acting_over
from tests.conformance.jdwp.stage import (
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


def offer(play: Play, kind: int, *modifiers: Message, policy: int = ALL) -> None:
    """How a request is answered; it is taken back at once, unrecorded."""
    answer = play.ask(
        "EventRequest.Set", event_kind=kind, suspend_policy=policy, modifiers=list(modifiers)
    )
    if answer.refused == "NONE":
        play.stage.clear(kind, answer["request_id"])


def field_only(play: Play, name: str) -> Message:
    return {"kind": 9, "type_id": play.stage.type(), "field_id": play.stage.field(name)}


def needed(play: Play, kind: int) -> list[Message]:
    """The modifier without which a request of the kind is none."""
    if kind == BREAKPOINT:
        return [location_only(play.stage.place("loop"))]
    if kind in (FIELD_ACCESS, FIELD_MODIFICATION):
        return [field_only(play, "field")]
    if kind == SINGLE_STEP:
        return [{"kind": 10, "thread": play.thread, "size": 1, "depth": 1}]
    return []


@acting_over(KINDS, EVENTS, "nothing")
def allowed(play: Play, kind: int) -> None:
    """Each modifier on that kind of event."""
    base = needed(play, kind)
    offer(play, kind, *base)
    modifiers = [
        count(3),
        {"kind": 2, "expression_id": 1},
        thread_only(play.thread),
        {"kind": 4, "type_id": play.stage.type()},
        class_match("acts.*"),
        class_exclude("acts.*"),
        {"kind": 8, "exception_type": 0, "caught": True, "uncaught": True},
        {"kind": 11, "instance": play.stage.static("first")},
        {"kind": 11, "instance": 0},
        {"kind": 12, "pattern": "Events.java"},
        {"kind": 13},
    ]
    if kind != BREAKPOINT:
        modifiers.append(location_only(play.stage.place("loop")))
    if kind not in (FIELD_ACCESS, FIELD_MODIFICATION):
        modifiers.append(field_only(play, "count"))
    if kind != SINGLE_STEP:
        modifiers.append({"kind": 10, "thread": play.thread, "size": 1, "depth": 1})
    for modifier in modifiers:
        offer(play, kind, *base, modifier)


@acting(EVENTS, "nothing")
def kinds_that_are_not_to_be_had(play: Play) -> None:
    for kind in (0, 3, 5, 10, 30, 47, 55, 90, 100, 101, 255):
        offer(play, kind)


@acting_over({"breakpoint": BREAKPOINT, "watch": FIELD_ACCESS}, EVENTS, "nothing")
def without_the_needed_modifier(play: Play, kind: int) -> None:
    offer(play, kind)


@acting(EVENTS, "nothing")
def step_without_its_modifier(play: Play) -> None:
    offer(play, SINGLE_STEP)


@acting(EVENTS, "nothing")
def policies(play: Play) -> None:
    for policy in (NONE, EVENT_THREAD, ALL):
        offer(play, METHOD_ENTRY, class_match("none"), policy=policy)


@acting(EVENTS, "nothing")
def policy_that_is_none(play: Play) -> None:
    offer(play, METHOD_ENTRY, class_match("none"), policy=3)


@acting(EVENTS, "nothing")
def counts_that_are_wrong(play: Play) -> None:
    for number in (0, -1):
        offer(play, METHOD_ENTRY, count(number))


WRONG_LOCATIONS: dict[str, Message] = {
    "beyond": {"index": 10_000},
    "negative": {"index": -1},
    "null_type": {"type_id": 0},
    "unknown_type": {"type_id": UNKNOWN_ID},
}


@acting_over(WRONG_LOCATIONS, EVENTS, "nothing")
def location_that_is_wrong(play: Play, wrong: Message) -> None:
    offer(play, BREAKPOINT, location_only({**play.stage.place("loop"), **wrong}))


@acting(EVENTS, "nothing")
def location_in_a_thread(play: Play) -> None:
    """The id of an object where that of a type belongs."""
    wrong = {"type_id": play.thread}
    offer(play, BREAKPOINT, location_only({**play.stage.place("loop"), **wrong}))


@acting(EVENTS, "nothing")
def locations_without_code(play: Play) -> None:
    thread = play.stage.type("Ljava/lang/Thread;")
    runnable = play.stage.type("Ljava/lang/Runnable;")
    native = {
        "tag": 1,
        "type_id": thread,
        "method_id": play.stage.methods("Ljava/lang/Thread;")["currentThread"],
    }
    abstract = {
        "tag": 2,
        "type_id": runnable,
        "method_id": play.stage.methods("Ljava/lang/Runnable;")["run"],
    }
    for place in (native, abstract):
        offer(play, BREAKPOINT, location_only({**place, "index": 0}))


@acting(EVENTS, "nothing")
def classes_that_are_wrong(play: Play) -> None:
    for wrong in (UNKNOWN_ID, play.thread, play.stage.static("first")):
        offer(play, METHOD_ENTRY, {"kind": 4, "type_id": wrong})
        exception = {"kind": 8, "exception_type": wrong, "caught": True, "uncaught": True}
        offer(play, EXCEPTION, exception)


@acting(EVENTS, "nothing")
def exceptions_that_are_none(play: Play) -> None:
    for signature in ("Ljava/lang/Object;", "Ljava/lang/Runnable;", "Ljava/lang/String;"):
        wrong = play.stage.type(signature)
        exception = {"kind": 8, "exception_type": wrong, "caught": True, "uncaught": True}
        offer(play, EXCEPTION, exception)


@acting_over({"null": 0, "unknown": UNKNOWN_ID, "class": -1, "object": -2}, EVENTS, "nothing")
def thread_that_is_wrong(play: Play, wrong: int) -> None:
    ids = {-1: play.stage.type(), -2: play.stage.static("first")}
    offer(play, METHOD_ENTRY, thread_only(ids.get(wrong, wrong)), class_match("none"))


@acting_over({"null": 0, "unknown": UNKNOWN_ID, "class": -1, "object": -2}, EVENTS, "nothing")
def step_of_a_wrong_thread(play: Play, wrong: int) -> None:
    ids = {-1: play.stage.type(), -2: play.stage.static("first")}
    offer(
        play,
        SINGLE_STEP,
        {"kind": 10, "thread": ids.get(wrong, wrong), "size": 1, "depth": 1},
    )


@acting(EVENTS, "nothing")
def instances_that_are_wrong(play: Play) -> None:
    offer(play, METHOD_ENTRY, {"kind": 11, "instance": UNKNOWN_ID}, class_match("none"))


@acting_over({"null": 0, "unknown": UNKNOWN_ID}, EVENTS, "nothing")
def field_of_a_wrong_class(play: Play, wrong: int) -> None:
    offer(play, FIELD_ACCESS, {**field_only(play, "field"), "type_id": wrong})


@acting(EVENTS, "nothing")
def field_of_a_thread(play: Play) -> None:
    """The id of an object where that of a type belongs."""
    offer(play, FIELD_ACCESS, {**field_only(play, "field"), "type_id": play.thread})


@acting(EVENTS, "nothing")
def same_request_twice(play: Play) -> None:
    for kind in (BREAKPOINT, FIELD_ACCESS, FIELD_MODIFICATION, METHOD_ENTRY):
        base = [*needed(play, kind), class_match("none")]
        first, second = (play.request(kind, *base) for _ in range(2))
        play.clear(kind, first)
        play.clear(kind, second)


@acting(EVENTS, "nothing")
def cleared_as_another_kind(play: Play) -> None:
    request = play.request(METHOD_ENTRY, class_match("none"))
    for kind in (METHOD_EXIT, BREAKPOINT, VM_DEATH, METHOD_EXIT_WITH_RETURN_VALUE):
        play.ask("EventRequest.Clear", event_kind=kind, request_id=request)
    play.clear(METHOD_ENTRY, request)
    play.ask("EventRequest.Clear", event_kind=METHOD_ENTRY, request_id=request)


@acting(EVENTS, "nothing")
def cleared_by_the_sister_kind(play: Play) -> None:
    """Both kinds of method exit."""
    first = play.request(METHOD_EXIT, class_match("none"))
    second = play.request(METHOD_EXIT_WITH_RETURN_VALUE, class_match("none"))
    play.clear(METHOD_EXIT, first)
    play.clear(METHOD_EXIT_WITH_RETURN_VALUE, second)


@acting(EVENTS, "nothing")
def clear_of_what_was_never_there(play: Play) -> None:
    for kind in (BREAKPOINT, 0, 55, 100, 90, 30):
        play.ask("EventRequest.Clear", event_kind=kind, request_id=4711)
    play.ask("EventRequest.ClearAllBreakpoints")
