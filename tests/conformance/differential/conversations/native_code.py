# SPDX-License-Identifier: Apache-2.0
"""Java that native code of the program calls: steps, frames, events and changes across it.

The callers are functions of a JNI library, tests/debuggees/native_code/natives.c. Conversations
about the JDK's own native code, reflection for one, are in steps.py and stacks.py.
"""

from __future__ import annotations

from typing import Any

from tests.conformance.differential.acts import Play, acting, acting_over
from tests.conformance.differential.conversations.stacks import force, pop
from tests.conformance.differential.conversations.steps import JDK
from tests.conformance.differential.scene import Scene
from tests.conformance.jdwp.stage import (
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

NATIVES = Scene("native_code", "native_code", "acts.Natives", marker="stop")
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


@acting_over(_walks(), NATIVES, "nothing")
def walk(play: Play, walk: tuple[str, int, int]) -> None:
    """One step request through a whole act."""
    marker, depth, size = walk
    play.choose(_OF_MARKER.get(marker, marker))
    play.run_to(marker)
    play.walk(depth, 45, *JDK, size=size)


@acting_over(INSIDE, NATIVES, "nothing")
def over_the_end(play: Play, where: tuple[str, str]) -> None:
    """Steps over until the frame that native code called is left, and on in its caller."""
    act, marker = where
    play.choose(act)
    play.run_to(marker)
    for _ in range(6):
        play.step(OVER)


@acting_over({name: one for name, one in INSIDE.items() if name != "swallowed"}, NATIVES, "nothing")
def out(play: Play, where: tuple[str, str]) -> None:
    """Out of the frame that native code called, by line and by instruction."""
    act, marker = where
    for size in (1, MIN):
        play.choose(act)
        play.run_to(marker)
        play.step(OUT, size=size)
        play.step(OVER, size=size)
        play.run_to("stop")


@acting_over(INSIDE, NATIVES, "nothing")
def frames(play: Play, where: tuple[str, str]) -> None:
    """The native frames among them, whose variables nobody can read."""
    act, marker = where
    play.choose(act)
    play.run_to(marker)
    for frame in play.stack():
        one = {"thread": play.thread, "frame": frame["frame_id"]}
        play.ask("StackFrame.ThisObject", **one)
        for tag in "IL":
            play.ask("StackFrame.GetValues", **one, slots=[{"slot": 0, "tag": ord(tag)}])
        value = {"tag": ord("I"), "value": 1}
        play.ask("StackFrame.SetValues", **one, slots=[{"slot": 9, "value": value}])
    play.ask("ThreadReference.OwnedMonitors", thread=play.thread)
    play.ask("ThreadReference.OwnedMonitorsStackDepthInfo", thread=play.thread)


@acting_over({act: act for act in ("swallowed", "passed", "replaced")}, NATIVES, "nothing")
def exceptions(play: Play, act: str) -> None:
    """Thrown below native code and by it: where they are said to be caught."""
    play.choose(act)
    play.run_to(act)
    everything = {"kind": 8, "exception_type": 0, "caught": True, "uncaught": True}
    play.request(EXCEPTION, everything, thread_only(play.thread))
    play.to_the_stop()


@acting_over({"over": OVER, "into": INTO, "out": OUT}, NATIVES, "nothing")
def step_from_an_exception(play: Play, depth: int) -> None:
    """From where the exception is thrown, through the native frame that it passes.

    A step out does not end with libjdwp when native code clears the exception.
    """
    for act in ("passed", "replaced", "swallowed")[: 2 if depth == OUT else 3]:
        play.choose(act)
        play.run_to("fails")
        play.step(depth)
        play.step(depth)
        play.run_to("stop")


@acting_over({act: act for act in ("called", "recursive", "passed", "made")}, NATIVES, "nothing")
def entries_and_exits(play: Play, act: str) -> None:
    """Of the native methods too, with what they return."""
    play.choose(act)
    for kind in (METHOD_ENTRY, METHOD_EXIT_WITH_RETURN_VALUE):
        play.request(kind, class_match("acts.Natives*"), thread_only(play.thread))
    play.to_the_stop()


@acting(NATIVES, "touched")
def watched_field(play: Play) -> None:
    """Native code writes and reads it."""
    play.run_to("touched")
    field = {"kind": 9, "type_id": play.stage.type(), "field_id": play.stage.field("watched")}
    for kind in (FIELD_ACCESS, FIELD_MODIFICATION):
        play.request(kind, field)
    play.to_the_stop()


@acting_over({"called": 0, "native": 1, "caller": 2, "all": 3}, NATIVES, "called")
def pop_frames(play: Play, depth: int) -> None:
    """Java's own are popped; one with a native frame above it is not."""
    play.run_to("twice")
    pop(play, depth)
    play.counts([play.thread])
    play.stack()
    play.step(OVER)
    play.stack()


@acting_over({"int": ("I", 70), "wrong": ("J", 70)}, NATIVES, "called")
def forced_return(play: Play, case: tuple[str, Any]) -> None:
    """What native code gets is what the debugger says."""
    play.run_to("twice")
    force(play, *case)
    play.run_to("calledOwn")
    play.talk.note("count", play.stage.static("count"))


@acting(NATIVES, "called")
def forced_return_of_native_code(play: Play) -> None:
    """A native frame is on top only where it is entered."""
    play.run_to("called")
    play.request(METHOD_ENTRY, class_match("acts.Natives"), thread_only(play.thread))
    play.go()
    play.stack()
    force(play, "I", 5)
    pop(play, 0)


@acting_over({"over": OVER, "out": OUT}, NATIVES, "called")
def invocation_meanwhile(play: Play, depth: int) -> None:
    """Of a native method that calls back, before the step goes on through one."""
    play.run_to("twice")
    play.invoke("calls", 5)
    play.invoke("passes", 5)
    play.step(depth)
    play.stack()


@acting_over({"twice": "attached", "fails": "attachedAgain"}, NATIVES, "attached")
def thread_of_native_code(play: Play, where: str) -> None:
    """It has one frame, which native code called, and ends when that is left."""
    play.run_to(where)
    play.break_at("twice" if where == "attached" else "fails")
    thread = play.go()[0]["thread"]
    for command in ("Name", "ThreadGroup", "Status", "OwnedMonitors"):
        play.ask(f"ThreadReference.{command}", thread=thread)
    play.stack(thread)
    pop(play, 0, thread)
    play.begin_step(OUT, thread=thread)
    play.break_at("attachedAgain" if where == "attached" else "attachedEnd")
    play.go()
