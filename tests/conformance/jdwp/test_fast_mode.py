# SPDX-License-Identifier: Apache-2.0
"""The agent's option `mode`: which requests the fast mode refuses, and its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    BREAKPOINT,
    EXCEPTION,
    INTO,
    LINE,
    METHOD_ENTRY,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    OUT,
    OVER,
    SINGLE_STEP,
    JdwpSession,
    class_exclude,
    class_match,
    listening_port,
    session_of,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent


_KINDS = {
    "exception": EXCEPTION,
    "method entry": METHOD_ENTRY,
    "method exit": METHOD_EXIT,
    "exit with value": METHOD_EXIT_WITH_RETURN_VALUE,
    "thread start": 6,
    "thread end": 7,
    "class prepare": 8,
    "class unload": 9,
    "contended": 43,
    "entered": 44,
    "wait": 45,
    "waited": 46,
    "VM death": 99,
}


def refusals(jdk: Jdk, agent: AgentInVm) -> dict[tuple[str, str], str]:
    """The error of each request, by its kind and the modifiers."""
    answers: dict[tuple[str, str], str] = {}
    with session_of(jdk, agent, "invocations") as session:
        thread = session.run_to("callInvocations")
        modifiers: dict[str, list[dict[str, Any]]] = {
            "all": [],
            "a thread": [thread_only(thread)],
            "a class": [class_match("scenarios.*")],
            "other classes": [class_exclude("java.*")],
        }
        for name, kind in _KINDS.items():
            for words, given in modifiers.items():
                answers[name, words] = error = session.vm.refusal(
                    "EventRequest.Set", event_kind=kind, suspend_policy=0, modifiers=given
                )
                assert error in {"NONE", "NOT_IMPLEMENTED", "ILLEGAL_ARGUMENT"}
        capabilities = session.vm.ask("VirtualMachine.CapabilitiesNew")
        answers.update({("capability", each): str(it) for each, it in capabilities.items()})
    return answers


def test_what_the_fast_mode_refuses(jdk: Jdk) -> None:
    """Nothing."""
    full, fast = refusals(jdk, "jvmdebug"), refusals(jdk, "jvmdebug-fast")
    assert {asked: fast[asked] for asked, error in full.items() if error != fast[asked]} == {}


LIBRARIES = ("java.*", "jdk.*", "sun.*")


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_a_step_goes_on_without_the_request_for_method_entries(jdk: Jdk, agent: AgentInVm) -> None:
    with session_of(jdk, agent, "invocations") as session:
        # In the middle of a step that looks for a method to stop in, the request goes.
        thread = session.run_to("callInvocations")
        depth = len(session.frames(thread))
        excluded = [class_exclude(name) for name in (*LIBRARIES, "scenarios.Scenarios")]
        session.request(SINGLE_STEP, stepping(thread, INTO), *excluded)
        entries = session.request(
            METHOD_ENTRY, thread_only(thread), class_match("scenarios.Scenarios")
        )
        session.resume()
        session.next_event(METHOD_ENTRY)
        session.clear(METHOD_ENTRY, entries)
        session.resume()
        session.next_event(SINGLE_STEP)
        assert len(session.frames(thread)) == depth + 2  # in the constructor that it calls


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_a_request_for_method_entries_outlives_a_step(jdk: Jdk, agent: AgentInVm) -> None:
    with session_of(jdk, agent, "steps") as session:
        thread = session.run_to("sort")
        session.request(METHOD_ENTRY, thread_only(thread), class_match("scenarios.Scenarios"))
        excluded = [class_exclude(name) for name in (*LIBRARIES, "scenarios.Scenarios$$Lambda*")]
        step = session.request(SINGLE_STEP, stepping(thread, INTO), *excluded)
        for kind in (METHOD_ENTRY, SINGLE_STEP):
            session.resume()
            session.next_event(kind)
        session.clear(SINGLE_STEP, step)
        session.break_at("afterSort")
        session.resume()
        session.next_event(METHOD_ENTRY)  # the comparator once more


def stepping(thread: int, depth: int) -> dict[str, int]:
    """The modifier of a step by line."""
    return {"kind": 10, "thread": thread, "size": LINE, "depth": depth}


def test_nothing_is_left_of_a_debugger_lost_in_a_step(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug-fast", "", program=debuggee("speed", "Speed")) as session:
        # While the thread runs, in a frame that the step's has called.
        thread = session.run_to("stepped")
        session.request(SINGLE_STEP, stepping(thread, OVER))
        before = session.static("waits")
        session.resume()
        wait_until(lambda: session.static("waits") > before, "the thread runs")
        next_debugger(session)
        assert session.suspend_count(session.threads()["main"]) == 0
        # The next one steps, and goes while the thread stands there, in the middle of two steps.
        place = session.break_at("outer-end")
        let_go(session)
        thread = session.next_event(BREAKPOINT)["thread"]
        session.clear(BREAKPOINT, place)
        assert session.is_at(session.step(thread, OUT), "round")
        thread = session.run_to("outer")
        assert session.is_at(session.step(thread, INTO), "stepped")
        session.request(SINGLE_STEP, stepping(thread, OUT))
        session.break_at("waiting")
        session.resume()
        session.next_event(BREAKPOINT)
        next_debugger(session)
        let_go(session)
        output, _ = session.outcome()
    own_ns, twin_ns = map(int, output.rpartition("times ")[2].split())
    # With a breakpoint in one of the methods each call takes a hundred times as long.
    assert own_ns < 10 * twin_ns


def next_debugger(session: JdwpSession) -> None:
    """Close the connection without Dispose, and connect again."""
    session.vm.close()
    session.connect(EventSetClient(listening_port(session.jvm)))


def let_go(session: JdwpSession) -> None:
    """Let the thread go on that waits."""
    session.vm.ask(
        "ClassType.SetValues",
        type_id=session.type(),
        values={"count": 1, "content": session.field("go").to_bytes(8) + b"\x01"},
    )
