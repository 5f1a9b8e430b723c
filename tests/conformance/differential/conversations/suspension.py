# SPDX-License-Identifier: Apache-2.0
"""Suspend counts of threads and of all, what suspends them, and events that are held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import CROWD, Play, acting, acting_over
from tests.conformance.jdwp.stage import (
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


def some(play: Play) -> list[int]:
    """The main thread, a worker, a thread of the JDK's, one that has ended, one never started."""
    named = play.stage.threads()
    others = [play.stage.static("ended"), play.stage.static("unstarted")]
    return [play.thread, named["worker-0"], named["Finalizer"], *others]


def each(play: Play, command: str, threads: Iterable[int]) -> None:
    for thread in threads:
        play.ask(f"ThreadReference.{command}", thread=thread)


@acting(CROWD, "nothing")
def all_and_one_nested(play: Play) -> None:
    threads = some(play)[:3]
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    each(play, "Suspend", threads[:2])
    play.counts(threads)
    play.resume()
    play.counts(threads)
    each(play, "Resume", threads[:2])
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    play.counts(threads)
    play.resume()
    play.counts(threads)


@acting(CROWD, "nothing")
def one_resumed_below_all(play: Play) -> None:
    """A thread that was resumed alone stays ahead of the others."""
    worker = play.stage.threads()["worker-1"]
    threads = [play.thread, worker]
    each(play, "Resume", [worker])
    play.counts(threads)
    each(play, "Resume", [worker])
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    play.counts(threads)
    play.resume()
    play.counts(threads)
    play.vm.ask("ThreadReference.Suspend", thread=worker)


@acting(CROWD, "nothing")
def resumed_beyond_zero(play: Play) -> None:
    worker = play.stage.threads()["worker-2"]
    play.ask("VirtualMachine.Suspend")
    for _ in range(3):
        play.ask("ThreadReference.Resume", thread=worker)
        play.counts([worker, play.thread])
    each(play, "Suspend", [worker])
    play.counts([worker])
    play.resume()
    play.counts([worker, play.thread])
    each(play, "Suspend", [worker])
    play.counts([worker])


@acting(CROWD, "nothing")
def all_resumed_beyond_zero(play: Play) -> None:
    threads = some(play)[:3]
    for _ in range(3):
        play.resume()
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    play.counts(threads)


@acting(CROWD, "nothing")
def what_a_running_thread_refuses(play: Play) -> None:
    worker = play.stage.threads()["worker-0"]
    play.ask("ThreadReference.Resume", thread=worker)
    each(play, "FrameCount", [worker])
    each(play, "OwnedMonitors", [worker])
    each(play, "OwnedMonitorsStackDepthInfo", [worker])
    each(play, "CurrentContendedMonitor", [worker])
    play.ask("ThreadReference.Frames", thread=worker, start_frame=0, length=-1)
    play.ask("StackFrame.PopFrames", thread=worker, frame=1)
    play.ask(
        "ThreadReference.ForceEarlyReturn", thread=worker, value={"tag": ord("V"), "value": None}
    )
    each(play, "Suspend", [worker])
    play.counts([worker])


@acting_over({"ended": "ended", "unstarted": "unstarted"}, CROWD, "nothing")
def counts_of_a_thread_without_life(play: Play, name: str) -> None:
    """Known only from its first suspend until its count is 0 again."""
    thread = play.stage.static(name)
    for command in ("Resume", "Suspend", "Suspend", "Resume", "Resume", "Resume", "Suspend"):
        play.ask(f"ThreadReference.{command}", thread=thread)
        play.counts([thread])
    for _ in range(3):
        play.ask("ThreadReference.Resume", thread=thread)
        play.counts([thread])


@acting(CROWD, "nothing")
def status_and_name(play: Play) -> None:
    for command in ("Name", "ThreadGroup"):
        each(play, command, some(play)[:3])
    each(play, "Status", [play.thread, *some(play)[3:]])


@acting_over({"thread": EVENT_THREAD, "all": ALL, "none": NONE}, CROWD, "stack")
def event_while_something_is_suspended(play: Play, policy: int) -> None:
    """A worker was suspended alone before; the event adds to that, or not."""
    worker = play.stage.threads()["worker-0"]
    each(play, "Suspend", [worker])
    play.break_at("deepest", count(1), policy=policy)
    stop = play.break_at("stop")
    play.go()
    if policy != NONE:
        play.counts([play.thread, worker])
    if policy == ALL:
        play.go()
    elif policy == EVENT_THREAD:
        play.ask("ThreadReference.Resume", thread=play.thread)
        play.talk.next_set()
    else:
        play.talk.next_set()
    play.counts([play.thread, worker])
    play.clear(BREAKPOINT, stop)
    each(play, "Resume", [worker])


@acting(CROWD, "stack")
def event_of_a_thread_that_runs_alone(play: Play) -> None:
    """All are suspended and one is resumed: what it meets is told, and suspends as asked."""
    worker = play.stage.threads()["worker-0"]
    play.break_at("deepest", count(1))
    play.ask("ThreadReference.Resume", thread=play.thread)
    play.talk.next_set()
    play.counts([play.thread, worker])
    play.resume()
    play.counts([play.thread, worker])
    play.vm.ask("VirtualMachine.Resume")


