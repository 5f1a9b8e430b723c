# SPDX-License-Identifier: Apache-2.0
"""Errors that take a certain moment or a certain object: one conversation for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import CROWD, EVENTS, Play, acting, acting_over
from tests.conformance.differential.conversations.event_requests import field_only, offer
from tests.conformance.differential.conversations.invocations import (
    BASE,
    DERIVED,
    GREETER,
    adding,
    construct,
    integer,
    on_class,
    on_object,
    reference,
)
from tests.conformance.differential.finds import UNKNOWN, Finds
from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.differential.requests import LEAF, METHOD_COMMANDS, TYPE_COMMANDS
from tests.conformance.differential.scene import BARE_ZOO, TYPES
from tests.conformance.jdwp.stage import (
    BREAKPOINT,
    CLASS_PREPARE,
    FIELD_ACCESS,
    NONE,
    VM_DEATH,
    location_only,
    wait_until,
)
from tests.conformance.jdwp.zoo import ids, raw

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.differential.talk import Talk
    from tests.support.wire_reading import Message


# --- invocations ----------------------------------------------------------------------------------


def _on_interface(play: Play, *arguments: Message) -> None:
    play.ask(
        "InterfaceType.InvokeMethod",
        type_id=play.stage.type(GREETER),
        thread=play.thread,
        method_id=play.method(GREETER, "twice"),
        arguments=list(arguments),
        options=1,
    )


@acting(CROWD, "nothing")
def invocation_that_waits_already(play: Play) -> None:
    """The thread is suspended once more than the invocation takes off it, and has not begun."""
    play.vm.ask("ThreadReference.Suspend", thread=play.thread)
    asked = play.vm.send("ClassType.InvokeMethod", **adding(play))
    on_class(play, "add", integer(1), integer(2))
    construct(play, BASE, "<init>")
    _on_interface(play, integer(4))
    on_object(play, play.stage.static("derived"), "who", BASE)
    play.vm.send("ThreadReference.Resume", thread=play.thread)
    play.talk.note("reply", play.vm.reply_to(asked)["return_value"]["value"])
    on_class(play, "add", integer(1), integer(2))


@acting(CROWD, "nothing")
def arguments_of_constructors(play: Play) -> None:
    construct(play, DERIVED, "<init>")
    construct(play, DERIVED, "<init>", integer(1), integer(2))
    construct(play, DERIVED, "<init>", reference(play.stage.static("base")))


@acting(CROWD, "nothing")
def arguments_of_methods_of_interfaces(play: Play) -> None:
    _on_interface(play)
    _on_interface(play, integer(1), integer(2))
    _on_interface(play, reference(play.stage.static("base")))


@acting(CROWD, "nothing")
def arguments_of_instance_methods(play: Play) -> None:
    target = play.stage.static("base")
    on_object(play, target, "itself", BASE)
    on_object(play, target, "itself", BASE, integer(1))
    on_object(play, target, "itself", BASE, reference(play.thread, "t"))


# --- stacks ---------------------------------------------------------------------------------------


@acting(CROWD, "stack")
def pop_on_a_wrong_thread(play: Play) -> None:
    play.run_to("deepEnd")
    frame = play.stage.frames(play.thread)[0]["frame_id"]
    wrong = [UNKNOWN, play.stage.type(), play.stage.static("base")]
    wrong += [play.stage.static("ended"), play.stage.static("unstarted")]
    for thread in wrong:
        play.ask("StackFrame.PopFrames", thread=thread, frame=frame)
    play.stack()


@acting(CROWD, "stack")
def pop_on_no_thread(play: Play) -> None:
    play.run_to("deepEnd")
    frame = play.stage.frames(play.thread)[0]["frame_id"]
    play.ask("StackFrame.PopFrames", thread=0, frame=frame)


@acting(CROWD, "nothing")
def forced_where_no_code_is(play: Play) -> None:
    """A thread of the VM that has no frames."""
    thread = play.stage.threads()["Signal Dispatcher"]
    play.ask("ThreadReference.FrameCount", thread=thread)
    play.ask(
        "ThreadReference.ForceEarlyReturn", thread=thread, value={"tag": ord("V"), "value": None}
    )
    play.ask("StackFrame.PopFrames", thread=thread, frame=1)


# --- requests for events --------------------------------------------------------------------------


@acting_over({"null": 0, "unknown": UNKNOWN}, EVENTS, "nothing")
def method_of_a_location(play: Play, wrong: int) -> None:
    offer(play, BREAKPOINT, location_only({**play.stage.place("loop"), "method_id": wrong}))


@acting(EVENTS, "nothing")
def method_of_another_class(play: Play) -> None:
    other = {"method_id": play.method("Lacts/Events$Stranger;", "read"), "index": 0}
    offer(play, BREAKPOINT, location_only({**play.stage.place("loop"), **other}))


@acting_over({"null": 0, "unknown": UNKNOWN}, EVENTS, "nothing")
def field_of_a_watch(play: Play, wrong: int) -> None:
    offer(play, FIELD_ACCESS, {**field_only(play, "field"), "field_id": wrong})


@acting(EVENTS, "nothing")
def patterns(play: Play) -> None:
    """Any text is one."""
    for text in ("", "*", "**", "a*b", "*a*", "Lacts/Events;", "\u00e9\U0001f600", "x" * 1000):
        for kind in (5, 6, 12):
            offer(play, CLASS_PREPARE, {"kind": kind, "pattern": text}, policy=NONE)


# --- types ----------------------------------------------------------------------------------------


@conversation(BARE_ZOO)
def lines_without_tables(talk: Talk) -> None:
    find = Finds(talk)
    for signature in ("Lzoo/Zoo;", "Ljava/lang/Runnable;"):
        type_id = find.type(signature)
        for one in talk.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]:
            for command in ("LineTable", "VariableTable", "VariableTableWithGeneric", "Bytecodes"):
                talk.ask(f"Method.{command}", type_id=type_id, method_id=one["method_id"])


@conversation(TYPES)
def instance_counts_of_any_type(talk: Talk) -> None:
    """Of how many there are only whether there are any is told: others have made some and left."""
    find = Finds(talk)
    names = ("Ljava/lang/Class;", "[[I", "Ljava/lang/Thread;", "Ljava/lang/Runnable;", LEAF)
    types = [find.type(name) for name in names]
    types += [find.object("primitiveClass"), find.object("voidClass"), find.object("unlinked")]

    def any_of_each(reply: Message) -> Message:
        return {"counts": [min(one, 1) for one in reply["counts"]]}

    talk.ask("VirtualMachine.InstanceCounts", only=any_of_each, types=types)


@conversation(TYPES)
def instance_counts_of_what_is_no_type(talk: Talk) -> None:
    find = Finds(talk)
    for wrong in (0, UNKNOWN, find.object("text"), find.object("ints"), find.thread):
        talk.ask("VirtualMachine.InstanceCounts", types=[wrong])
        talk.ask("VirtualMachine.InstanceCounts", types=[find.type(LEAF), wrong])


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
def fewer_than_none(talk: Talk, command: str) -> None:
    before = COUNTED[command](Finds(talk))
    for number in (-1, -(2**31)):
        talk.ask_raw(*talk.vm.number(command), before + number.to_bytes(4, signed=True))


@conversation(TYPES)
def fields_set_to_an_object_that_does_not_fit(talk: Talk) -> None:
    find = Finds(talk)
    field = find.field(LEAF, "hidden")
    wrong = find.object("ints")
    talk.ask(
        "ObjectReference.SetValues", object=find.object("leaf"), values=raw(1, ids(field, wrong))
    )
    box = find.field("Ltypes/Types;", "box")
    talk.ask("ClassType.SetValues", type_id=find.type(), values=raw(1, ids(box, wrong)))


@acting(EVENTS, "nothing")
def type_that_was_unloaded(play: Play) -> None:
    """Its id, and those of its method, in each command."""
    play.choose("unload Events$Gone_U")
    play.run_to("unload")
    gone = play.stage.type("Lacts/Events$Gone_U;")
    method = play.method("Lacts/Events$Gone_U;", "<init>")
    play.choose("nothing")
    play.run_to("stop")
    wait_until(lambda: _is_gone(play, gone), "the class is unloaded")
    for command in (*TYPE_COMMANDS, "ClassType.Superclass"):
        play.ask(command, type_id=gone)
    for command in METHOD_COMMANDS:
        play.ask(command, type_id=gone, method_id=method)
    play.ask("ReferenceType.GetValues", type_id=gone, fields=[])
    play.ask("ClassObjectReference.ReflectedType", class_object=gone)
    play.ask("VirtualMachine.InstanceCounts", types=[gone])
    play.ask(
        "ClassType.InvokeMethod",
        type_id=gone,
        thread=play.thread,
        method_id=method,
        arguments=[],
        options=1,
    )
    location = {"tag": 1, "type_id": gone, "method_id": method, "index": 0}
    offer(play, BREAKPOINT, location_only(location))
    offer(play, CLASS_PREPARE, {"kind": 4, "type_id": gone})


def _is_gone(play: Play, type_id: int) -> bool:
    return play.vm.refusal("ReferenceType.Signature", type_id=type_id) != "NONE"


@conversation(TYPES)
def fields_of_a_class_that_is_not_linked(talk: Talk) -> None:
    """Nobody is told their ids, so any number is tried."""
    find = Finds(talk)
    unlinked = {"class_object": find.object("unlinked")}
    type_id = talk.vm.ask("ClassObjectReference.ReflectedType", **unlinked)["type_id"]
    talk.ask("VirtualMachine.ClassesBySignature", signature="Ltypes/Types$Unlinked;")
    talk.ask("ReferenceType.GetValues", type_id=type_id, fields=[])
    talk.ask("ClassType.SetValues", type_id=type_id, values=raw(0, b""))
    talk.ask("ReferenceType.Instances", type_id=type_id, max_instances=1)
    talk.ask("VirtualMachine.InstanceCounts", types=[type_id])
    classes = [{"type_id": type_id, "class_file": b"\xca\xfe\xba\xbe"}]
    talk.ask("VirtualMachine.RedefineClasses", classes=classes)
