# SPDX-License-Identifier: Apache-2.0
"""Suspend counts of threads and of all, what suspends them, and events that are held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    NONE,
    OVER,
    THREAD_START,
    count,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def some(scenario: Scenario) -> list[int]:
    """The main thread, a worker, a thread of the JDK's, one that has ended, one never started."""
    named = scenario.session.threads()
    others = [scenario.session.static("ended"), scenario.session.static("unstarted")]
    return [scenario.thread, named["worker-0"], named["Finalizer"], *others]


def each(scenario: Scenario, command: str, threads: Iterable[int]) -> None:
    for thread in threads:
        scenario.ask(f"ThreadReference.{command}", thread=thread)


@scenario_conversation(MANY_THREADS, "nothing")
def all_and_one_nested(scenario: Scenario) -> None:
    threads = some(scenario)[:3]
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    each(scenario, "Suspend", threads[:2])
    scenario.counts(threads)
    scenario.resume()
    scenario.counts(threads)
    each(scenario, "Resume", threads[:2])
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    scenario.counts(threads)
    scenario.resume()
    scenario.counts(threads)


@scenario_conversation(MANY_THREADS, "nothing")
def one_resumed_below_all(scenario: Scenario) -> None:
    """A thread that was resumed alone stays ahead of the others."""
    worker = scenario.session.threads()["worker-1"]
    threads = [scenario.thread, worker]
    each(scenario, "Resume", [worker])
    scenario.counts(threads)
    each(scenario, "Resume", [worker])
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    scenario.counts(threads)
    scenario.resume()
    scenario.counts(threads)
    scenario.vm.ask("ThreadReference.Suspend", thread=worker)


@scenario_conversation(MANY_THREADS, "nothing")
def resumed_beyond_zero(scenario: Scenario) -> None:
    worker = scenario.session.threads()["worker-2"]
    scenario.ask("VirtualMachine.Suspend")
    for _ in range(3):
        scenario.ask("ThreadReference.Resume", thread=worker)
        scenario.counts([worker, scenario.thread])
    each(scenario, "Suspend", [worker])
    scenario.counts([worker])
    scenario.resume()
    scenario.counts([worker, scenario.thread])
    each(scenario, "Suspend", [worker])
    scenario.counts([worker])


@scenario_conversation(MANY_THREADS, "nothing")
def all_resumed_beyond_zero(scenario: Scenario) -> None:
    threads = some(scenario)[:3]
    for _ in range(3):
        scenario.resume()
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    scenario.counts(threads)


@scenario_conversation(MANY_THREADS, "nothing")
def what_a_running_thread_refuses(scenario: Scenario) -> None:
    worker = scenario.session.threads()["worker-0"]
    scenario.ask("ThreadReference.Resume", thread=worker)
    each(scenario, "FrameCount", [worker])
    each(scenario, "OwnedMonitors", [worker])
    each(scenario, "OwnedMonitorsStackDepthInfo", [worker])
    each(scenario, "CurrentContendedMonitor", [worker])
    scenario.ask("ThreadReference.Frames", thread=worker, start_frame=0, length=-1)
    scenario.ask("StackFrame.PopFrames", thread=worker, frame=1)
    scenario.ask(
        "ThreadReference.ForceEarlyReturn", thread=worker, value={"tag": ord("V"), "value": None}
    )
    each(scenario, "Suspend", [worker])
    scenario.counts([worker])


