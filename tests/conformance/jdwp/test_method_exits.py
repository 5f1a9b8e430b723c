# SPDX-License-Identifier: Apache-2.0
"""What methods return, by requests that name classes: in the full mode, in the fast mode, where the
agent reads it before the return instruction, and from the JDK's own agent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_client import RefusedError
from tests.support.jdwp_session import (
    BREAKPOINT,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    NONE,
    JdwpSession,
    class_exclude,
    class_match,
    session_of,
    thread_only,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

pytestmark = pytest.mark.agent

OF_PROGRAM = class_match("Returned*")
NUMBER = r"[$][0-9]+|[./]0x[0-9a-f]+"
"""Of a class of a lambda: the VM counts, or takes an address."""


def exits_of(
    jdk: Jdk, agent: AgentInVm, *modifiers: Message, kind: int = METHOD_EXIT_WITH_RETURN_VALUE
) -> list[tuple[str, int, str | None]]:
    """Method, index of the instruction, and value of each exit; references by what they are."""
    program = debuggee("returned", "Returned")
    scenario = "virtual" if jdk.version >= 21 else ""
    with session_of(jdk, agent, scenario, program=program) as session:
        session.request(kind, *modifiers, policy=NONE)
        session.break_at("done")
        session.resume()
        events: list[Message] = []
        while not events or events[-1]["kind"] != BREAKPOINT:
            events += session.vm.next_set()["events"]
        names = {key: name_of(session, *key) for key in map(method_of, events)}
        session.vm.ask("EventRequest.ClearAllBreakpoints")
        assert session.run_out().startswith("done")
    return [
        (names[method_of(one)], one["location"]["index"], seen(one.get("value")))
        for one in events[:-1]
    ]


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_exits_are_reported_after_a_hot_swap(jdk: Jdk, agent: AgentInVm) -> None:
    program = debuggee("returned", "Returned")
    with session_of(jdk, agent, "", program=program) as session:
        session.run_to("in-middle")
        request = session.request(METHOD_EXIT_WITH_RETURN_VALUE, OF_PROGRAM)
        session.resume()
        before = session.next_event(METHOD_EXIT_WITH_RETURN_VALUE)
        loaded = session.vm.ask("VirtualMachine.AllClasses")["classes"]
        assert not [each for each in loaded if "Jvmdebug" in each["signature"]]
        content = (program.class_path[0] / "Returned.class").read_bytes()
        session.vm.ask(
            "VirtualMachine.RedefineClasses",
            classes=[{"type_id": session.type(), "class_file": content}],
        )
        session.resume()
        seen_after: list[tuple[str, str | None]] = []
        while len(seen_after) < 12:
            event = session.next_event(METHOD_EXIT_WITH_RETURN_VALUE)
            seen_after.append((name_of(session, *method_of(event)), seen(event["value"])))
            session.resume()
        session.clear(METHOD_EXIT_WITH_RETURN_VALUE, request)
    assert seen(before["value"]) is not None
    assert ("LReturned; fib", "I 3") in seen_after
    assert ("LReturned; nested", "J 14000000000") not in seen_after
    assert [value for name, value in seen_after if name == "LReturned; fib"][:3] == [
        "I 1",
        "I 0",
        "I 1",
    ]


def method_of(event: Message) -> tuple[int, int]:
    return event["location"]["type_id"], event["location"]["method_id"]


def seen(value: Message | None) -> str | None:
    """Numbers as they are; of a reference its tag and whether it is null."""
    if value is None:
        return None
    tag = chr(value["tag"])
    return f"{tag} {value['value'] != 0 if tag in 'L[s' else value.get('value')}"


def name_of(session: JdwpSession, type_id: int, method_id: int) -> str:
    signature = session.vm.ask("ReferenceType.Signature", type_id=type_id)["signature"]
    methods = session.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]
    (name,) = (each["name"] for each in methods if each["method_id"] == method_id)
    return f"{re.sub(NUMBER, '', signature)} {name}"


@pytest.mark.parametrize("kind", [METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_both_modes_report_the_same_returns(jdk: Jdk, kind: int) -> None:
    fast = exits_of(jdk, "jvmdebug-fast", OF_PROGRAM, kind=kind)
    assert len(fast) > 60
    assert fast == exits_of(jdk, "jvmdebug", OF_PROGRAM, kind=kind)
    if jdk.has_jdwp:
        assert fast == exits_of(jdk, "stock", OF_PROGRAM, kind=kind)


@pytest.mark.parametrize("kind", [METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_the_fast_mode_refuses_exits_of_all_classes(jdk: Jdk, kind: int) -> None:
    with session_of(jdk, "jvmdebug-fast", "steps") as session:
        (main,) = (one for name, one in session.threads().items() if name == "main")
        for modifiers in (
            (),
            (class_exclude("java.*"),),
            (thread_only(main),),
            (class_match("*"),),
        ):
            with pytest.raises(RefusedError, match="NOT_IMPLEMENTED"):
                session.request(kind, *modifiers)
        assert session.run_out().startswith("done ")
