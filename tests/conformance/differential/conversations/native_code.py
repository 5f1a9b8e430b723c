# SPDX-License-Identifier: Apache-2.0
"""Java that native code of the program calls: steps, frames, events and changes across it.

The callers are functions of a JNI library, tests/debuggees/native_code/natives.c. Conversations
about the JDK's own native code, reflection for one, are in steps.py and stacks.py.
"""

from __future__ import annotations

from typing import Any

from tests.conformance.differential.conversations.stacks import force, pop
from tests.conformance.differential.conversations.steps import JDK
from tests.conformance.differential.fixture import Fixture
from tests.conformance.differential.scenarios import (
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    EXCEPTION,
    FIELD_ACCESS,
    FIELD_MODIFICATION,
    INTO,
    METHOD_ENTRY,
    METHOD_EXIT_WITH_RETURN_VALUE,
    MIN,
    OUT,
    OVER,
    class_match,
    thread_only,
)

NATIVES = Fixture("native_code", "native_code", "scenarios.Natives", marker="stop")
"""Native methods that call back into Java."""

_ACTS = ("called", "recursive", "swallowed", "passed", "replaced", "making", "touched", "locked")
_OF_MARKER = {"making": "made"}

INSIDE = {
    "twice": ("called", "twice"),
    "own": ("called", "own"),
    "bottom": ("recursive", "downBase"),
    "middle": ("recursive", "downEnd"),
    "swallowed": ("swallowed", "fails"),
    "passed": ("passed", "fails"),
    "replaced": ("replaced", "fails"),
    "locked": ("locked", "twiceEnd"),
}
"""Where to stand, in a frame that native code has called or above one: act and marker."""


def _walks() -> dict[str, tuple[str, int, int]]:
    walks = {}
    for marker in _ACTS:
        walks[f"{marker}-over"] = (marker, OVER, 1)
        walks[f"{marker}-into"] = (marker, INTO, 1)
        walks[f"{marker}-instructions-into"] = (marker, INTO, MIN)
    return walks


@scenario_conversations(_walks(), NATIVES, "nothing")
def walk(scenario: Scenario, walk: tuple[str, int, int]) -> None:
    """One step request through a whole act."""
    marker, depth, size = walk
    scenario.choose(_OF_MARKER.get(marker, marker))
    scenario.run_to(marker)
    scenario.walk(depth, 45, *JDK, size=size)


@scenario_conversations(INSIDE, NATIVES, "nothing")
def over_the_end(scenario: Scenario, where: tuple[str, str]) -> None:
    """Steps over until the frame that native code called is left, and on in its caller."""
    act, marker = where
    scenario.choose(act)
    scenario.run_to(marker)
    for _ in range(6):
        scenario.step(OVER)


@scenario_conversations(
    {name: one for name, one in INSIDE.items() if name != "swallowed"}, NATIVES, "nothing"
)
def out(scenario: Scenario, where: tuple[str, str]) -> None:
    """Steps out of the frame that native code called, by line and by instruction."""
    act, marker = where
    for size in (1, MIN):
        scenario.choose(act)
        scenario.run_to(marker)
        scenario.step(OUT, size=size)
        scenario.step(OVER, size=size)
        scenario.run_to("stop")


@scenario_conversations(INSIDE, NATIVES, "nothing")
def frames(scenario: Scenario, where: tuple[str, str]) -> None:
    """Stacks with native frames, whose variables cannot be read."""
    act, marker = where
    scenario.choose(act)
    scenario.run_to(marker)
    for frame in scenario.stack():
        one = {"thread": scenario.thread, "frame": frame["frame_id"]}
        scenario.ask("StackFrame.ThisObject", **one)
        for tag in "IL":
            scenario.ask("StackFrame.GetValues", **one, slots=[{"slot": 0, "tag": ord(tag)}])
        value = {"tag": ord("I"), "value": 1}
        scenario.ask("StackFrame.SetValues", **one, slots=[{"slot": 9, "value": value}])
    scenario.ask("ThreadReference.OwnedMonitors", thread=scenario.thread)
    scenario.ask("ThreadReference.OwnedMonitorsStackDepthInfo", thread=scenario.thread)


