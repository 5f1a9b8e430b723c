# SPDX-License-Identifier: Apache-2.0
"""What each kind of event says, and which of them the filters let pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import EVENTS, Play, acting, acting_over
from tests.conformance.differential.conversations.event_requests import field_only
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

MAIN = class_match("acts.Events")


def class_only(play: Play, signature: str) -> Message:
    return {"kind": 4, "type_id": play.stage.type(signature)}


def instance_only(play: Play, name: str) -> Message:
    return {"kind": 11, "instance": play.stage.static(name) if name else 0}


# --- fields ---------------------------------------------------------------------------------------


@acting_over({"static": "count", "int": "field", "reference": "text"}, EVENTS, "fields")
def watch(play: Play, name: str) -> None:
    """Every read and write of a field."""
    play.request(FIELD_MODIFICATION, field_only(play, name))
    play.request(FIELD_ACCESS, field_only(play, name))
    play.to_the_stop()


WATCH_FILTERS = {
    "instance": lambda play: instance_only(play, "first"),
    "other_instance": lambda play: instance_only(play, "second"),
    "no_instance": lambda play: instance_only(play, ""),
    "class_match": lambda _: class_match("acts.Events$Stranger"),
    "class_exclude": lambda _: class_exclude("*Stranger"),
    "class_only": lambda play: class_only(play, "Lacts/Events$Stranger;"),
    "thread": lambda play: thread_only(play.thread),
    "other_thread": lambda play: thread_only(play.stage.threads()["Finalizer"]),
    "location": lambda play: location_only(play.stage.place("readField")),
    "count": lambda _: count(2),
}


@acting_over(WATCH_FILTERS, EVENTS, "fields")
def watch_filtered(play: Play, make: object) -> None:
    """What a filter lets pass of a field's reads and writes."""
    assert callable(make)
    play.request(FIELD_MODIFICATION, field_only(play, "field"), make(play))
    play.request(FIELD_ACCESS, field_only(play, "field"), make(play))
    play.to_the_stop()


@acting(EVENTS, "fields")
def static_watch_with_an_instance(play: Play) -> None:
    """A static field belongs to no instance, so each passes."""
    play.request(FIELD_MODIFICATION, field_only(play, "count"), instance_only(play, "first"))
    play.to_the_stop()


@acting(EVENTS, "nothing")
def watch_of_the_debugger_itself(play: Play) -> None:
    """What the debugger reads and writes is not told."""
    play.request(FIELD_MODIFICATION, field_only(play, "count"))
    play.request(FIELD_ACCESS, field_only(play, "count"))
    play.ask(
        "ReferenceType.GetValues", type_id=play.stage.type(), fields=[play.stage.field("count")]
    )
    play.set_static("count", (3).to_bytes(4))
    play.to_the_stop()


# --- methods --------------------------------------------------------------------------------------


@acting(EVENTS, "returns")
def returned_values(play: Play) -> None:
    """Of every type; a method that throws does not return."""
    play.run_to("returns")
    play.request(METHOD_EXIT_WITH_RETURN_VALUE, MAIN, thread_only(play.thread))
    play.to_the_stop()


@acting(EVENTS, "returns")
def exits_without_values(play: Play) -> None:
    play.run_to("returns")
    play.request(METHOD_EXIT, MAIN, thread_only(play.thread))
    play.to_the_stop()


@acting(EVENTS, "returns")
def entries(play: Play) -> None:
    play.run_to("returns")
    play.request(METHOD_ENTRY, MAIN, thread_only(play.thread))
    play.to_the_stop()


@acting_over(
    {"entry": METHOD_ENTRY, "exit": METHOD_EXIT, "value": METHOD_EXIT_WITH_RETURN_VALUE},
    EVENTS,
    "returns",
)
def of_native_methods(play: Play, kind: int) -> None:
    play.run_to("returnsEnd")
    play.request(kind, class_match("java.lang.System"), thread_only(play.thread))
    play.to_the_stop()


