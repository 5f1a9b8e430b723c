# SPDX-License-Identifier: Apache-2.0
"""Frames that are popped, returns that are forced, and their effect on steps and on the program."""

from __future__ import annotations

from typing import Any

from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    BREAKPOINT,
    INTO,
    METHOD_ENTRY,
    OUT,
    OVER,
    class_match,
    thread_only,
)


def pop(scenario: Scenario, depth: int, thread: int = 0) -> None:
    """Pop the frames down to that one."""
    thread = thread or scenario.thread
    frame = scenario.session.frames(thread)[depth]["frame_id"]
    scenario.ask("StackFrame.PopFrames", thread=thread, frame=frame)


@scenario_conversations({"one": 0, "two": 1, "all_deep": 2}, MANY_THREADS, "stack")
def pop_and_run_again(scenario: Scenario, depth: int) -> None:
    """The calls are made again; the monitor of a synchronized block is given back."""
    scenario.run_to("deepEnd")
    pop(scenario, depth)
    scenario.counts([scenario.thread])
    scenario.stack()
    scenario.break_at("deepest")
    scenario.go()
    scenario.stack()


@scenario_conversations({"into": INTO, "over": OVER, "out": OUT}, MANY_THREADS, "stack")
def step_after_a_pop(scenario: Scenario, depth: int) -> None:
    scenario.run_to("deepEnd")
    pop(scenario, 0)
    scenario.step(depth)
    scenario.step(OVER)


@scenario_conversation(MANY_THREADS, "stack")
def entry_after_a_pop(scenario: Scenario) -> None:
    scenario.run_to("deepEnd")
    pop(scenario, 1)
    scenario.request(
        METHOD_ENTRY, class_match("scenarios.ManyThreads"), thread_only(scenario.thread)
    )
    scenario.go()


@scenario_conversation(MANY_THREADS, "stack")
def pop_while_a_step_is_under_way(scenario: Scenario) -> None:
    scenario.run_to("deepest")
    scenario.begin_step(OVER)
    pop(scenario, 0)
    scenario.go()
    scenario.go()


UNDER_WAY = {
    f"{name}-{frame}": (depth, popped)
    for name, depth in (("over", OVER), ("out", OUT), ("into", INTO))
    for frame, popped in (("called", 0), ("all_called", 2), ("own", 3))
}
"""Depth of the step, and which frame is popped with those above it."""


@scenario_conversations(UNDER_WAY, MANY_THREADS, "stack")
def pop_below_a_step(scenario: Scenario, case: tuple[int, int]) -> None:
    """The thread stands three calls deeper than where the step began, which is still under way."""
    depth, popped = case
    scenario.run_to("stack")
    scenario.begin_step(depth, class_match("none") if depth == INTO else class_match("scenarios.*"))
    place = scenario.break_at("deepest")
    scenario.go()
    scenario.clear(BREAKPOINT, place)
    pop(scenario, popped)
    scenario.break_at("stop")
    scenario.go()


@scenario_conversation(MANY_THREADS, "stack")
def pop_twice(scenario: Scenario) -> None:
    scenario.run_to("deepEnd")
    pop(scenario, 0)
    pop(scenario, 0)
    scenario.stack()
    scenario.invoke("add", 1, 2)
    scenario.stack()


@scenario_conversation(MANY_THREADS, "stack")
def pop_after_an_invocation(scenario: Scenario) -> None:
    scenario.run_to("deepEnd")
    scenario.invoke("add", 1, 2)
    pop(scenario, 0)
    scenario.stack()


@scenario_conversations({"called": 0, "caller": 1}, MANY_THREADS, "throughNative")
def pop_through_reflection(scenario: Scenario, depth: int) -> None:
    """What calls the method is the JDK's: native code in 17, method handles in later ones."""
    scenario.run_to("reflected")
    pop(scenario, depth)
    scenario.counts([scenario.thread])
    scenario.client.note("frames", len(scenario.session.frames(scenario.thread)))
    scenario.break_at("reflected")
    scenario.break_at("stop")
    scenario.go()


