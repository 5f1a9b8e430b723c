# SPDX-License-Identifier: Apache-2.0
"""Our agent sends what showing a stop takes before the stop (modifier `Shown`), and makes, clears
and resumes in one command (`Agent.ResumeWith`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES
from tests.support.jdwp_client import RefusedError
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    LINE,
    OVER,
    SINGLE_STEP,
    location_only,
    session_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.jdwp_session import JdwpSession
    from tests.support.wire_reading import Message

pytestmark = pytest.mark.agent

RETURNS = 42
EVENT_THREAD, NONE = 1, 0
_CONTENTS = {"ObjectReference.GetValues", "ArrayReference.GetValues"}
_FACTS = {"Method.LineTable", "ReferenceType.MethodsWithGeneric", "ReferenceType.SourceFile"}
_OF_THE_STACK = {
    "Agent.ThreadName",
    "ThreadReference.FrameCount",
    "ThreadReference.Frames",
    "StackFrame.GetValues",
}


def shown(frames: int = 20, size: int = 32_768) -> Message:
    return {"kind": 105, "frames": frames, "bytes": size}


def near(thread: int) -> Message:
    return {"kind": 100, "thread": thread, "above": 1, "budget": 0}


@pytest.fixture(params=["jvmdebug", "jvmdebug-fast"])
def session(jdk: Jdk, request: pytest.FixtureRequest) -> Iterator[JdwpSession]:
    """The scenario `steps` in each mode of our agent."""
    with session_of(jdk, request.param, "steps") as prepared:
        prepared.vm.ask("Agent.Capabilities")
        yield prepared


def answers(session: JdwpSession, part: str, at: int = -1) -> list[Message]:
    """The answers of what was sent before an event set; part: `answers` or `facts`."""
    content = session.vm.shown[at][part]
    return list(session.vm.decode_reply(session.vm.number("Agent.Stack"), content)["answers"])


def names(found: list[Message]) -> set[str]:
    return {COMMAND_NAMES[each["command_set"] & 0xFF, each["command"]] for each in found}


def stopped_at(session: JdwpSession, marker: str, *modifiers: Message, policy: int = ALL) -> int:
    """Run to the line of the marker; the thread."""
    request = session.break_at(marker, *modifiers, policy=policy)
    session.resume()
    event = session.next_event(BREAKPOINT)
    session.clear(BREAKPOINT, request)
    return int(event["thread"])


def test_a_stop_comes_with_the_replies_that_the_agent_would_give(session: JdwpSession) -> None:
    thread = stopped_at(session, "leafEnd", shown())
    (one,) = session.vm.shown
    assert one["thread"] == thread
    found, facts = answers(session, "answers"), answers(session, "facts")
    assert names(found) >= _OF_THE_STACK
    assert names(facts) >= {"Method.LineTable", "ReferenceType.MethodsWithGeneric"}
    for each in found + facts:
        asked = session.vm.ask_raw(each["command_set"] & 0xFF, each["command"], each["request"])
        assert asked == (each["error"], each["reply"])


def test_the_names_of_threads_come_to_who_has_asked_for_them(session: JdwpSession) -> None:
    thread = stopped_at(session, "callMiddle", shown())
    assert "Agent.Threads" not in names(answers(session, "answers"))
    asked = session.vm.ask("Agent.Threads")
    session.step(thread, OVER, shown())
    (found,) = [each for each in answers(session, "answers") if each["command"] == 5]
    assert COMMAND_NAMES[found["command_set"] & 0xFF, found["command"]] == "Agent.Threads"
    number = session.vm.number("Agent.Threads")
    assert session.vm.decode_reply(number, found["reply"]) == asked


def test_facts_come_once_and_contents_only_if_nothing_runs(session: JdwpSession) -> None:
    thread = stopped_at(session, "callMiddle", shown())
    first = names(answers(session, "facts"))
    session.step(thread, OVER, shown())
    assert names(answers(session, "facts")) < first
    stopped_at(session, "stepsEnd", shown(), policy=EVENT_THREAD)
    assert names(answers(session, "answers")) >= _OF_THE_STACK
    assert not names(answers(session, "answers")) & _CONTENTS


@pytest.mark.parametrize(("frames", "size"), [(1, 32_768), (3, 32_768), (20, 400), (20, 1)])
def test_it_keeps_to_the_limits(session: JdwpSession, frames: int, size: int) -> None:
    stopped_at(session, "recursion", shown(frames, size))
    for one in session.vm.shown:
        count = 24 * (len(answers(session, "answers")) + len(answers(session, "facts")))
        assert len(one["answers"]) + len(one["facts"]) <= size + count + 8
    known = (
        [each for each in answers(session, "answers") if each["command"] == 6]
        if (session.vm.shown)
        else []
    )
    for each in known:
        number = session.vm.number("ThreadReference.Frames")
        assert len(session.vm.decode_reply(number, each["reply"])["frames"]) <= frames


def test_a_stack_that_does_not_fit_is_left_to_one_command(session: JdwpSession) -> None:
    thread = stopped_at(session, "callFib", shown(20, 1000))
    assert answers(session, "answers") == []
    first = names(answers(session, "facts"))
    assert first
    asked = {"thread": thread, "start_frame": 0, "length": 20, "with_contents": True}
    rest = names(session.vm.ask("Agent.Stack", **asked)["answers"])
    assert rest >= {"ThreadReference.Frames", "StackFrame.GetValues"} | (_FACTS - first)
    session.step(thread, OVER, shown(20, 1000))
    assert names(answers(session, "answers")) >= _OF_THE_STACK


def test_without_the_modifier_nothing_is_sent(session: JdwpSession) -> None:
    thread = session.run_to("callMiddle")
    session.step(thread, OVER)
    assert session.vm.shown == []


@pytest.mark.parametrize(
    ("kind", "frames", "size"),
    [(8, 20, 100), (41, 20, 100), (BREAKPOINT, 0, 100), (BREAKPOINT, 20, 0), (BREAKPOINT, -1, 1)],
)
def test_it_is_refused_where_nothing_is_shown(
    session: JdwpSession, kind: int, frames: int, size: int
) -> None:
    where = [location_only(session.place("leaf"))] if kind == BREAKPOINT else []
    with pytest.raises(RefusedError) as refused:
        session.request(kind, *where, shown(frames, size))
    assert refused.value.name == "ILLEGAL_ARGUMENT"


def test_results_come_with_the_names_of_their_methods(session: JdwpSession) -> None:
    thread = session.run_to("callMiddle")
    session.request(RETURNS, near(thread), shown(), policy=NONE)
    session.request(SINGLE_STEP, {"kind": 10, "thread": thread, "size": LINE, "depth": OVER})
    session.resume()
    assert session.next_event(RETURNS)["value"]["value"] == 42
    assert names(answers(session, "facts", 0)) >= {"ReferenceType.MethodsWithGeneric"}


def step_with_resume(
    session: JdwpSession, thread: int, *, cleared: list[Message] | None = None, alone: bool = False
) -> list[int]:
    """A step over with its results in one command; the numbers of the two requests."""
    step = {"kind": 10, "thread": thread, "size": LINE, "depth": OVER}
    policy = EVENT_THREAD if alone else ALL
    reply = session.vm.ask(
        "Agent.ResumeWith",
        thread=thread if alone else 0,
        cleared=cleared or [],
        wanted=[
            {
                "event_kind": RETURNS,
                "suspend_policy": NONE,
                "modifiers": [near(thread)],
                "is_optional": True,
            },
            {
                "event_kind": SINGLE_STEP,
                "suspend_policy": policy,
                "modifiers": [step, shown()],
                "is_optional": False,
            },
        ],
    )
    assert [each["error"] for each in reply["made"]] == [0, 0]
    return [each["request_id"] for each in reply["made"]]


@pytest.mark.parametrize("alone", [False, True])
def test_a_step_is_one_command(session: JdwpSession, *, alone: bool) -> None:
    thread = stopped_at(session, "steps", policy=EVENT_THREAD if alone else ALL)
    cleared: list[Message] = []
    events: list[Message] = []
    for line in ("callMiddle", "callFib"):
        returns, step = step_with_resume(session, thread, cleared=cleared, alone=alone)
        events = []
        while not events or events[-1]["kind"] != SINGLE_STEP:
            events += session.vm.next_set()["events"]
        assert {each["request_id"] for each in events} <= {returns, step}
        assert session.is_at(events[-1]["location"], line)
        cleared = [
            {"event_kind": RETURNS, "request_id": returns},
            {"event_kind": SINGLE_STEP, "request_id": step},
        ]
    assert {each["value"]["value"] for each in events if each["kind"] == RETURNS} == {42}
    end = {
        "event_kind": BREAKPOINT,
        "suspend_policy": ALL,
        "modifiers": [location_only(session.place("stepsEnd"))],
        "is_optional": False,
    }
    session.vm.ask("Agent.ResumeWith", thread=thread if alone else 0, cleared=cleared, wanted=[end])
    assert session.is_at(session.next_event(BREAKPOINT)["location"], "stepsEnd")
    left = {each["event_kind"] for each in session.vm.ask("Agent.Requests")["requests"]}
    assert not left & {RETURNS, SINGLE_STEP}


def test_what_is_refused_leaves_nothing_and_resumes_nothing(session: JdwpSession) -> None:
    thread = session.run_to("steps")
    before = session.vm.ask("Agent.Requests")
    count = session.suspend_count(thread)
    good = {
        "event_kind": BREAKPOINT,
        "suspend_policy": ALL,
        "modifiers": [location_only(session.place("callFib"))],
        "is_optional": False,
    }
    bad = {**good, "modifiers": [shown(0)]}
    with pytest.raises(RefusedError) as refused:
        session.vm.ask("Agent.ResumeWith", thread=0, cleared=[], wanted=[good, bad])
    assert refused.value.name == "ILLEGAL_ARGUMENT"
    assert session.suspend_count(thread) == count
    assert session.vm.ask("Agent.Requests") == before
    with pytest.raises(RefusedError) as refused:
        session.vm.ask("Agent.ResumeWith", thread=123456789, cleared=[], wanted=[good])
    assert refused.value.name in {"INVALID_OBJECT", "INVALID_THREAD"}
    assert session.vm.ask("Agent.Requests") == before
    reply = session.vm.ask(
        "Agent.ResumeWith", thread=0, cleared=[], wanted=[{**bad, "is_optional": True}, good]
    )
    assert [bool(each["error"]) for each in reply["made"]] == [True, False]
    assert [each["request_id"] == 0 for each in reply["made"]] == [True, False]
    assert session.is_at(session.next_event(BREAKPOINT)["location"], "callFib")
