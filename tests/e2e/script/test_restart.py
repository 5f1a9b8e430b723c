# SPDX-License-Identifier: Apache-2.0
"""Restart of the program in the same session: what is kept, and what begins again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import Exited, LaunchError, Output, SessionState, StateError
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_breakpoints_and_subscribers_stay(launch: Launch, jdk: Jdk) -> None:
    line = compiled("kinds", "kinds.Kinds", jdk).marker
    events: list[jvmdebug.SessionEvent] = []
    async with launch("kinds", "kinds.Kinds", args=["x"]) as session:
        session.subscribe(events.append)
        counted = await session.break_at("kinds.Account#add", hit_condition="2", condition="by > 0")
        await session.break_at(f"kinds/Kinds.java:{line('loop')}", once=True)
        stop = await next_stop(session)
        one = await session.watch(await stop.frame.data_target("first.balance"))
        await stop.resume()
        while (stop := await next_stop(session)).breakpoints != (counted,):
            await stop.resume()
        assert counted.hits == 2
        first, vm = session.pid, session.vm

        # While it is stopped: the program has ended, and no end was reported.
        await session.restart()
        assert (session.pid != first, session.vm is not vm) == (True, True)
        assert session.state is SessionState.HELD
        assert session.breakpoints == (counted,)
        assert (counted.hits, counted.is_pending) == (0, True)
        assert one.is_removed
        assert one.message == "the object whose balance was watched is gone with its program"
        assert not any(isinstance(each, Exited | jvmdebug.Ended) for each in events)
        stop = await next_stop(session)
        assert (stop.breakpoints, counted.hits) == ((counted,), 2)

        # After it was ended, and after it has ended by itself.
        await session.terminate()
        assert session.exit_code is not None
        await session.restart()
        assert (await next_stop(session)).breakpoints == (counted,)
        await counted.remove()
        await session.resume()
        assert await session.next_stop(timeout_s=20) is None
        events.clear()
        await session.restart()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0
        written = "".join(each.text for each in events if isinstance(each, Output))
        assert written == "".join([each.text async for each in session.output])
        assert [each for each in events if isinstance(each, Exited)] == [Exited(0)]


async def test_a_program_of_others_is_not_started(start_jvm: StartJvm) -> None:
    jvm = await start_jvm(debuggee("basics", "Loop"))
    async with jvmdebug.attach(port=await jvm.port()) as session:
        with pytest.raises(StateError, match="was not launched by this session"):
            await session.restart()


async def test_a_changed_source_file_is_compiled_again(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """A restart: if it does not compile, the program goes on as it was."""
    source = tmp_path / "Edited.java"
    text = "public class Edited { public static void main(String[] a) {\nint n = 1;\nn++;\n} }\n"
    source.write_text(text)
    async with jvmdebug.launch(program=source, java=jdk.java, agent=agent_kind) as session:
        await session.break_at("Edited.java:3")
        stop = await next_stop(session)
        pid = session.pid
        source.write_text(text.replace("n++;", "n++"))
        with pytest.raises(LaunchError, match=r"Edited\.java:3: error: ';' expected"):
            await session.restart()
        assert (session.pid, session.state) == (pid, SessionState.STOPPED)
        assert await (await stop.frame.evaluate("n + 1")).as_text() == "2"
        source.write_text(text.replace("n = 1", "n = 41"))
        await session.restart()
        stop = await next_stop(session)
        assert await (await stop.frame.evaluate("n + 1")).as_text() == "42"
        await session.terminate()
        source.unlink()
        with pytest.raises(LaunchError, match=r"there is no file .*Edited\.java"):
            await session.restart()
        assert session.state is SessionState.ENDED
