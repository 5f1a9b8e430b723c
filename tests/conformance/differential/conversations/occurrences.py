# SPDX-License-Identifier: Apache-2.0
"""The contents of each kind of event, and which events pass the modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.conversations.event_requests import field_only
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
    SINGLE_THREADED,
    THREAD_DEATH,
    THREAD_START,
    class_exclude,
    class_match,
    count,
    location_only,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

MAIN = class_match("scenarios.Events")


def class_only(scenario: Scenario, signature: str) -> Message:
    return {"kind": 4, "type_id": scenario.session.type(signature)}


def instance_only(scenario: Scenario, name: str) -> Message:
    return {"kind": 11, "instance": scenario.session.static(name) if name else 0}


# --- fields ---------------------------------------------------------------------------------------


@scenario_conversations({"static": "count", "int": "field", "reference": "text"}, EVENTS, "fields")
def watch(scenario: Scenario, name: str) -> None:
    """Every read and write of a field."""
    scenario.request(FIELD_MODIFICATION, field_only(scenario, name))
    scenario.request(FIELD_ACCESS, field_only(scenario, name))
    scenario.to_the_stop()


WATCH_FILTERS = {
    "instance": lambda scenario: instance_only(scenario, "first"),
    "other_instance": lambda scenario: instance_only(scenario, "second"),
    "no_instance": lambda scenario: instance_only(scenario, ""),
    "class_match": lambda _: class_match("scenarios.Events$Stranger"),
    "class_exclude": lambda _: class_exclude("*Stranger"),
    "class_only": lambda scenario: class_only(scenario, "Lscenarios/Events$Stranger;"),
    "thread": lambda scenario: thread_only(scenario.thread),
    "other_thread": lambda scenario: thread_only(scenario.session.threads()["Finalizer"]),
    "location": lambda scenario: location_only(scenario.session.place("readField")),
    "count": lambda _: count(2),
}


@scenario_conversations(WATCH_FILTERS, EVENTS, "fields")
def watch_filtered(scenario: Scenario, make: object) -> None:
    """What a filter lets pass of a field's reads and writes."""
    assert callable(make)
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "field"), make(scenario))
    scenario.request(FIELD_ACCESS, field_only(scenario, "field"), make(scenario))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "fields")
def static_watch_with_an_instance(scenario: Scenario) -> None:
    """A static field belongs to no instance, so each passes."""
    scenario.request(
        FIELD_MODIFICATION, field_only(scenario, "count"), instance_only(scenario, "first")
    )
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "nothing")
def watch_of_the_debugger_itself(scenario: Scenario) -> None:
    """Accesses by the debugger itself are not reported."""
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "count"))
    scenario.request(FIELD_ACCESS, field_only(scenario, "count"))
    scenario.ask(
        "ReferenceType.GetValues",
        type_id=scenario.session.type(),
        fields=[scenario.session.field("count")],
    )
    scenario.set_static("count", (3).to_bytes(4))
    scenario.to_the_stop()


# --- methods --------------------------------------------------------------------------------------


@scenario_conversation(EVENTS, "returns")
def returned_values(scenario: Scenario) -> None:
    """The values of every type; a method that throws does not return."""
    scenario.run_to("returns")
    scenario.request(METHOD_EXIT_WITH_RETURN_VALUE, MAIN, thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "returns")
def exits_without_values(scenario: Scenario) -> None:
    scenario.run_to("returns")
    scenario.request(METHOD_EXIT, MAIN, thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "returns")
def entries(scenario: Scenario) -> None:
    scenario.run_to("returns")
    scenario.request(METHOD_ENTRY, MAIN, thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversations(
    {"entry": METHOD_ENTRY, "exit": METHOD_EXIT, "value": METHOD_EXIT_WITH_RETURN_VALUE},
    EVENTS,
    "returns",
)
def of_native_methods(scenario: Scenario, kind: int) -> None:
    scenario.run_to("returnsEnd")
    scenario.request(kind, class_match("java.lang.System"), thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "loop")
def entries_of_an_instance(scenario: Scenario) -> None:
    """Static methods are entered on no instance: they pass."""
    scenario.run_to("loop")
    scenario.request(METHOD_ENTRY, MAIN, instance_only(scenario, "second"), count(3))
    scenario.request(METHOD_ENTRY, MAIN, instance_only(scenario, ""))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "colocated")
