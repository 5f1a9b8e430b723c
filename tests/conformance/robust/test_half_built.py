# SPDX-License-Identifier: Apache-2.0
"""Virtual threads that are just being made, while the whole heap is walked.

HotSpot looks into the continuation of each virtual thread that a heap walk comes to, and ends when
the constructor has not made it yet. Only ours is asked: the JDK's own agent has the VM end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.stage import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    OPTIONS,
    Stage,
    class_match,
    count,
    staged,
)
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

VIRTUAL = "Ljava/lang/VirtualThread;"


@pytest.fixture
def stage(jdk: Jdk) -> Iterator[Stage]:
    program = debuggee("virtual", "VirtualThreads")
    if jdk.version < program.release:
        pytest.skip("no virtual threads")
    with staged(jdk, "jvmdebug", "3", OPTIONS, program) as prepared:
        yield prepared


@pytest.mark.agent
def test_a_virtual_thread_is_in_its_constructor(stage: Stage) -> None:
    """The second of three: one is there, one has nothing but its memory."""
    stage.request(CLASS_PREPARE, class_match("java.lang.VirtualThread"))
    stage.resume()
    stage.next_event(CLASS_PREPARE)
    vm, type_id = stage.vm, stage.type(VIRTUAL)
    constructor = stage.methods(VIRTUAL)["<init>"]
    start = {"tag": 1, "type_id": type_id, "method_id": constructor, "index": 0}
    stage.request(BREAKPOINT, {"kind": 7, "location": start}, count(2), policy=ALL)
    stage.resume()
    thread = stage.next_event(BREAKPOINT)["thread"]
    frame = stage.frames(thread)[0]["frame_id"]
    made = vm.ask("StackFrame.ThisObject", thread=thread, frame=frame)["this_object"]
    counts = vm.ask("VirtualMachine.InstanceCounts", types=[type_id, stage.type()])
    assert counts["counts"] == [2, 0]
    found = vm.ask("ReferenceType.Instances", type_id=type_id, max_instances=0)["instances"]
    assert made in found
    assert len(found) == 2
    for one in found:
        vm.ask("ObjectReference.ReferringObjects", object=one["id"], max_referrers=0)
    stage.resume()
    assert stage.run_out().endswith("done 3\n")
