# SPDX-License-Identifier: Apache-2.0
"""The method exits of frames whose return is forced: from the JDK's own agent, and from ours in
both modes. In the fast mode the thread reports them itself when it leaves its event.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.robust.running_target import set_static
from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    NONE,
    OVER,
    SINGLE_STEP,
    JdwpSession,
    class_match,
    session_of,
    thread_only,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

pytestmark = pytest.mark.agent

VALUES: dict[str, tuple[str, Any]] = {
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
"""What each method is forced to return: the tag, and a value or the name of a static field."""
OF_PROGRAM = class_match("scenarios.ManyThreads")


@pytest.fixture(params=["jvmdebug", "jvmdebug-fast", "stock"])
def agent(request: pytest.FixtureRequest, jdk: Jdk) -> AgentInVm:
    """The agent in the VM."""
    kind: AgentInVm = request.param
    if kind == "stock" and not jdk.has_jdwp:
        pytest.skip("a JDK without libjdwp")
    return kind


@contextmanager
def returning(jdk: Jdk, agent: AgentInVm) -> Iterator[JdwpSession]:
    """A program that is about to call one method of each type."""
    program = debuggee("many_threads", "scenarios.ManyThreads")
    with session_of(jdk, agent, "returns", program=program) as session:
        session.run_to("stop")
        choose(session, "returns")
        session.main_thread = session.run_to("returns")
        choose(session, "end")
        yield session


def choose(session: JdwpSession, scenario: str) -> None:
    """Say what the program does next."""
    text = session.vm.ask("VirtualMachine.CreateString", text=scenario)["string"]
    set_static(session, "next", text.to_bytes(8))


def value_of(session: JdwpSession, tag: str, value: Any) -> Message:
    """A value for the wire."""
    if tag == "L":
        value = session.static(value) if value else 0
    return {"tag": ord(tag), "value": value}


def force(session: JdwpSession, value: Message) -> str:
    """Force the topmost method of the main thread to return; `NONE` or the error."""
    return session.vm.refusal(
        "ThreadReference.ForceEarlyReturn", thread=session.main_thread, value=value
    )


def test_the_exit_has_the_value_that_was_forced(jdk: Jdk, agent: AgentInVm) -> None:
    with returning(jdk, agent) as session:
        session.request(METHOD_EXIT_WITH_RETURN_VALUE, OF_PROGRAM)
        for marker, (tag, value) in VALUES.items():
            place = session.place(marker)
            breakpoint_there = session.break_at(marker)
            event = next_of(session, BREAKPOINT)
            session.clear(BREAKPOINT, breakpoint_there)
            forced = value_of(session, tag, value)
            assert force(session, forced) == "NONE"
            event = next_of(session, METHOD_EXIT_WITH_RETURN_VALUE)
            assert event["location"] == place, marker
            assert event["thread"] == session.main_thread
            if tag == "L":
                assert event["value"]["value"] == forced["value"], marker
            else:
                assert event["value"] == forced, marker


def next_of(session: JdwpSession, kind: int) -> Message:
    """Resume until there is an event of the kind, past exits of the program's other methods."""
    while True:
        session.resume()
        event = session.vm.next_set()["events"][0]
        if event["kind"] == kind:
            return dict(event)
        assert event["kind"] == METHOD_EXIT_WITH_RETURN_VALUE


@pytest.mark.parametrize("policy", [NONE, EVENT_THREAD])
def test_an_exit_without_the_value(jdk: Jdk, agent: AgentInVm, policy: int) -> None:
    with returning(jdk, agent) as session:
        session.run_to("anInt")
        thread = session.main_thread
        exits = session.request(METHOD_EXIT, OF_PROGRAM, thread_only(thread), policy=policy)
        assert force(session, {"tag": ord("I"), "value": 3}) == "NONE"
        end = session.break_at("aLong")
        session.resume()
        event_set = session.vm.next_set()
        event = event_set["events"][0]
        assert event_set["suspend_policy"] == policy
        assert (event["kind"], event["request_id"]) == (METHOD_EXIT, exits)
        assert session.is_at(event["location"], "anInt")
        if policy == EVENT_THREAD:
            assert len(session.frames(thread)) > 1
            assert session.is_at(session.frames(thread)[0]["location"], "anInt")
            session.vm.ask("ThreadReference.Resume", thread=thread)
        events = session.vm.next_set()["events"]
        while events[0]["kind"] == METHOD_EXIT:  # of see()
            if policy == EVENT_THREAD:
                session.vm.ask("ThreadReference.Resume", thread=thread)
            events = session.vm.next_set()["events"]
        assert [each["request_id"] for each in events] == [end]


def test_requests_that_the_exit_does_not_match(jdk: Jdk, agent: AgentInVm) -> None:
    """Nor is one kept for a later event of the thread."""
    with returning(jdk, agent) as session:
        session.run_to("anInt")
        other = session.request(METHOD_EXIT, class_match("scenarios.Other"))
        assert force(session, {"tag": ord("I"), "value": 3}) == "NONE"
        session.clear(METHOD_EXIT, other)
        session.run_to("aLong")
        assert force(session, {"tag": ord("J"), "value": 3}) == "NONE"
        session.request(METHOD_EXIT, class_match("scenarios.Other"))
        session.run_to("aFloat")


def test_a_step_and_a_debugger_that_leaves_meanwhile(jdk: Jdk, agent: AgentInVm) -> None:
    with returning(jdk, agent) as session:
        session.run_to("anInt")
        thread = session.main_thread
        exits = session.request(METHOD_EXIT, OF_PROGRAM)
        assert force(session, {"tag": ord("I"), "value": 3}) == "NONE"
        step = {"kind": 10, "thread": thread, "size": 1, "depth": OVER}
        session.request(SINGLE_STEP, step)
        session.resume()
        assert session.next_event(METHOD_EXIT)["request_id"] == exits
        session.clear(METHOD_EXIT, exits)
        session.resume()
        assert session.is_at(session.next_event(SINGLE_STEP)["location"], "anInt") is False
        session.vm.ask("EventRequest.ClearAllBreakpoints")
        session.vm.ask("VirtualMachine.Dispose")
        session.outcome()
        assert session.jvm.returncode == 0
