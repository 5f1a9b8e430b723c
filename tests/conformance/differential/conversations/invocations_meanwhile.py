# SPDX-License-Identifier: Apache-2.0
"""What happens while a thread runs a method for the debugger: counts, events, other invocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.calls import integer, on_class
from tests.conformance.differential.conversations.invocations import adding
from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
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


def _waiting(scenario: Scenario, options: int = SINGLE_THREADED) -> tuple[str, int]:
    """The main thread runs a method that waits for the field `wanted`."""
    asked = scenario.vm.send(
        "ClassType.InvokeMethod",
        type_id=scenario.session.type(),
        thread=scenario.thread,
        method_id=scenario.session.methods()["waitUntilWanted"],
        arguments=[],
        options=options,
    )
    wait_until(lambda: scenario.session.static("entered"), "it is inside")
    return asked


def _released(scenario: Scenario, asked: tuple[str, int]) -> None:
    scenario.set_static("wanted", b"\1")
    reply = scenario.vm.reply_to(asked)
    scenario.client.note("reply", str((reply["return_value"], reply["exception"]["id"])))


@scenario_conversations({"single": SINGLE_THREADED, "all": 0}, MANY_THREADS, "nothing")
def counts_meanwhile(scenario: Scenario, options: int) -> None:
    threads = [
        scenario.thread,
        scenario.session.threads()["worker-0"],
        scenario.session.threads()["Finalizer"],
    ]
    asked = _waiting(scenario, options)
    scenario.counts(threads)
    scenario.ask("ThreadReference.FrameCount", thread=scenario.thread)
    on_class(scenario, "add", integer(1), integer(2))
    _released(scenario, asked)
    scenario.counts(threads)
    on_class(scenario, "add", integer(1), integer(2))


@scenario_conversations({"single": SINGLE_THREADED, "all": 0}, MANY_THREADS, "nothing")
def resumed_meanwhile(scenario: Scenario, options: int) -> None:
    """Resumes of what runs already are lost; afterwards the thread is suspended again."""
    threads = [scenario.thread, scenario.session.threads()["worker-0"]]
    asked = _waiting(scenario, options)
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    scenario.counts(threads)
    _released(scenario, asked)
    scenario.counts(threads)
    on_class(scenario, "add", integer(1), integer(2))
    if options == SINGLE_THREADED:
        scenario.counts(threads)


@scenario_conversations({"single": SINGLE_THREADED, "all": 0}, MANY_THREADS, "nothing")
def suspended_meanwhile(scenario: Scenario, options: int) -> None:
    threads = [scenario.thread, scenario.session.threads()["worker-0"]]
    asked = _waiting(scenario, options)
    scenario.ask("ThreadReference.Suspend", thread=scenario.thread)
    scenario.counts(threads)
    scenario.ask(
        "ThreadReference.Frames", thread=scenario.thread, start_frame=0, length=1, only=_no_frames
    )
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    _released(scenario, asked)
    scenario.counts(threads)


def _no_frames(reply: Message) -> Message:
    return {"frames": []} if reply["frames"] else reply


@scenario_conversations({"thread": EVENT_THREAD, "all": ALL, "none": NONE}, MANY_THREADS, "nothing")
def breakpoint_meanwhile(scenario: Scenario, policy: int) -> None:
    """An event inside: the thread stops there, and the reply comes when it is resumed."""
    threads = [scenario.thread, scenario.session.threads()["worker-0"]]
    request = scenario.break_at("added", policy=policy)
    asked = scenario.vm.send("ClassType.InvokeMethod", **adding(scenario))
    scenario.client.next_set()
    if policy != NONE:
        scenario.clear(BREAKPOINT, request)
        scenario.counts(threads)
        scenario.stack()
        if policy == ALL:
            scenario.vm.send("VirtualMachine.Resume")
        else:
            scenario.vm.send("ThreadReference.Resume", thread=scenario.thread)
    reply = scenario.vm.reply_to(asked)
    scenario.client.note("reply", reply["return_value"]["value"])
    scenario.counts(threads)


@scenario_conversation(MANY_THREADS, "nothing")
def one_inside_another(scenario: Scenario) -> None:
    """Invokes while the thread stands at a breakpoint in a method that the debugger runs."""
    request = scenario.break_at("added", count(1), policy=EVENT_THREAD)
    asked = scenario.vm.send("ClassType.InvokeMethod", **adding(scenario))
    scenario.client.next_set()
    scenario.clear(BREAKPOINT, request)
    on_class(scenario, "anInt")
    scenario.vm.send("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.note("reply", scenario.vm.reply_to(asked)["return_value"]["value"])


@scenario_conversation(MANY_THREADS, "nothing")
def others_may_wait(scenario: Scenario) -> None:
    """Invokes without SINGLE_THREADED: the others run, so that a method can wait for them."""
    on_class(scenario, "waitForOthers", options=0)
    scenario.counts([scenario.thread, scenario.session.threads()["worker-0"]])


@scenario_conversation(MANY_THREADS, "stack")
def step_goes_on_after_it(scenario: Scenario) -> None:
    scenario.run_to("stack")
    step = scenario.begin_step(OVER)
    scenario.break_at("deepest")
    scenario.go()
    on_class(scenario, "add", integer(1), integer(2))
    scenario.go()
    scenario.clear(1, step)


@scenario_conversations({"into": INTO, "over": OVER, "out": OUT}, MANY_THREADS, "stack")
def before_a_step_begins(scenario: Scenario, depth: int) -> None:
    """The step was asked for and the thread has not been resumed."""
    scenario.run_to("stack")
    step = scenario.begin_step(depth)
    on_class(scenario, "add", integer(1), integer(2))
    scenario.go()
    scenario.clear(SINGLE_STEP, step)


@scenario_conversations({"into": INTO, "over": OVER}, MANY_THREADS, "stack")
def after_a_step_has_ended(scenario: Scenario, depth: int) -> None:
    """The request stays, so the next step has begun where the thread stands."""
    scenario.run_to("stack")
    step = scenario.begin_step(depth)
    scenario.go()
    on_class(scenario, "add", integer(1), integer(2))
    scenario.go()
    scenario.clear(SINGLE_STEP, step)


@scenario_conversation(MANY_THREADS, "stack")
def interrupted_before_the_next_event(scenario: Scenario) -> None:
    """What a method sees that the debugger runs there, and what is left for the program."""
    scenario.run_to("deepest")
    scenario.ask("ThreadReference.Interrupt", thread=scenario.thread)
    scenario.break_at("deepEnd")
    scenario.go()
    scenario.clear_interrupt()
    on_class(scenario, "interrupted")
