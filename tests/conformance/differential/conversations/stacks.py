# SPDX-License-Identifier: Apache-2.0
"""Frames that are popped, returns that are forced, and what a step and the program make of it."""

from __future__ import annotations

from typing import Any

from tests.conformance.differential.acts import CROWD, Play, acting, acting_over
from tests.conformance.jdwp.stage import (
    BREAKPOINT,
    INTO,
    METHOD_ENTRY,
    OUT,
    OVER,
    class_match,
    thread_only,
)


def pop(play: Play, depth: int, thread: int = 0) -> None:
    """Pop the frames down to that one."""
    thread = thread or play.thread
    frame = play.stage.frames(thread)[depth]["frame_id"]
    play.ask("StackFrame.PopFrames", thread=thread, frame=frame)


@acting_over({"one": 0, "two": 1, "all_deep": 2}, CROWD, "stack")
def pop_and_run_again(play: Play, depth: int) -> None:
    """The calls are made again; the monitor of a synchronized block is given back."""
    play.run_to("deepEnd")
    pop(play, depth)
    play.counts([play.thread])
    play.stack()
    play.break_at("deepest")
    play.go()
    play.stack()


@acting_over({"into": INTO, "over": OVER, "out": OUT}, CROWD, "stack")
def step_after_a_pop(play: Play, depth: int) -> None:
    play.run_to("deepEnd")
    pop(play, 0)
    play.step(depth)
    play.step(OVER)


@acting(CROWD, "stack")
def entry_after_a_pop(play: Play) -> None:
    play.run_to("deepEnd")
    pop(play, 1)
    play.request(METHOD_ENTRY, class_match("acts.Crowd"), thread_only(play.thread))
    play.go()


@acting(CROWD, "stack")
def pop_while_a_step_is_under_way(play: Play) -> None:
    play.run_to("deepest")
    play.begin_step(OVER)
    pop(play, 0)
    play.go()
    play.go()


UNDER_WAY = {
    f"{name}-{frame}": (depth, popped)
    for name, depth in (("over", OVER), ("out", OUT), ("into", INTO))
    for frame, popped in (("called", 0), ("all_called", 2), ("own", 3))
}
"""Depth of the step, and which frame is popped with those above it."""


@acting_over(UNDER_WAY, CROWD, "stack")
def pop_below_a_step(play: Play, case: tuple[int, int]) -> None:
    """The thread stands three calls deeper than where the step began, which is still under way."""
    depth, popped = case
    play.run_to("stack")
    play.begin_step(depth, class_match("none") if depth == INTO else class_match("acts.*"))
    place = play.break_at("deepest")
    play.go()
    play.clear(BREAKPOINT, place)
    pop(play, popped)
    play.break_at("stop")
    play.go()


@acting(CROWD, "stack")
def pop_twice(play: Play) -> None:
    play.run_to("deepEnd")
    pop(play, 0)
    pop(play, 0)
    play.stack()
    play.invoke("add", 1, 2)
    play.stack()


@acting(CROWD, "stack")
def pop_after_an_invocation(play: Play) -> None:
    play.run_to("deepEnd")
    play.invoke("add", 1, 2)
    pop(play, 0)
    play.stack()


@acting_over({"called": 0, "caller": 1}, CROWD, "throughNative")
def pop_through_reflection(play: Play, depth: int) -> None:
    """What calls the method is the JDK's: native code in 17, method handles in later ones."""
    play.run_to("reflected")
    pop(play, depth)
    play.counts([play.thread])
    play.talk.note("frames", len(play.stage.frames(play.thread)))
    play.break_at("reflected")
    play.break_at("stop")
    play.go()


@acting(CROWD, "throughNative")
def pop_below_native_code(play: Play) -> None:
    """The frame that called into the JDK, with all that is above it."""
    play.run_to("reflected")
    called = [one["location"]["method_id"] for one in play.stage.frames(play.thread)]
    pop(play, called.index(play.stage.methods()["throughNative"]))
    play.break_at("throughNative")
    play.break_at("stop")
    play.go()


@acting(CROWD, "nothing")
def pop_of_the_last_frame(play: Play) -> None:
    pop(play, len(play.stage.frames(play.thread)) - 1)
    play.stack()


@acting(CROWD, "stack")
def pop_of_a_stale_frame(play: Play) -> None:
    play.run_to("deepest")
    frame = play.stage.frames(play.thread)[0]["frame_id"]
    play.step(OVER)
    play.ask("StackFrame.PopFrames", thread=play.thread, frame=frame)
    play.ask("StackFrame.PopFrames", thread=play.thread, frame=0)


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


def force(play: Play, tag: str, value: Any, thread: int = 0) -> None:
    """Force the topmost method to return."""
    if tag == "L":
        value = play.stage.static(value) if value else 0
    play.ask(
        "ThreadReference.ForceEarlyReturn",
        thread=thread or play.thread,
        value={"tag": ord(tag), "value": value},
    )


@acting(CROWD, "returns")
def forced_returns(play: Play) -> None:
    """Of every type; what the program saw is told at the end."""
    for method, (tag, value) in RETURNS.items():
        play.run_to(method)
        force(play, tag, value)
    play.run_to("report")
    frame = play.stage.frames(play.thread)[0]["frame_id"]
    slots = [{"slot": 0, "tag": ord("L")}]
    reply = play.ask("StackFrame.GetValues", thread=play.thread, frame=frame, slots=slots)
    play.ask("StringReference.Value", string=reply["values"][0]["value"])


@acting_over({"over": OVER, "into": INTO, "out": OUT}, CROWD, "returns")
def step_after_a_forced_return(play: Play, depth: int) -> None:
    play.run_to("anInt")
    force(play, "I", 5)
    play.stack()
    play.step(depth)


@acting(CROWD, "returns")
def forced_twice(play: Play) -> None:
    play.run_to("anInt")
    force(play, "I", 5)
    force(play, "I", 6)
    play.step(OVER)


@acting(CROWD, "returns")
def forced_with_another_type(play: Play) -> None:
    play.run_to("anInt")
    force(play, "J", 5)
    force(play, "D", 5.0)
    force(play, "V", None)
    force(play, "L", "base")
    play.run_to("aLong")
    force(play, "I", 5)


@acting(CROWD, "returns")
def forced_with_an_object_that_does_not_fit(play: Play) -> None:
    play.run_to("aString")
    force(play, "L", "base")


@acting(CROWD, "nothing")
def forced_in_native_code(play: Play) -> None:
    """A thread that waits in the VM."""
    force(play, "V", None, thread=play.stage.threads()["Finalizer"])


@acting(CROWD, "nothing")
def pop_in_native_code(play: Play) -> None:
    pop(play, 0, thread=play.stage.threads()["Finalizer"])
