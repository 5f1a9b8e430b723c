# SPDX-License-Identifier: Apache-2.0
"""Event requests for threads that have not begun, or have ended."""

from __future__ import annotations

from tests.conformance.differential.conversations.event_requests import KINDS, offer
from tests.conformance.differential.conversations.virtual_threads import VIRTUAL
from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    BREAKPOINT,
    FIELD_ACCESS,
    FIELD_MODIFICATION,
    INTO,
    LINE,
    OUT,
    OVER,
    SINGLE_STEP,
    location_only,
    thread_only,
)

OTHER_KINDS = [
    kind
    for kind in KINDS.values()
    if kind not in (SINGLE_STEP, BREAKPOINT, FIELD_ACCESS, FIELD_MODIFICATION)
]


def offer_steps(scenario: Scenario, thread: int) -> None:
    """Each depth and size."""
    for depth in (INTO, OVER, OUT):
        for size in (0, LINE):
            offer(
                scenario, SINGLE_STEP, {"kind": 10, "thread": thread, "size": size, "depth": depth}
            )


@scenario_conversations({"ended": "ended", "unstarted": "unstarted"}, MANY_THREADS, "nothing")
def steps(scenario: Scenario, name: str) -> None:
    thread = scenario.session.static(name)
    offer_steps(scenario, thread)
    scenario.counts([thread])


@scenario_conversations({"ended": "ended", "unstarted": "unstarted"}, MANY_THREADS, "nothing")
def steps_while_it_is_suspended(scenario: Scenario, name: str) -> None:
    """The debugger may suspend it all the same."""
    thread = scenario.session.static(name)
    scenario.ask("ThreadReference.Suspend", thread=thread)
    offer_steps(scenario, thread)
    scenario.counts([thread])
    scenario.ask("ThreadReference.Resume", thread=thread)
    scenario.counts([thread])


@scenario_conversation(VIRTUAL, "body")
def steps_of_a_virtual_thread(scenario: Scenario) -> None:
    """Steps before it is started, and when it has ended."""
    scenario.run_to("unstarted")
    (frame, *_) = scenario.session.frames(scenario.thread)
    (value,) = scenario.vm.ask(
        "StackFrame.GetValues",
        thread=scenario.thread,
        frame=frame["frame_id"],
        slots=[{"slot": 2, "tag": ord("L")}],
    )["values"]
    thread = value["value"]
    offer_steps(scenario, thread)
    scenario.counts([thread])
    scenario.vm.ask("ObjectReference.DisableCollection", object=thread)
    scenario.run_to("stop")
    offer_steps(scenario, thread)


@scenario_conversations({"ended": "ended", "unstarted": "unstarted"}, MANY_THREADS, "nothing")
def requests_for_the_thread_only(scenario: Scenario, name: str) -> None:
    thread = scenario.session.static(name)
    for kind in OTHER_KINDS:
        offer(scenario, kind, thread_only(thread))
    offer(scenario, BREAKPOINT, location_only(scenario.session.place("stack")), thread_only(thread))
    scenario.counts([thread])
