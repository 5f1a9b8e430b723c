# SPDX-License-Identifier: Apache-2.0
"""Virtual threads: their events, steps, stacks, counts and names, listed and not listed."""

from __future__ import annotations

from tests.conformance.differential.conversations.stacks import force, pop
from tests.conformance.differential.fixture import Fixture
from tests.conformance.differential.scenarios import (
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    EXCEPTION,
    INTO,
    METHOD_ENTRY,
    METHOD_EXIT_WITH_RETURN_VALUE,
    OPTIONS,
    OUT,
    OVER,
    THREAD_DEATH,
    THREAD_START,
    class_match,
    count,
    thread_only,
)

VIRTUAL = Fixture("virtual", "virtual_scenarios", "scenarios.Virtual", marker="stop")
LISTED = Fixture(
    "virtual_listed",
    "virtual_scenarios",
    "scenarios.Virtual",
    marker="stop",
    agent_options=f"{OPTIONS},includevirtualthreads=y",
)


def is_listed(scenario: Scenario, thread: int) -> None:
    """Whether AllThreads has it, and whose group it is in."""
    listed = scenario.vm.ask("VirtualMachine.AllThreads")["threads"]
    scenario.client.note("listed", thread in listed)


@scenario_conversation(VIRTUAL, "body")
def asked_at_a_breakpoint(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    for command in ("Name", "Status", "ThreadGroup", "FrameCount", "SuspendCount", "IsVirtual"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
    for command in ("OwnedMonitors", "CurrentContendedMonitor"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
    scenario.stack(thread)
    is_listed(scenario, thread)


@scenario_conversation(LISTED, "body")
def listed(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    is_listed(scenario, thread)
    scenario.ask("ThreadReference.Name", thread=thread)


@scenario_conversation(VIRTUAL, "nameless")
def without_a_name(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    scenario.ask("ThreadReference.Name", thread=thread)


@scenario_conversations({"over": OVER, "into": INTO, "out": OUT}, VIRTUAL, "body")
def steps(scenario: Scenario, depth: int) -> None:
    """Steps over the yield, where the thread leaves its carrier."""
    thread = scenario.run_to("leaf" if depth == OUT else "body")
    only = class_match("scenarios.*")
    for _ in range(1 if depth == OUT else 4):
        scenario.step(depth, only, thread=thread)


@scenario_conversation(VIRTUAL, "body")
def counts(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    threads = [thread, scenario.thread]
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    scenario.ask("ThreadReference.Suspend", thread=thread)
    scenario.counts(threads)
    scenario.resume()
    scenario.counts(threads)
    scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.counts(threads)


@scenario_conversations({"thread": EVENT_THREAD, "all": ALL}, VIRTUAL, "body")
def start_of_one(scenario: Scenario, policy: int) -> None:
    scenario.request(THREAD_START, count(1), policy=policy)
    stop = scenario.break_at("stop")
    (event,) = scenario.go()
    thread = event["thread"]
    for command in ("Name", "IsVirtual", "FrameCount", "SuspendCount"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
    scenario.counts([scenario.thread])
    if policy == ALL:
        scenario.go()
    else:
        scenario.ask("ThreadReference.Resume", thread=thread)
        scenario.client.next_set()
    scenario.clear(BREAKPOINT, stop)


@scenario_conversation(VIRTUAL, "body")
def events_of_one_virtual_thread(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    only = thread_only(thread), class_match("scenarios.*")
    scenario.request(METHOD_ENTRY, *only)
    scenario.request(METHOD_EXIT_WITH_RETURN_VALUE, *only)
    for _ in range(4):
        scenario.go()


@scenario_conversation(VIRTUAL, "body")
def death_of_one_virtual_thread(scenario: Scenario) -> None:
    thread = scenario.run_to("bodyEnd")
    scenario.request(THREAD_DEATH, thread_only(thread))
    scenario.go()
    scenario.counts([thread, scenario.thread])


@scenario_conversation(VIRTUAL, "failing")
def exception_in_one(scenario: Scenario) -> None:
    scenario.request(EXCEPTION, class_match("scenarios.*"))
    scenario.go()


@scenario_conversation(VIRTUAL, "body")
def invocation_on_one(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    scenario.invoke("leaf", 5, thread=thread)
    scenario.counts([thread, scenario.thread])
    scenario.stack(thread)


@scenario_conversation(VIRTUAL, "body")
def pop_on_one(scenario: Scenario) -> None:
    thread = scenario.run_to("leaf")
    pop(scenario, 0, thread)
    scenario.stack(thread)


@scenario_conversation(VIRTUAL, "body")
def forced_return_on_one(scenario: Scenario) -> None:
    thread = scenario.run_to("leaf")
    force(scenario, "I", 9, thread)
    scenario.step(OVER, class_match("scenarios.*"), thread=thread)


@scenario_conversation(VIRTUAL, "body")
def platform_threads_only(scenario: Scenario) -> None:
    scenario.request(THREAD_START, {"kind": 13})
    scenario.request(THREAD_DEATH, {"kind": 13})
    scenario.break_at("bodyEnd")
    scenario.go()


# --- what a virtual thread cannot do --------------------------------------------------------------


def _set_local(scenario: Scenario, thread: int, frame: int) -> None:
    slots = [{"slot": 0, "value": {"tag": ord("L"), "value": scenario.session.static("next")}}]
    scenario.ask("StackFrame.SetValues", thread=thread, frame=frame, slots=slots)


@scenario_conversation(VIRTUAL, "body")
def variables_of_deeper_frames(scenario: Scenario) -> None:
    """Reads variables of deeper frames; only the topmost frame's are set."""
    thread = scenario.run_to("leaf")
    for depth in (0, 1):
        frame = scenario.session.frames(thread)[depth]["frame_id"]
        scenario.ask(
            "StackFrame.GetValues",
            thread=thread,
            frame=frame,
            slots=[{"slot": 0, "tag": ord("I")}] if depth == 0 else [],
        )
        slots = [{"slot": 0, "value": {"tag": ord("I"), "value": 8}}]
        scenario.ask("StackFrame.SetValues", thread=thread, frame=frame, slots=slots)


@scenario_conversation(VIRTUAL, "parked")
def what_a_parked_thread_refuses(scenario: Scenario) -> None:
    """A thread on no carrier can be read, but not changed."""
    scenario.run_to("parked")
    thread = scenario.session.static("waiter")
    for command in ("Name", "Status", "ThreadGroup", "SuspendCount", "IsVirtual", "FrameCount"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
    own = scenario.session.methods()["waiting"]
    for frame in scenario.session.frames(thread):
        if frame["location"]["method_id"] == own:
            slots = [{"slot": 0, "tag": ord("L")}]
            scenario.ask(
                "StackFrame.GetValues", thread=thread, frame=frame["frame_id"], slots=slots
            )
            _set_local(scenario, thread, frame["frame_id"])
            scenario.ask("StackFrame.PopFrames", thread=thread, frame=frame["frame_id"])
    force(scenario, "V", None, thread)
    scenario.ask("ThreadReference.Stop", thread=thread, throwable=scenario.session.static("error"))
    scenario.invoke("leaf", 1, thread=thread)


@scenario_conversation(VIRTUAL, "parked")
def stop_of_a_thread_that_is_not_suspended(scenario: Scenario) -> None:
    scenario.run_to("parked")
    thread = scenario.session.static("waiter")
    scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.ask("ThreadReference.Stop", thread=thread, throwable=scenario.session.static("error"))
    scenario.ask("ThreadReference.Suspend", thread=thread)


@scenario_conversation(VIRTUAL, "body")
def stop_at_an_event(scenario: Scenario) -> None:
    thread = scenario.run_to("body")
    scenario.ask("ThreadReference.Stop", thread=thread, throwable=scenario.session.static("error"))
    scenario.request(THREAD_DEATH, thread_only(thread))
    scenario.go()


@scenario_conversation(VIRTUAL, "parked")
def interrupt_of_a_parked_thread(scenario: Scenario) -> None:
    scenario.run_to("parked")
    scenario.ask("ThreadReference.Interrupt", thread=scenario.session.static("waiter"))
    scenario.break_at("stop")
    scenario.go()
