# SPDX-License-Identifier: Apache-2.0
"""Exceptions, reads of fields and steps as streams, in real VMs: nothing stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug.sync
from jvmdebug import ArgumentError
from tests.support import process
from tests.support.sessions import compiled, launched, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

TOPIC, MAIN = "observed", "Observed"


@pytest.fixture(params=["jvmdebug", "jvmdebug-full", "stock"])
def agent_in_vm(request: pytest.FixtureRequest) -> AgentInVm:
    """Both modes of our agent."""
    found: AgentInVm = request.param
    return found


async def test_exceptions(jdk: Jdk, agent_in_vm: AgentInVm) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launched(program, jdk, agent_in_vm, args=["calls"]) as session:
        every = session.exceptions("java.lang.IllegalStateException, java.lang.Unsupported*")
        with_message = session.exceptions(
            "java.lang.IllegalStateException", condition='"other".equals($exception.getMessage())'
        )
        async with every, with_message:
            first, second = await every.collect()
        assert with_message.take() == []
    assert (first.type_name, first.message) == ("java.lang.IllegalStateException", "no luck")
    assert (first.at.method_name, first.at.line) == ("inner", program.marker("thrown"))
    assert [each.method_name for each in first.stack[:3]] == ["inner", "outer", "calls"]
    assert first.caught_at is not None
    assert first.caught_at.method_name == "calls"
    assert first.thread == "main"
    assert second.message == "caught inside"
    assert second.is_caught
    assert str(second).startswith("java.lang.UnsupportedOperationException: caught inside at ")


async def test_reads_of_a_field(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launched(program, jdk, agent_kind, args=["calls"]) as session:
        reads = session.who_reads("Observed.total", stack=2)
        found = await reads.collect()
    methods = [each.at.method_name for each in found]
    assert methods[0] == "add"
    assert methods[-1] == "total"
    assert (found[0].value.value, found[-1].value.value) == (0, 6)
    assert found[0].instance is not None
    assert found[0].instance.type_name == "Observed"
    assert str(found[0]).startswith("Observed.total: 0 at Observed.add(")


async def test_steps_of_a_thread(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launched(program, jdk, agent_kind, args=["calls"]) as session:
        stop = await stop_at(session, program, "add")
        async with session.steps_of(stop.thread, limit=4) as steps:
            await stop.resume()
            lines = await steps.collect()
        assert [each.at.method_name for each in lines] == ["add", "calls", "calls", "total"]
        assert lines[0].at.line == program.marker("add") + 1
        with pytest.raises(ArgumentError, match="choose line, instruction"):
            session.steps_of(stop.thread, unit="word")  # type: ignore[arg-type]


def test_the_same_without_await(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    opened = jvmdebug.sync.launch(
        MAIN,
        class_path=program.class_path,
        java=jdk.home,
        args=["calls"],
        **process.launch_options(agent_kind),
    )
    with opened as session:
        session.break_at(f"Observed.java:{program.marker('add')}")
        stop = session.next_stop(timeout_s=40)
        assert stop is not None
        with (
            session.exceptions(stack=1) as thrown,  # while it is stopped: it ends soon
            session.steps_of(stop.thread, unit="instruction", limit=5) as steps,
        ):
            stop.resume()
            assert len({each.index for each in steps}) == 5
            for each in thrown:
                assert len(each.stack) == 1
