# SPDX-License-Identifier: Apache-2.0
"""Methods that a thread runs for the debugger: which, with what, on which thread, and meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conformance.differential.acts import CROWD, EVENTS, Play, acting, acting_over
from tests.conformance.differential.conversations.event_requests import field_only
from tests.conformance.jdwp.stage import (
    ALL,
    CLASS_PREPARE,
    EVENT_THREAD,
    EXCEPTION,
    FIELD_ACCESS,
    INTO,
    METHOD_ENTRY,
    METHOD_EXIT,
    MONITOR_CONTENDED_ENTERED,
    MONITOR_WAITED,
    NONE,
    NONVIRTUAL,
    OUT,
    OVER,
    SINGLE_THREADED,
    class_match,
    count,
    thread_only,
)

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Answer
    from tests.support.wire_reading import Message

BASE, DERIVED = "Lacts/Crowd$Base;", "Lacts/Crowd$Derived;"
GREETER, LAZY, BROKEN = "Lacts/Crowd$Greeter;", "Lacts/Crowd$Lazy;", "Lacts/Crowd$Broken;"
UNKNOWN_ID = 0x7FFF_FFF0


def integer(number: int) -> Message:
    return {"tag": ord("I"), "value": number}


def reference(number: int, tag: str = "L") -> Message:
    return {"tag": ord(tag), "value": number}


def on_class(play: Play, name: str, *arguments: Message, **other: Any) -> Answer:
    """A static method of the main class, or of `owner`."""
    owner = other.pop("owner", "")
    fields = {
        "type_id": play.stage.type(owner),
        "thread": play.thread,
        "method_id": play.method(owner, name),
        "arguments": list(arguments),
        "options": SINGLE_THREADED,
        **other,
    }
    return play.ask("ClassType.InvokeMethod", **fields)


def on_object(
    play: Play, target: int, name: str, owner: str, *arguments: Message, options: int = 1
) -> Answer:
    return play.ask(
        "ObjectReference.InvokeMethod",
        object=target,
        thread=play.thread,
        type_id=play.stage.type(owner),
        method_id=play.method(owner, name),
        arguments=list(arguments),
        options=options,
    )


def construct(play: Play, owner: str, name: str, *arguments: Message, options: int = 1) -> Answer:
    return play.ask(
        "ClassType.NewInstance",
        type_id=play.stage.type(owner),
        thread=play.thread,
        method_id=play.method(owner, name),
        arguments=list(arguments),
        options=options,
    )


# --- what is called -------------------------------------------------------------------------------


@acting_over({"single": SINGLE_THREADED, "all": 0}, CROWD, "nothing")
def static_methods(play: Play, options: int) -> None:
    on_class(play, "add", integer(2), integer(3), options=options)
    play.counts([play.thread, play.stage.threads()["Finalizer"]])
    on_class(play, "returned", options=options)
    on_class(play, "same", reference(play.stage.static("derived")), options=options)
    play.stack()


@acting(CROWD, "nothing")
def arguments_of_every_type(play: Play) -> None:
    string = play.vm.ask("VirtualMachine.CreateString", text="text")["string"]
    plain: list[tuple[str, float]] = [
        ("Z", True),
        ("B", -1),
        ("C", 0x78),
        ("S", -300),
        ("I", 1 << 30),
        ("J", 1 << 40),
    ]
    plain += [("F", 1.5), ("D", -2.5)]
    arguments = [{"tag": ord(tag), "value": value} for tag, value in plain]
    reply = on_class(play, "all", *arguments, reference(string, "s"))
    play.ask("StringReference.Value", string=reply["return_value"]["value"])
    reply = on_class(play, "all", *arguments, reference(0))
    play.ask("StringReference.Value", string=reply["return_value"]["value"])


@acting(CROWD, "nothing")
def results_of_every_type(play: Play) -> None:
    for name in ("aBoolean", "aByte", "aChar", "aShort", "anInt", "aLong", "aFloat", "aDouble"):
        on_class(play, name)
    for name in ("anObject", "aString", "aBase", "aVoid"):
        on_class(play, name)
    on_class(play, "sameArray", reference(play.stage.static("progress"), "["))


@acting(CROWD, "nothing")
def instance_methods(play: Play) -> None:
    derived = play.stage.static("derived")
    for owner in (BASE, DERIVED, GREETER):
        reply = on_object(play, derived, "who", owner)
        play.ask("StringReference.Value", string=reply["return_value"]["value"])
    for owner in (BASE, DERIVED):
        reply = on_object(play, derived, "who", owner, options=SINGLE_THREADED | NONVIRTUAL)
        play.ask("StringReference.Value", string=reply["return_value"]["value"])
    on_object(play, derived, "hidden", BASE)
    on_object(play, derived, "itself", BASE, reference(play.stage.static("base")))


@acting(CROWD, "nothing")
def default_methods(play: Play) -> None:
    for name in ("base", "derived"):
        for options in (SINGLE_THREADED, SINGLE_THREADED | NONVIRTUAL):
            target = play.stage.static(name)
            reply = on_object(play, target, "greet", GREETER, options=options)
            play.ask("StringReference.Value", string=reply["return_value"]["value"])


@acting(CROWD, "nothing")
def static_methods_of_interfaces(play: Play) -> None:
    fields = {
        "thread": play.thread,
        "method_id": play.method(GREETER, "twice"),
        "arguments": [integer(4)],
        "options": SINGLE_THREADED,
    }
    play.ask("InterfaceType.InvokeMethod", type_id=play.stage.type(GREETER), **fields)


@acting(CROWD, "nothing")
def array_as_an_object(play: Play) -> None:
    array = play.stage.static("progress")
    on_object(play, array, "getClass", "Ljava/lang/Object;")


@acting(CROWD, "nothing")
def constructors(play: Play) -> None:
    construct(play, DERIVED, "<init>", integer(5))
    construct(play, DERIVED, "<init>", integer(-5))
    construct(play, BASE, "<init>", options=0)
    construct(play, "Ljava/lang/String;", "<init>()V")


@acting(CROWD, "nothing")
def inherited_static_method(play: Play) -> None:
    """Named by a subclass."""
    fields = {
        "thread": play.thread,
        "method_id": play.method("Ljava/lang/Thread;", "currentThread"),
        "arguments": [],
        "options": SINGLE_THREADED,
    }
    finalizer = play.stage.threads()["Finalizer"]
    type_id = play.vm.ask("ObjectReference.ReferenceType", object=finalizer)["type_id"]
    play.ask("ClassType.InvokeMethod", type_id=type_id, **fields)


# --- what throws ----------------------------------------------------------------------------------


@acting_over({"single": SINGLE_THREADED, "all": 0}, CROWD, "nothing")
def that_throw(play: Play, options: int) -> None:
    on_class(play, "fail", reference(0), options=options)
    on_class(play, "failObject", options=options)
    on_class(play, "failVoid", options=options)
    play.counts([play.thread, play.stage.threads()["Finalizer"]])
    play.stack()


@acting(CROWD, "nothing")
def that_throw_while_exceptions_are_told(play: Play) -> None:
    play.request(EXCEPTION, class_match("acts.Crowd"), policy=NONE)
    on_class(play, "failObject")
    play.talk.next_set()


# --- what is wrong --------------------------------------------------------------------------------


@acting(CROWD, "nothing")
def number_of_arguments(play: Play) -> None:
    on_class(play, "add", integer(1))
    on_class(play, "add", integer(1), integer(2), integer(3))
    on_class(play, "add")


@acting(CROWD, "nothing")
def types_of_arguments(play: Play) -> None:
    on_class(play, "sameBase", reference(play.thread, "t"))
    on_class(play, "sameArray", reference(play.stage.static("base")))


@acting(CROWD, "nothing")
def subtypes_as_arguments(play: Play) -> None:
    on_class(play, "sameBase", reference(play.stage.static("derived")))
    on_class(play, "sameBase", reference(UNKNOWN_ID))


WRONG_TAGS = {
    "int_for_long": ("add", [{"tag": ord("J"), "value": 1}, integer(2)]),
    "reference_for_int": ("add", [reference(0), integer(2)]),
    "int_for_reference": ("sameBase", [integer(1)]),
}


@acting_over(WRONG_TAGS, CROWD, "nothing")
def tags_of_arguments(play: Play, wrong: tuple[str, list[Message]]) -> None:
    name, arguments = wrong
    on_class(play, name, *arguments)


@acting_over({"null": 0, "unknown": UNKNOWN_ID}, CROWD, "nothing")
def type_that_is_wrong(play: Play, wrong: int) -> None:
    on_class(play, "add", integer(1), integer(2), type_id=wrong)


@acting_over({"null": 0, "unknown": UNKNOWN_ID}, CROWD, "nothing")
def object_that_is_wrong(play: Play, wrong: int) -> None:
    on_object(play, wrong, "who", BASE)


@acting_over({"null": 0, "unknown": UNKNOWN_ID, "class": -1}, CROWD, "nothing")
def thread_that_is_wrong(play: Play, wrong: int) -> None:
    thread = play.stage.type() if wrong == -1 else wrong
    on_class(play, "add", integer(1), integer(2), thread=thread)


@acting(CROWD, "nothing")
def instance_method_as_static(play: Play) -> None:
    on_class(play, "who", owner=BASE)


@acting(CROWD, "nothing")
def static_method_as_instance(play: Play) -> None:
    on_object(play, play.stage.static("base"), "add", "", integer(1), integer(2))


@acting(CROWD, "nothing")
def constructor_as_method(play: Play) -> None:
    on_object(play, play.stage.static("derived"), "<init>", DERIVED, integer(1))


@acting(CROWD, "nothing")
def method_as_constructor(play: Play) -> None:
    construct(play, BASE, "who")


@acting(CROWD, "nothing")
def method_of_another_class(play: Play) -> None:
    on_object(play, play.stage.static("base"), "who", DERIVED)


# --- on which thread ------------------------------------------------------------------------------


@acting(CROWD, "nothing")
def threads_that_cannot(play: Play) -> None:
    """Suspended but not by an event; running. One that does not live libjdwp never answers."""
    worker, finalizer = (play.stage.threads()[name] for name in ("worker-0", "Finalizer"))
    for thread in (worker, finalizer):
        on_class(play, "add", integer(1), integer(2), thread=thread)
    play.vm.ask("ThreadReference.Resume", thread=worker)
    on_class(play, "add", integer(1), integer(2), thread=worker)
    play.vm.ask("ThreadReference.Suspend", thread=worker)


@acting(CROWD, "nothing")
def thread_that_was_resumed(play: Play) -> None:
    play.ask("ThreadReference.Resume", thread=play.thread)
    on_class(play, "add", integer(1), integer(2))
    play.vm.ask("ThreadReference.Suspend", thread=play.thread)
    on_class(play, "add", integer(1), integer(2))


@acting(CROWD, "nothing")
def thread_that_is_suspended_twice(play: Play) -> None:
    """Not single threaded: all get one suspend less, so it does not run before one more."""
    play.ask("ThreadReference.Suspend", thread=play.thread)
    asked = play.vm.send("ClassType.InvokeMethod", **adding(play))
    play.counts([play.thread])
    play.vm.send("ThreadReference.Resume", thread=play.thread)
    play.talk.note("reply", play.vm.reply_to(asked)["return_value"]["value"])
    play.counts([play.thread])


def adding(play: Play, thread: int = 0) -> Message:
    """The request for the sum of 1 and 2."""
    return {
        "type_id": play.stage.type(),
        "thread": thread or play.thread,
        "method_id": play.stage.methods()["add"],
        "arguments": [integer(1), integer(2)],
        "options": SINGLE_THREADED,
    }


@acting_over({"thread": EVENT_THREAD, "all": ALL}, CROWD, "spawn")
def on_two_threads_at_once(play: Play, policy: int) -> None:
    worker = play.stage.threads()["worker-0"]
    play.break_at("work", thread_only(worker), count(1), policy=policy)
    play.resume()
    play.talk.next_set()
    on_class(play, "add", integer(1), integer(2), thread=worker)
    on_class(play, "add", integer(3), integer(4), thread=worker, options=0)
    play.counts([worker])


KINDS_OF_EVENTS = {
    "entry": METHOD_ENTRY,
    "exit": METHOD_EXIT,
    "exception": EXCEPTION,
    "watch": FIELD_ACCESS,
}


@acting_over(KINDS_OF_EVENTS, EVENTS, "nothing")
def at_every_kind_of_event(play: Play, kind: int) -> None:
    play.choose("exceptions" if kind == EXCEPTION else "fields" if kind == FIELD_ACCESS else "loop")
    needed = [field_only(play, "field")] if kind == FIELD_ACCESS else []
    request = play.request(kind, *needed, thread_only(play.thread), class_match("acts.Events"))
    play.go()
    play.clear(kind, request)
    _entered(play)
    play.counts([play.thread])
    _entered(play)
    if kind != METHOD_EXIT:  # from there libjdwp does not step
        play.step(OVER)


def _at_an_exit(play: Play) -> None:
    request = play.request(METHOD_EXIT, thread_only(play.thread), class_match("acts.Events"))
    play.go()
    play.clear(METHOD_EXIT, request)


@acting(EVENTS, "loop")
def step_out_from_a_method_exit(play: Play) -> None:
    _at_an_exit(play)
    _entered(play)
    play.step(OUT)


@acting_over({"over": OVER, "into": INTO}, EVENTS, "loop")
def step_from_a_method_exit(play: Play, depth: int) -> None:
    """It ends in the caller."""
    _at_an_exit(play)
    _entered(play)
    caller = play.stage.frames(play.thread)[1]["location"]["method_id"]
    (event,) = play.step(depth)
    assert event["location"]["method_id"] == caller


@acting(EVENTS, "classes")
def at_a_class_prepare(play: Play) -> None:
    play.request(CLASS_PREPARE, class_match("acts.*"))
    play.go()
    _entered(play)


@acting_over({"contended": MONITOR_CONTENDED_ENTERED, "waited": MONITOR_WAITED}, EVENTS, "nothing")
def at_monitors(play: Play, kind: int) -> None:
    play.choose("monitors" if kind == MONITOR_CONTENDED_ENTERED else "waiting")
    pattern = "acts.*" if kind == MONITOR_CONTENDED_ENTERED else "java.lang.Object"
    play.request(kind, class_match(pattern), count(1))
    (event,) = play.go()
    _entered(play, event["thread"])


def _entered(play: Play, thread: int = 0) -> None:
    play.invoke("entered", 1, thread=thread)
