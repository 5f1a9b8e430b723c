# SPDX-License-Identifier: Apache-2.0
"""Requests for exceptions in the fast mode, where the agent watches exceptions being constructed.

What is reported is compared with the full mode, and that with the JDK's own agent; what differs is
in the table of docs/how-to/modes.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdks import REPOSITORY
from tests.support.jdwp_session import (
    BREAKPOINT,
    EXCEPTION,
    INTO,
    LINE,
    MIN,
    NONE,
    OPTIONS,
    OVER,
    class_match,
    count,
    location_only,
    session_of,
)
from tests.support.matrix import has_all_sets
from tests.support.throws import exception_only, ways

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tests.support.jdks import Jdk
    from tests.support.jdwp_session import JdwpSession
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

pytestmark = pytest.mark.agent

_ROW = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
_THROWABLE = "Ljava/lang/Throwable;"


def documented() -> set[str]:
    """The ways that the documentation says are reported differently."""
    text = (REPOSITORY / "docs/how-to/modes.md").read_text()
    section = text.partition("## Exception breakpoints in the fast mode")[2].partition("\n## ")[0]
    return set(_ROW.findall(section))


def test_what_differs_from_the_full_mode_is_documented(jdk: Jdk) -> None:
    full, fast = ways(jdk, "jvmdebug"), ways(jdk, "jvmdebug-fast")
    assert full.keys() == fast.keys()
    assert len(full) > 70
    differing = {name for name in full if full[name] != fast[name]}
    assert differing <= documented()
    # Whether compiled code throws what it has made in advance is the compiler's decision, and
    # reflection is native code up to Java 17.
    by_native_code = {name for name in documented() if name.startswith("reflection")}
    assert documented() - differing <= {"fast throw"} | (
        by_native_code if jdk.version > 17 else set()
    )


def test_the_full_mode_reports_what_the_jdk_s_own_agent_does(jdk: Jdk) -> None:
    if not jdk.has_jdwp:
        pytest.skip("a runtime without the JDK's own agent")
    assert ways(jdk, "jvmdebug") == ways(jdk, "stock")


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_uncaught_ones_alone(jdk: Jdk, agent: AgentInVm) -> None:
    found = ways(jdk, agent, caught=False)
    assert {name for name, thrown in found.items() if thrown} == {
        "thread: given",
        "thread: uncaught",
        "thread: uncaught through finally",
        "thread: uncaught, caught before",
        "thread: uncaught, made in a try",
        "thread: uncaught, returned by a try",
    }


def test_caught_ones_alone(jdk: Jdk) -> None:
    """Caught by a handler that is around the throw, and not around the constructor."""
    found = ways(jdk, "jvmdebug-fast", uncaught=False)
    assert len(found["made before a try, thrown in it"]) == 1
    assert not found["thread: uncaught, made in a try"]


def test_the_code_that_throws_what_it_is_given_is_shown_as_it_was(jdk: Jdk) -> None:
    """Code with the checks in it, of a class that is loaded before them and of one that comes
    later.
    """
    program = debuggee("throwing", "throwing.Main")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        session.run_to("between")
        before = codes_of(session)
        request = session.request(EXCEPTION, exception_only(), policy=NONE)
        assert codes_of(session) == before
        session.clear(EXCEPTION, request)
        assert codes_of(session) == before
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        session.request(EXCEPTION, exception_only(), class_match("nothing"), policy=NONE)
        session.run_to("between")
        assert codes_of(session) == before


def test_a_step_into_a_throw_of_something_given_ends_in_the_program(jdk: Jdk) -> None:
    program = debuggee("throwing", "throwing.Main")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        request = session.request(EXCEPTION, exception_only())
        while True:
            session.resume()
            event = session.next_event(EXCEPTION)
            signature = session.vm.ask(
                "ReferenceType.Signature", type_id=event["location"]["type_id"]
            )["signature"]
            if signature.startswith("Lthrowing/Given"):
                break
        session.clear(EXCEPTION, request)
        after = session.step(event["thread"], INTO, size=MIN)
        signature = session.vm.ask("ReferenceType.Signature", type_id=after["type_id"])["signature"]
        assert signature.startswith("Lthrowing/")


def codes_of(session: JdwpSession) -> list[tuple[int, list[Message]]]:
    """The length of the code and the lines of all methods of a class that throws what it is given.

    Not the bytes: the VM gives members of changed classes other indices in the constant pool.
    """
    owner = session.type("Lthrowing/Given;")
    methods = session.vm.ask("ReferenceType.Methods", type_id=owner)["methods"]
    found = []
    for method in (each["method_id"] for each in methods):
        code = session.vm.ask("Method.Bytecodes", type_id=owner, method_id=method)["bytecodes"]
        table = session.vm.ask("Method.LineTable", type_id=owner, method_id=method)
        found.append((len(code), table["lines"]))
    return found


def repeated(jdk: Jdk, kind: str) -> AbstractContextManager[JdwpSession]:
    program = debuggee("throwing", "throwing.Repeated")
    return session_of(jdk, "jvmdebug-fast", kind, program=program)


@pytest.mark.parametrize("kind", ["trace", "none"])
def test_what_is_caught_again_and_again_does_not_hide_what_is_not(jdk: Jdk, kind: str) -> None:
    with repeated(jdk, kind) as session:
        session.request(EXCEPTION, exception_only(caught=False))
        session.resume()
        event = session.next_event(EXCEPTION)
        assert session.is_at(event["location"], "fails")
        assert event["catch_location"]["type_id"] == 0
        session.resume()
        output, _ = session.outcome()
        assert output.endswith("done\n")


@pytest.mark.parametrize("kind", ["trace", "none"])
def test_a_new_request_sees_what_nobody_wanted_before(jdk: Jdk, kind: str) -> None:
    with repeated(jdk, kind) as session:
        session.request(EXCEPTION, exception_only(caught=False))
        session.run_to("settled")
        session.request(EXCEPTION, exception_only(uncaught=False))
        session.resume()
        event = session.next_event(EXCEPTION)
        assert session.is_at(event["location"], "fails")
        assert event["catch_location"]["type_id"] != 0


@pytest.mark.parametrize(("kind", "limit_ns"), [("trace", 2_500), ("none", 15_000)])
def test_an_exception_that_is_caught_costs_little_while_uncaught_ones_are_wanted(
    jdk: Jdk, kind: str, limit_ns: int
) -> None:
    """Looking at the stack of each would take 25,000 ns and more."""
    costs = []
    for wanted in (False, True):
        with repeated(jdk, kind) as session:
            if wanted:
                session.request(EXCEPTION, exception_only(caught=False), policy=NONE)
            costs.append(int(session.run_out().split()[0]))
    assert costs[1] - costs[0] < limit_ns


def method_of_throwable(session: JdwpSession, name: str, descriptor: str) -> int:
    """The id of the method."""
    methods = session.vm.ask("ReferenceType.Methods", type_id=session.type(_THROWABLE))["methods"]
    (found,) = [
        each["method_id"]
        for each in methods
        if (each["name"], each["signature"]) == (name, descriptor)
    ]
    return int(found)


def constructor_of_throwable(session: JdwpSession) -> bytes:
    """The bytecode of the one without arguments."""
    method = method_of_throwable(session, "<init>", "()V")
    reply = session.vm.ask("Method.Bytecodes", type_id=session.type(_THROWABLE), method_id=method)
    return bytes(reply["bytecodes"])


def changes_of_throwable(session: JdwpSession) -> int:
    """How often its code was changed, as the VM counts."""
    type_id = session.type("Ljava/lang/Class;")
    fields = session.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
    (count_,) = [each["field_id"] for each in fields if each["name"] == "classRedefinedCount"]
    mirror = session.vm.ask("ReferenceType.ClassObject", type_id=session.type(_THROWABLE))
    reply = session.vm.ask(
        "ObjectReference.GetValues", object=mirror["class_object"], fields=[count_]
    )
    return int(reply["values"][0]["value"])


def test_throwable_is_changed_while_there_are_requests_and_nobody_sees_it(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug-fast", "steps") as session:
        before = constructor_of_throwable(session)
        first = session.request(EXCEPTION, exception_only())
        assert changes_of_throwable(session) == 1
        second = session.request(EXCEPTION, exception_only(session.type(_THROWABLE)))
        session.clear(EXCEPTION, first)
        assert changes_of_throwable(session) == 1
        assert constructor_of_throwable(session) == before
        session.clear(EXCEPTION, second)
        assert changes_of_throwable(session) == 2
        assert constructor_of_throwable(session) == before
        assert session.run_out().startswith("done ")


def test_throwable_is_not_changed_where_no_code_may_be(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug-fast", "steps", f"{OPTIONS},probes=n") as session:
        error = session.vm.refusal(
            "EventRequest.Set", event_kind=EXCEPTION, suspend_policy=0, modifiers=[exception_only()]
        )
        assert error == "NOT_IMPLEMENTED"
        assert changes_of_throwable(session) == 0
    with session_of(jdk, "jvmdebug", "steps", f"{OPTIONS},probes=n") as session:
        session.request(EXCEPTION, exception_only(), policy=NONE)
        assert changes_of_throwable(session) == 0
        assert session.run_out().startswith("done ")


def test_filters_on_class_count_and_type(jdk: Jdk) -> None:
    program = debuggee("throwing", "throwing.Storm")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        state = session.type("Ljava/lang/IllegalArgumentException;")
        session.request(EXCEPTION, exception_only(state), class_match("throwing.Storm"), count(3))
        session.resume()
        event = session.next_event(EXCEPTION)
        thrown = session.vm.ask("ObjectReference.ReferenceType", object=event["exception"]["id"])
        assert thrown["type_id"] == state
        frames = session.frames(event["thread"])
        assert frames[0]["location"] == event["location"]
        assert event["catch_location"]["method_id"] == frames[1]["location"]["method_id"]


def test_a_stop_in_an_exception_of_the_vm_shows_the_program_s_frames(jdk: Jdk) -> None:
    program = debuggee("exceptions", "Exceptions")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        npe = session.type("Ljava/lang/NullPointerException;")
        session.request(EXCEPTION, exception_only(npe))
        session.resume()
        event = session.next_event(EXCEPTION)
        thread = event["thread"]
        assert session.is_at(event["location"], "npe")
        frames = session.frames(thread)
        assert frames[0]["location"] == event["location"]
        depth = session.vm.ask("ThreadReference.FrameCount", thread=thread)["frame_count"]
        assert depth == len(frames) == 2
        reply = session.vm.ask(
            "StackFrame.GetValues",
            thread=thread,
            frame=frames[0]["frame_id"],
            slots=[{"slot": 0, "tag": ord("L")}],
        )
        assert reply["values"][0]["value"] == 0
        after = session.step(thread, OVER, size=LINE)
        assert session.line_of(after) in {
            session.marked_line("npe-caught") - 1,
            session.marked_line("npe-caught"),
        }


def test_a_breakpoint_in_throwable_stays(jdk: Jdk) -> None:
    program = debuggee("throwing", "throwing.Storm")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        owner = session.type(_THROWABLE)
        method = method_of_throwable(session, "fillInStackTrace", "()Ljava/lang/Throwable;")
        place = {"tag": 1, "type_id": owner, "method_id": method, "index": 0}
        session.request(BREAKPOINT, location_only(place))
        request = session.request(EXCEPTION, exception_only(), policy=NONE)
        session.clear(EXCEPTION, request)
        session.resume()
        assert session.next_event(BREAKPOINT)["location"] == place


def test_requests_come_and_go_while_threads_throw(jdk: Jdk) -> None:
    program = debuggee("throwing", "throwing.Storm")
    with session_of(jdk, "jvmdebug-fast", "", program=program) as session:
        session.resume()
        state = session.type("Ljava/lang/IllegalArgumentException;")
        for round_number in range(8 if has_all_sets() else 4):
            wanted = state if round_number % 2 else 0
            request = session.request(EXCEPTION, exception_only(wanted), count(5), policy=NONE)
            session.next_event(EXCEPTION)
            session.clear(EXCEPTION, request)
        session.vm.ask(
            "ClassType.SetValues",
            type_id=session.type(),
            values={"count": 1, "content": session.field("enough").to_bytes(8) + b"\x01"},
        )
        output, errors = session.outcome()
        assert "done, true" in output, errors
        assert session.jvm.returncode == 0
