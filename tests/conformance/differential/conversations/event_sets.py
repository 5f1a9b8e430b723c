# SPDX-License-Identifier: Apache-2.0
"""Tells which events are in one set, in which order, with which policy; and how often."""

from __future__ import annotations

from tests.conformance.differential.conversations.event_requests import field_only
from tests.conformance.differential.scenarios import (
    EVENTS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    FIELD_ACCESS,
    FIELD_MODIFICATION,
    INTO,
    METHOD_ENTRY,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    MIN,
    NONE,
    OVER,
    SINGLE_STEP,
    class_match,
    count,
    location_only,
    thread_only,
)


def only_here(scenario: Scenario) -> tuple[dict[str, object], dict[str, object]]:
    """The modifiers for the main thread in the main class."""
    return thread_only(scenario.thread), class_match("scenarios.Events")


@scenario_conversation(EVENTS, "colocated")
def entry_step_and_breakpoint(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    scenario.break_at("entered")
    scenario.request(METHOD_ENTRY, *only_here(scenario))
    scenario.begin_step(INTO)
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def entry_and_breakpoint(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    scenario.request(METHOD_ENTRY, *only_here(scenario))
    scenario.break_at("entered")
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def entry_and_step(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    scenario.request(METHOD_ENTRY, *only_here(scenario))
    scenario.begin_step(INTO)
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def step_and_breakpoint(scenario: Scenario) -> None:
    scenario.run_to("colocated")
    scenario.break_at("callEntered")
    scenario.begin_step(OVER)
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def several_of_each(scenario: Scenario) -> None:
    """Newest or oldest first, and the strongest policy."""
    scenario.run_to("callEntered")
    for policy in (NONE, EVENT_THREAD, NONE):
        scenario.break_at("entered", policy=policy)
        scenario.request(METHOD_ENTRY, *only_here(scenario), policy=policy)
    scenario.resume()
    scenario.client.next_set()
    scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
    scenario.vm.ask("VirtualMachine.Suspend")
    scenario.vm.ask("ThreadReference.Resume", thread=scenario.thread)


@scenario_conversation(EVENTS, "colocated")
def exits_of_both_kinds(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    for kind in (METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE, METHOD_EXIT):
        scenario.request(kind, *only_here(scenario))
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def exit_and_step(scenario: Scenario) -> None:
    """The exit comes at the return instruction; the step after it."""
    scenario.run_to("entered")
    scenario.request(METHOD_EXIT, *only_here(scenario))
    scenario.begin_step(OVER)
    scenario.go()
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def instruction_steps_with_everything(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    scenario.request(METHOD_ENTRY, *only_here(scenario))
    scenario.request(METHOD_EXIT_WITH_RETURN_VALUE, *only_here(scenario))
    scenario.break_at("entered")
    scenario.break_at("callAgain")
    scenario.begin_step(INTO, size=MIN)
    for _ in range(14):
        scenario.go()


@scenario_conversation(EVENTS, "fields")
def watches_and_steps(scenario: Scenario) -> None:
    scenario.run_to("fields")
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "count"))
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "field"))
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "field"))
    scenario.request(FIELD_ACCESS, field_only(scenario, "field"))
    scenario.break_at("writeField")
    scenario.begin_step(OVER)
    for _ in range(12):
        scenario.go()


@scenario_conversation(EVENTS, "fields")
def watches_and_instruction_steps(scenario: Scenario) -> None:
    scenario.run_to("writeField")
    scenario.request(FIELD_MODIFICATION, field_only(scenario, "field"))
    scenario.request(FIELD_ACCESS, field_only(scenario, "field"))
    scenario.begin_step(OVER, size=MIN)
    for _ in range(16):
        scenario.go()


@scenario_conversation(EVENTS, "colocated")
def breakpoint_set_where_a_step_stands(scenario: Scenario) -> None:
    scenario.run_to("colocated")
    scenario.step(OVER)
    scenario.break_at("callEntered")
    scenario.break_at("callAgain")
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def breakpoint_set_where_an_entry_stands(scenario: Scenario) -> None:
    scenario.run_to("callEntered")
    entry = scenario.request(METHOD_ENTRY, *only_here(scenario))
    scenario.go()
    scenario.clear(METHOD_ENTRY, entry)
    scenario.break_at("entered")
    scenario.break_at("callAgain")
    scenario.go()


