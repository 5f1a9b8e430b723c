# SPDX-License-Identifier: Apache-2.0
"""Virtual threads: their events, steps, stacks, counts and names, listed and not listed."""

from __future__ import annotations

from tests.conformance.differential.acts import Play, acting, acting_over
from tests.conformance.differential.conversations.stacks import force, pop
from tests.conformance.differential.scene import Scene
from tests.conformance.jdwp.stage import (
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

VIRTUAL = Scene("virtual", "virtual_crowd", "acts.Virtual", marker="stop")
LISTED = Scene(
    "virtual_listed",
    "virtual_crowd",
    "acts.Virtual",
    marker="stop",
    agent_options=f"{OPTIONS},includevirtualthreads=y",
)


def is_listed(play: Play, thread: int) -> None:
    """Whether AllThreads has it, and whose group it is in."""
    listed = play.vm.ask("VirtualMachine.AllThreads")["threads"]
    play.talk.note("listed", thread in listed)


@acting(VIRTUAL, "body")
def asked_at_a_breakpoint(play: Play) -> None:
    thread = play.run_to("body")
    for command in ("Name", "Status", "ThreadGroup", "FrameCount", "SuspendCount", "IsVirtual"):
        play.ask(f"ThreadReference.{command}", thread=thread)
    for command in ("OwnedMonitors", "CurrentContendedMonitor"):
        play.ask(f"ThreadReference.{command}", thread=thread)
    play.stack(thread)
    is_listed(play, thread)


@acting(LISTED, "body")
def listed(play: Play) -> None:
    thread = play.run_to("body")
    is_listed(play, thread)
    play.ask("ThreadReference.Name", thread=thread)


@acting(VIRTUAL, "nameless")
def without_a_name(play: Play) -> None:
    thread = play.run_to("body")
    play.ask("ThreadReference.Name", thread=thread)


@acting_over({"over": OVER, "into": INTO, "out": OUT}, VIRTUAL, "body")
def steps(play: Play, depth: int) -> None:
    """Over the yield, where the thread leaves its carrier."""
    thread = play.run_to("leaf" if depth == OUT else "body")
    only = class_match("acts.*")
    for _ in range(1 if depth == OUT else 4):
        play.step(depth, only, thread=thread)


@acting(VIRTUAL, "body")
def counts(play: Play) -> None:
    thread = play.run_to("body")
    threads = [thread, play.thread]
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    play.ask("ThreadReference.Suspend", thread=thread)
    play.counts(threads)
    play.resume()
    play.counts(threads)
    play.ask("ThreadReference.Resume", thread=thread)
    play.counts(threads)


@acting_over({"thread": EVENT_THREAD, "all": ALL}, VIRTUAL, "body")
def start_of_one(play: Play, policy: int) -> None:
    play.request(THREAD_START, count(1), policy=policy)
    stop = play.break_at("stop")
    (event,) = play.go()
    thread = event["thread"]
    for command in ("Name", "IsVirtual", "FrameCount", "SuspendCount"):
        play.ask(f"ThreadReference.{command}", thread=thread)
    play.counts([play.thread])
    if policy == ALL:
        play.go()
    else:
        play.ask("ThreadReference.Resume", thread=thread)
        play.talk.next_set()
    play.clear(BREAKPOINT, stop)


@acting(VIRTUAL, "body")
def events_of_one_virtual_thread(play: Play) -> None:
    thread = play.run_to("body")
    only = thread_only(thread), class_match("acts.*")
    play.request(METHOD_ENTRY, *only)
    play.request(METHOD_EXIT_WITH_RETURN_VALUE, *only)
    for _ in range(4):
        play.go()


@acting(VIRTUAL, "body")
def death_of_one_virtual_thread(play: Play) -> None:
    thread = play.run_to("bodyEnd")
    play.request(THREAD_DEATH, thread_only(thread))
    play.go()
    play.counts([thread, play.thread])


@acting(VIRTUAL, "failing")
def exception_in_one(play: Play) -> None:
    play.request(EXCEPTION, class_match("acts.*"))
    play.go()


@acting(VIRTUAL, "body")
def invocation_on_one(play: Play) -> None:
    thread = play.run_to("body")
    play.invoke("leaf", 5, thread=thread)
    play.counts([thread, play.thread])
    play.stack(thread)


@acting(VIRTUAL, "body")
def pop_on_one(play: Play) -> None:
    thread = play.run_to("leaf")
    pop(play, 0, thread)
    play.stack(thread)


@acting(VIRTUAL, "body")
def forced_return_on_one(play: Play) -> None:
    thread = play.run_to("leaf")
    force(play, "I", 9, thread)
    play.step(OVER, class_match("acts.*"), thread=thread)


@acting(VIRTUAL, "body")
def platform_threads_only(play: Play) -> None:
    play.request(THREAD_START, {"kind": 13})
    play.request(THREAD_DEATH, {"kind": 13})
    play.break_at("bodyEnd")
    play.go()


# --- what a virtual thread cannot do --------------------------------------------------------------


def _set_local(play: Play, thread: int, frame: int) -> None:
    slots = [{"slot": 0, "value": {"tag": ord("L"), "value": play.stage.static("next")}}]
    play.ask("StackFrame.SetValues", thread=thread, frame=frame, slots=slots)


@acting(VIRTUAL, "body")
def variables_of_deeper_frames(play: Play) -> None:
    """They are read; only the topmost frame's are set."""
    thread = play.run_to("leaf")
    for depth in (0, 1):
        frame = play.stage.frames(thread)[depth]["frame_id"]
        play.ask(
            "StackFrame.GetValues",
            thread=thread,
            frame=frame,
            slots=[{"slot": 0, "tag": ord("I")}] if depth == 0 else [],
        )
        slots = [{"slot": 0, "value": {"tag": ord("I"), "value": 8}}]
        play.ask("StackFrame.SetValues", thread=thread, frame=frame, slots=slots)


@acting(VIRTUAL, "parked")
def what_a_parked_thread_refuses(play: Play) -> None:
    """It is on no carrier: read, but not changed."""
    play.run_to("parked")
    thread = play.stage.static("waiter")
    for command in ("Name", "Status", "ThreadGroup", "SuspendCount", "IsVirtual", "FrameCount"):
        play.ask(f"ThreadReference.{command}", thread=thread)
    own = play.stage.methods()["waiting"]
    for frame in play.stage.frames(thread):
        if frame["location"]["method_id"] == own:
            slots = [{"slot": 0, "tag": ord("L")}]
            play.ask("StackFrame.GetValues", thread=thread, frame=frame["frame_id"], slots=slots)
            _set_local(play, thread, frame["frame_id"])
            play.ask("StackFrame.PopFrames", thread=thread, frame=frame["frame_id"])
    force(play, "V", None, thread)
    play.ask("ThreadReference.Stop", thread=thread, throwable=play.stage.static("error"))
    play.invoke("leaf", 1, thread=thread)


@acting(VIRTUAL, "parked")
def stop_of_a_thread_that_is_not_suspended(play: Play) -> None:
    play.run_to("parked")
    thread = play.stage.static("waiter")
    play.ask("ThreadReference.Resume", thread=thread)
    play.ask("ThreadReference.Stop", thread=thread, throwable=play.stage.static("error"))
    play.ask("ThreadReference.Suspend", thread=thread)


@acting(VIRTUAL, "body")
def stop_at_an_event(play: Play) -> None:
    thread = play.run_to("body")
    play.ask("ThreadReference.Stop", thread=thread, throwable=play.stage.static("error"))
    play.request(THREAD_DEATH, thread_only(thread))
    play.go()


@acting(VIRTUAL, "parked")
def interrupt_of_a_parked_thread(play: Play) -> None:
    play.run_to("parked")
    play.ask("ThreadReference.Interrupt", thread=play.stage.static("waiter"))
    play.break_at("stop")
    play.go()
