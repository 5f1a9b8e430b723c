# SPDX-License-Identifier: Apache-2.0
"""Virtual threads (21 and newer): breakpoints, steps, stacks, suspension, lists, invocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.stage import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    INTO,
    OPTIONS,
    OVER,
    THREAD_DEATH,
    THREAD_START,
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


@pytest.fixture(params=["", ",includevirtualthreads=y"], ids=["known", "all"])
def stage(request: pytest.FixtureRequest, jdk: Jdk, agent_kind: AgentKind) -> Iterator[Stage]:
    """Three virtual threads; AllThreads lists them or does not."""
    program = debuggee("virtual", "VirtualThreads")
    if jdk.version < program.release:
        pytest.skip("no virtual threads")
    with staged(jdk, agent_kind, "3", OPTIONS + request.param, program) as prepared:
        yield prepared


def name(stage: Stage, thread: int) -> str:
    """The name of a thread."""
    return str(stage.vm.ask("ThreadReference.Name", thread=thread)["name"])


def stop_one(stage: Stage, policy: int = ALL) -> int:
    """Stop the first that comes to the line; the others run on when it is resumed."""
    stage.break_at("first", count(1), policy=policy)
    stage.resume()
    return int(stage.next_event(BREAKPOINT)["thread"])


def test_a_breakpoint_stops_in_each(stage: Stage) -> None:
    stage.break_at("second")
    seen = set()
    for _ in range(3):
        stage.resume()
        thread = stage.next_event(BREAKPOINT)["thread"]
        assert stage.vm.ask("ThreadReference.IsVirtual", thread=thread)["is_virtual"]
        frames = stage.frames(thread)
        assert stage.is_at(frames[0]["location"], "second")
        slots = [{"slot": 0, "tag": ord("I")}, {"slot": 2, "tag": ord("I")}]
        values = stage.vm.ask(
            "StackFrame.GetValues", thread=thread, frame=frames[0]["frame_id"], slots=slots
        )["values"]
        number = values[0]["value"]
        assert values[1]["value"] == 2 * number
        assert name(stage, thread) == f"virtual-{number}"
        seen.add(number)
    assert seen == {0, 1, 2}
    assert stage.run_out() == "done 3\n"


def test_steps(stage: Stage) -> None:
    thread = stop_one(stage)
    assert stage.is_at(stage.step(thread, OVER), "second")
    assert stage.is_at(stage.step(thread, OVER), "third")
    stage.step(thread, OVER)
    # The line that yields: the thread leaves its carrier and comes back.
    assert stage.is_at(stage.step(thread, OVER), "consume")
    excluded = [class_exclude("java.*"), class_exclude("jdk.*")]
    assert stage.is_at(stage.step(thread, INTO, *excluded), "inside")
    assert stage.run_out() == "done 3\n"


def test_suspend_counts(stage: Stage) -> None:
    thread = stop_one(stage, EVENT_THREAD)
    assert stage.suspend_count(thread) == 1
    stage.vm.ask("VirtualMachine.Suspend")
    assert stage.suspend_count(thread) == 2
    stage.resume()
    assert stage.suspend_count(thread) == 1
    assert stage.frames(thread)
    # The program ends when its threads have, and takes the agent with it.
    stage.vm.ask("ThreadReference.Suspend", thread=stage.threads()["main"])
    stage.vm.ask("ThreadReference.Resume", thread=thread)
    assert stage.suspend_count(thread) == 0
    assert stage.run_out() == "done 3\n"


def test_lists(stage: Stage, request: pytest.FixtureRequest) -> None:
    thread = stop_one(stage)
    listed = stage.vm.ask("VirtualMachine.AllThreads")["threads"]
    if "all" in request.node.callspec.id:
        assert thread in listed
    else:
        assert thread not in listed


def test_invocation(stage: Stage) -> None:
    thread = stop_one(stage)
    string = stage.type("Ljava/lang/String;")
    methods = stage.vm.ask("ReferenceType.Methods", type_id=string)["methods"]
    (value_of,) = [
        method["method_id"]
        for method in methods
        if (method["name"], method["signature"]) == ("valueOf", "(I)Ljava/lang/String;")
    ]
    reply = stage.vm.ask(
        "ClassType.InvokeMethod",
        type_id=string,
        thread=thread,
        method_id=value_of,
        arguments=[{"tag": ord("I"), "value": 77}],
        options=1,
    )
    text = stage.vm.ask("StringReference.Value", string=reply["return_value"]["value"])["text"]
    assert text == "77"
    assert stage.run_out() == "done 3\n"


def test_starts_and_deaths(stage: Stage) -> None:
    stage.request(THREAD_START, policy=EVENT_THREAD)
    stage.request(THREAD_DEATH, policy=EVENT_THREAD)
    stage.resume()
    started: set[str] = set()
    ended: set[str] = set()
    while len(ended) < 3:
        (event,) = stage.vm.next_set()["events"]
        called = name(stage, event["thread"])
        if called.startswith("virtual"):
            (started if event["kind"] == THREAD_START else ended).add(called)
        stage.vm.ask("ThreadReference.Resume", thread=event["thread"])
    assert started == ended == {"virtual-0", "virtual-1", "virtual-2"}


def test_platform_threads_only(stage: Stage) -> None:
    stage.request(THREAD_START, {"kind": 13}, policy=EVENT_THREAD)
    stage.break_at("done")
    stage.resume()
    while True:
        (event,) = stage.vm.next_set()["events"]
        if event["kind"] == BREAKPOINT:
            break
        assert not stage.vm.ask("ThreadReference.IsVirtual", thread=event["thread"])["is_virtual"]
        stage.vm.ask("ThreadReference.Resume", thread=event["thread"])
