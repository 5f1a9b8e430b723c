# SPDX-License-Identifier: Apache-2.0
"""Methods that a thread runs for the debugger: which, with what, on which thread, and meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.calls import (
    BASE,
    DERIVED,
    GREETER,
    UNKNOWN_ID,
    construct,
    integer,
    on_class,
    on_object,
    reference,
)
from tests.conformance.differential.conversations.event_requests import field_only
from tests.conformance.differential.scenarios import (
    EVENTS,
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
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
    wait_until,
)

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

# --- what is called -------------------------------------------------------------------------------


@scenario_conversations({"single": SINGLE_THREADED, "all": 0}, MANY_THREADS, "nothing")
def static_methods(scenario: Scenario, options: int) -> None:
    on_class(scenario, "add", integer(2), integer(3), options=options)
    scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
    on_class(scenario, "returned", options=options)
    on_class(scenario, "same", reference(scenario.session.static("derived")), options=options)
    scenario.stack()


@scenario_conversation(MANY_THREADS, "nothing")
def arguments_of_every_type(scenario: Scenario) -> None:
    string = scenario.vm.ask("VirtualMachine.CreateString", text="text")["string"]
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
    reply = on_class(scenario, "all", *arguments, reference(string, "s"))
    scenario.ask("StringReference.Value", string=reply["return_value"]["value"])
    reply = on_class(scenario, "all", *arguments, reference(0))
    scenario.ask("StringReference.Value", string=reply["return_value"]["value"])


@scenario_conversation(MANY_THREADS, "nothing")
def results_of_every_type(scenario: Scenario) -> None:
    for name in ("aBoolean", "aByte", "aChar", "aShort", "anInt", "aLong", "aFloat", "aDouble"):
        on_class(scenario, name)
    for name in ("anObject", "aString", "aBase", "aVoid"):
        on_class(scenario, name)
    on_class(scenario, "sameArray", reference(scenario.session.static("progress"), "["))


@scenario_conversation(MANY_THREADS, "nothing")
def instance_methods(scenario: Scenario) -> None:
    derived = scenario.session.static("derived")
    for owner in (BASE, DERIVED, GREETER):
        reply = on_object(scenario, derived, "who", owner)
        scenario.ask("StringReference.Value", string=reply["return_value"]["value"])
    for owner in (BASE, DERIVED):
        reply = on_object(scenario, derived, "who", owner, options=SINGLE_THREADED | NONVIRTUAL)
        scenario.ask("StringReference.Value", string=reply["return_value"]["value"])
    on_object(scenario, derived, "hidden", BASE)
    on_object(scenario, derived, "itself", BASE, reference(scenario.session.static("base")))


@scenario_conversation(MANY_THREADS, "nothing")
def default_methods(scenario: Scenario) -> None:
    for name in ("base", "derived"):
        for options in (SINGLE_THREADED, SINGLE_THREADED | NONVIRTUAL):
            target = scenario.session.static(name)
            reply = on_object(scenario, target, "greet", GREETER, options=options)
            scenario.ask("StringReference.Value", string=reply["return_value"]["value"])


@scenario_conversation(MANY_THREADS, "nothing")
def static_methods_of_interfaces(scenario: Scenario) -> None:
    fields = {
        "thread": scenario.thread,
        "method_id": scenario.method(GREETER, "twice"),
        "arguments": [integer(4)],
        "options": SINGLE_THREADED,
    }
    scenario.ask("InterfaceType.InvokeMethod", type_id=scenario.session.type(GREETER), **fields)


@scenario_conversation(MANY_THREADS, "nothing")
def array_as_an_object(scenario: Scenario) -> None:
    array = scenario.session.static("progress")
    on_object(scenario, array, "getClass", "Ljava/lang/Object;")


@scenario_conversation(MANY_THREADS, "nothing")
def constructors(scenario: Scenario) -> None:
    construct(scenario, DERIVED, "<init>", integer(5))
    construct(scenario, DERIVED, "<init>", integer(-5))
    construct(scenario, BASE, "<init>", options=0)
    construct(scenario, "Ljava/lang/String;", "<init>()V")


@scenario_conversation(MANY_THREADS, "nothing")
def inherited_static_method(scenario: Scenario) -> None:
    """Named by a subclass."""
    fields = {
        "thread": scenario.thread,
        "method_id": scenario.method("Ljava/lang/Thread;", "currentThread"),
        "arguments": [],
        "options": SINGLE_THREADED,
    }
    finalizer = scenario.session.threads()["Finalizer"]
    type_id = scenario.vm.ask("ObjectReference.ReferenceType", object=finalizer)["type_id"]
    scenario.ask("ClassType.InvokeMethod", type_id=type_id, **fields)


# --- what throws ----------------------------------------------------------------------------------


@scenario_conversations({"single": SINGLE_THREADED, "all": 0}, MANY_THREADS, "nothing")
def that_throw(scenario: Scenario, options: int) -> None:
    on_class(scenario, "fail", reference(0), options=options)
    on_class(scenario, "failObject", options=options)
    on_class(scenario, "failVoid", options=options)
    scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
    scenario.stack()


@scenario_conversation(MANY_THREADS, "nothing")
def that_throw_while_exceptions_are_told(scenario: Scenario) -> None:
    scenario.request(EXCEPTION, class_match("scenarios.ManyThreads"), policy=NONE)
    on_class(scenario, "failObject")
    scenario.client.next_set()


# --- what is wrong --------------------------------------------------------------------------------


@scenario_conversation(MANY_THREADS, "nothing")
def number_of_arguments(scenario: Scenario) -> None:
    on_class(scenario, "add", integer(1))
    on_class(scenario, "add", integer(1), integer(2), integer(3))
    on_class(scenario, "add")


@scenario_conversation(MANY_THREADS, "nothing")
def types_of_arguments(scenario: Scenario) -> None:
    on_class(scenario, "sameBase", reference(scenario.thread, "t"))
    on_class(scenario, "sameArray", reference(scenario.session.static("base")))


@scenario_conversation(MANY_THREADS, "nothing")
def subtypes_as_arguments(scenario: Scenario) -> None:
    on_class(scenario, "sameBase", reference(scenario.session.static("derived")))
    on_class(scenario, "sameBase", reference(UNKNOWN_ID))


WRONG_TAGS = {
    "int_for_long": ("add", [{"tag": ord("J"), "value": 1}, integer(2)]),
    "reference_for_int": ("add", [reference(0), integer(2)]),
    "int_for_reference": ("sameBase", [integer(1)]),
}


@scenario_conversations(WRONG_TAGS, MANY_THREADS, "nothing")
def tags_of_arguments(scenario: Scenario, wrong: tuple[str, list[Message]]) -> None:
    name, arguments = wrong
    on_class(scenario, name, *arguments)


@scenario_conversations({"null": 0, "unknown": UNKNOWN_ID}, MANY_THREADS, "nothing")
def type_that_is_wrong(scenario: Scenario, wrong: int) -> None:
    on_class(scenario, "add", integer(1), integer(2), type_id=wrong)


@scenario_conversations({"null": 0, "unknown": UNKNOWN_ID}, MANY_THREADS, "nothing")
def object_that_is_wrong(scenario: Scenario, wrong: int) -> None:
    on_object(scenario, wrong, "who", BASE)


@scenario_conversations({"null": 0, "unknown": UNKNOWN_ID, "class": -1}, MANY_THREADS, "nothing")
def thread_that_is_wrong(scenario: Scenario, wrong: int) -> None:
    thread = scenario.session.type() if wrong == -1 else wrong
    on_class(scenario, "add", integer(1), integer(2), thread=thread)


@scenario_conversation(MANY_THREADS, "nothing")
def instance_method_as_static(scenario: Scenario) -> None:
    on_class(scenario, "who", owner=BASE)


@scenario_conversation(MANY_THREADS, "nothing")
def static_method_as_instance(scenario: Scenario) -> None:
    on_object(scenario, scenario.session.static("base"), "add", "", integer(1), integer(2))


@scenario_conversation(MANY_THREADS, "nothing")
def constructor_as_method(scenario: Scenario) -> None:
    on_object(scenario, scenario.session.static("derived"), "<init>", DERIVED, integer(1))


@scenario_conversation(MANY_THREADS, "nothing")
def method_as_constructor(scenario: Scenario) -> None:
    construct(scenario, BASE, "who")


@scenario_conversation(MANY_THREADS, "nothing")
def method_of_another_class(scenario: Scenario) -> None:
    on_object(scenario, scenario.session.static("base"), "who", DERIVED)


# --- on which thread ------------------------------------------------------------------------------


@scenario_conversation(MANY_THREADS, "nothing")
def threads_that_cannot(scenario: Scenario) -> None:
    """Suspended but not by an event; running. One that does not live libjdwp never answers."""
    worker, finalizer = (scenario.session.threads()[name] for name in ("worker-0", "Finalizer"))
    for thread in (worker, finalizer):
        on_class(scenario, "add", integer(1), integer(2), thread=thread)
    scenario.vm.ask("ThreadReference.Resume", thread=worker)
    on_class(scenario, "add", integer(1), integer(2), thread=worker)
    scenario.vm.ask("ThreadReference.Suspend", thread=worker)


@scenario_conversation(MANY_THREADS, "nothing")
def thread_that_was_resumed(scenario: Scenario) -> None:
    scenario.set_static("count", (1).to_bytes(4))
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    wait_until(lambda: scenario.session.static("count") == 0, "the thread has left its event")
    on_class(scenario, "add", integer(1), integer(2))
    scenario.vm.ask("ThreadReference.Suspend", thread=scenario.thread)
    on_class(scenario, "add", integer(1), integer(2))


@scenario_conversation(MANY_THREADS, "nothing")
def thread_that_is_suspended_twice(scenario: Scenario) -> None:
    """Invokes not alone: all get one suspend less, so it does not run before one more."""
    scenario.ask("ThreadReference.Suspend", thread=scenario.thread)
    asked = scenario.vm.send("ClassType.InvokeMethod", **adding(scenario))
    scenario.counts([scenario.thread])
    scenario.vm.send("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.note("reply", scenario.vm.reply_to(asked)["return_value"]["value"])
    scenario.counts([scenario.thread])


def adding(scenario: Scenario, thread: int = 0) -> Message:
    """The request for the sum of 1 and 2."""
    return {
        "type_id": scenario.session.type(),
        "thread": thread or scenario.thread,
        "method_id": scenario.session.methods()["add"],
        "arguments": [integer(1), integer(2)],
        "options": SINGLE_THREADED,
    }


@scenario_conversations({"thread": EVENT_THREAD, "all": ALL}, MANY_THREADS, "spawn")
def on_two_threads_at_once(scenario: Scenario, policy: int) -> None:
    worker = scenario.session.threads()["worker-0"]
    scenario.break_at("work", thread_only(worker), count(1), policy=policy)
    scenario.resume()
    scenario.client.next_set()
    on_class(scenario, "add", integer(1), integer(2), thread=worker)
    on_class(scenario, "add", integer(3), integer(4), thread=worker, options=0)
    scenario.counts([worker])


KINDS_OF_EVENTS = {
    "entry": METHOD_ENTRY,
    "exit": METHOD_EXIT,
    "exception": EXCEPTION,
    "watch": FIELD_ACCESS,
}


@scenario_conversations(KINDS_OF_EVENTS, EVENTS, "nothing")
def at_every_kind_of_event(scenario: Scenario, kind: int) -> None:
    scenario.choose(
        "exceptions" if kind == EXCEPTION else "fields" if kind == FIELD_ACCESS else "loop"
    )
    needed = [field_only(scenario, "field")] if kind == FIELD_ACCESS else []
    request = scenario.request(
        kind, *needed, thread_only(scenario.thread), class_match("scenarios.Events")
    )
    scenario.go()
    scenario.clear(kind, request)
    _entered(scenario)
    scenario.counts([scenario.thread])
    _entered(scenario)
    if kind != METHOD_EXIT:  # from there libjdwp does not step
        scenario.step(OVER)


def _at_an_exit(scenario: Scenario) -> None:
    request = scenario.request(
        METHOD_EXIT, thread_only(scenario.thread), class_match("scenarios.Events")
    )
    scenario.go()
    scenario.clear(METHOD_EXIT, request)


@scenario_conversation(EVENTS, "loop")
def step_out_from_a_method_exit(scenario: Scenario) -> None:
    _at_an_exit(scenario)
    _entered(scenario)
    scenario.step(OUT)


@scenario_conversations({"over": OVER, "into": INTO}, EVENTS, "loop")
def step_from_a_method_exit(scenario: Scenario, depth: int) -> None:
    """Steps from a method exit; the step ends in the caller."""
    _at_an_exit(scenario)
    _entered(scenario)
    caller = scenario.session.frames(scenario.thread)[1]["location"]["method_id"]
    (event,) = scenario.step(depth)
    assert event["location"]["method_id"] == caller


@scenario_conversation(EVENTS, "classes")
def at_a_class_prepare(scenario: Scenario) -> None:
    scenario.request(CLASS_PREPARE, class_match("scenarios.*"))
    scenario.go()
    _entered(scenario)


@scenario_conversations(
    {"contended": MONITOR_CONTENDED_ENTERED, "waited": MONITOR_WAITED}, EVENTS, "nothing"
)
def at_monitors(scenario: Scenario, kind: int) -> None:
    scenario.choose("monitors" if kind == MONITOR_CONTENDED_ENTERED else "waiting")
    pattern = "scenarios.*" if kind == MONITOR_CONTENDED_ENTERED else "java.lang.Object"
    scenario.request(kind, class_match(pattern), count(1))
    (event,) = scenario.go()
    _entered(scenario, event["thread"])


def _entered(scenario: Scenario, thread: int = 0) -> None:
    scenario.invoke("entered", 1, thread=thread)