@scenario_conversations(
    {act: act for act in ("swallowed", "passed", "replaced")}, NATIVES, "nothing"
)
def exceptions(scenario: Scenario, act: str) -> None:
    """Thrown below native code and by it: where they are said to be caught."""
    scenario.choose(act)
    scenario.run_to(act)
    everything = {"kind": 8, "exception_type": 0, "caught": True, "uncaught": True}
    scenario.request(EXCEPTION, everything, thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversations({"over": OVER, "into": INTO, "out": OUT}, NATIVES, "nothing")
def step_from_an_exception(scenario: Scenario, depth: int) -> None:
    """Steps from where the exception is thrown, through the native frame that it passes.

    A step out does not end with libjdwp when native code clears the exception.
    """
    for act in ("passed", "replaced", "swallowed")[: 2 if depth == OUT else 3]:
        scenario.choose(act)
        scenario.run_to("fails")
        scenario.step(depth)
        scenario.step(depth)
        scenario.run_to("stop")


@scenario_conversations(
    {act: act for act in ("called", "recursive", "passed", "made")}, NATIVES, "nothing"
)
def entries_and_exits(scenario: Scenario, act: str) -> None:
    """Entries and exits, of the native methods too, with what they return."""
    scenario.choose(act)
    for kind in (METHOD_ENTRY, METHOD_EXIT_WITH_RETURN_VALUE):
        scenario.request(kind, class_match("scenarios.Natives*"), thread_only(scenario.thread))
    scenario.to_the_stop()


@scenario_conversation(NATIVES, "touched")
def watched_field(scenario: Scenario) -> None:
    """Native code writes and reads it."""
    scenario.run_to("touched")
    field = {
        "kind": 9,
        "type_id": scenario.session.type(),
        "field_id": scenario.session.field("watched"),
    }
    for kind in (FIELD_ACCESS, FIELD_MODIFICATION):
        scenario.request(kind, field)
    scenario.to_the_stop()


@scenario_conversations({"called": 0, "native": 1, "caller": 2, "all": 3}, NATIVES, "called")
def pop_frames(scenario: Scenario, depth: int) -> None:
    """Java's own are popped; one with a native frame above it is not."""
    scenario.run_to("twice")
    pop(scenario, depth)
    scenario.counts([scenario.thread])
    scenario.stack()
    scenario.step(OVER)
    scenario.stack()


@scenario_conversations({"int": ("I", 70), "wrong": ("J", 70)}, NATIVES, "called")
def forced_return(scenario: Scenario, case: tuple[str, Any]) -> None:
    """What native code gets is what the debugger says."""
    scenario.run_to("twice")
    force(scenario, *case)
    scenario.run_to("calledOwn")
    scenario.client.note("count", scenario.session.static("count"))


@scenario_conversation(NATIVES, "called")
def forced_return_of_native_code(scenario: Scenario) -> None:
    """A native frame is on top only where it is entered."""
    scenario.run_to("called")
    scenario.request(METHOD_ENTRY, class_match("scenarios.Natives"), thread_only(scenario.thread))
    scenario.go()
    scenario.stack()
    force(scenario, "I", 5)
    pop(scenario, 0)


@scenario_conversations({"over": OVER, "out": OUT}, NATIVES, "called")
def invocation_meanwhile(scenario: Scenario, depth: int) -> None:
    """Invokes a native method that calls back, before the step goes on through one."""
    scenario.run_to("twice")
    scenario.invoke("calls", 5)
    scenario.invoke("passes", 5)
    scenario.step(depth)
    scenario.stack()


@scenario_conversations({"twice": "attached", "fails": "attachedAgain"}, NATIVES, "attached")
def thread_of_native_code(scenario: Scenario, where: str) -> None:
    """A thread with one frame, which native code called, and ends when that is left."""
    scenario.run_to(where)
    scenario.break_at("twice" if where == "attached" else "fails")
    thread = scenario.go()[0]["thread"]
    for command in ("Name", "ThreadGroup", "Status", "OwnedMonitors"):
        scenario.ask(f"ThreadReference.{command}", thread=thread)
    scenario.stack(thread)
    pop(scenario, 0, thread)
    scenario.begin_step(OUT, thread=thread)
    scenario.break_at("attachedAgain" if where == "attached" else "attachedEnd")
    scenario.go()
