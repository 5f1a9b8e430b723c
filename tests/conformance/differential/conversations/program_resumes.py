# SPDX-License-Identifier: Apache-2.0
"""Thread.suspend() and resume() of the program, which JDK 19 and older have, while the debugger
holds the thread: the program's resume() waits for the debugger's.
"""

from __future__ import annotations

from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import EVENT_THREAD, wait_until

RESUME = "Ljava/lang/Thread;"


def is_in_resume(scenario: Scenario) -> bool:
    """Whether the main thread, which runs, has called Thread.resume(); fails if it has returned."""
    assert not scenario.vm.sets, "resume() has returned"
    scenario.vm.ask("ThreadReference.Suspend", thread=scenario.thread)
    frame, *_ = scenario.session.frames(scenario.thread)
    scenario.vm.ask("ThreadReference.Resume", thread=scenario.thread)
    return bool(frame["location"]["method_id"] == scenario.method(RESUME, "resume"))


def described(scenario: Scenario, thread: int) -> None:
    for command in ("SuspendCount", "Status", "Name"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)


@scenario_conversations({"once": 1, "twice": 2}, MANY_THREADS, "programResumes", most_version=19)
def while_the_debugger_holds_it(scenario: Scenario, times: int) -> None:
    scenario.run_to("programResumes")
    thread = scenario.session.static("resumed")
    for _ in range(times - 1):
        scenario.ask("ThreadReference.Suspend", thread=thread)
    scenario.break_at("programResumed")
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    wait_until(lambda: is_in_resume(scenario), "the program has called resume()")
    for _ in range(times):
        described(scenario, thread)
        scenario.ask("ThreadReference.FrameCount", thread=scenario.thread)
        scenario.note_sets()
        scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.client.next_set()
    described(scenario, thread)


@scenario_conversation(MANY_THREADS, "programResumes", most_version=19)
def until_all_are_resumed(scenario: Scenario) -> None:
    scenario.run_to("programResumes")
    scenario.break_at("programResumed")
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    wait_until(lambda: is_in_resume(scenario), "the program has called resume()")
    scenario.go()
    described(scenario, scenario.session.static("resumed"))


@scenario_conversation(MANY_THREADS, "programResumes", most_version=19)
def suspended_by_the_program(scenario: Scenario) -> None:
    """Suspended by both, then by the debugger alone, until that resumes it."""
    scenario.run_to("programSuspended")
    thread = scenario.session.static("resumed")
    described(scenario, thread)
    scenario.break_at("programResumedAgain", policy=EVENT_THREAD)
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    wait_until(lambda: is_in_resume(scenario), "the program has called resume()")
    described(scenario, thread)
    scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.client.next_set()
