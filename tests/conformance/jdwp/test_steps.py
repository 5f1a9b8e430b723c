# SPDX-License-Identifier: Apache-2.0
"""Steps: into, over and out, by line and by instruction, over recursion, exceptions, filters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.stage import (
    BREAKPOINT,
    INTO,
    MIN,
    OUT,
    OVER,
    SINGLE_STEP,
    Stage,
    class_exclude,
    count,
    staged,
)
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = pytest.mark.both_modes


@pytest.fixture
def stage(jdk: Jdk, agent_kind: AgentKind) -> Iterator[Stage]:
    """The scene `steps`."""
    with staged(jdk, agent_kind, "steps") as prepared:
        yield prepared


def test_over_into_and_out(stage: Stage) -> None:
    thread = stage.run_to("steps")
    assert stage.is_at(stage.step(thread, OVER), "callMiddle")
    assert stage.is_at(stage.step(thread, INTO), "middle")
    assert stage.is_at(stage.step(thread, INTO), "leaf")
    assert stage.is_at(stage.step(thread, OVER), "leafEnd")
    # Back in the caller, in the middle of its line.
    assert stage.is_at(stage.step(thread, OVER), "middle")
    assert stage.is_at(stage.step(thread, OVER), "middleEnd")
    assert stage.is_at(stage.step(thread, OUT), "callMiddle")
    assert stage.is_at(stage.step(thread, OVER), "callFib")
    assert "done 41\n" not in stage.run_out()


def test_over_a_call_does_not_stop_inside(stage: Stage) -> None:
    thread = stage.run_to("callMiddle")
    assert stage.is_at(stage.step(thread, OVER), "callFib")


def test_over_and_out_of_recursion(stage: Stage) -> None:
    thread = stage.run_to("callFib")
    began = time.monotonic()
    assert stage.is_at(stage.step(thread, OVER), "callCatcher")
    assert time.monotonic() - began < 5  # fib(15) makes 1973 calls; none may be stepped through


def test_over_inside_recursion_stays_in_its_frame(stage: Stage) -> None:
    thread = stage.run_to("fib")
    depth = len(stage.frames(thread))
    assert stage.is_at(stage.step(thread, OVER), "recursion")
    assert len(stage.frames(thread)) == depth
    assert stage.is_at(stage.step(thread, OUT), "callFib")
    assert len(stage.frames(thread)) == depth - 1


def test_over_a_caught_exception_stops_at_its_catch(stage: Stage) -> None:
    thread = stage.run_to("callThrower")
    location = stage.step(thread, OVER)
    # The catch clause begins with storing the exception, on the line of `catch` itself.
    assert stage.line_of(location) in {
        stage.program.marker("catch") - 1,
        stage.program.marker("catch"),
    }


def test_out_by_exception(stage: Stage) -> None:
    thread = stage.run_to("throw")
    depth = len(stage.frames(thread))
    location = stage.step(thread, OUT)
    assert stage.line_of(location) in {
        stage.program.marker("catch") - 1,
        stage.program.marker("catch"),
    }
    assert len(stage.frames(thread)) == depth - 4


def test_by_instruction(stage: Stage) -> None:
    thread = stage.run_to("steps")
    location = stage.step(thread, INTO, size=MIN)
    assert location["method_id"] == stage.methods()["steps"]
    assert location["index"] > stage.place("steps")["index"]
    assert stage.is_at(location, "steps")


def test_into_passes_through_excluded_classes(stage: Stage) -> None:
    # The only code of the stage that the JDK's sort calls is the comparator, by way of a hidden
    # class that implements it.
    excluded = [
        class_exclude(name) for name in ("java.*", "jdk.*", "sun.*", "stage.Stage$$Lambda*")
    ]
    thread = stage.run_to("sort")
    location = stage.step(thread, INTO, *excluded)
    names = {number: name for name, number in stage.methods().items()}
    assert names[location["method_id"]].startswith("lambda$callback")
    # Out of it: the filters let the step end neither in the JDK's frames nor in the hidden class.
    assert stage.is_at(stage.step(thread, OUT, *excluded), "afterSort")


def test_count_of_a_step(stage: Stage) -> None:
    thread = stage.run_to("callMiddle")
    assert stage.is_at(stage.step(thread, INTO, count(1)), "middle")


def test_a_step_request_goes_on_until_it_is_cleared(stage: Stage) -> None:
    thread = stage.run_to("steps")
    stage.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": OVER})
    for marker in ("callMiddle", "callFib", "callCatcher", "callCallback", "stepsEnd"):
        stage.resume()
        assert stage.is_at(stage.next_event(SINGLE_STEP)["location"], marker)


def test_an_ordinary_end(stage: Stage) -> None:
    thread = stage.run_to("leaf")
    assert stage.is_at(stage.step(thread, OUT), "middle")
    assert stage.run_out().startswith("done ")


@pytest.fixture
def recursion(jdk: Jdk, agent_kind: AgentKind) -> Iterator[Stage]:
    """The debuggee `Recursion`, whose frames all have their callers' code in common."""
    with staged(jdk, agent_kind, "5", program=debuggee("recursion", "Recursion")) as prepared:
        yield prepared


def pending_step(stage: Stage, thread: int, depth: int) -> int:
    """A step that has not ended; its request."""
    return stage.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": depth})


def test_out_to_a_breakpoint_of_the_debugger(recursion: Stage) -> None:
    thread = recursion.run_to("base")
    depth = len(recursion.frames(thread))
    place = recursion.step(thread, OUT)
    shared = recursion.request(BREAKPOINT, {"kind": 7, "location": place})
    # Further out a caller goes on at the same place: both are told at once.
    step = pending_step(recursion, thread, OUT)
    recursion.resume()
    events = recursion.vm.next_set()["events"]
    assert {event["kind"] for event in events} == {SINGLE_STEP, BREAKPOINT}
    assert len(recursion.frames(thread)) == depth - 2
    # Without the breakpoint the agent's own, if any, is still there.
    recursion.clear(BREAKPOINT, shared)
    recursion.resume()
    recursion.next_event(SINGLE_STEP)
    recursion.clear(SINGLE_STEP, step)
    assert recursion.run_out() == "5 true\n"


def test_redefinition_in_the_middle_of_a_step(recursion: Stage) -> None:
    thread = recursion.run_to("fib-call")
    step = pending_step(recursion, thread, OVER)
    recursion.break_at("base")
    recursion.resume()
    recursion.next_event(BREAKPOINT)
    content = (recursion.program.class_path[0] / "Recursion.class").read_bytes()
    classes = [{"type_id": recursion.type(), "class_file": content}]
    recursion.vm.ask("VirtualMachine.RedefineClasses", classes=classes)
    # The breakpoint has gone with the old code, the step has not.
    recursion.resume()
    location = recursion.next_event(SINGLE_STEP)["location"]
    assert recursion.is_at(location, "even-call")
    recursion.clear(SINGLE_STEP, step)
    assert recursion.run_out() == "5 true\n"


def test_a_step_that_is_cleared_under_way(recursion: Stage) -> None:
    thread = recursion.run_to("fib-call")
    step = pending_step(recursion, thread, OVER)
    stop = recursion.break_at("base")
    recursion.resume()
    recursion.next_event(BREAKPOINT)
    recursion.clear(SINGLE_STEP, step)
    recursion.clear(BREAKPOINT, stop)
    assert recursion.run_out() == "5 true\n"