@scenario_conversation(MANY_THREADS, "throughNative")
def pop_below_native_code(scenario: Scenario) -> None:
    """The frame that called into the JDK, with all that is above it."""
    scenario.run_to("reflected")
    called = [one["location"]["method_id"] for one in scenario.session.frames(scenario.thread)]
    pop(scenario, called.index(scenario.session.methods()["throughNative"]))
    scenario.break_at("throughNative")
    scenario.break_at("stop")
    scenario.go()


@scenario_conversation(MANY_THREADS, "nothing")
def pop_of_the_last_frame(scenario: Scenario) -> None:
    pop(scenario, len(scenario.session.frames(scenario.thread)) - 1)
    scenario.stack()


@scenario_conversation(MANY_THREADS, "stack")
def pop_of_a_stale_frame(scenario: Scenario) -> None:
    scenario.run_to("deepest")
    frame = scenario.session.frames(scenario.thread)[0]["frame_id"]
    scenario.step(OVER)
    scenario.ask("StackFrame.PopFrames", thread=scenario.thread, frame=frame)
    scenario.ask("StackFrame.PopFrames", thread=scenario.thread, frame=0)


RETURNS: dict[str, tuple[str, Any]] = {
    "aBoolean": ("Z", True),
    "aByte": ("B", -7),
    "aChar": ("C", 0x41),
    "aShort": ("S", -700),
    "anInt": ("I", 70_000),
    "aLong": ("J", 1 << 50),
    "aFloat": ("F", 2.5),
    "aDouble": ("D", -7.25),
    "anObject": ("L", "base"),
    "aString": ("L", None),
    "aBase": ("L", "derived"),
    "aVoid": ("V", None),
}


def force(scenario: Scenario, tag: str, value: Any, thread: int = 0) -> None:
    """Force the topmost method to return."""
    if tag == "L":
        value = scenario.session.static(value) if value else 0
    scenario.ask(
        "ThreadReference.ForceEarlyReturn",
        thread=thread or scenario.thread,
        value={"tag": ord(tag), "value": value},
    )


@scenario_conversation(MANY_THREADS, "returns")
def forced_returns(scenario: Scenario) -> None:
    """Forced returns of every type; the program's view of the values is recorded at the end."""
    for method, (tag, value) in RETURNS.items():
        scenario.run_to(method)
        force(scenario, tag, value)
    scenario.run_to("report")
    frame = scenario.session.frames(scenario.thread)[0]["frame_id"]
    slots = [{"slot": 0, "tag": ord("L")}]
    reply = scenario.ask("StackFrame.GetValues", thread=scenario.thread, frame=frame, slots=slots)
    scenario.ask("StringReference.Value", string=reply["values"][0]["value"])


@scenario_conversations({"over": OVER, "into": INTO, "out": OUT}, MANY_THREADS, "returns")
def step_after_a_forced_return(scenario: Scenario, depth: int) -> None:
    scenario.run_to("anInt")
    force(scenario, "I", 5)
    scenario.stack()
    scenario.step(depth)


@scenario_conversation(MANY_THREADS, "returns")
def forced_twice(scenario: Scenario) -> None:
    scenario.run_to("anInt")
    force(scenario, "I", 5)
    force(scenario, "I", 6)
    scenario.step(OVER)


@scenario_conversation(MANY_THREADS, "returns")
def forced_with_another_type(scenario: Scenario) -> None:
    scenario.run_to("anInt")
    force(scenario, "J", 5)
    force(scenario, "D", 5.0)
    force(scenario, "V", None)
    force(scenario, "L", "base")
    scenario.run_to("aLong")
    force(scenario, "I", 5)


@scenario_conversation(MANY_THREADS, "returns")
def forced_with_an_object_that_does_not_fit(scenario: Scenario) -> None:
    scenario.run_to("aString")
    force(scenario, "L", "base")


@scenario_conversation(MANY_THREADS, "nothing")
def forced_in_native_code(scenario: Scenario) -> None:
    """A thread that waits in the VM."""
    force(scenario, "V", None, thread=scenario.session.threads()["Finalizer"])


@scenario_conversation(MANY_THREADS, "nothing")
def pop_in_native_code(scenario: Scenario) -> None:
    pop(scenario, 0, thread=scenario.session.threads()["Finalizer"])
