# SPDX-License-Identifier: Apache-2.0
"""Steps: into, over and out, by line and by instruction, over recursion, exceptions, filters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    BREAKPOINT,
    INTO,
    MIN,
    OUT,
    OVER,
    SINGLE_STEP,
    JdwpSession,
    class_exclude,
    count,
    session_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = pytest.mark.both_modes


@pytest.fixture
def session(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The scenario `steps`."""
    with session_of(jdk, agent_kind, "steps") as prepared:
        yield prepared


def test_over_into_and_out(session: JdwpSession) -> None:
    thread = session.run_to("steps")
    assert session.is_at(session.step(thread, OVER), "callMiddle")
    assert session.is_at(session.step(thread, INTO), "middle")
    assert session.is_at(session.step(thread, INTO), "leaf")
    assert session.is_at(session.step(thread, OVER), "leafEnd")
    # Back in the caller, in the middle of its line.
    assert session.is_at(session.step(thread, OVER), "middle")
    assert session.is_at(session.step(thread, OVER), "middleEnd")
    assert session.is_at(session.step(thread, OUT), "callMiddle")
    assert session.is_at(session.step(thread, OVER), "callFib")
    assert "done 41\n" not in session.run_out()


def test_over_a_call_does_not_stop_inside(session: JdwpSession) -> None:
    thread = session.run_to("callMiddle")
    assert session.is_at(session.step(thread, OVER), "callFib")


def test_over_and_out_of_recursion(session: JdwpSession) -> None:
    thread = session.run_to("callFib")
    began = time.monotonic()
    assert session.is_at(session.step(thread, OVER), "callCatcher")
    assert time.monotonic() - began < 5  # fib(15) makes 1973 calls; none may be stepped through


def test_over_inside_recursion_stays_in_its_frame(session: JdwpSession) -> None:
    thread = session.run_to("fib")
    depth = len(session.frames(thread))
    assert session.is_at(session.step(thread, OVER), "recursion")
    assert len(session.frames(thread)) == depth
    assert session.is_at(session.step(thread, OUT), "callFib")
    assert len(session.frames(thread)) == depth - 1


def test_over_a_caught_exception_stops_at_its_catch(session: JdwpSession) -> None:
    thread = session.run_to("callThrower")
    location = session.step(thread, OVER)
    # The catch clause begins with storing the exception, on the line of `catch` itself.
    assert session.line_of(location) in {
        session.program.marker("catch") - 1,
        session.program.marker("catch"),
    }


def test_out_by_exception(session: JdwpSession) -> None:
    thread = session.run_to("throw")
    depth = len(session.frames(thread))
    location = session.step(thread, OUT)
    assert session.line_of(location) in {
        session.program.marker("catch") - 1,
        session.program.marker("catch"),
    }
    assert len(session.frames(thread)) == depth - 4


def test_by_instruction(session: JdwpSession) -> None:
    thread = session.run_to("steps")
    location = session.step(thread, INTO, size=MIN)
    assert location["method_id"] == session.methods()["steps"]
    assert location["index"] > session.place("steps")["index"]
    assert session.is_at(location, "steps")


def test_into_passes_through_excluded_classes(session: JdwpSession) -> None:
    # The only code of the session that the JDK's sort calls is the comparator, by way of a hidden
    # class that implements it.
    excluded = [
        class_exclude(name) for name in ("java.*", "jdk.*", "sun.*", "scenarios.Scenarios$$Lambda*")
    ]
    thread = session.run_to("sort")
    location = session.step(thread, INTO, *excluded)
    names = {number: name for name, number in session.methods().items()}
    assert names[location["method_id"]].startswith("lambda$callback")
    # Out of it: the filters let the step end neither in the JDK's frames nor in the hidden class.
    assert session.is_at(session.step(thread, OUT, *excluded), "afterSort")


def test_count_of_a_step(session: JdwpSession) -> None:
    thread = session.run_to("callMiddle")
    assert session.is_at(session.step(thread, INTO, count(1)), "middle")


def test_a_step_request_goes_on_until_it_is_cleared(session: JdwpSession) -> None:
    thread = session.run_to("steps")
    session.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": OVER})
    for marker in ("callMiddle", "callFib", "callCatcher", "callCallback", "stepsEnd"):
        session.resume()
        assert session.is_at(session.next_event(SINGLE_STEP)["location"], marker)


def test_an_ordinary_end(session: JdwpSession) -> None:
    thread = session.run_to("leaf")
    assert session.is_at(session.step(thread, OUT), "middle")
    assert session.run_out().startswith("done ")


@pytest.fixture
def recursion(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The debuggee `Recursion`, whose frames all have their callers' code in common."""
    with session_of(jdk, agent_kind, "5", program=debuggee("recursion", "Recursion")) as prepared:
        yield prepared


def pending_step(session: JdwpSession, thread: int, depth: int) -> int:
    """A step that has not ended; its request."""
    return session.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": 1, "depth": depth})


def test_out_to_a_breakpoint_of_the_debugger(recursion: JdwpSession) -> None:
    thread = recursion.run_to("base")
    depth = len(recursion.frames(thread))
    place = recursion.step(thread, OUT)
    shared = recursion.request(BREAKPOINT, {"kind": 7, "location": place})
    # A caller further out continues at the same location: both are reported in one set.
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


def test_redefinition_in_the_middle_of_a_step(recursion: JdwpSession) -> None:
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


def test_a_step_that_is_cleared_under_way(recursion: JdwpSession) -> None:
    thread = recursion.run_to("fib-call")
    step = pending_step(recursion, thread, OVER)
    stop = recursion.break_at("base")
    recursion.resume()
    recursion.next_event(BREAKPOINT)
    recursion.clear(SINGLE_STEP, step)
    recursion.clear(BREAKPOINT, stop)
    assert recursion.run_out() == "5 true\n"
