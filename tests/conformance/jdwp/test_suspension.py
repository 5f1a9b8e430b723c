# SPDX-License-Identifier: Apache-2.0
"""Suspend counts: all threads, one thread, threads that begin meanwhile, events' policies."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from tests.support.jdwp_client import ConnectionLostError
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    EVENT_THREAD,
    NONE,
    THREAD_START,
    JdwpSession,
    session_of,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


@pytest.fixture
def threads(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The scenario `threads`: three threads that count."""
    with session_of(jdk, agent_kind, "threads") as prepared:
        yield prepared


@pytest.fixture
def spawner(jdk: Jdk, agent_kind: AgentKind) -> Iterator[JdwpSession]:
    """The scenario `spawner`: a thread that starts one thread after the other."""
    with session_of(jdk, agent_kind, "spawner") as prepared:
        yield prepared


def makes_no_progress(session: JdwpSession) -> bool:
    """Whether all counting threads are suspended."""
    seen = {session.static("progress") for _ in range(20)}
    return len(seen) == 1


def set_true(session: JdwpSession, name: str) -> None:
    """A static field of the session."""
    session.vm.ask(
        "ClassType.SetValues",
        type_id=session.type(),
        values={"count": 1, "content": session.field(name).to_bytes(8) + b"\x01"},
    )


def release(session: JdwpSession) -> str:
    """Lets the scenario end."""
    set_true(session, "go")
    with contextlib.suppress(ConnectionLostError):  # one that runs may have ended by now
        session.resume()
    output, _ = session.outcome()
    return output


def test_suspends_of_all_are_counted(threads: JdwpSession) -> None:
    main = threads.run_to("ready")
    worker = threads.threads()["worker-0"]
    assert threads.suspend_count(main) == threads.suspend_count(worker) == 1
    threads.vm.ask("VirtualMachine.Suspend")
    assert threads.suspend_count(main) == threads.suspend_count(worker) == 2
    threads.resume()
    assert threads.suspend_count(worker) == 1
    assert makes_no_progress(threads)
    threads.resume()
    assert threads.suspend_count(worker) == 0
    threads.resume()  # one too many is no error
    assert threads.suspend_count(worker) == 0
    assert release(threads) == "done 1\n"


def test_one_thread_of_several(threads: JdwpSession) -> None:
    threads.run_to("ready")
    names = threads.threads()
    one, other = names["worker-0"], names["worker-1"]
    threads.vm.ask("ThreadReference.Suspend", thread=one)
    assert threads.suspend_count(one) == 2
    assert threads.suspend_count(other) == 1
    threads.resume()
    assert threads.suspend_count(one) == 1
    assert threads.suspend_count(other) == 0
    assert threads.vm.refusal("ThreadReference.FrameCount", thread=other) == "THREAD_NOT_SUSPENDED"
    assert threads.vm.refusal("ThreadReference.FrameCount", thread=one) == "NONE"
    threads.vm.ask("ThreadReference.Resume", thread=one)
    assert threads.suspend_count(one) == 0
    threads.vm.ask("ThreadReference.Resume", thread=one)
    assert threads.suspend_count(one) == 0
    assert release(threads) == "done 1\n"


def test_resume_of_one_while_all_are_suspended(threads: JdwpSession) -> None:
    threads.run_to("ready")
    worker = threads.threads()["worker-0"]
    assert makes_no_progress(threads)
    threads.vm.ask("ThreadReference.Resume", thread=worker)
    wait_until(lambda: not makes_no_progress(threads), "the resumed thread counts")
    threads.vm.ask("ThreadReference.Suspend", thread=worker)
    assert makes_no_progress(threads)
    assert release(threads) == "done 1\n"


def test_threads_that_begin_while_all_are_suspended(spawner: JdwpSession) -> None:
    spawner.run_to("ready")
    set_true(spawner, "spawn")
    # Only the spawner runs: what it starts must not, so it waits for its first child for ever.
    spawner.vm.ask("ThreadReference.Resume", thread=spawner.threads()["spawner"])
    wait_until(lambda: "child" in spawner.threads(), "a child is there")
    child = spawner.threads()["child"]
    wait_until(lambda: spawner.suspend_count(child) == 1, "the child is suspended")
    assert makes_no_progress(spawner)
    spawner.resume()
    wait_until(lambda: not makes_no_progress(spawner), "its children run")
    assert release(spawner).startswith("done ")


def test_event_thread_policy_suspends_only_that_thread(threads: JdwpSession) -> None:
    threads.break_at("ready", policy=EVENT_THREAD)
    threads.resume()
    happened = threads.vm.next_set()
    assert happened["suspend_policy"] == EVENT_THREAD
    main = happened["events"][0]["thread"]
    assert threads.suspend_count(main) == 1
    assert threads.suspend_count(threads.threads()["worker-1"]) == 0
    wait_until(lambda: not makes_no_progress(threads), "the workers count")
    threads.vm.ask("VirtualMachine.Suspend")  # so that it does not end before it is resumed
    threads.vm.ask("ThreadReference.Resume", thread=main)
    assert release(threads) == "done 1\n"


def test_policy_of_a_set_is_the_strongest(threads: JdwpSession) -> None:
    requests = [threads.break_at("ready", policy=policy) for policy in (NONE, ALL, EVENT_THREAD)]
    threads.resume()
    happened = threads.vm.next_set()
    assert happened["suspend_policy"] == ALL
    assert sorted(event["request_id"] for event in happened["events"]) == sorted(requests)
    for request in requests:
        threads.clear(BREAKPOINT, request)
    assert release(threads) == "done 1\n"


def test_policy_none_suspends_no_thread(threads: JdwpSession) -> None:
    threads.break_at("ready", policy=NONE)
    threads.resume()
    event = threads.next_event(BREAKPOINT)
    assert threads.suspend_count(event["thread"]) == 0
    threads.vm.ask("VirtualMachine.Suspend")  # so that it does not end before it is resumed
    assert release(threads) == "done 1\n"


def test_own_threads_are_hidden(threads: JdwpSession) -> None:
    threads.run_to("ready")
    assert not [name for name in threads.threads() if "JDWP" in name]


def test_thread_starts_are_reported(threads: JdwpSession) -> None:
    threads.request(THREAD_START, policy=EVENT_THREAD)
    threads.resume()
    started: set[str] = set()
    while len(started) < 3:
        event = threads.next_event(THREAD_START)
        name = threads.vm.ask("ThreadReference.Name", thread=event["thread"])["name"]
        assert threads.suspend_count(event["thread"]) == 1
        assert threads.vm.ask("ThreadReference.FrameCount", thread=event["thread"]) == {
            "frame_count": 0
        }
        if name.startswith("worker"):
            started.add(name)
        threads.vm.ask("ThreadReference.Resume", thread=event["thread"])
    assert started == {"worker-0", "worker-1", "worker-2"}


def test_held_events_come_when_they_are_released(threads: JdwpSession) -> None:
    threads.break_at("ready")
    threads.vm.ask("VirtualMachine.HoldEvents")
    threads.resume()
    wait_until(lambda: threads.static("progress") > 0, "the workers count")
    for _ in range(20):
        threads.threads()
    assert threads.vm.sets == []
    threads.vm.ask("VirtualMachine.ReleaseEvents")
    threads.next_event(BREAKPOINT)
    assert release(threads) == "done 1\n"
