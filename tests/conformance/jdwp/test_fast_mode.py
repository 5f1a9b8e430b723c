# SPDX-License-Identifier: Apache-2.0
"""The agent's option `mode`: what the fast mode leaves out, and that it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.conversation import RefusedError
from tests.conformance.jdwp.stage import (
    BREAKPOINT,
    EXCEPTION,
    INTO,
    LINE,
    METHOD_ENTRY,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    OPTIONS,
    OUT,
    OVER,
    SINGLE_STEP,
    TIMEOUT_S,
    SetConversation,
    Stage,
    class_exclude,
    class_match,
    listening_port,
    staged,
    thread_only,
    wait_until,
)
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent


@pytest.mark.parametrize("kind", [EXCEPTION, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_the_fast_mode_refuses_what_slows_the_program_down(jdk: Jdk, kind: int) -> None:
    with staged(jdk, "jvmdebug-fast", "steps") as stage:
        with pytest.raises(RefusedError, match="NOT_IMPLEMENTED"):
            stage.request(kind)
        assert stage.run_out().startswith("done ")


@pytest.mark.parametrize("kind", [EXCEPTION, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_the_full_mode_takes_the_same_requests(jdk: Jdk, kind: int) -> None:
    with staged(jdk, "jvmdebug", "steps", OPTIONS + ",mode=full") as stage:
        stage.clear(kind, stage.request(kind))
        assert stage.run_out().startswith("done ")


LIBRARIES = ("java.*", "jdk.*", "sun.*")


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_a_step_goes_on_without_the_request_for_method_entries(jdk: Jdk, agent: AgentInVm) -> None:
    with staged(jdk, agent, "invocations") as stage:
        # In the middle of a step that looks for a method to stop in, the request goes.
        thread = stage.run_to("callInvocations")
        depth = len(stage.frames(thread))
        excluded = [class_exclude(name) for name in (*LIBRARIES, "stage.Stage")]
        stage.request(SINGLE_STEP, stepping(thread, INTO), *excluded)
        entries = stage.request(METHOD_ENTRY, thread_only(thread), class_match("stage.Stage"))
        stage.resume()
        stage.next_event(METHOD_ENTRY)
        stage.clear(METHOD_ENTRY, entries)
        stage.resume()
        stage.next_event(SINGLE_STEP)
        assert len(stage.frames(thread)) == depth + 2  # in the constructor that it calls


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_a_request_for_method_entries_outlives_a_step(jdk: Jdk, agent: AgentInVm) -> None:
    with staged(jdk, agent, "steps") as stage:
        thread = stage.run_to("sort")
        stage.request(METHOD_ENTRY, thread_only(thread), class_match("stage.Stage"))
        excluded = [class_exclude(name) for name in (*LIBRARIES, "stage.Stage$$Lambda*")]
        step = stage.request(SINGLE_STEP, stepping(thread, INTO), *excluded)
        for kind in (METHOD_ENTRY, SINGLE_STEP):
            stage.resume()
            stage.next_event(kind)
        stage.clear(SINGLE_STEP, step)
        stage.break_at("afterSort")
        stage.resume()
        stage.next_event(METHOD_ENTRY)  # the comparator once more


def stepping(thread: int, depth: int) -> dict[str, int]:
    """The modifier of a step by line."""
    return {"kind": 10, "thread": thread, "size": LINE, "depth": depth}


def test_nothing_is_left_of_a_debugger_that_vanishes_in_a_step(jdk: Jdk) -> None:
    with staged(jdk, "jvmdebug-fast", "", program=debuggee("speed", "Speed")) as stage:
        # While the thread runs, in a frame that the step's has called.
        thread = stage.run_to("stepped")
        stage.request(SINGLE_STEP, stepping(thread, OVER))
        before = stage.static("waits")
        stage.resume()
        wait_until(lambda: stage.static("waits") > before, "the thread runs")
        next_debugger(stage)
        assert stage.suspend_count(stage.threads()["main"]) == 0
        # The next one steps, and goes while the thread stands there, in the middle of two steps.
        place = stage.break_at("outer-end")
        let_go(stage)
        thread = stage.next_event(BREAKPOINT)["thread"]
        stage.clear(BREAKPOINT, place)
        assert stage.is_at(stage.step(thread, OUT), "round")
        thread = stage.run_to("outer")
        assert stage.is_at(stage.step(thread, INTO), "stepped")
        stage.request(SINGLE_STEP, stepping(thread, OUT))
        stage.break_at("waiting")
        stage.resume()
        stage.next_event(BREAKPOINT)
        next_debugger(stage)
        let_go(stage)
        output, _ = stage.jvm.communicate(timeout=TIMEOUT_S)
    own_ns, twin_ns = map(int, output.rpartition("times ")[2].split())
    # With a breakpoint in one of the methods each call takes a hundred times as long.
    assert own_ns < 10 * twin_ns


def next_debugger(stage: Stage) -> None:
    """Hang up without a word, and connect anew."""
    stage.vm.close()
    stage.connect(SetConversation(listening_port(stage.jvm)))


def let_go(stage: Stage) -> None:
    """Let the thread go on that waits."""
    stage.vm.ask(
        "ClassType.SetValues",
        type_id=stage.type(),
        values={"count": 1, "content": stage.field("go").to_bytes(8) + b"\x01"},
    )
