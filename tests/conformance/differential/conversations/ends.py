# SPDX-License-Identifier: Apache-2.0
"""Ends of conversations: dispose in every state and the next debugger, exit, the VM's death."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import CROWD, EVENTS, Play
from tests.conformance.differential.names import Names
from tests.conformance.differential.registry import conversation
from tests.conformance.jdwp.stage import (
    ALL,
    EVENT_THREAD,
    METHOD_ENTRY,
    NONE,
    OVER,
    TIMEOUT_S,
    VM_DEATH,
    SetConversation,
    class_match,
    count,
    listening_port,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.differential.talk import Talk


def _suspended(play: Play) -> None:
    play.ask("VirtualMachine.Suspend")
    play.ask("ThreadReference.Suspend", thread=play.stage.threads()["worker-0"])


def _with_requests(play: Play) -> None:
    worker = thread_only(play.stage.threads()["worker-0"])
    play.break_at("work", worker, policy=EVENT_THREAD)
    play.request(METHOD_ENTRY, class_match("none"))
    play.resume()
    play.talk.next_set()


def _in_a_step(play: Play) -> None:
    play.choose("stack")
    play.begin_step(OVER)
    play.break_at("deepest")
    play.go()


def _held(play: Play) -> None:
    play.ask("VirtualMachine.HoldEvents")
    play.break_at("work")
    play.resume()


def _invoking(play: Play) -> None:
    play.vm.send(
        "ClassType.InvokeMethod",
        type_id=play.stage.type(),
        thread=play.thread,
        method_id=play.stage.methods()["waitUntilWanted"],
        arguments=[],
        options=1,
    )
    wait_until(lambda: play.stage.static("entered"), "it is inside")
    play.set_static("wanted", b"\1")


STATES: dict[str, Callable[[Play], None]] = {
    "suspended": _suspended,
    "with_requests": _with_requests,
    "in_a_step": _in_a_step,
    "held": _held,
    "invoking": _invoking,
}


def _disposed(state: str) -> Callable[[Talk], None]:
    def script(talk: Talk) -> None:
        play = Play(talk)
        play.choose("nothing")
        STATES[state](play)
        talk.ask("VirtualMachine.Dispose")
        again = _next_debugger(talk)
        threads = [again.stage.threads()[name] for name in ("main", "worker-0", "Finalizer")]
        again.counts(threads)
        # Nothing is left of requests, steps and held events.
        again.ask("VirtualMachine.Suspend")
        again.counts(threads)
        talk.note("event sets so far", len(again.vm.sets))
        again.choose("stack")
        again.break_at("deepest", count(1))
        again.go()
        again.counts(threads)
        again.stack()

    script.__module__, script.__name__ = __name__, f"disposed[{state}]"
    return script


for _state in STATES:
    conversation(CROWD, fresh=True)(_disposed(_state))


def _next_debugger(talk: Talk) -> Play:
    """Connects again, in the same talk."""
    talk.vm.close()
    vm = SetConversation(listening_port(talk.stage.jvm))
    talk.stage.connect(vm)
    talk.vm, talk.names = vm, Names(vm)
    talk.stage.main_thread = talk.stage.threads()["main"]
    return Play(talk)


# --- the end of the VM ----------------------------------------------------------------------------


@conversation(CROWD, fresh=True)
def exit_with_a_code(talk: Talk) -> None:
    play = Play(talk)
    play.request(VM_DEATH, policy=NONE)
    talk.ask("VirtualMachine.Exit", exit_code=7)
    talk.note("exit code", talk.stage.jvm.wait(TIMEOUT_S))


def _ask_a_dying_vm(play: Play, main: int) -> None:
    """Whatever takes no thread of the program: in the event the VM lives."""
    play.ask("VirtualMachine.ClassesBySignature", signature="Lacts/Events;")
    play.ask("ReferenceType.Status", type_id=main)
    play.ask("ReferenceType.GetValues", type_id=main, fields=[play.stage.field("count")])
    play.ask("VirtualMachine.CreateString", text="the last one")
    play.ask("ReferenceType.Instances", type_id=main, max_instances=0)
    for command in ("Name", "Status", "FrameCount", "ThreadGroup"):
        play.ask(f"ThreadReference.{command}", thread=play.thread)
    play.request(METHOD_ENTRY, class_match("acts.*"), policy=NONE)
    play.ask("VirtualMachine.Suspend")
    play.ask("VirtualMachine.Resume")


def _death(policy: int) -> Callable[[Talk], None]:
    def script(talk: Talk) -> None:
        play = Play(talk)
        main = play.stage.type()
        play.request(VM_DEATH, policy=NONE)
        play.request(VM_DEATH, policy=policy)
        play.choose("end")
        play.resume()
        talk.next_set()
        if policy != NONE:
            play.ask("VirtualMachine.IDSizes")
            play.ask("VirtualMachine.AllThreads")
            play.ask("ThreadReference.SuspendCount", thread=play.thread)
            _ask_a_dying_vm(play, main)
            play.vm.send("VirtualMachine.Resume")
        talk.note("exit code", talk.stage.jvm.wait(TIMEOUT_S))

    script.__module__, script.__name__ = __name__, f"death[{policy}]"
    return script


for _policy in (NONE, EVENT_THREAD, ALL):
    conversation(EVENTS, fresh=True)(_death(_policy))


@conversation(EVENTS, fresh=True)
def death_of_classes_and_threads(talk: Talk) -> None:
    """The VM's death has no class and no thread: filters on these leave it out, but for exclude."""
    play = Play(talk)
    play.request(VM_DEATH, class_match("*"), policy=NONE)
    play.request(VM_DEATH, {"kind": 6, "pattern": "*"}, policy=NONE)
    play.request(VM_DEATH, count(1), policy=NONE)
    play.request(VM_DEATH, count(2), policy=NONE)
    play.choose("end")
    play.resume()
    talk.next_set()
    talk.note("exit code", talk.stage.jvm.wait(TIMEOUT_S))


# --- new code for a class -------------------------------------------------------------------------


def _class_file(talk: Talk) -> bytes:
    return (talk.stage.program.class_path[0] / "acts" / "Events.class").read_bytes()


def _redefine(talk: Talk, content: bytes) -> None:
    classes = [{"type_id": talk.stage.type(), "class_file": content}]
    talk.ask("VirtualMachine.RedefineClasses", classes=classes)


@conversation(EVENTS, fresh=True)
def breakpoints_after_the_same_code(talk: Talk) -> None:
    play = Play(talk)
    play.choose("loop")
    first = play.break_at("add")
    _redefine(talk, _class_file(talk))
    play.break_at("stop")
    play.go()
    talk.ask("EventRequest.Clear", event_kind=2, request_id=first)
    play.break_at("add", count(2))
    play.go()


@conversation(EVENTS, fresh=True)
def frame_of_old_code(talk: Talk) -> None:
    """Locations, steps, breakpoints and events in a method whose code is no more."""
    play = Play(talk)
    play.choose("exceptions")
    play.run_to("throwPlain")
    content = _class_file(talk).replace(b"\x01\x00\x05plain", b"\x01\x00\x05other")
    _redefine(talk, content)
    play.stack()
    play.step(OVER)
    play.choose("loop")
    play.break_at("add", count(2))
    play.go()
    play.stack()
