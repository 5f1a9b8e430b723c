# SPDX-License-Identifier: Apache-2.0
"""A program that was started with suspend=n, and runs when the debugger comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.acts import Play
from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scene import Scene
from tests.conformance.jdwp.stage import (
    ALL,
    EVENT_THREAD,
    NONE,
    OPTIONS,
    VM_DEATH,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Talk

RUNNING = Scene(
    "running", "crowd", "acts.Crowd", agent_options=OPTIONS.replace("suspend=y", "suspend=n")
)


def _threads(play: Play) -> list[int]:
    wait_until(lambda: "worker-0" in play.stage.threads(), "the workers run")
    play.drop_sets()  # a debugger that comes early enough hears of the VM's start
    named = play.stage.threads()
    return [named[name] for name in ("main", "worker-0", "Finalizer")]


@conversation(RUNNING, fresh=True)
def first_looks(talk: Talk) -> None:
    """Nobody is suspended, and what needs that is refused; data can be had."""
    play = Play(talk)
    threads = _threads(play)
    play.counts(threads)
    for thread in threads:
        play.ask("ThreadReference.FrameCount", thread=thread)
    type_id = play.stage.type()
    play.ask("ReferenceType.Status", type_id=type_id)
    play.invoke("add", 1, 2)
    play.resume()
    play.counts(threads)
    play.ask("VirtualMachine.Suspend")
    play.counts(threads)
    play.invoke("add", 1, 2)
    play.resume()
    play.counts(threads)


@conversation(RUNNING, fresh=True)
def stops_and_goes_on(talk: Talk) -> None:
    """Breakpoints of one thread and of all, then the debugger goes and the program runs on."""
    play = Play(talk)
    threads = _threads(play)
    play.choose("stack")
    play.break_at("deepest", policy=ALL)
    talk.next_set()
    play.counts(threads)
    play.stack()
    play.invoke("add", 1, 2)
    play.ask("EventRequest.ClearAllBreakpoints")
    play.choose("nothing")
    play.break_at("work", thread_only(threads[1]), policy=EVENT_THREAD)
    play.resume()
    talk.next_set()
    play.counts(threads)
    talk.ask("VirtualMachine.Dispose")


@conversation(RUNNING, fresh=True)
def runs_to_its_end(talk: Talk) -> None:
    play = Play(talk)
    _threads(play)
    play.request(VM_DEATH, policy=NONE)
    play.choose("end")
    talk.next_set()
