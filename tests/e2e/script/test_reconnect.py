# SPDX-License-Identifier: Apache-2.0
"""A link that is lost while the program lives, and found again: nothing of the session is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.jdwp import link
from tests.support.link_proxy import LinkProxy, link_proxy
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind, Jvm

TIMEOUT_S = 20.0
AGENT_PATIENCE_S = 1.0


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links that are lost after a moment."""
    monkeypatch.setattr(link, "INTERVAL_S", 0.05)
    monkeypatch.setattr(link, "PATIENCE_S", 0.4)
    monkeypatch.setattr(link, "AGENT_PATIENCE_S", AGENT_PATIENCE_S)


async def spinning(start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind) -> Jvm:
    if agent_kind == "stock":
        pytest.skip("the JDK's agent keeps nothing for a debugger that is gone")
    return await start_jvm(compiled("script", "Spin", jdk), suspend=False)


class Changes:
    """The changes of the link of a session."""

    def __init__(self, session: jvmdebug.Session) -> None:
        self.seen: list[jvmdebug.LinkChanged] = []
        self._new = asyncio.Event()
        session.subscribe(self._take)

    def _take(self, event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.LinkChanged):
            self.seen.append(event)
            self._new.set()

    async def next(self) -> jvmdebug.LinkChanged:
        async with asyncio.timeout(TIMEOUT_S):
            while not self.seen:
                self._new.clear()
                await self._new.wait()
        return self.seen.pop(0)


@pytest.mark.parametrize("lose", [LinkProxy.cut, LinkProxy.silence])
async def test_a_stop_that_is_held_goes_on_when_the_link_is_back(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind, lose: Callable[[LinkProxy], None]
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    line = compiled("script", "Spin", jdk).marker("count")
    async with (
        link_proxy(await jvm.port()) as proxy,
        jvmdebug.attach(port=proxy.port, on_disconnect="hold") as session,
    ):
        changes = Changes(session)
        breakpoint_ = await session.break_at("Spin#round")
        stop = await session.next_stop()
        assert stop is not None
        lose(proxy)
        lost = await changes.next()
        assert not lost.is_up
        assert "the link to the program is lost" in lost.message
        for asked in (session.threads(), stop.frame.evaluate("rounds"), session.resume()):
            with pytest.raises(
                jvmdebug.StateError, match=r"the link .* is lost; it is tried again"
            ):
                await asked
        later = asyncio.create_task(session.break_at(f"Spin:{line}"))
        await jvm.wait_for("held until the debugger comes back", stream="stderr")
        proxy.mend()
        assert (await changes.next()).is_up
        assert stop.is_current
        rounds = await stop.frame.evaluate("rounds")
        assert str(await stop.frame.evaluate("rounds")) == str(rounds)
        await later
        await breakpoint_.remove()
        await session.resume()
        again = await session.next_stop(TIMEOUT_S)
        assert again is not None
        assert again.frame.line == line


@pytest.mark.parametrize("lose", [LinkProxy.cut, LinkProxy.silence])
async def test_the_program_goes_on_and_comes_back_to_its_breakpoints(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind, lose: Callable[[LinkProxy], None]
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    async with (
        link_proxy(await jvm.port()) as proxy,
        jvmdebug.attach(port=proxy.port) as session,
    ):
        changes = Changes(session)
        await session.break_at("Spin#round")
        stop = await session.next_stop()
        assert stop is not None
        lose(proxy)
        assert not (await changes.next()).is_up
        await jvm.wait_for("goes on without the debugger", stream="stderr")
        proxy.mend()
        assert (await changes.next()).is_up
        with pytest.raises(jvmdebug.StateError, match="went on, as the link to it was lost"):
            await stop.frame.evaluate("rounds")
        again = await session.next_stop(TIMEOUT_S)
        assert again is not None
        assert await again.frame.evaluate("rounds") is not None


async def test_it_is_given_up_in_the_end(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    async with (
        link_proxy(await jvm.port()) as proxy,
        jvmdebug.attach(port=proxy.port, reconnect_s=0.5) as session,
    ):
        changes = Changes(session)
        await session.break_at("Spin#round")
        assert await session.next_stop() is not None
        proxy.silence()
        assert not (await changes.next()).is_up
        assert await session.next_stop(TIMEOUT_S) is None
        with pytest.raises(jvmdebug.StateError, match=r"not reached again within 0\.5 s"):
            await session.threads()


async def test_a_program_that_is_stopped_by_a_signal_is_no_lost_link(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    async with jvmdebug.attach(port=await jvm.port()) as session:
        changes = Changes(session)
        await session.threads()
        os.kill(jvm.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(1.5)
        finally:
            os.kill(jvm.pid, signal.SIGCONT)
        await session.threads()
        assert changes.seen == []


async def test_a_debugger_that_is_busy_has_not_lost_the_link(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    async with jvmdebug.attach(port=await jvm.port()) as session:
        changes = Changes(session)
        await session.break_at("Spin#round")
        stop = await session.next_stop()
        assert stop is not None
        rounds = str(await stop.frame.evaluate("rounds"))
        time.sleep(2 * AGENT_PATIENCE_S)  # noqa: ASYNC251 - the event loop is what is busy
        assert str(await stop.frame.evaluate("rounds")) == rounds
        assert changes.seen == []
        assert "lost" not in jvm.stderr
