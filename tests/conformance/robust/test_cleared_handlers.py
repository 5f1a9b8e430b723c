# SPDX-License-Identifier: Apache-2.0
"""Breakpoints at exception handlers that are cleared while exceptions are thrown to them.

HotSpot looks up how the first instruction of a handler is to be run, and runs it a moment later. It
ends when a breakpoint there has gone in between. Only ours is asked: with the JDK's own agent the
program lives for a few dozen of the rounds below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    BREAKPOINT,
    NONE,
    OPTIONS,
    JdwpSession,
    count,
    listening_port,
    location_only,
    session_of,
)
from tests.support.matrix import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

_ROUNDS = 60 if is_whole() else 24
_NEVER = count(2**30)


@pytest.fixture(params=["platform", "virtual"])
def threads(request: pytest.FixtureRequest, jdk: Jdk) -> str:
    """The kind of threads that throw."""
    if request.param == "virtual" and jdk.version < 21:
        pytest.skip("no virtual threads")
    return str(request.param)


@pytest.fixture(params=["jvmdebug", "jvmdebug-fast"])
def throwing(request: pytest.FixtureRequest, jdk: Jdk, threads: str) -> Iterator[JdwpSession]:
    """A program in which three threads throw and catch; it must end as it would have."""
    agent: AgentInVm = request.param
    program = debuggee("catching", "Catching")
    with session_of(jdk, agent, threads, OPTIONS, program) as session:
        session.run_to("begin")
        session.resume()
        yield session
        enough = {"count": 1, "content": session.field("enough").to_bytes(8) + b"\1"}
        session.vm.ask("ClassType.SetValues", type_id=session.type(), values=enough)
        output, errors = session.outcome()
        assert (output, errors, session.jvm.returncode) == ("enough after true\n" * 3, "", 0)


@pytest.mark.agent
def test_breakpoints_are_set_and_cleared(throwing: JdwpSession) -> None:
    place = location_only(throwing.place("caught"))
    for _ in range(_ROUNDS):
        request = throwing.request(BREAKPOINT, place, _NEVER, policy=NONE)
        throwing.clear(BREAKPOINT, request)


@pytest.mark.agent
def test_breakpoints_are_cleared_while_all_threads_are_suspended(throwing: JdwpSession) -> None:
    """Threads that stand where it is not safe are still suspended when the breakpoint should go."""
    place = location_only(throwing.place("caught"))
    for _ in range(_ROUNDS):
        request = throwing.request(BREAKPOINT, place, _NEVER, policy=NONE)
        throwing.vm.ask("VirtualMachine.Suspend")
        throwing.clear(BREAKPOINT, request)
        throwing.resume()


@pytest.mark.agent
def test_breakpoints_are_cleared_by_redefinition(throwing: JdwpSession) -> None:
    """A redefinition takes the breakpoints of the class away."""
    place = throwing.place("caught")
    (folder,) = throwing.program.class_path
    code = (folder / "Catching.class").read_bytes()
    for _ in range(_ROUNDS // 6):
        throwing.request(BREAKPOINT, location_only(place), _NEVER, policy=NONE)
        definition = {"type_id": place["type_id"], "class_file": code}
        throwing.vm.ask("VirtualMachine.RedefineClasses", classes=[definition])


@pytest.mark.agent
def test_breakpoints_are_cleared_on_disconnect(throwing: JdwpSession) -> None:
    for _ in range(_ROUNDS // 6):
        throwing.request(BREAKPOINT, location_only(throwing.place("caught")), _NEVER, policy=NONE)
        throwing.vm.close()
        throwing.connect(EventSetClient(listening_port(throwing.jvm)))