def breakpoint_in_static_code_with_an_instance(scenario: Scenario) -> None:
    scenario.break_at("entered", instance_only(scenario, "first"))
    scenario.go()


# --- exceptions -----------------------------------------------------------------------------------


def exception_only(scenario: Scenario, signature: str, *, caught: bool, uncaught: bool) -> Message:
    type_id = scenario.session.type(signature) if signature else 0
    return {"kind": 8, "exception_type": type_id, "caught": caught, "uncaught": uncaught}


FATES = {
    "all": ("", True, True),
    "caught": ("", True, False),
    "uncaught": ("", False, True),
    "neither": ("", False, False),
    "subtypes": ("Ljava/lang/IllegalStateException;", True, True),
    "object": ("Ljava/lang/Object;", True, True),
    "interface": ("Ljava/io/Serializable;", True, False),
    "unrelated": ("Ljava/lang/String;", True, True),
}


@scenario_conversations(FATES, EVENTS, "exceptions")
def exception(scenario: Scenario, fate: tuple[str, bool, bool]) -> None:
    """Exceptions by type and by what becomes of them."""
    signature, caught, uncaught = fate
    only = exception_only(scenario, signature, caught=caught, uncaught=uncaught)
    scenario.request(EXCEPTION, only, MAIN)
    scenario.to_the_stop()


EXCEPTION_FILTERS = {
    "location": lambda scenario: location_only(scenario.session.place("throwSpecial")),
    "class_exclude": lambda _: class_exclude("java.*"),
    "thread": lambda scenario: thread_only(scenario.thread),
    "count": lambda _: count(3),
}


@scenario_conversations(EXCEPTION_FILTERS, EVENTS, "exceptions")
def exception_filtered(scenario: Scenario, make: object) -> None:
    assert callable(make)
    scenario.request(EXCEPTION, MAIN, make(scenario))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "exceptions")
def exceptions_without_a_modifier(scenario: Scenario) -> None:
    """All of them, those of the JDK's own code too."""
    scenario.run_to("exceptions")
    scenario.request(EXCEPTION, thread_only(scenario.thread))
    scenario.to_the_stop()


# --- classes --------------------------------------------------------------------------------------

PREPARE_FILTERS = {
    "match": lambda _: class_match("scenarios.Events$Loaded"),
    "star_before": lambda _: class_match("*$Loaded"),
    "star_after": lambda _: class_match("scenarios.Events$Lo*"),
    "exclude": lambda _: class_exclude("java.*"),
    "source": lambda _: {"kind": 12, "pattern": "Events.java"},
    "source_star": lambda _: {"kind": 12, "pattern": "*s.java"},
    "source_of_none": lambda _: {"kind": 12, "pattern": "Nowhere.java"},
    "object": lambda scenario: class_only(scenario, "Ljava/lang/Object;"),
    "thread": lambda scenario: thread_only(scenario.thread),
}


@scenario_conversations(PREPARE_FILTERS, EVENTS, "classes")
def prepared(scenario: Scenario, make: object) -> None:
    """A class of a new loader; nothing of it has run."""
    assert callable(make)
    scenario.run_to("classes")
    scenario.request(CLASS_PREPARE, make(scenario), class_match("scenarios.*"))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "firstUse")
def prepared_with_its_supertypes(scenario: Scenario) -> None:
    """Each before its own code; the interface, too, that is not initialised."""
    scenario.run_to("firstUse")
    scenario.request(CLASS_PREPARE, class_match("scenarios.*"))
    scenario.request(METHOD_ENTRY, class_match("scenarios.*"))
    scenario.to_the_stop()


def record_unload(
    scenario: Scenario, own: str, *requests: tuple[Message, ...], policy: int
) -> None:
    """Record the unload events of a class that no other conversation uses."""
    scenario.choose(f"unload Events${own}")
    scenario.run_to("unload")
    for modifiers in requests:
        scenario.request(CLASS_UNLOAD, *modifiers, policy=policy)
    record_until_unloaded(scenario)