@acting(CROWD, "stack")
def resume_of_the_event_thread_only(play: Play) -> None:
    """After a set that suspended all, one resumed thread lets the next set come."""
    worker = play.stage.threads()["worker-0"]
    play.break_at("stack", count(1))
    play.break_at("deepest", count(1))
    play.go()
    play.ask("ThreadReference.Resume", thread=play.thread)
    play.talk.next_set()
    play.counts([play.thread, worker])
    play.resume()
    play.counts([play.thread, worker])
    play.vm.ask("VirtualMachine.Resume")


@acting(CROWD, "spawn")
def born_while_all_are_suspended(play: Play) -> None:
    """A new thread begins suspended, and is resumed with all."""
    play.run_to("spawned")
    play.ask("VirtualMachine.Suspend")
    for _ in range(2):
        play.ask("ThreadReference.Resume", thread=play.thread)
    wait_until(lambda: "child" in play.stage.threads(), "the child is there")
    child = play.stage.threads()["child"]
    wait_until(lambda: play.stage.suspend_count(child) == 2, "the child is suspended")
    play.counts([child, play.thread])
    each(play, "FrameCount", [child])
    stop = play.break_at("stop")
    play.resume()
    play.counts([child])
    each(play, "Resume", [child])
    play.talk.next_set()
    play.counts([play.thread, play.stage.threads()["worker-0"]])
    play.clear(BREAKPOINT, stop)
    play.vm.ask("ThreadReference.Suspend", thread=play.thread)
    play.vm.ask("VirtualMachine.Resume")


@acting(CROWD, "spawn")
def suspended_before_it_began(play: Play) -> None:
    """The debugger suspends a thread that does not live yet."""
    play.run_to("spawned")
    frame = play.stage.frames(play.thread)[0]["frame_id"]
    values = play.vm.ask(
        "StackFrame.GetValues",
        thread=play.thread,
        frame=frame,
        slots=[{"slot": 0, "tag": ord("L")}],
    )["values"]
    child = values[0]["value"]
    play.counts([child])
    each(play, "Suspend", [child])
    play.counts([child])
    stop = play.break_at("stop")
    play.ask("VirtualMachine.Resume")
    wait_until(lambda: "child" in play.stage.threads(), "the child is there")
    play.counts([child])
    each(play, "Resume", [child])
    if play.stage.suspend_count(child):
        each(play, "Resume", [child])
    play.talk.next_set()
    play.clear(BREAKPOINT, stop)


@acting(CROWD, "spawn")
def start_event_with_each_count(play: Play) -> None:
    play.run_to("spawned")
    play.request(THREAD_START, policy=EVENT_THREAD)
    stop = play.break_at("stop")
    (event,) = play.go()
    child = event["thread"]
    play.counts([child, play.stage.threads()["worker-0"]])
    play.ask("VirtualMachine.Suspend")
    play.counts([child, play.stage.threads()["worker-0"]])
    play.resume()
    play.counts([child])
    play.ask("ThreadReference.Resume", thread=child)
    play.talk.next_set()
    play.clear(BREAKPOINT, stop)


# --- held events ----------------------------------------------------------------------------------


@acting(CROWD, "stack")
def held_events(play: Play) -> None:
    """Nothing is suspended for an event that is held."""
    play.break_at("deepEnd", count(1))
    play.ask("VirtualMachine.HoldEvents")
    play.resume()
    wait_until(lambda: play.stage.static("count") == 1, "it has come near the breakpoint")
    play.counts([play.thread])
    each(play, "FrameCount", [play.thread])
    play.note_sets()
    play.ask("VirtualMachine.ReleaseEvents")
    play.talk.next_set()
    play.counts([play.thread])


@acting(CROWD, "stack")
def held_twice_and_released_once(play: Play) -> None:
    play.ask("VirtualMachine.HoldEvents")
    play.ask("VirtualMachine.HoldEvents")
    play.ask("VirtualMachine.ReleaseEvents")
    play.break_at("deepest")
    play.go()
    play.ask("VirtualMachine.ReleaseEvents")


@acting(CROWD, "stack")
def several_held_events_come_in_their_order(play: Play) -> None:
    play.break_at("deepest", policy=NONE)
    play.break_at("deepEnd")
    play.ask("VirtualMachine.HoldEvents")
    play.resume()
    wait_until(lambda: play.stage.static("count") == 1, "it has been through the first")
    play.ask("VirtualMachine.ReleaseEvents")
    play.talk.next_sets(2)
    play.counts([play.thread])


# --- interrupt and stop ---------------------------------------------------------------------------


@acting(CROWD, "stack")
def interrupt_at_an_event(play: Play) -> None:
    """Whether a method that the debugger runs there sees it, and whether the program does."""
    play.run_to("deepest")
    play.ask("ThreadReference.Interrupt", thread=play.thread)
    play.invoke("interrupted")
    play.step(OVER)


@acting(CROWD, "stack")
def stop_at_an_event(play: Play) -> None:
    """The exception is thrown when the thread goes on, not in what the debugger runs there."""
    play.run_to("deepest")
    made = play.vm.ask(
        "ClassType.NewInstance",
        type_id=play.stage.type("Ljava/lang/RuntimeException;"),
        thread=play.thread,
        method_id=play.method("Ljava/lang/RuntimeException;", "<init>()V"),
        arguments=[],
        options=1,
    )["new_object"]["id"]
    play.ask("ThreadReference.Stop", thread=play.thread, throwable=made)
    play.invoke("add", 1, 2)
    play.break_at("stopped")
    play.go()


@acting(CROWD, "nothing")
def interrupt_of_others(play: Play) -> None:
    each(play, "Interrupt", some(play)[3:])
