# SPDX-License-Identifier: Apache-2.0
"""What happens while a thread runs a method for the debugger: counts, events, other invocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import CROWD, Play, acting, acting_over
from tests.conformance.differential.conversations.invocations import adding, integer, on_class
from tests.conformance.jdwp.stage import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    INTO,
    NONE,
    OUT,
    OVER,
    SINGLE_STEP,
    SINGLE_THREADED,
    count,
    wait_until,
)

if TYPE_CHECKING:
    from tests.support.wire_reading import Message


def _waiting(play: Play, options: int = SINGLE_THREADED) -> tuple[str, int]:
    """The main thread runs a method that waits for the field `wanted`."""
    asked = play.vm.send(
        "ClassType.InvokeMethod",
        type_id=play.stage.type(),
        thread=play.thread,
        method_id=play.stage.methods()["waitUntilWanted"],
        arguments=[],
        options=options,
    )
    wait_until(lambda: play.stage.static("entered"), "it is inside")
    return asked


def _released(play: Play, asked: tuple[str, int]) -> None:
    play.set_static("wanted", b"\1")
    reply = play.vm.reply_to(asked)
    play.talk.note("reply", str((reply["return_value"], reply["exception"]["id"])))


@acting_over({"single": SINGLE_THREADED, "all": 0}, CROWD, "nothing")
def counts_meanwhile(play: Play, options: int) -> None:
    threads = [play.thread, play.stage.threads()["worker-0"], play.stage.threads()["Finalizer"]]
    asked = _waiting(play, options)
    play.counts(threads)
    play.ask("ThreadReference.FrameCount", thread=play.thread)
    on_class(play, "add", integer(1), integer(2))
    _released(play, asked)
    play.counts(threads)
    on_class(play, "add", integer(1), integer(2))


@acting_over({"single": SINGLE_THREADED, "all": 0}, CROWD, "nothing")
def resumed_meanwhile(play: Play, options: int) -> None:
    """Resumes of what runs already are lost; afterwards the thread is suspended again."""
    threads = [play.thread, play.stage.threads()["worker-0"]]
    asked = _waiting(play, options)
    play.ask("ThreadReference.Resume", thread=play.thread)
    play.counts(threads)
    _released(play, asked)
    play.counts(threads)
    on_class(play, "add", integer(1), integer(2))
    if options == SINGLE_THREADED:
        play.counts(threads)


@acting_over({"single": SINGLE_THREADED, "all": 0}, CROWD, "nothing")
def suspended_meanwhile(play: Play, options: int) -> None:
    threads = [play.thread, play.stage.threads()["worker-0"]]
    asked = _waiting(play, options)
    play.ask("ThreadReference.Suspend", thread=play.thread)
    play.counts(threads)
    play.ask("ThreadReference.Frames", thread=play.thread, start_frame=0, length=1, only=_no_frames)
    play.ask("ThreadReference.Resume", thread=play.thread)
    _released(play, asked)
    play.counts(threads)


def _no_frames(reply: Message) -> Message:
    return {"frames": []} if reply["frames"] else reply


@acting_over({"thread": EVENT_THREAD, "all": ALL, "none": NONE}, CROWD, "nothing")
def breakpoint_meanwhile(play: Play, policy: int) -> None:
    """An event inside: the thread stops there, and the reply comes when it is resumed."""
    threads = [play.thread, play.stage.threads()["worker-0"]]
    request = play.break_at("added", policy=policy)
    asked = play.vm.send("ClassType.InvokeMethod", **adding(play))
    play.talk.next_set()
    if policy != NONE:
        play.clear(BREAKPOINT, request)
        play.counts(threads)
        play.stack()
        if policy == ALL:
            play.vm.send("VirtualMachine.Resume")
        else:
            play.vm.send("ThreadReference.Resume", thread=play.thread)
    reply = play.vm.reply_to(asked)
    play.talk.note("reply", reply["return_value"]["value"])
    play.counts(threads)


@acting(CROWD, "nothing")
def one_inside_another(play: Play) -> None:
    """While the thread stands at a breakpoint in a method that the debugger runs."""
    request = play.break_at("added", count(1), policy=EVENT_THREAD)
    asked = play.vm.send("ClassType.InvokeMethod", **adding(play))
    play.talk.next_set()
    play.clear(BREAKPOINT, request)
    on_class(play, "anInt")
    play.vm.send("ThreadReference.Resume", thread=play.thread)
    play.talk.note("reply", play.vm.reply_to(asked)["return_value"]["value"])


@acting(CROWD, "nothing")
def others_may_wait(play: Play) -> None:
    """Without SINGLE_THREADED the others run, so that a method can wait for them."""
    on_class(play, "waitForOthers", options=0)
    play.counts([play.thread, play.stage.threads()["worker-0"]])


@acting(CROWD, "stack")
def step_goes_on_after_it(play: Play) -> None:
    play.run_to("stack")
    step = play.begin_step(OVER)
    play.break_at("deepest")
    play.go()
    on_class(play, "add", integer(1), integer(2))
    play.go()
    play.clear(1, step)


@acting_over({"into": INTO, "over": OVER, "out": OUT}, CROWD, "stack")
def before_a_step_begins(play: Play, depth: int) -> None:
    """The step was asked for and the thread has not been resumed."""
    play.run_to("stack")
    step = play.begin_step(depth)
    on_class(play, "add", integer(1), integer(2))
    play.go()
    play.clear(SINGLE_STEP, step)


@acting_over({"into": INTO, "over": OVER}, CROWD, "stack")
def after_a_step_has_ended(play: Play, depth: int) -> None:
    """The request stays, so the next step has begun where the thread stands."""
    play.run_to("stack")
    step = play.begin_step(depth)
    play.go()
    on_class(play, "add", integer(1), integer(2))
    play.go()
    play.clear(SINGLE_STEP, step)


@acting(CROWD, "stack")
def interrupted_before_the_next_event(play: Play) -> None:
    """What a method sees that the debugger runs there, and what is left for the program."""
    play.run_to("deepest")
    play.ask("ThreadReference.Interrupt", thread=play.thread)
    play.break_at("deepEnd")
    play.go()
    on_class(play, "interrupted")
    on_class(play, "interrupted")
