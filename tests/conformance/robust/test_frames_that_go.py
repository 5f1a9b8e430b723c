# SPDX-License-Identifier: Apache-2.0
"""Frames that are popped or made to return at moments at which HotSpot cannot bear it.

Only ours is asked: the JDK's own agent has the VM end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.stage import (
    BREAKPOINT,
    EVENT_THREAD,
    MIN,
    NONE,
    OVER,
    SINGLE_STEP,
    SINGLE_THREADED,
    count,
)
from tests.conformance.robust.mill import Mill, milling, set_static
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conformance.jdwp.stage import Stage
    from tests.support.wire_reading import Message

CHANGING = "Lmill/Mill$Changing;"
NUMBER = {"tag": ord("I"), "value": 7}
ROUNDS = 300

pytestmark = pytest.mark.agent


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def mill(request: pytest.FixtureRequest) -> Iterator[Mill]:
    """One VM for all of it; in the end it must end by itself."""
    with milling(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


def stop_in_inner(stage: Stage) -> int:
    """A thread at the beginning of a method whose result is an int."""
    stage.break_at("inner", count(1), policy=EVENT_THREAD)
    return int(stage.next_event(BREAKPOINT)["thread"])


def version(stage: Stage, thread: int) -> Message:
    """An invocation whose result is an object."""
    return {
        "type_id": stage.type(CHANGING),
        "thread": thread,
        "method_id": stage.methods(CHANGING)["version"],
        "arguments": [],
        "options": SINGLE_THREADED,
    }


def test_what_is_invoked_does_not_return_what_was_forced(mill: Mill) -> None:
    """The VM keeps the result for the frame that comes next, whichever it is."""
    with mill.debugged() as stage:
        thread = stop_in_inner(stage)
        stage.vm.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=NUMBER)
        refusal = stage.vm.refusal("ClassType.InvokeMethod", **version(stage, thread))
        assert refusal == "INVALID_THREAD"
        stage.vm.ask("ThreadReference.Resume", thread=thread)
        thread = stop_in_inner(stage)
        found = stage.vm.ask("ClassType.InvokeMethod", **version(stage, thread))["return_value"]
        text = stage.vm.ask("StringReference.Value", string=found["value"])["text"]
        assert text.startswith("version-")
    mill.check()


@pytest.mark.parametrize("way", ["pop", "return"])
def test_a_thread_that_is_about_to_run_a_method_for_the_debugger(mill: Mill, way: str) -> None:
    """Its frames are still there, but it is not they that run next."""
    with mill.debugged() as stage:
        for _ in range(ROUNDS // 30):
            thread = stop_in_inner(stage)
            stage.vm.ask("ThreadReference.Suspend", thread=thread)
            sent = stage.vm.send("ClassType.InvokeMethod", **version(stage, thread))
            frames = stage.frames(thread)
            if way == "pop":
                frame = frames[0]["frame_id"]
                refusal = stage.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frame)
            else:
                refusal = stage.vm.refusal(
                    "ThreadReference.ForceEarlyReturn", thread=thread, value=NUMBER
                )
            assert refusal == "OPAQUE_FRAME"
            resumed = stage.vm.send("ThreadReference.Resume", thread=thread)
            answered = {stage.vm.next_reply() for _ in range(2)}
            assert answered == {(sent[1], 0), (resumed[1], 0)}
            stage.vm.ask("ThreadReference.Resume", thread=thread)
    mill.check()


def test_frames_are_popped_while_their_end_is_told(mill: Mill) -> None:
    """HotSpot notes that the end is to be told, forgets it at the pop, and looks for the note."""
    with mill.debugged() as stage:
        thread, climb = stage.threads()["climber"], stage.methods()["climb"]
        step = {"kind": 10, "thread": thread, "size": MIN, "depth": OVER}
        stage.request(SINGLE_STEP, step, policy=NONE)
        set_static(stage, "climbing", b"\x01")
        popped = 0
        for _ in range(ROUNDS):
            stage.vm.ask("ThreadReference.Suspend", thread=thread)
            frames = stage.frames(thread)
            if frames[0]["location"]["method_id"] == climb:
                frame = frames[0]["frame_id"]
                answer = stage.vm.refusal("StackFrame.PopFrames", thread=thread, frame=frame)
                popped += answer == "NONE"
            stage.vm.ask("ThreadReference.Resume", thread=thread)
        set_static(stage, "climbing", b"\x00")
        assert popped > ROUNDS // 10
    mill.check()