@acting(EVENTS, "loop")
def entries_of_an_instance(play: Play) -> None:
    """Static methods are entered on no instance: they pass."""
    play.run_to("loop")
    play.request(METHOD_ENTRY, MAIN, instance_only(play, "second"), count(3))
    play.request(METHOD_ENTRY, MAIN, instance_only(play, ""))
    play.to_the_stop()


@acting(EVENTS, "colocated")
def breakpoint_in_static_code_with_an_instance(play: Play) -> None:
    play.break_at("entered", instance_only(play, "first"))
    play.go()


# --- exceptions -----------------------------------------------------------------------------------


def exception_only(play: Play, signature: str, *, caught: bool, uncaught: bool) -> Message:
    type_id = play.stage.type(signature) if signature else 0
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


@acting_over(FATES, EVENTS, "exceptions")
def exception(play: Play, fate: tuple[str, bool, bool]) -> None:
    """By type and by what becomes of it."""
    signature, caught, uncaught = fate
    only = exception_only(play, signature, caught=caught, uncaught=uncaught)
    play.request(EXCEPTION, only, MAIN)
    play.to_the_stop()


EXCEPTION_FILTERS = {
    "location": lambda play: location_only(play.stage.place("throwSpecial")),
    "class_exclude": lambda _: class_exclude("java.*"),
    "thread": lambda play: thread_only(play.thread),
    "count": lambda _: count(3),
}


@acting_over(EXCEPTION_FILTERS, EVENTS, "exceptions")
def exception_filtered(play: Play, make: object) -> None:
    assert callable(make)
    play.request(EXCEPTION, MAIN, make(play))
    play.to_the_stop()


@acting(EVENTS, "exceptions")
def exceptions_without_a_modifier(play: Play) -> None:
    """All of them, those of the JDK's own code too."""
    play.run_to("exceptions")
    play.request(EXCEPTION, thread_only(play.thread))
    play.to_the_stop()


# --- classes --------------------------------------------------------------------------------------

PREPARE_FILTERS = {
    "match": lambda _: class_match("acts.Events$Loaded"),
    "star_before": lambda _: class_match("*$Loaded"),
    "star_after": lambda _: class_match("acts.Events$Lo*"),
    "exclude": lambda _: class_exclude("java.*"),
    "source": lambda _: {"kind": 12, "pattern": "Events.java"},
    "source_star": lambda _: {"kind": 12, "pattern": "*s.java"},
    "source_of_none": lambda _: {"kind": 12, "pattern": "Nowhere.java"},
    "object": lambda play: class_only(play, "Ljava/lang/Object;"),
    "thread": lambda play: thread_only(play.thread),
}


@acting_over(PREPARE_FILTERS, EVENTS, "classes")
def prepared(play: Play, make: object) -> None:
    """A class of a new loader; nothing of it has run."""
    assert callable(make)
    play.run_to("classes")
    play.request(CLASS_PREPARE, make(play), class_match("acts.*"))
    play.to_the_stop()


@acting(EVENTS, "firstUse")
def prepared_with_its_supertypes(play: Play) -> None:
    """Each before its own code; the interface, too, that is not initialised."""
    play.run_to("firstUse")
    play.request(CLASS_PREPARE, class_match("acts.*"))
    play.request(METHOD_ENTRY, class_match("acts.*"))
    play.to_the_stop()


def record_unload(play: Play, own: str, *requests: tuple[Message, ...], policy: int) -> None:
    """What is told of the end of a class that no other conversation has, by these requests.

    Nobody is suspended, and the collector's threads tell in their own time: so the program goes
    from stop to stop until it is told.
    """
    play.choose(f"unload Events${own}")
    play.run_to("unload")
    for modifiers in requests:
        play.request(CLASS_UNLOAD, *modifiers, policy=policy)
    stop = play.stage.break_at("stop")
    seen: list[Message] = []

    def is_told() -> bool:
        play.stage.resume()
        while (happened := play.vm.next_set())["events"][0]["kind"] != BREAKPOINT:
            seen.append(happened)
        play.choose("nothing")
        return bool(seen)

    wait_until(is_told, "the unloaded class is told")
    play.stage.clear(BREAKPOINT, stop)
    play.vm.sets.extend(seen)
    play.talk.next_sets(len(seen))
    play.counts([play.thread])