@scenario_conversations({"ended": "ended", "unstarted": "unstarted"}, MANY_THREADS, "nothing")
def counts_of_a_thread_without_life(scenario: Scenario, name: str) -> None:
    """Known only from its first suspend until its count is 0 again."""
    thread = scenario.session.static(name)
    for command in ("Resume", "Suspend", "Suspend", "Resume", "Resume", "Resume", "Suspend"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
        scenario.counts([thread])
    for _ in range(3):
        scenario.ask("ThreadReference.Resume", thread=thread)
        scenario.counts([thread])


@scenario_conversation(MANY_THREADS, "nothing")
def status_and_name(scenario: Scenario) -> None:
    for command in ("Name", "ThreadGroup"):
        each(scenario, command, some(scenario)[:3])
    each(scenario, "Status", [scenario.thread, *some(scenario)[3:]])


@scenario_conversations({"thread": EVENT_THREAD, "all": ALL, "none": NONE}, MANY_THREADS, "stack")
def event_while_something_is_suspended(scenario: Scenario, policy: int) -> None:
    """A worker was suspended alone before; the event adds to that, or not."""
    worker = scenario.session.threads()["worker-0"]
    each(scenario, "Suspend", [worker])
    scenario.break_at("deepest", count(1), policy=policy)
    stop = scenario.break_at("stop")
    scenario.go()
    if policy != NONE:
        scenario.counts([scenario.thread, worker])
    if policy == ALL:
        scenario.go()
    elif policy == EVENT_THREAD:
        scenario.ask("ThreadReference.Resume", thread=scenario.thread)
        scenario.client.next_set()
    else:
        scenario.client.next_set()
    scenario.counts([scenario.thread, worker])
    scenario.clear(BREAKPOINT, stop)
    each(scenario, "Resume", [worker])


@scenario_conversation(MANY_THREADS, "stack")
def event_of_a_thread_that_runs_alone(scenario: Scenario) -> None:
    """All are suspended, one is resumed: its events are reported and suspend by their policy."""
    worker = scenario.session.threads()["worker-0"]
    scenario.break_at("deepest", count(1))
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.next_set()
    scenario.counts([scenario.thread, worker])
    scenario.resume()
    scenario.counts([scenario.thread, worker])
    scenario.vm.ask("VirtualMachine.Resume")


@scenario_conversation(MANY_THREADS, "stack")
def resume_of_the_event_thread_only(scenario: Scenario) -> None:
    """One resumed thread lets the next set come, after one that suspended all."""
    worker = scenario.session.threads()["worker-0"]
    scenario.break_at("stack", count(1))
    scenario.break_at("deepest", count(1))
    scenario.go()
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.next_set()
    scenario.counts([scenario.thread, worker])
    scenario.resume()
    scenario.counts([scenario.thread, worker])
    scenario.vm.ask("VirtualMachine.Resume")


@scenario_conversation(MANY_THREADS, "spawn")
def born_while_all_are_suspended(scenario: Scenario) -> None:
    """A new thread begins suspended, and is resumed with all."""
    scenario.run_to("spawned")
    scenario.ask("VirtualMachine.Suspend")
    for _ in range(2):
        scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    wait_until(lambda: "child" in scenario.session.threads(), "the child is there")
    child = scenario.session.threads()["child"]
    wait_until(lambda: scenario.session.suspend_count(child) == 2, "the child is suspended")
    scenario.counts([child, scenario.thread])
    each(scenario, "FrameCount", [child])
    stop = scenario.break_at("stop")
    scenario.resume()
    scenario.counts([child])
    each(scenario, "Resume", [child])
    scenario.client.next_set()
    scenario.counts([scenario.thread, scenario.session.threads()["worker-0"]])
    scenario.clear(BREAKPOINT, stop)
    scenario.vm.ask("ThreadReference.Suspend", thread=scenario.thread)
    scenario.vm.ask("VirtualMachine.Resume")


@scenario_conversation(MANY_THREADS, "spawn")
def suspended_before_it_began(scenario: Scenario) -> None:
    """The debugger suspends a thread that does not live yet."""
    scenario.run_to("spawned")
    frame = scenario.session.frames(scenario.thread)[0]["frame_id"]
    values = scenario.vm.ask(
        "StackFrame.GetValues",
        thread=scenario.thread,
        frame=frame,
        slots=[{"slot": 0, "tag": ord("L")}],
    )["values"]
    child = values[0]["value"]
    scenario.counts([child])
    each(scenario, "Suspend", [child])
    scenario.counts([child])
    stop = scenario.break_at("stop")
    scenario.ask("VirtualMachine.Resume")
    wait_until(lambda: "child" in scenario.session.threads(), "the child is there")
    scenario.counts([child])
    each(scenario, "Resume", [child])
    if scenario.session.suspend_count(child):
        each(scenario, "Resume", [child])
    scenario.client.next_set()
    scenario.clear(BREAKPOINT, stop)


@scenario_conversation(MANY_THREADS, "spawn")
def start_event_with_each_count(scenario: Scenario) -> None:
    scenario.run_to("spawned")
    scenario.request(THREAD_START, policy=EVENT_THREAD)
    stop = scenario.break_at("stop")
    (event,) = scenario.go()
    child = event["thread"]
    scenario.counts([child, scenario.session.threads()["worker-0"]])
    scenario.ask("VirtualMachine.Suspend")
    scenario.counts([child, scenario.session.threads()["worker-0"]])
    scenario.resume()
    scenario.counts([child])
    scenario.ask("ThreadReference.Resume", thread=child)
    scenario.client.next_set()
    scenario.clear(BREAKPOINT, stop)


# --- held events ----------------------------------------------------------------------------------


@scenario_conversation(MANY_THREADS, "stack")
def held_events(scenario: Scenario) -> None:
    """Nothing is suspended for an event that is held."""
    scenario.break_at("deepEnd", count(1))
    scenario.ask("VirtualMachine.HoldEvents")
    scenario.resume()
    wait_until(lambda: scenario.session.static("count") == 1, "it has come near the breakpoint")
    scenario.counts([scenario.thread])
    each(scenario, "FrameCount", [scenario.thread])
    scenario.note_sets()
    scenario.ask("VirtualMachine.ReleaseEvents")
    scenario.client.next_set()
    scenario.counts([scenario.thread])


@scenario_conversation(MANY_THREADS, "stack")
def held_twice_and_released_once(scenario: Scenario) -> None:
    scenario.ask("VirtualMachine.HoldEvents")
    scenario.ask("VirtualMachine.HoldEvents")
    scenario.ask("VirtualMachine.ReleaseEvents")
    scenario.break_at("deepest")
    scenario.go()
    scenario.ask("VirtualMachine.ReleaseEvents")


@scenario_conversation(MANY_THREADS, "stack")
def several_held_events_come_in_their_order(scenario: Scenario) -> None:
    scenario.break_at("deepest", policy=NONE)
    scenario.break_at("deepEnd")
    scenario.ask("VirtualMachine.HoldEvents")
    scenario.resume()
    wait_until(lambda: scenario.session.static("count") == 1, "it has been through the first")
    scenario.ask("VirtualMachine.ReleaseEvents")
    scenario.client.next_sets(2)
    scenario.counts([scenario.thread])


# --- interrupt and stop ---------------------------------------------------------------------------


@scenario_conversation(MANY_THREADS, "stack")
def interrupt_at_an_event(scenario: Scenario) -> None:
    """Whether the program sees it. Whether a method that the debugger runs before does, is chance
    with the JDK's agent: `e2e/evaluate/test_threads.py` tests that ours hides it.
    """
    scenario.run_to("deepest")
    scenario.ask("ThreadReference.Interrupt", thread=scenario.thread)
    scenario.step(OVER)
    scenario.invoke("interrupted")


@scenario_conversation(MANY_THREADS, "stack")
def stop_at_an_event(scenario: Scenario) -> None:
    """The exception is thrown when the thread goes on, not in what the debugger runs there."""
    scenario.run_to("deepest")
    made = scenario.vm.ask(
        "ClassType.NewInstance",
        type_id=scenario.session.type("Ljava/lang/RuntimeException;"),
        thread=scenario.thread,
        method_id=scenario.method("Ljava/lang/RuntimeException;", "<init>()V"),
        arguments=[],
        options=1,
    )["new_object"]["id"]
    scenario.ask("ThreadReference.Stop", thread=scenario.thread, throwable=made)
    scenario.invoke("add", 1, 2)
    scenario.break_at("stopped")
    scenario.go()


@scenario_conversation(MANY_THREADS, "nothing")
def interrupt_of_others(scenario: Scenario) -> None:
    each(scenario, "Interrupt", some(scenario)[3:])