@scenario_conversation(EVENTS, "loop")
def breakpoint_set_where_a_breakpoint_stands(scenario: Scenario) -> None:
    scenario.run_to("loop")
    scenario.break_at("loop")
    scenario.go()
    scenario.break_at("loop")
    scenario.go()


@scenario_conversation(EVENTS, "loop")
def breakpoint_cleared_and_set_again_in_place(scenario: Scenario) -> None:
    first = scenario.break_at("add")
    scenario.go()
    scenario.clear(BREAKPOINT, first)
    scenario.break_at("add")
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def step_and_a_breakpoint_of_another_thread(scenario: Scenario) -> None:
    """The breakpoint is there, but not for this thread."""
    scenario.run_to("colocated")
    other = scenario.session.threads()["Finalizer"]
    scenario.break_at("callEntered", thread_only(other))
    scenario.begin_step(OVER)
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def step_onto_its_own_breakpoint_once(scenario: Scenario) -> None:
    """A step that ended at a breakpoint with nothing to report there."""
    scenario.run_to("colocated")
    scenario.break_at("callEntered", count(2))
    scenario.begin_step(OVER)
    scenario.go()
    scenario.go()


# --- how often ------------------------------------------------------------------------------------


@scenario_conversations({"first": 1, "third": 3, "last": 12}, EVENTS, "loop")
def count_of_a_breakpoint(scenario: Scenario, number: int) -> None:
    scenario.break_at("add", count(number))
    scenario.break_at("stop")
    scenario.go()
    scenario.go() if number < 12 else None


@scenario_conversation(EVENTS, "loop")
def counts_and_filters_in_both_orders(scenario: Scenario) -> None:
    """Modifiers are asked in their order: a count after a filter counts what passed it."""
    second = {"kind": 11, "instance": scenario.session.static("second")}
    scenario.break_at("add", count(3), second)
    scenario.break_at("add", second, count(3))
    scenario.break_at("add", count(4), second)
    scenario.break_at("stop")
    scenario.go()
    scenario.go()
    scenario.go()


@scenario_conversation(EVENTS, "loop")
def two_counts(scenario: Scenario) -> None:
    scenario.break_at("add", count(2), count(2))
    scenario.break_at("stop")
    scenario.go()


@scenario_conversation(EVENTS, "loop")
def count_that_has_run_out_is_cleared(scenario: Scenario) -> None:
    request = scenario.break_at("add", count(1))
    scenario.go()
    scenario.clear(BREAKPOINT, request)


@scenario_conversation(EVENTS, "loop")
def condition_is_ignored(scenario: Scenario) -> None:
    scenario.break_at("add", {"kind": 2, "expression_id": 7})
    scenario.go()


@scenario_conversations({"none": NONE, "thread": EVENT_THREAD, "all": ALL}, EVENTS, "loop")
def policy(scenario: Scenario, policy: int) -> None:
    """Tells who is suspended by an event."""
    scenario.break_at("loop", count(2), policy=policy)
    last = scenario.break_at("stop")
    scenario.resume()
    scenario.client.next_set()
    if policy == EVENT_THREAD:
        scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
        scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    elif policy == ALL:
        scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
        scenario.resume()
    scenario.client.next_set()
    scenario.clear(BREAKPOINT, last)


@scenario_conversation(EVENTS, "loop")
def location_in_a_field_watch(scenario: Scenario) -> None:
    place = location_only(scenario.session.place("add"))
    scenario.request(FIELD_ACCESS, field_only(scenario, "count"), place)
    scenario.go()


@scenario_conversation(EVENTS, "colocated")
def step_request_that_is_not_of_this_place(scenario: Scenario) -> None:
    scenario.run_to("colocated")
    request = scenario.begin_step(OVER, location_only(scenario.session.place("colocatedEnd")))
    scenario.go()
    scenario.clear(SINGLE_STEP, request)
