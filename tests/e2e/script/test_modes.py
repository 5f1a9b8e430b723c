# SPDX-License-Identifier: Apache-2.0
"""The modes of the agent: which one a program is started in, what it lacks, how one gets the other.

Steps and breakpoints in the fast mode are what most tests of this folder use: `auto` is fast.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import (
    BreakpointRequest,
    ExceptionSpec,
    LaunchError,
    StopReason,
)
from tests.support import process
from tests.support.process import Jvm
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_exception_breakpoints_come_and_go_while_the_program_runs(
    launch: Launch, agent_kind: AgentKind
) -> None:
    async with launch("exceptions", "Exceptions") as session:
        first = session.pid
        assert session.mode == ("fast" if agent_kind == "jvmdebug" else "full")
        await session.break_at("Exceptions#main", once=True)
        stop = await next_stop(session)
        on_exception = await session.break_on_exception("Exceptions$ShopException")
        every = BreakpointRequest(ExceptionSpec())
        (in_group,) = await session.breakpoints.replace("exceptions", [every])
        assert in_group.verified
        await session.breakpoints.replace("exceptions", [])
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.EXCEPTION, (on_exception,))
        await on_exception.remove()
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.pid == first


@pytest.mark.agent
@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_a_chosen_mode_is_kept(launch_ours: Launch, mode: str) -> None:
    async with launch_ours("exceptions", "Exceptions", mode=mode) as session:
        await session.break_on_exception("Exceptions$ShopException")
        assert session.mode == mode
        assert (await next_stop(session)).reason is StopReason.EXCEPTION


async def test_the_jdk_s_own_agent_has_no_fast_mode(jdk: Jdk) -> None:
    if not jdk.has_jdwp:
        pytest.skip("a runtime without the JDK's own agent")
    program = compiled("basics", "Hello", jdk)
    with pytest.raises(LaunchError, match="no fast mode"):
        async with jvmdebug.launch(
            "Hello", class_path=program.class_path, java=jdk.java, agent="stock", mode="fast"
        ):
            pytest.fail("it was started")


@pytest.mark.agent
@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_an_attached_session_asks_the_agent(jdk: Jdk, mode: str) -> None:
    program = compiled("exceptions", "Exceptions", jdk)
    options = f"transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0,mode={mode}"
    agent = process.agent_argument("jvmdebug", options)
    async with ending(await Jvm.start(jdk, program, agent=agent)) as jvm:
        await attached(jvm, mode)


@contextlib.asynccontextmanager
async def ending(jvm: Jvm) -> AsyncIterator[Jvm]:
    try:
        yield jvm
    finally:
        await jvm.end()


async def attached(jvm: Jvm, mode: str) -> None:
    async with jvmdebug.attach(port=await jvm.port()) as session:
        assert session.mode == mode
        assert session.vm.agent is not None
        assert session.vm.agent.version
        await session.break_on_exception("Exceptions$ShopException")
        assert (await next_stop(session)).reason is StopReason.EXCEPTION
