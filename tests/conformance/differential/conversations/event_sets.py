# SPDX-License-Identifier: Apache-2.0
"""What comes in one set, in which order, with which policy; and how often."""

from __future__ import annotations

from tests.conformance.differential.acts import EVENTS, Play, acting, acting_over
from tests.conformance.differential.conversations.event_requests import field_only
from tests.conformance.jdwp.stage import (
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


def only_here(play: Play) -> tuple[dict[str, object], dict[str, object]]:
    """The modifiers for the main thread in the main class."""
    return thread_only(play.thread), class_match("acts.Events")


@acting(EVENTS, "colocated")
def entry_step_and_breakpoint(play: Play) -> None:
    play.run_to("callEntered")
    play.break_at("entered")
    play.request(METHOD_ENTRY, *only_here(play))
    play.begin_step(INTO)
    play.go()


@acting(EVENTS, "colocated")
def entry_and_breakpoint(play: Play) -> None:
    play.run_to("callEntered")
    play.request(METHOD_ENTRY, *only_here(play))
    play.break_at("entered")
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def entry_and_step(play: Play) -> None:
    play.run_to("callEntered")
    play.request(METHOD_ENTRY, *only_here(play))
    play.begin_step(INTO)
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def step_and_breakpoint(play: Play) -> None:
    play.run_to("colocated")
    play.break_at("callEntered")
    play.begin_step(OVER)
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def several_of_each(play: Play) -> None:
    """Newest or oldest first, and the strongest policy."""
    play.run_to("callEntered")
    for policy in (NONE, EVENT_THREAD, NONE):
        play.break_at("entered", policy=policy)
        play.request(METHOD_ENTRY, *only_here(play), policy=policy)
    play.resume()
    play.talk.next_set()
    play.counts([play.thread, play.stage.threads()["Finalizer"]])
    play.vm.ask("VirtualMachine.Suspend")
    play.vm.ask("ThreadReference.Resume", thread=play.thread)


@acting(EVENTS, "colocated")
def exits_of_both_kinds(play: Play) -> None:
    play.run_to("callEntered")
    for kind in (METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE, METHOD_EXIT):
        play.request(kind, *only_here(play))
    play.go()


@acting(EVENTS, "colocated")
def exit_and_step(play: Play) -> None:
    """The exit comes at the return instruction; the step after it."""
    play.run_to("entered")
    play.request(METHOD_EXIT, *only_here(play))
    play.begin_step(OVER)
    play.go()
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def instruction_steps_with_everything(play: Play) -> None:
    play.run_to("callEntered")
    play.request(METHOD_ENTRY, *only_here(play))
    play.request(METHOD_EXIT_WITH_RETURN_VALUE, *only_here(play))
    play.break_at("entered")
    play.break_at("callAgain")
    play.begin_step(INTO, size=MIN)
    for _ in range(14):
        play.go()


@acting(EVENTS, "fields")
def watches_and_steps(play: Play) -> None:
    play.run_to("fields")
    play.request(FIELD_MODIFICATION, field_only(play, "count"))
    play.request(FIELD_MODIFICATION, field_only(play, "field"))
    play.request(FIELD_MODIFICATION, field_only(play, "field"))
    play.request(FIELD_ACCESS, field_only(play, "field"))
    play.break_at("writeField")
    play.begin_step(OVER)
    for _ in range(12):
        play.go()


@acting(EVENTS, "fields")
def watches_and_instruction_steps(play: Play) -> None:
    play.run_to("writeField")
    play.request(FIELD_MODIFICATION, field_only(play, "field"))
    play.request(FIELD_ACCESS, field_only(play, "field"))
    play.begin_step(OVER, size=MIN)
    for _ in range(16):
        play.go()


@acting(EVENTS, "colocated")
def breakpoint_set_where_a_step_stands(play: Play) -> None:
    play.run_to("colocated")
    play.step(OVER)
    play.break_at("callEntered")
    play.break_at("callAgain")
    play.go()


@acting(EVENTS, "colocated")
def breakpoint_set_where_an_entry_stands(play: Play) -> None:
    play.run_to("callEntered")
    entry = play.request(METHOD_ENTRY, *only_here(play))
    play.go()
    play.clear(METHOD_ENTRY, entry)
    play.break_at("entered")
    play.break_at("callAgain")
    play.go()


@acting(EVENTS, "loop")
def breakpoint_set_where_a_breakpoint_stands(play: Play) -> None:
    play.run_to("loop")
    play.break_at("loop")
    play.go()
    play.break_at("loop")
    play.go()


@acting(EVENTS, "loop")
def breakpoint_cleared_and_set_again_in_place(play: Play) -> None:
    first = play.break_at("add")
    play.go()
    play.clear(BREAKPOINT, first)
    play.break_at("add")
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def step_and_a_breakpoint_of_another_thread(play: Play) -> None:
    """The breakpoint is there, but not for this thread."""
    play.run_to("colocated")
    other = play.stage.threads()["Finalizer"]
    play.break_at("callEntered", thread_only(other))
    play.begin_step(OVER)
    play.go()
    play.go()


@acting(EVENTS, "colocated")
def step_onto_its_own_breakpoint_once(play: Play) -> None:
    """A step that ended at a breakpoint with nothing to report there."""
    play.run_to("colocated")
    play.break_at("callEntered", count(2))
    play.begin_step(OVER)
    play.go()
    play.go()


# --- how often ------------------------------------------------------------------------------------


@acting_over({"first": 1, "third": 3, "last": 12}, EVENTS, "loop")
def count_of_a_breakpoint(play: Play, number: int) -> None:
    play.break_at("add", count(number))
    play.break_at("stop")
    play.go()
    play.go() if number < 12 else None


@acting(EVENTS, "loop")
def counts_and_filters_in_both_orders(play: Play) -> None:
    """Modifiers are asked in their order: a count after a filter counts what passed it."""
    second = {"kind": 11, "instance": play.stage.static("second")}
    play.break_at("add", count(3), second)
    play.break_at("add", second, count(3))
    play.break_at("add", count(4), second)
    play.break_at("stop")
    play.go()
    play.go()
    play.go()


@acting(EVENTS, "loop")
def two_counts(play: Play) -> None:
    play.break_at("add", count(2), count(2))
    play.break_at("stop")
    play.go()


@acting(EVENTS, "loop")
def count_that_has_run_out_is_cleared(play: Play) -> None:
    request = play.break_at("add", count(1))
    play.go()
    play.clear(BREAKPOINT, request)


@acting(EVENTS, "loop")
def condition_is_ignored(play: Play) -> None:
    play.break_at("add", {"kind": 2, "expression_id": 7})
    play.go()


@acting_over({"none": NONE, "thread": EVENT_THREAD, "all": ALL}, EVENTS, "loop")
def policy(play: Play, policy: int) -> None:
    """Who is suspended by an event."""
    play.break_at("loop", count(2), policy=policy)
    last = play.break_at("stop")
    play.resume()
    play.talk.next_set()
    if policy == EVENT_THREAD:
        play.counts([play.thread, play.stage.threads()["Finalizer"]])
        play.ask("ThreadReference.Resume", thread=play.thread)
    elif policy == ALL:
        play.counts([play.thread, play.stage.threads()["Finalizer"]])
        play.resume()
    play.talk.next_set()
    play.clear(BREAKPOINT, last)


@acting(EVENTS, "loop")
def location_in_a_field_watch(play: Play) -> None:
    place = location_only(play.stage.place("add"))
    play.request(FIELD_ACCESS, field_only(play, "count"), place)
    play.go()


@acting(EVENTS, "colocated")
def step_request_that_is_not_of_this_place(play: Play) -> None:
    play.run_to("colocated")
    request = play.begin_step(OVER, location_only(play.stage.place("colocatedEnd")))
    play.go()
    play.clear(SINGLE_STEP, request)
