# SPDX-License-Identifier: Apache-2.0
"""Frames popped or forced to return at moments at which HotSpot would crash.

Only ours is asked: the JDK's own agent has the VM end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.running_target import RunningTarget, running_target, set_static
from tests.support.jdks import jdks_to_test
from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    MIN,
    NONE,
    OVER,
    SINGLE_STEP,
    SINGLE_THREADED,
    count,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdwp_session import JdwpSession
    from tests.support.wire_reading import Message

CHANGING = "Lendless/Endless$Changing;"
NUMBER = {"tag": ord("I"), "value": 7}
ROUNDS = 300

pytestmark = pytest.mark.agent


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def running(request: pytest.FixtureRequest) -> Iterator[RunningTarget]:
    """One VM for all of it; in the end it must end by itself."""
    with running_target(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


def stop_in_inner(session: JdwpSession) -> int:
    """A thread at the beginning of a method whose result is an int."""
    session.break_at("inner", count(1), policy=EVENT_THREAD)
    return int(session.next_event(BREAKPOINT)["thread"])


def version(session: JdwpSession, thread: int) -> Message:
    """An invocation whose result is an object."""
    return {
        "type_id": session.type(CHANGING),
        "thread": thread,
        "method_id": session.methods(CHANGING)["version"],
        "arguments": [],
        "options": SINGLE_THREADED,
    }


def test_an_invoked_method_does_not_return_the_forced_value(running: RunningTarget) -> None:
    """The VM keeps the result for the frame that comes next, whichever it is."""
    with running.debugged() as session:
        thread = stop_in_inner(session)
        session.vm.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=NUMBER)
        refusal = session.vm.refusal("ClassType.InvokeMethod", **version(session, thread))
        assert refusal == "INVALID_THREAD"
        session.vm.ask("ThreadReference.Resume", thread=thread)
        thread = stop_in_inner(session)
        found = session.vm.ask("ClassType.InvokeMethod", **version(session, thread))["return_value"]
        text = session.vm.ask("StringReference.Value", string=found["value"])["text"]
        assert text.startswith("version-")
    running.check()


@pytest.mark.parametrize("way", ["pop", "return"])
def test_a_thread_that_is_about_to_run_a_method_for_the_debugger(
    running: RunningTarget, way: str
) -> None:
    """The frames are still there, but it is not they that run next."""
    with running.debugged() as session:
        for _ in range(ROUNDS // 30):
            thread = stop_in_inner(session)
            session.vm.ask("ThreadReference.Suspend", thread=thread)
            sent = session.vm.send("ClassType.InvokeMethod", **version(session, thread))
            frames = session.frames(thread)
            if way == "pop":
                frame = frames[0]["frame_id"]
                refusal = session.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frame)
            else:
                refusal = session.vm.refusal(
                    "ThreadReference.ForceEarlyReturn", thread=thread, value=NUMBER
                )
            assert refusal == "OPAQUE_FRAME"
            resumed = session.vm.send("ThreadReference.Resume", thread=thread)
            answered = {session.vm.next_reply() for _ in range(2)}
            assert answered == {(sent[1], 0), (resumed[1], 0)}
            session.vm.ask("ThreadReference.Resume", thread=thread)
    running.check()


def test_frames_are_popped_while_their_exit_is_reported(running: RunningTarget) -> None:
    """HotSpot marks the frame for FramePop, drops the mark at the pop, and then expects it."""
    with running.debugged() as session:
        thread, recurse = session.threads()["recursive"], session.methods()["recurse"]
        step = {"kind": 10, "thread": thread, "size": MIN, "depth": OVER}
        session.request(SINGLE_STEP, step, policy=NONE)
        set_static(session, "recursing", b"\x01")
        popped = 0
        for _ in range(ROUNDS):
            session.vm.ask("ThreadReference.Suspend", thread=thread)
            frames = session.frames(thread)
            if frames[0]["location"]["method_id"] == recurse:
                frame = frames[0]["frame_id"]
                answer = session.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frame)
                popped += answer == "NONE"
            session.vm.ask("ThreadReference.Resume", thread=thread)
        set_static(session, "recursing", b"\x00")
        assert popped > ROUNDS // 10
    running.check()
