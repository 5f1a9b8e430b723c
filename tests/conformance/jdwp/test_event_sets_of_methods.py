# SPDX-License-Identifier: Apache-2.0
"""Sets of events of entries and exits of methods: all requests that match at one
place, whatever their policies, and entry and exit of a method never.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import pytest

from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    INTO,
    LINE,
    METHOD_ENTRY,
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
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent

KINDS: Final = (METHOD_ENTRY, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE)
POLICIES: Final = (NONE, EVENT_THREAD, ALL)
ENTRY: Final = [METHOD_ENTRY] * 3
EXIT: Final = [METHOD_EXIT_WITH_RETURN_VALUE] * 3 + [METHOD_EXIT] * 3


@pytest.fixture(params=["jvmdebug", "jvmdebug-fast", "stock"])
def agent(request: pytest.FixtureRequest, jdk: Jdk) -> AgentInVm:
    """The agent in the VM."""
    kind: AgentInVm = request.param
    if kind == "stock" and not jdk.has_jdwp:
        pytest.skip("a JDK without libjdwp")
    return kind


def sets_of(session: JdwpSession, number: int) -> list[list[int]]:
    """The kinds of the events in each of the next sets, which suspend all threads."""
    found = []
    for _ in range(number):
        session.resume()
        event_set = session.vm.next_set()
        assert event_set["suspend_policy"] == ALL
        requests = [event["request_id"] for event in event_set["events"]]
        assert len({*requests}) == len(requests)
        places = [event["location"] for event in event_set["events"]]
        assert all(one == next_one for one, next_one in pairwise(places))
        found.append([event["kind"] for event in event_set["events"]])
    return found


@pytest.mark.parametrize("extra", ["nothing", "breakpoint", "step"])
def test_sets_of_several_requests(jdk: Jdk, agent: AgentInVm, extra: str) -> None:
    """Newest requests are first, and an entry waits for the breakpoint or step at its place."""
    with session_of(jdk, agent, "steps") as session:
        thread = session.run_to("callMiddle")
        only = (class_match("scenarios.Scenarios"), thread_only(thread))
        for kind in KINDS:
            for policy in POLICIES:
                session.request(kind, *only, policy=policy)
        leaf_entry = ENTRY
        middle_entry = ENTRY
        if extra == "breakpoint":
            session.break_at("leaf")
            leaf_entry = [*ENTRY, BREAKPOINT]
        elif extra == "step":
            step = {"kind": 10, "thread": thread, "size": LINE, "depth": INTO}
            session.request(SINGLE_STEP, step, {"kind": 1, "count": 1})
            middle_entry = [*ENTRY, SINGLE_STEP]
        assert sets_of(session, 4) == [middle_entry, leaf_entry, EXIT, EXIT]


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"], indirect=True)
def test_entries_while_the_vm_loads_classes_in_a_step(jdk: Jdk, agent: AgentInVm) -> None:
    """Reports each entry alone: no step ends in a method that the VM calls.

    libjdwp mixes entries and exits of several methods there (JDK-8292217), in 25 in a step into a
    call only.
    """
    with session_of(jdk, agent, "steps") as session:
        thread = session.run_to("sort")
        for kind in (METHOD_ENTRY, METHOD_EXIT):
            session.request(kind, thread_only(thread), policy=EVENT_THREAD)
        step = {"kind": 10, "thread": thread, "size": LINE, "depth": OVER}
        session.request(SINGLE_STEP, step, {"kind": 1, "count": 1})
        session.resume()
        seen: set[int] = set()
        for _ in range(150):
            events = session.vm.next_set()["events"]
            assert len(events) == 1
            seen.add(events[0]["kind"])
            session.vm.ask("ThreadReference.Resume", thread=thread)
        assert seen == {METHOD_ENTRY, METHOD_EXIT}