def record_until_unloaded(scenario: Scenario) -> None:
    """Record the unload events that were requested.

    No thread is suspended, and the collector's threads report later: the program is resumed
    again and again until an event arrives.
    """
    stop = scenario.session.break_at("stop")
    seen: list[Message] = []

    def is_reported() -> bool:
        scenario.session.resume()
        while (happened := scenario.vm.next_set())["events"][0]["kind"] != BREAKPOINT:
            seen.append(happened)
        scenario.choose("nothing")
        return bool(seen)

    wait_until(is_reported, "the unloaded class is reported")
    scenario.session.clear(BREAKPOINT, stop)
    scenario.vm.sets.extend(seen)
    scenario.client.next_sets(len(seen))
    scenario.counts([scenario.thread])


@scenario_conversations(
    {"none": (NONE, "Gone_N"), "thread": (EVENT_THREAD, "Gone_T"), "all": (ALL, "Gone_A")},
    EVENTS,
    "nothing",
)
def unloaded(scenario: Scenario, case: tuple[int, str]) -> None:
    """No thread is suspended, with any suspend policy."""
    policy, own = case
    record_unload(scenario, own, (class_match(f"*${own}"),), policy=policy)


@scenario_conversation(EVENTS, "nothing")
def unloaded_by_name(scenario: Scenario) -> None:
    own = class_match("*$Gone_B")
    requests = (class_match("other.*"),), (own, class_exclude("scenarios.*")), (own, count(1))
    record_unload(scenario, "Gone_B", *requests, policy=NONE)


# --- threads and monitors -------------------------------------------------------------------------


@scenario_conversations({"thread": EVENT_THREAD, "all": ALL}, EVENTS, "threads")
def lives_of_threads(scenario: Scenario, policy: int) -> None:
    """Start and death; at both the thread can be asked, and run methods."""
    scenario.run_to("threads")
    scenario.break_at("stop")
    scenario.request(THREAD_START, policy=policy)
    scenario.request(THREAD_DEATH, policy=policy)
    scenario.resume()
    for _ in range(2):
        (event,) = scenario.client.next_set()["events"]
        thread = event["thread"]
        for command in ("Status", "Name", "ThreadGroup", "FrameCount", "SuspendCount"):
            scenario.ask(f"ThreadReference.{command}", thread=thread)
        scenario.stack(thread)
        scenario.ask(
            "ClassType.InvokeMethod",
            type_id=scenario.session.type(),
            thread=thread,
            method_id=scenario.session.methods()["entered"],
            arguments=[{"tag": ord("I"), "value": 1}],
            options=SINGLE_THREADED,
        )
        if policy == ALL:
            scenario.resume()
        else:
            scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.client.next_set()


@scenario_conversation(EVENTS, "threads")
def life_of_one_thread_only(scenario: Scenario) -> None:
    scenario.run_to("threads")
    scenario.request(THREAD_START, thread_only(scenario.thread))
    scenario.request(THREAD_DEATH, thread_only(scenario.thread))
    scenario.to_the_stop()


MONITOR_KINDS = (
    MONITOR_CONTENDED_ENTER,
    MONITOR_CONTENDED_ENTERED,
    MONITOR_WAIT,
    MONITOR_WAITED,
)

MONITOR_FILTERS = {
    "class_of_the_code": lambda _: class_match("scenarios.*"),
    "class_of_the_monitor": lambda _: class_match("java.lang.Object"),
    "exclude": lambda _: class_exclude("java.*"),
    "class_only": lambda scenario: class_only(scenario, "Lscenarios/Events;"),
    "thread": lambda scenario: thread_only(scenario.thread),
    "instance": lambda scenario: instance_only(scenario, "lock"),
    "no_instance": lambda scenario: instance_only(scenario, ""),
    "count": lambda _: count(1),
}


OWN = class_exclude("java.lang.ref.*")
"""Leaves out the monitors of the JDK's own threads."""


@scenario_conversations(MONITOR_FILTERS, EVENTS, "monitors")
def contended(scenario: Scenario, make: object) -> None:
    assert callable(make)
    for kind in MONITOR_KINDS[:2]:
        scenario.request(kind, OWN, make(scenario))
    scenario.to_the_stop()


@scenario_conversations(MONITOR_FILTERS, EVENTS, "waiting")
def waited(scenario: Scenario, make: object) -> None:
    assert callable(make)
    for kind in MONITOR_KINDS[2:]:
        scenario.request(kind, OWN, make(scenario))
    scenario.to_the_stop()
