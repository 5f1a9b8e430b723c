# SPDX-License-Identifier: Apache-2.0
"""Attaching to a program that another session debugs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import LaunchError
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_second_debugger_is_told_who_holds_the_agent(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await start_jvm(compiled("script", "Spin", jdk), suspend=False)
    port = await jvm.port()
    told: list[str] = []
    holder = rf"process {os.getpid()} \(.+\)"
    words = f"{holder} is debugging"
    if agent_kind == "jvmdebug":
        words = f"is being debugged by {holder} since .+--take-over ends that session"
    async with jvmdebug.attach(port=port):
        with pytest.raises(LaunchError, match=words):
            async with jvmdebug.attach(port=port, timeout_s=0.3, on_wait=told.append):
                pytest.fail("connected although another debugger was there")
    for why in told:  # none with our agent, nor if the other was just about to stop listening
        assert why.startswith(f"process {os.getpid()} (")
        assert why.endswith("disconnect that one first; it is tried for 0.3 s")


async def test_another_session_takes_over(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await start_jvm(compiled("script", "Spin", jdk), suspend=False)
    port = await jvm.port()
    told: list[str] = []
    async with jvmdebug.attach(port=port) as first:
        events: list[jvmdebug.SessionEvent] = []
        first.subscribe(events.append)
        await first.break_at("Spin#round")
        stop = await next_stop(first)
        if agent_kind == "stock":
            with pytest.raises(LaunchError, match="the JDK's agent lets nobody take over"):
                async with jvmdebug.attach(port=port, take_over=True, timeout_s=0.3):
                    pytest.fail("connected although another debugger was there")
            return
        async with jvmdebug.attach(port=port, take_over=True, on_wait=told.append) as second:
            await first.wait()
            end = events[-1]
            assert isinstance(end, jvmdebug.Ended)
            assert end.reason is jvmdebug.EndReason.CONNECTION_LOST
            assert end.message is not None
            assert f"has taken over the program at 127.0.0.1:{port}" in end.message
            with pytest.raises(jvmdebug.StateError, match=rf"has taken over .*:{port}$"):
                await stop.frame.evaluate("1")
            await second.break_at("Spin#round")
            await (await next_stop(second)).resume()
    (ending,) = told
    assert ending.startswith(f"the debug session of process {os.getpid()} (")
