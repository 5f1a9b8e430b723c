# SPDX-License-Identifier: Apache-2.0
"""Ends of conversations: dispose in every state and the next debugger, exit, the VM's death."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.names import Names
from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scenarios import EVENTS, MANY_THREADS, Scenario
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    ALL,
    EVENT_THREAD,
    METHOD_ENTRY,
    NONE,
    OVER,
    TIMEOUT_S,
    VM_DEATH,
    class_match,
    count,
    listening_port,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.differential.recording_client import RecordingClient


def _suspended(scenario: Scenario) -> None:
    scenario.ask("VirtualMachine.Suspend")
    scenario.ask("ThreadReference.Suspend", thread=scenario.session.threads()["worker-0"])


def _with_requests(scenario: Scenario) -> None:
    worker = thread_only(scenario.session.threads()["worker-0"])
    scenario.break_at("work", worker, policy=EVENT_THREAD)
    scenario.request(METHOD_ENTRY, class_match("none"))
    scenario.resume()
    scenario.client.next_set()


def _in_a_step(scenario: Scenario) -> None:
    scenario.choose("stack")
    scenario.begin_step(OVER)
    scenario.break_at("deepest")
    scenario.go()


def _held(scenario: Scenario) -> None:
    scenario.ask("VirtualMachine.HoldEvents")
    scenario.break_at("work")
    scenario.resume()


def _invoking(scenario: Scenario) -> None:
    scenario.vm.send(
        "ClassType.InvokeMethod",
        type_id=scenario.session.type(),
        thread=scenario.thread,
        method_id=scenario.session.methods()["waitUntilWanted"],
        arguments=[],
        options=1,
    )
    wait_until(lambda: scenario.session.static("entered"), "it is inside")
    scenario.set_static("wanted", b"\1")


STATES: dict[str, Callable[[Scenario], None]] = {
    "suspended": _suspended,
    "with_requests": _with_requests,
    "in_a_step": _in_a_step,
    "held": _held,
    "invoking": _invoking,
}


def _disposed(state: str) -> Callable[[RecordingClient], None]:
    def script(client: RecordingClient) -> None:
        scenario = Scenario(client)
        scenario.choose("nothing")
        STATES[state](scenario)
        client.ask("VirtualMachine.Dispose")
        again = _next_debugger(client)
        threads = [again.session.threads()[name] for name in ("main", "worker-0", "Finalizer")]
        again.counts(threads)
        # Nothing is left of requests, steps and held events.
        again.ask("VirtualMachine.Suspend")
        again.counts(threads)
        client.note("event sets so far", len(again.vm.sets))
        again.choose("stack")
        again.break_at("deepest", count(1))
        again.go()
        again.counts(threads)
        again.stack()

    script.__module__, script.__name__ = __name__, f"disposed[{state}]"
    return script


for _state in STATES:
    conversation(MANY_THREADS, fresh=True)(_disposed(_state))


def _next_debugger(client: RecordingClient) -> Scenario:
    """Connects again, in the same client."""
    client.vm.close()
    vm = EventSetClient(listening_port(client.session.jvm))
    client.session.connect(vm)
    client.vm, client.names = vm, Names(vm)
    client.session.main_thread = client.session.threads()["main"]
    return Scenario(client)


# --- the end of the VM ----------------------------------------------------------------------------


@conversation(MANY_THREADS, fresh=True)
def exit_with_a_code(client: RecordingClient) -> None:
    scenario = Scenario(client)
    scenario.request(VM_DEATH, policy=NONE)
    client.ask("VirtualMachine.Exit", exit_code=7)
    client.vm.drain()
    client.note("exit code", client.session.jvm.wait(TIMEOUT_S))


def _ask_a_dying_vm(scenario: Scenario, main: int) -> None:
    """Whatever takes no thread of the program: in the event the VM lives."""
    scenario.ask("VirtualMachine.ClassesBySignature", signature="Lscenarios/Events;")
    scenario.ask("ReferenceType.Status", type_id=main)
    scenario.ask("ReferenceType.GetValues", type_id=main, fields=[scenario.session.field("count")])
    scenario.ask("VirtualMachine.CreateString", text="the last one")
    scenario.ask("ReferenceType.Instances", type_id=main, max_instances=0)
    for command in ("Name", "Status", "FrameCount", "ThreadGroup"):
        scenario.ask(f"ThreadReference.{command}", thread=scenario.thread)
    scenario.request(METHOD_ENTRY, class_match("scenarios.*"), policy=NONE)
    scenario.ask("VirtualMachine.Suspend")
    scenario.ask("VirtualMachine.Resume")


def _death(policy: int) -> Callable[[RecordingClient], None]:
    def script(client: RecordingClient) -> None:
        scenario = Scenario(client)
        main = scenario.session.type()
        scenario.request(VM_DEATH, policy=NONE)
        scenario.request(VM_DEATH, policy=policy)
        scenario.choose("end")
        scenario.resume()
        client.next_set()
        if policy != NONE:
            scenario.ask("VirtualMachine.IDSizes")
            scenario.ask("VirtualMachine.AllThreads")
            scenario.ask("ThreadReference.SuspendCount", thread=scenario.thread)
            _ask_a_dying_vm(scenario, main)
            scenario.vm.send("VirtualMachine.Resume")
        client.vm.drain()
        client.note("exit code", client.session.jvm.wait(TIMEOUT_S))

    script.__module__, script.__name__ = __name__, f"death[{policy}]"
    return script


for _policy in (NONE, EVENT_THREAD, ALL):
    conversation(EVENTS, fresh=True)(_death(_policy))


@conversation(EVENTS, fresh=True)
def death_of_classes_and_threads(client: RecordingClient) -> None:
    """The VM's death has no class and no thread: filters on these leave it out, but for exclude."""
    scenario = Scenario(client)
    scenario.request(VM_DEATH, class_match("*"), policy=NONE)
    scenario.request(VM_DEATH, {"kind": 6, "pattern": "*"}, policy=NONE)
    scenario.request(VM_DEATH, count(1), policy=NONE)
    scenario.request(VM_DEATH, count(2), policy=NONE)
    scenario.choose("end")
    scenario.resume()
    client.next_set()
    client.vm.drain()
    client.note("exit code", client.session.jvm.wait(TIMEOUT_S))


