# SPDX-License-Identifier: Apache-2.0
"""Virtual threads (21 and newer): breakpoints, steps, stacks, suspension, lists, invocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    INTO,
    OPTIONS,
    OVER,
    THREAD_DEATH,
    THREAD_START,
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


@pytest.fixture(params=["", ",includevirtualthreads=y"], ids=["known", "all"])
def session(
    request: pytest.FixtureRequest, jdk: Jdk, agent_kind: AgentKind
) -> Iterator[JdwpSession]:
    """Three virtual threads; AllThreads lists them or does not."""
    program = debuggee("virtual", "VirtualThreads")
    if jdk.version < program.release:
        pytest.skip("no virtual threads")
    with session_of(jdk, agent_kind, "3", OPTIONS + request.param, program) as prepared:
        yield prepared


def name(session: JdwpSession, thread: int) -> str:
    """The name of a thread."""
    return str(session.vm.ask("ThreadReference.Name", thread=thread)["name"])


def stop_one(session: JdwpSession, policy: int = ALL) -> int:
    """Stop the first that comes to the line; the others run on when it is resumed."""
    session.break_at("first", count(1), policy=policy)
    session.resume()
    return int(session.next_event(BREAKPOINT)["thread"])


def test_a_breakpoint_stops_in_each(session: JdwpSession) -> None:
    session.break_at("second")
    seen = set()
    for _ in range(3):
        session.resume()
        thread = session.next_event(BREAKPOINT)["thread"]
        assert session.vm.ask("ThreadReference.IsVirtual", thread=thread)["is_virtual"]
        frames = session.frames(thread)
        assert session.is_at(frames[0]["location"], "second")
        slots = [{"slot": 0, "tag": ord("I")}, {"slot": 2, "tag": ord("I")}]
        values = session.vm.ask(
            "StackFrame.GetValues", thread=thread, frame=frames[0]["frame_id"], slots=slots
        )["values"]
        number = values[0]["value"]
        assert values[1]["value"] == 2 * number
        assert name(session, thread) == f"virtual-{number}"
        seen.add(number)
    assert seen == {0, 1, 2}
    assert session.run_out() == "done 3\n"


def test_steps(session: JdwpSession) -> None:
    thread = stop_one(session)
    assert session.is_at(session.step(thread, OVER), "second")
    assert session.is_at(session.step(thread, OVER), "third")
    session.step(thread, OVER)
    # The line that yields: the thread leaves its carrier and comes back.
    assert session.is_at(session.step(thread, OVER), "consume")
    excluded = [class_exclude("java.*"), class_exclude("jdk.*")]
    assert session.is_at(session.step(thread, INTO, *excluded), "inside")
    assert session.run_out() == "done 3\n"


def test_suspend_counts(session: JdwpSession) -> None:
    thread = stop_one(session, EVENT_THREAD)
    assert session.suspend_count(thread) == 1
    session.vm.ask("VirtualMachine.Suspend")
    assert session.suspend_count(thread) == 2
    session.resume()
    assert session.suspend_count(thread) == 1
    assert session.frames(thread)
    # The program ends when its threads have, and takes the agent with it.
    session.vm.ask("ThreadReference.Suspend", thread=session.threads()["main"])
    session.vm.ask("ThreadReference.Resume", thread=thread)
    assert session.suspend_count(thread) == 0
    assert session.run_out() == "done 3\n"


def test_lists(session: JdwpSession, request: pytest.FixtureRequest) -> None:
    thread = stop_one(session)
    listed = session.vm.ask("VirtualMachine.AllThreads")["threads"]
    if "all" in request.node.callspec.id:
        assert thread in listed
    else:
        assert thread not in listed


def test_invocation(session: JdwpSession) -> None:
    thread = stop_one(session)
    string = session.type("Ljava/lang/String;")
    methods = session.vm.ask("ReferenceType.Methods", type_id=string)["methods"]
    (value_of,) = [
        method["method_id"]
        for method in methods
        if (method["name"], method["signature"]) == ("valueOf", "(I)Ljava/lang/String;")
    ]
    reply = session.vm.ask(
        "ClassType.InvokeMethod",
        type_id=string,
        thread=thread,
        method_id=value_of,
        arguments=[{"tag": ord("I"), "value": 77}],
        options=1,
    )
    text = session.vm.ask("StringReference.Value", string=reply["return_value"]["value"])["text"]
    assert text == "77"
    assert session.run_out() == "done 3\n"


def test_starts_and_deaths(session: JdwpSession) -> None:
    session.request(THREAD_START, policy=EVENT_THREAD)
    session.request(THREAD_DEATH, policy=EVENT_THREAD)
    session.resume()
    started: set[str] = set()
    ended: set[str] = set()
    while len(ended) < 3:
        (event,) = session.vm.next_set()["events"]
        called = name(session, event["thread"])
        if called.startswith("virtual"):
            (started if event["kind"] == THREAD_START else ended).add(called)
        session.vm.ask("ThreadReference.Resume", thread=event["thread"])
    assert started == ended == {"virtual-0", "virtual-1", "virtual-2"}


def test_platform_threads_only(session: JdwpSession) -> None:
    session.request(THREAD_START, {"kind": 13}, policy=EVENT_THREAD)
    session.break_at("done")
    session.resume()
    while True:
        (event,) = session.vm.next_set()["events"]
        if event["kind"] == BREAKPOINT:
            break
        assert not session.vm.ask("ThreadReference.IsVirtual", thread=event["thread"])["is_virtual"]
        session.vm.ask("ThreadReference.Resume", thread=event["thread"])
