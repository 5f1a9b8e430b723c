# SPDX-License-Identifier: Apache-2.0
"""Virtual threads under construction while the whole heap is walked.

HotSpot looks into the continuation of each virtual thread that a heap walk comes to, and ends when
the constructor has not made it yet. Only ours is asked: the JDK's own agent has the VM end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    OPTIONS,
    JdwpSession,
    class_match,
    count,
    session_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

VIRTUAL = "Ljava/lang/VirtualThread;"


@pytest.fixture
def session(jdk: Jdk) -> Iterator[JdwpSession]:
    program = debuggee("virtual", "VirtualThreads")
    if jdk.version < program.release:
        pytest.skip("no virtual threads")
    with session_of(jdk, "jvmdebug", "3", OPTIONS, program) as prepared:
        yield prepared


@pytest.mark.agent
def test_a_virtual_thread_is_in_its_constructor(session: JdwpSession) -> None:
    """The second of three: one is there, one has nothing but its memory."""
    session.request(CLASS_PREPARE, class_match("java.lang.VirtualThread"))
    session.resume()
    session.next_event(CLASS_PREPARE)
    vm, type_id = session.vm, session.type(VIRTUAL)
    constructor = session.methods(VIRTUAL)["<init>"]
    start = {"tag": 1, "type_id": type_id, "method_id": constructor, "index": 0}
    session.request(BREAKPOINT, {"kind": 7, "location": start}, count(2), policy=ALL)
    session.resume()
    thread = session.next_event(BREAKPOINT)["thread"]
    frame = session.frames(thread)[0]["frame_id"]
    made = vm.ask("StackFrame.ThisObject", thread=thread, frame=frame)["this_object"]
    counts = vm.ask("VirtualMachine.InstanceCounts", types=[type_id, session.type()])
    assert counts["counts"] == [2, 0]
    found = vm.ask("ReferenceType.Instances", type_id=type_id, max_instances=0)["instances"]
    assert made in found
    assert len(found) == 2
    for one in found:
        vm.ask("ObjectReference.ReferringObjects", object=one["id"], max_referrers=0)
    session.resume()
    assert session.run_out().endswith("done 3\n")
