# SPDX-License-Identifier: Apache-2.0
"""Methods run for the debugger, and what changes a stack: popped frames, forced returns, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    MAIN_TYPE,
    NONVIRTUAL,
    OVER,
    SINGLE_THREADED,
    JdwpSession,
    session_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind
    from tests.support.wire_reading import Message

BASE, DERIVED = "Lscenarios/Scenarios$Base;", "Lscenarios/Scenarios$Derived;"
GREETER, LAZY = "Lscenarios/Scenarios$Greeter;", "Lscenarios/Scenarios$Lazy;"


@pytest.fixture
def session(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The scenario `invocations`."""
    with session_of(jdk, agent_kind, "invocations") as prepared:
        yield prepared


@pytest.fixture
def steps(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The scenario `steps`."""
    with session_of(jdk, agent_kind, "steps") as prepared:
        yield prepared


def integer(number: int) -> Message:
    """An int value."""
    return {"tag": ord("I"), "value": number}


def invoke(
    session: JdwpSession,
    thread: int,
    name: str,
    *arguments: Message,
    owner: str = MAIN_TYPE,
    options: int = 0,
) -> Message:
    """A static method."""
    return session.vm.ask(
        "ClassType.InvokeMethod",
        type_id=session.type(owner),
        thread=thread,
        method_id=session.methods(owner)[name],
        arguments=list(arguments),
        options=options,
    )


def invoke_on(
    session: JdwpSession, thread: int, target: int, name: str, owner: str, options: int = 0
) -> Message:
    """An instance method without arguments."""
    return session.vm.ask(
        "ObjectReference.InvokeMethod",
        object=target,
        thread=thread,
        type_id=session.type(owner),
        method_id=session.methods(owner)[name],
        arguments=[],
        options=options,
    )


def construct(session: JdwpSession, thread: int, argument: int) -> Message:
    """A new Derived."""
    return session.vm.ask(
        "ClassType.NewInstance",
        type_id=session.type(DERIVED),
        thread=thread,
        method_id=session.methods(DERIVED)["<init>"],
        arguments=[integer(argument)],
        options=SINGLE_THREADED,
    )


def text(session: JdwpSession, value: Message) -> str:
    """The text of a string value."""
    assert value["tag"] == ord("s")
    return str(session.vm.ask("StringReference.Value", string=value["value"])["text"])


def signature_of(session: JdwpSession, reference: int) -> str:
    """The type of an object."""
    found = session.vm.ask("ObjectReference.ReferenceType", object=reference)
    return str(session.vm.ask("ReferenceType.Signature", type_id=found["type_id"])["signature"])


@pytest.mark.parametrize("options", [0, SINGLE_THREADED])
def test_static_methods(session: JdwpSession, options: int) -> None:
    thread = session.run_to("ready")
    reply = invoke(session, thread, "leaf", integer(20), options=options)
    assert reply["return_value"] == integer(41)
    assert reply["exception"]["id"] == 0
    assert session.suspend_count(thread) == 1
    assert session.suspend_count(session.threads()["Finalizer"]) == 1
    # The thread stands where it stood, with new frame ids.
    assert session.frames(thread)
    assert invoke(session, thread, "leaf", integer(1), options=options)["return_value"] == integer(
        3
    )
    assert session.run_out().startswith("done ")


def test_arguments_of_every_kind(session: JdwpSession) -> None:
    thread = session.run_to("ready")
    string = session.vm.ask("VirtualMachine.CreateString", text="four")["string"]
    int_array = session.vm.ask("VirtualMachine.ClassesBySignature", signature="[I")["classes"][0]
    array = session.vm.ask("ArrayType.NewInstance", type_id=int_array["type_id"], length=3)
    arguments = [
        {"tag": ord("J"), "value": 1 << 40},
        integer(2),
        {"tag": ord("D"), "value": 3.5},
        {"tag": ord("s"), "value": string},
        {"tag": ord("["), "value": array["new_array"]["id"]},
    ]
    reply = invoke(session, thread, "sum", *arguments)
    assert reply["return_value"] == {"tag": ord("J"), "value": (1 << 40) + 2 + 3 + 4 + 3}


def test_virtual_and_nonvirtual(session: JdwpSession) -> None:
    thread = session.run_to("ready")
    made = construct(session, thread, 5)
    assert made["exception"]["id"] == 0
    derived = made["new_object"]["id"]
    assert signature_of(session, derived) == DERIVED
    called = invoke_on(session, thread, derived, "who", BASE)
    assert text(session, called["return_value"]) == "derived"
    called = invoke_on(session, thread, derived, "who", BASE, NONVIRTUAL)
    assert text(session, called["return_value"]) == "base"
    called = invoke_on(session, thread, derived, "greet", GREETER)
    assert text(session, called["return_value"]) == "hello"


def test_exceptions_are_returned(session: JdwpSession) -> None:
    thread = session.run_to("ready")
    made = construct(session, thread, -1)
    assert made["new_object"]["id"] == 0
    assert signature_of(session, made["exception"]["id"]) == "Ljava/lang/IllegalArgumentException;"
    null = {"tag": ord("L"), "value": 0}
    thrown = invoke(session, thread, "fail", null)
    assert signature_of(session, thrown["exception"]["id"]) == (
        "Ljava/lang/UnsupportedOperationException;"
    )
    assert session.run_out().startswith("done ")


def test_static_method_of_an_interface(session: JdwpSession) -> None:
    thread = session.run_to("ready")
    reply = session.vm.ask(
        "InterfaceType.InvokeMethod",
        type_id=session.type(GREETER),
        thread=thread,
        method_id=session.methods(GREETER)["twice"],
        arguments=[integer(4)],
        options=0,
    )
    assert reply["return_value"] == integer(8)


def test_breakpoint_inside_an_invocation(session: JdwpSession, agent_kind: AgentKind) -> None:
    thread = session.run_to("ready")
    request = session.break_at("leafEnd", policy=EVENT_THREAD)
    arguments: dict[str, Any] = {
        "type_id": session.type(),
        "thread": thread,
        "method_id": session.methods()["leaf"],
        "arguments": [integer(20)],
        "options": SINGLE_THREADED,
    }
    asked = session.vm.send("ClassType.InvokeMethod", **arguments)
    event = session.next_event(BREAKPOINT)
    assert event["thread"] == thread
    session.clear(BREAKPOINT, request)
    # One invocation inside the other: ours can, the JDK's own agent refuses.
    if agent_kind == "jvmdebug":
        assert invoke(session, thread, "leaf", integer(1))["return_value"] == integer(3)
    else:
        assert session.vm.refusal("ClassType.InvokeMethod", **arguments) == "ALREADY_INVOKING"
    session.vm.send("ThreadReference.Resume", thread=thread)
    assert session.vm.reply_to(asked)["return_value"] == integer(41)


def test_threads_that_cannot_invoke(session: JdwpSession) -> None:
    thread = session.run_to("ready")
    other = session.threads()["Finalizer"]
    with_thread = {
        "type_id": session.type(),
        "method_id": session.methods()["leaf"],
        "arguments": [integer(1)],
        "options": 0,
    }
    # Suspended, but not by an event.
    refusal = session.vm.refusal("ClassType.InvokeMethod", thread=other, **with_thread)
    assert refusal in {"THREAD_NOT_SUSPENDED", "INVALID_THREAD"}
    assert session.vm.refusal("ClassType.InvokeMethod", thread=thread, **with_thread) == "NONE"


def test_pop_one_frame_and_run_it_again(steps: JdwpSession) -> None:
    thread = steps.run_to("leafEnd")
    frames = steps.frames(thread)
    steps.vm.ask("StackFrame.PopFrames", thread=thread, frame=frames[0]["frame_id"])
    assert steps.suspend_count(thread) == 1
    again = steps.frames(thread)
    assert len(again) == len(frames) - 1
    assert steps.is_at(again[0]["location"], "middle")
    steps.break_at("leaf")
    steps.resume()
    assert steps.is_at(steps.next_event(BREAKPOINT)["location"], "leaf")


def test_pop_several_frames(steps: JdwpSession) -> None:
    thread = steps.run_to("leaf")
    frames = steps.frames(thread)
    steps.vm.ask("StackFrame.PopFrames", thread=thread, frame=frames[1]["frame_id"])
    again = steps.frames(thread)
    assert len(again) == len(frames) - 2
    assert steps.is_at(again[0]["location"], "callMiddle")
    # It can run methods and step as before.
    assert invoke(steps, thread, "leaf", integer(1))["return_value"] == integer(3)
    assert steps.is_at(steps.step(thread, OVER), "callFib")
    stale = steps.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frames[0]["frame_id"])
    assert stale == "INVALID_FRAMEID"


def test_frames_that_cannot_be_popped(steps: JdwpSession) -> None:
    thread = steps.run_to("steps")
    frames = steps.frames(thread)
    refusal = steps.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frames[-1]["frame_id"])
    assert refusal == "NO_MORE_FRAMES"
    assert steps.run_out().startswith("done ")


def test_forced_return(steps: JdwpSession) -> None:
    thread = steps.run_to("leaf")
    steps.vm.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=integer(99))
    assert steps.is_at(steps.step(thread, OVER), "middle")
    request = steps.break_at("middleEnd")
    steps.resume()
    event = steps.next_event(BREAKPOINT)
    steps.clear(BREAKPOINT, request)
    frame = steps.frames(event["thread"])[0]["frame_id"]
    values = steps.vm.ask(
        "StackFrame.GetValues",
        thread=thread,
        frame=frame,
        slots=[{"slot": 1, "tag": ord("I")}],
    )["values"]
    assert values == [integer(99)]


def test_forced_return_of_a_wrong_type(steps: JdwpSession) -> None:
    thread = steps.run_to("leaf")
    long = {"tag": ord("J"), "value": 1}
    refusal = steps.vm.refusal("ThreadReference.ForceEarlyReturn", thread=thread, value=long)
    assert refusal == "TYPE_MISMATCH"
    assert steps.run_out().startswith("done ")
