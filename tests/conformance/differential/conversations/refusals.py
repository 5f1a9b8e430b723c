# SPDX-License-Identifier: Apache-2.0
"""Errors that need a certain state or a certain object: one conversation for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.calls import (
    BASE,
    DERIVED,
    GREETER,
    construct,
    integer,
    on_class,
    on_object,
    reference,
)
from tests.conformance.differential.conversations.event_requests import field_only, offer
from tests.conformance.differential.conversations.invocations import adding
from tests.conformance.differential.finds import UNKNOWN, Finds
from tests.conformance.differential.fixture import BARE_TARGET, TYPES
from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.differential.requests import LEAF, METHOD_COMMANDS, TYPE_COMMANDS
from tests.conformance.differential.scenarios import (
    EVENTS,
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.conformance.jdwp.target import ids, raw
from tests.support.jdwp_session import (
    BREAKPOINT,
    CLASS_PREPARE,
    FIELD_ACCESS,
    NONE,
    VM_DEATH,
    location_only,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.differential.recording_client import RecordingClient
    from tests.support.wire_reading import Message


# --- invocations ----------------------------------------------------------------------------------


def _on_interface(scenario: Scenario, *arguments: Message) -> None:
    scenario.ask(
        "InterfaceType.InvokeMethod",
        type_id=scenario.session.type(GREETER),
        thread=scenario.thread,
        method_id=scenario.method(GREETER, "twice"),
        arguments=list(arguments),
        options=1,
    )


@scenario_conversation(MANY_THREADS, "nothing")
def invocation_that_waits_already(scenario: Scenario) -> None:
    """The thread is suspended once more than the invocation takes off it, and has not begun."""
    scenario.vm.ask("ThreadReference.Suspend", thread=scenario.thread)
    asked = scenario.vm.send("ClassType.InvokeMethod", **adding(scenario))
    on_class(scenario, "add", integer(1), integer(2))
    construct(scenario, BASE, "<init>")
    _on_interface(scenario, integer(4))
    on_object(scenario, scenario.session.static("derived"), "who", BASE)
    scenario.vm.send("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.note("reply", scenario.vm.reply_to(asked)["return_value"]["value"])
    on_class(scenario, "add", integer(1), integer(2))


@scenario_conversation(MANY_THREADS, "nothing")
def arguments_of_constructors(scenario: Scenario) -> None:
    construct(scenario, DERIVED, "<init>")
    construct(scenario, DERIVED, "<init>", integer(1), integer(2))
    construct(scenario, DERIVED, "<init>", reference(scenario.session.static("base")))


@scenario_conversation(MANY_THREADS, "nothing")
def arguments_of_methods_of_interfaces(scenario: Scenario) -> None:
    _on_interface(scenario)
    _on_interface(scenario, integer(1), integer(2))
    _on_interface(scenario, reference(scenario.session.static("base")))


@scenario_conversation(MANY_THREADS, "nothing")
def arguments_of_instance_methods(scenario: Scenario) -> None:
    target = scenario.session.static("base")
    on_object(scenario, target, "itself", BASE)
    on_object(scenario, target, "itself", BASE, integer(1))
    on_object(scenario, target, "itself", BASE, reference(scenario.thread, "t"))


# --- stacks ---------------------------------------------------------------------------------------


@scenario_conversation(MANY_THREADS, "stack")
def pop_on_a_wrong_thread(scenario: Scenario) -> None:
    scenario.run_to("deepEnd")
    frame = scenario.session.frames(scenario.thread)[0]["frame_id"]
    wrong = [UNKNOWN, scenario.session.type(), scenario.session.static("base")]
    wrong += [scenario.session.static("ended"), scenario.session.static("unstarted")]
    for thread in wrong:
        scenario.ask("StackFrame.PopFrames", thread=thread, frame=frame)
    scenario.stack()


@scenario_conversation(MANY_THREADS, "stack")
def pop_on_no_thread(scenario: Scenario) -> None:
    scenario.run_to("deepEnd")
    frame = scenario.session.frames(scenario.thread)[0]["frame_id"]
    scenario.ask("StackFrame.PopFrames", thread=0, frame=frame)


@scenario_conversation(MANY_THREADS, "nothing")
def forced_where_no_code_is(scenario: Scenario) -> None:
    """A thread of the VM that has no frames."""
    thread = scenario.session.threads()["Signal Dispatcher"]
    scenario.ask("ThreadReference.FrameCount", thread=thread)
    scenario.ask(
        "ThreadReference.ForceEarlyReturn", thread=thread, value={"tag": ord("V"), "value": None}
    )
    scenario.ask("StackFrame.PopFrames", thread=thread, frame=1)


# --- requests for events --------------------------------------------------------------------------


@scenario_conversations({"null": 0, "unknown": UNKNOWN}, EVENTS, "nothing")
def method_of_a_location(scenario: Scenario, wrong: int) -> None:
    offer(
        scenario, BREAKPOINT, location_only({**scenario.session.place("loop"), "method_id": wrong})
    )


@scenario_conversation(EVENTS, "nothing")
def method_of_another_class(scenario: Scenario) -> None:
    other = {"method_id": scenario.method("Lscenarios/Events$Stranger;", "read"), "index": 0}
    offer(scenario, BREAKPOINT, location_only({**scenario.session.place("loop"), **other}))


@scenario_conversations({"null": 0, "unknown": UNKNOWN}, EVENTS, "nothing")
def field_of_a_watch(scenario: Scenario, wrong: int) -> None:
    offer(scenario, FIELD_ACCESS, {**field_only(scenario, "field"), "field_id": wrong})


@scenario_conversation(EVENTS, "nothing")
def patterns(scenario: Scenario) -> None:
    """Any text is one."""
    for text in ("", "*", "**", "a*b", "*a*", "Lscenarios/Events;", "\u00e9\U0001f600", "x" * 1000):
        for kind in (5, 6, 12):
            offer(scenario, CLASS_PREPARE, {"kind": kind, "pattern": text}, policy=NONE)


# --- types ----------------------------------------------------------------------------------------


@conversation(BARE_TARGET)
def lines_without_tables(client: RecordingClient) -> None:
    find = Finds(client)
    for signature in ("Ltarget/Target;", "Ljava/lang/Runnable;"):
        type_id = find.type(signature)
        for one in client.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]:
            for command in ("LineTable", "VariableTable", "VariableTableWithGeneric", "Bytecodes"):
                client.ask(f"Method.{command}", type_id=type_id, method_id=one["method_id"])


@conversation(TYPES)
def instance_counts_of_any_type(client: RecordingClient) -> None:
    """Only whether there are any is recorded: other conversations have left instances."""
    find = Finds(client)
    names = ("Ljava/lang/Class;", "[[I", "Ljava/lang/Thread;", "Ljava/lang/Runnable;", LEAF)
    types = [find.type(name) for name in names]
    types += [find.object("primitiveClass"), find.object("voidClass"), find.object("unlinked")]

    def any_of_each(reply: Message) -> Message:
        return {"counts": [min(one, 1) for one in reply["counts"]]}

    client.ask("VirtualMachine.InstanceCounts", only=any_of_each, types=types)


@conversation(TYPES)
def instance_counts_of_what_is_no_type(client: RecordingClient) -> None:
    find = Finds(client)
    for wrong in (0, UNKNOWN, find.object("text"), find.object("ints"), find.thread):
        client.ask("VirtualMachine.InstanceCounts", types=[wrong])
        client.ask("VirtualMachine.InstanceCounts", types=[find.type(LEAF), wrong])


def _type(find: Finds) -> bytes:
    return ids(find.type(LEAF))


def _object(find: Finds) -> bytes:
    return ids(find.object("leaf"))


def _frame(find: Finds) -> bytes:
    return ids(find.thread, find.frame()["frame_id"])


def _nothing(_: Finds) -> bytes:
    return b""


COUNTED: dict[str, Callable[[Finds], bytes]] = {
    "VirtualMachine.ClassesBySignature": _nothing,
    "VirtualMachine.CreateString": _nothing,
    "VirtualMachine.DisposeObjects": _nothing,
    "VirtualMachine.InstanceCounts": _nothing,
    "VirtualMachine.RedefineClasses": _nothing,
    "ReferenceType.GetValues": _type,
    "ClassType.SetValues": _type,
    "ObjectReference.GetValues": _object,
    "ObjectReference.SetValues": _object,
    "StackFrame.GetValues": _frame,
    "StackFrame.SetValues": _frame,
    "EventRequest.Set": lambda _: bytes((VM_DEATH, NONE)),
}
"""What stands before the count of a list or of a string."""


@conversations_over({name: name for name in COUNTED}, TYPES)
def fewer_than_none(client: RecordingClient, command: str) -> None:
    before = COUNTED[command](Finds(client))
    for number in (-1, -(2**31)):
        client.ask_raw(*client.vm.number(command), before + number.to_bytes(4, signed=True))


@conversation(TYPES)
def fields_set_to_an_object_that_does_not_fit(client: RecordingClient) -> None:
    find = Finds(client)
    field = find.field(LEAF, "hidden")
    wrong = find.object("ints")
    client.ask(
        "ObjectReference.SetValues", object=find.object("leaf"), values=raw(1, ids(field, wrong))
    )
    box = find.field("Ltypes/Types;", "box")
    client.ask("ClassType.SetValues", type_id=find.type(), values=raw(1, ids(box, wrong)))


@scenario_conversation(EVENTS, "nothing")
def type_that_was_unloaded(scenario: Scenario) -> None:
    """Uses its id, and those of its method, in each command."""
    scenario.choose("unload Events$Gone_U")
    scenario.run_to("unload")
    gone = scenario.session.type("Lscenarios/Events$Gone_U;")
    method = scenario.method("Lscenarios/Events$Gone_U;", "<init>")
    scenario.choose("nothing")
    scenario.run_to("stop")
    wait_until(lambda: _is_gone(scenario, gone), "the class is unloaded")
    for command in (*TYPE_COMMANDS, "ClassType.Superclass"):
        scenario.ask(command, type_id=gone)
    for command in METHOD_COMMANDS:
        scenario.ask(command, type_id=gone, method_id=method)
    scenario.ask("ReferenceType.GetValues", type_id=gone, fields=[])
    scenario.ask("ClassObjectReference.ReflectedType", class_object=gone)
    scenario.ask("VirtualMachine.InstanceCounts", types=[gone])
    scenario.ask(
        "ClassType.InvokeMethod",
        type_id=gone,
        thread=scenario.thread,
        method_id=method,
        arguments=[],
        options=1,
    )
    location = {"tag": 1, "type_id": gone, "method_id": method, "index": 0}
    offer(scenario, BREAKPOINT, location_only(location))
    offer(scenario, CLASS_PREPARE, {"kind": 4, "type_id": gone})


def _is_gone(scenario: Scenario, type_id: int) -> bool:
    return scenario.vm.refusal("ReferenceType.Signature", type_id=type_id) != "NONE"


@conversation(TYPES)
def fields_of_a_class_that_is_not_linked(client: RecordingClient) -> None:
    """Uses any number as field: the ids cannot be asked for, so any number is tried."""
    find = Finds(client)
    unlinked = {"class_object": find.object("unlinked")}
    type_id = client.vm.ask("ClassObjectReference.ReflectedType", **unlinked)["type_id"]
    client.ask("VirtualMachine.ClassesBySignature", signature="Ltypes/Types$Unlinked;")
    client.ask("ReferenceType.GetValues", type_id=type_id, fields=[])
    client.ask("ClassType.SetValues", type_id=type_id, values=raw(0, b""))
    client.ask("ReferenceType.Instances", type_id=type_id, max_instances=1)
    client.ask("VirtualMachine.InstanceCounts", types=[type_id])
    classes = [{"type_id": type_id, "class_file": b"\xca\xfe\xba\xbe"}]
    client.ask("VirtualMachine.RedefineClasses", classes=classes)