@acting_over(
    {"none": (NONE, "Gone_N"), "thread": (EVENT_THREAD, "Gone_T"), "all": (ALL, "Gone_A")},
    EVENTS,
    "nothing",
)
def unloaded(play: Play, case: tuple[int, str]) -> None:
    """Nobody is suspended, whatever the policy."""
    policy, own = case
    record_unload(play, own, (class_match(f"*${own}"),), policy=policy)


@acting(EVENTS, "nothing")
def unloaded_by_name(play: Play) -> None:
    own = class_match("*$Gone_B")
    requests = (class_match("other.*"),), (own, class_exclude("acts.*")), (own, count(1))
    record_unload(play, "Gone_B", *requests, policy=NONE)


# --- threads and monitors -------------------------------------------------------------------------


@acting_over({"thread": EVENT_THREAD, "all": ALL}, EVENTS, "threads")
def lives_of_threads(play: Play, policy: int) -> None:
    """Start and death; at both the thread can be asked, and run methods."""
    play.run_to("threads")
    play.break_at("stop")
    play.request(THREAD_START, policy=policy)
    play.request(THREAD_DEATH, policy=policy)
    play.resume()
    for _ in range(2):
        (event,) = play.talk.next_set()["events"]
        thread = event["thread"]
        for command in ("Status", "Name", "ThreadGroup", "FrameCount", "SuspendCount"):
            play.ask(f"ThreadReference.{command}", thread=thread)
        play.stack(thread)
        play.ask(
            "ClassType.InvokeMethod",
            type_id=play.stage.type(),
            thread=thread,
            method_id=play.stage.methods()["entered"],
            arguments=[{"tag": ord("I"), "value": 1}],
            options=SINGLE_THREADED,
        )
        if policy == ALL:
            play.resume()
        else:
            play.ask("ThreadReference.Resume", thread=thread)
    play.talk.next_set()


@acting(EVENTS, "threads")
def life_of_one_thread_only(play: Play) -> None:
    play.run_to("threads")
    play.request(THREAD_START, thread_only(play.thread))
    play.request(THREAD_DEATH, thread_only(play.thread))
    play.to_the_stop()


MONITOR_KINDS = (
    MONITOR_CONTENDED_ENTER,
    MONITOR_CONTENDED_ENTERED,
    MONITOR_WAIT,
    MONITOR_WAITED,
)

MONITOR_FILTERS = {
    "class_of_the_code": lambda _: class_match("acts.*"),
    "class_of_the_monitor": lambda _: class_match("java.lang.Object"),
    "exclude": lambda _: class_exclude("java.*"),
    "class_only": lambda play: class_only(play, "Lacts/Events;"),
    "thread": lambda play: thread_only(play.thread),
    "instance": lambda play: instance_only(play, "lock"),
    "no_instance": lambda play: instance_only(play, ""),
    "count": lambda _: count(1),
}


OWN = class_exclude("java.lang.ref.*")
"""Leaves out the monitors of the JDK's own threads."""


@acting_over(MONITOR_FILTERS, EVENTS, "monitors")
def contended(play: Play, make: object) -> None:
    assert callable(make)
    for kind in MONITOR_KINDS[:2]:
        play.request(kind, OWN, make(play))
    play.to_the_stop()


@acting_over(MONITOR_FILTERS, EVENTS, "waiting")
def waited(play: Play, make: object) -> None:
    assert callable(make)
    for kind in MONITOR_KINDS[2:]:
        play.request(kind, OWN, make(play))
    play.to_the_stop()
