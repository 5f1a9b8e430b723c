# SPDX-License-Identifier: Apache-2.0
"""What methods return: in the full mode, in the fast mode, where the agent reads it before the
return instruction, and from the JDK's own agent.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    BREAKPOINT,
    METHOD_ENTRY,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    NONE,
    OPTIONS,
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
    jdk: Jdk,
    agent: AgentInVm,
    *modifiers: Message,
    kind: int = METHOD_EXIT_WITH_RETURN_VALUE,
    thread: str = "",
) -> list[tuple[str, int, str | None]]:
    """Method, index of the instruction, and value of each exit; references by what they are."""
    program = debuggee("returned", "Returned")
    scenario = "virtual" if jdk.version >= 21 else ""
    with session_of(jdk, agent, scenario, program=program) as session:
        of_thread = [thread_only(session.threads()[thread])] if thread else []
        session.request(kind, *of_thread, *modifiers, policy=NONE)
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


LIBRARIES = [class_exclude(f"{package}.*") for package in ("java", "jdk", "sun")]


@pytest.mark.parametrize("asked", [[OF_PROGRAM], LIBRARIES], ids=["program", "not libraries"])
@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_exits_are_reported_after_a_hot_swap(
    jdk: Jdk, agent: AgentInVm, asked: list[Message]
) -> None:
    program = debuggee("returned", "Returned")
    with session_of(jdk, agent, "", program=program) as session:
        session.run_to("in-middle")
        request = session.request(METHOD_EXIT_WITH_RETURN_VALUE, *asked)
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
@pytest.mark.parametrize("thread", ["", "main"])
def test_both_modes_report_the_same_returns_but_of_libraries(
    jdk: Jdk, kind: int, thread: str
) -> None:
    """Returns of the thread that steps, as java-debug asks for them, and of all."""
    fast = exits_of(jdk, "jvmdebug-fast", *LIBRARIES, kind=kind, thread=thread)
    assert len(fast) > 40
    assert fast == exits_of(jdk, "jvmdebug", *LIBRARIES, kind=kind, thread=thread)
    if jdk.has_jdwp:
        assert fast == exits_of(jdk, "stock", *LIBRARIES, kind=kind, thread=thread)


@pytest.mark.parametrize("kind", [METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_exits_of_methods_entered_by_many_threads_and_of_those_entered_before(
    jdk: Jdk, kind: int
) -> None:
    """Methods entered by virtual threads that have no carrier when it is asked for."""
    fast = exits_of_threads(jdk, "jvmdebug-fast", kind)
    assert fast == {"half": 8 * 25, "works": 8, "await": 8 + 1, "waits": 1}
    assert fast == exits_of_threads(jdk, "jvmdebug", kind)
    if jdk.has_jdwp:
        assert fast == exits_of_threads(jdk, "stock", kind)


def exits_of_threads(jdk: Jdk, agent: AgentInVm, kind: int) -> Counter[str]:
    scenario, options = "", OPTIONS
    if jdk.version >= 21:
        scenario, options = "virtual", f"{OPTIONS},includevirtualthreads=y"
    program = debuggee("returned", "Entered")
    with session_of(jdk, agent, scenario, options, program) as session:
        session.run_to("waiting")
        session.request(kind, *LIBRARIES, policy=NONE)
        session.break_at("joined")
        session.resume()
        events: list[Message] = []
        while not events or events[-1]["kind"] != BREAKPOINT:
            events += session.vm.next_set()["events"]
        names = {each: name for name, each in session.methods().items()}
        session.vm.ask("EventRequest.ClearAllBreakpoints")
        assert session.run_out().endswith("done\n")
    (own,) = {one["location"]["type_id"] for one in events[-1:]}
    return Counter(
        names[one["location"]["method_id"]]
        for one in events[:-1]
        if one["location"]["type_id"] == own
    )


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_each_method_of_all_classes_that_is_entered_returns(jdk: Jdk, agent: AgentInVm) -> None:
    """Includes methods entered before, but not those that throw, and native ones."""
    scenario = "virtual" if jdk.version >= 21 else ""
    with session_of(jdk, agent, scenario, program=debuggee("returned", "Returned")) as session:
        main = session.threads()["main"]
        exits = session.request(METHOD_EXIT, thread_only(main), policy=NONE)
        entries = session.request(METHOD_ENTRY, thread_only(main), policy=NONE)
        session.break_at("done")
        session.resume()
        events: list[Message] = []
        while not events or events[-1]["kind"] != BREAKPOINT:
            events += session.vm.next_set()["events"]
        session.clear(METHOD_ENTRY, entries)
        session.clear(METHOD_EXIT, exits)
        names = names_but_of_natives(session, events[:-1])
        session.vm.ask("EventRequest.ClearAllBreakpoints")
        assert session.run_out().startswith("done")
    stack: list[str] = []
    before: list[str] = []
    thrown: list[str] = []
    for event in events[:-1]:
        name = names.get(method_of(event))
        if name is None:
            continue
        if event["kind"] == METHOD_ENTRY:
            stack.append(name)
        elif name in stack:
            while (left := stack.pop()) != name:
                thrown.append(left)
        else:
            before.append(name)
    assert thrown == ["LReturned; fails"]
    assert len(stack) == 1  # main
    # The VM looks for the method to run while it waits for the debugger.
    assert before[-1] == "Lsun/launcher/LauncherHelper; checkAndLoadMain"


def names_but_of_natives(session: JdwpSession, events: list[Message]) -> dict[tuple[int, int], str]:
    names: dict[tuple[int, int], str] = {}
    for type_id in {one["location"]["type_id"] for one in events}:
        signature = session.vm.ask("ReferenceType.Signature", type_id=type_id)["signature"]
        for each in session.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]:
            if not each["modifiers"] & 0x100:
                names[type_id, each["method_id"]] = f"{signature} {each['name']}"
    return names