# --- new code for a class -------------------------------------------------------------------------


def _class_file(client: RecordingClient) -> bytes:
    return (client.session.program.class_path[0] / "scenarios" / "Events.class").read_bytes()


def _redefine(client: RecordingClient, content: bytes) -> None:
    classes = [{"type_id": client.session.type(), "class_file": content}]
    client.ask("VirtualMachine.RedefineClasses", classes=classes)


@conversation(EVENTS, fresh=True)
def breakpoints_after_the_same_code(client: RecordingClient) -> None:
    scenario = Scenario(client)
    scenario.choose("loop")
    first = scenario.break_at("add")
    _redefine(client, _class_file(client))
    scenario.break_at("stop")
    scenario.go()
    client.ask("EventRequest.Clear", event_kind=2, request_id=first)
    scenario.break_at("add", count(2))
    scenario.go()


@conversation(EVENTS, fresh=True)
def frame_of_old_code(client: RecordingClient) -> None:
    """Locations, steps, breakpoints and events in a method whose code is no more."""
    scenario = Scenario(client)
    scenario.choose("exceptions")
    scenario.run_to("throwPlain")
    content = _class_file(client).replace(b"\x01\x00\x05plain", b"\x01\x00\x05other")
    _redefine(client, content)
    scenario.stack()
    scenario.step(OVER)
    scenario.choose("loop")
    scenario.break_at("add", count(2))
    scenario.go()
    scenario.stack()
