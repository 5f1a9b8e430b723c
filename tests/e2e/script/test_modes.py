# SPDX-License-Identifier: Apache-2.0
"""The modes of the agent: which one a program is started in, what it lacks, how one gets the other.

Steps and breakpoints in the fast mode are what most tests of this folder use: `auto` is fast.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import (
    BreakpointRequest,
    ExceptionSpec,
    LaunchError,
    ProgramRequest,
    SessionState,
    StopReason,
    UnsupportedError,
)
from tests.e2e.script.conftest import at_line
from tests.support import process
from tests.support.listening import is_running
from tests.support.process import Jvm
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

OFF = "stopping where an exception is thrown is off: .*mode=fast.*mode=full"


async def test_auto_is_fast_until_the_program_runs(launch: Launch, agent_kind: AgentKind) -> None:
    async with launch("exceptions", "Exceptions") as session:
        assert session.mode == ("fast" if agent_kind == "jvmdebug" else "full")
        await session.break_at("Exceptions#main", once=True)
        stop = await next_stop(session)
        if agent_kind == "jvmdebug":
            with pytest.raises(UnsupportedError, match=OFF):
                await session.break_on_exception("Exceptions$ShopException")
            every = BreakpointRequest(ExceptionSpec())
            (refused,) = await session.breakpoints.replace("exceptions", [every])
            assert not refused.verified
            assert "mode=full" in str(refused.message)
            assert session.breakpoints == ()
        await session.breakpoints.replace("exceptions", [])
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None


async def test_exception_breakpoints_set_at_entry_select_the_full_mode(
    launch: Launch, agent_kind: AgentKind
) -> None:
    events: list[jvmdebug.SessionEvent] = []
    async with launch("exceptions", "Exceptions", stop_on_entry=True) as session:
        session.subscribe(events.append)
        end = asyncio.create_task(session.wait())
        first, vm = session.pid, session.vm
        line = await session.break_at("Exceptions$ShopException#<init>", once=True)
        (in_group,) = await session.breakpoints.replace(
            "Exceptions.java", [at_line("Exceptions.java", 1)]
        )
        on_exception = await session.break_on_exception("Exceptions$ShopException")
        assert session.mode == "full"
        assert (session.pid != first) == (session.vm is not vm) == (agent_kind == "jvmdebug")
        assert first is not None
        assert is_running(first) == (agent_kind == "stock")
        assert session.state is SessionState.HELD
        assert session.breakpoints == (line, in_group, on_exception)
        assert not end.done()
        assert (await session.breakpoints.replace("Exceptions.java", [])) == ()
        assert in_group.is_removed

        stops = [(stop.reason, stop.breakpoints) async for stop in session.stops()]
        assert stops == [
            (StopReason.ENTRY, ()),
            (StopReason.FUNCTION_BREAKPOINT, (line,)),
            (StopReason.EXCEPTION, (on_exception,)),
        ]
        assert await end == session.exit_code == 1
    ends = [each for each in events if isinstance(each, jvmdebug.Exited | jvmdebug.Ended)]
    assert ends == [jvmdebug.Exited(1), jvmdebug.Ended(jvmdebug.EndReason.EXITED)]


@pytest.mark.agent
async def test_breakpoints_set_at_the_same_time_survive_the_change(launch_ours: Launch) -> None:
    async with launch_ours("exceptions", "Exceptions") as session:
        placed = await asyncio.gather(
            session.break_at("Exceptions#main"),
            session.break_on_exception("Exceptions$ShopException"),
            session.break_at("Exceptions$ShopException#<init>"),
            session.break_on_exception("java.lang.ArithmeticException"),
        )
        assert session.mode == "full"
        hit = [stop.breakpoints async for stop in session.stops()]
        assert hit == [(each,) for each in (placed[0], placed[2], placed[1], placed[3])]


@pytest.mark.agent
@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_a_chosen_mode_is_kept(launch_ours: Launch, mode: str) -> None:
    async with launch_ours("exceptions", "Exceptions", mode=mode) as session:
        first = session.pid
        if mode == "fast":
            with pytest.raises(UnsupportedError, match=OFF):
                await session.break_on_exception("Exceptions$ShopException")
        else:
            await session.break_on_exception("Exceptions$ShopException")
        assert (session.mode, session.pid) == (mode, first)
        stop = await session.next_stop(timeout_s=20)
        assert (stop is None) == (mode == "fast")


@pytest.mark.agent
async def test_a_program_that_got_input_is_not_started_again(launch_ours: Launch) -> None:
    async with launch_ours("script", "Echo", stdin="pipe") as session:
        await session.write_stdin("text\n")
        with pytest.raises(UnsupportedError, match=OFF):
            await session.break_on_exception()
        await session.write_stdin(None)
        await session.start()
        assert await session.wait() == 0


@pytest.mark.agent
async def test_a_program_that_fails_to_restart_ends_the_session(
    launch_ours: Launch, tmp_path: Path
) -> None:
    events: list[jvmdebug.SessionEvent] = []
    options = tmp_path / "options"
    options.write_text("-Xshare:auto")
    async with launch_ours("exceptions", "Exceptions", vm_args=[f"@{options}"]) as session:
        session.subscribe(events.append)
        options.write_text("-XX:+NoSuchFlag")
        with pytest.raises(LaunchError, match="NoSuchFlag"):
            await session.break_on_exception()
        assert session.state is SessionState.ENDED
        await session.wait()
    ends = [each for each in events if not isinstance(each, jvmdebug.Output)]
    assert len(ends) == 1
    assert isinstance(ends[0], jvmdebug.Ended)
    assert "NoSuchFlag" in str(ends[0].message)


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
        if mode == "fast":
            with pytest.raises(UnsupportedError, match=OFF):
                await session.break_on_exception()
        else:
            await session.break_on_exception("Exceptions$ShopException")
            assert (await next_stop(session)).reason is StopReason.EXCEPTION


async def test_in_a_terminal_the_program_is_run_again_for_the_full_mode(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = compiled("exceptions", "Exceptions", jdk)
    request = ProgramRequest(
        main_class="Exceptions", class_path=program.class_path, java=jdk.java, agent=agent_kind
    )
    terminal: list[asyncio.subprocess.Process] = []

    async def run(command: list[str]) -> None:
        quiet = asyncio.subprocess.DEVNULL
        terminal.append(await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet))

    try:
        prepared = await jvmdebug.prepare(request)
        async with jvmdebug.launch_prepared(prepared, run=run, timeout_s=20) as session:
            assert session.state is SessionState.HELD
            line = await session.break_at("Exceptions#main", once=True)
            on_exception = await session.break_on_exception("Exceptions$ShopException")
            assert session.mode == "full"
            *before, last = terminal
            assert len(before) == (agent_kind == "jvmdebug")
            for each in before:
                await asyncio.wait_for(each.wait(), 20)
            hit = [stop.breakpoints async for stop in session.stops()]
            assert hit == [(line,), (on_exception,)]
            assert await asyncio.wait_for(last.wait(), 20) == 1
    finally:
        for each in terminal:
            if each.returncode is None:
                each.kill()
                await each.wait()
