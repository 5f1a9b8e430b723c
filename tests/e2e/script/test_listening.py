# SPDX-License-Identifier: Apache-2.0
"""Programs that connect to us: many at once, each a session with the name of the program."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import jvmdebug
from tests.support import process
from tests.support.process import Jvm
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S = 20.0


async def test_many_programs_are_sessions_at_the_same_time(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("script", "Spin", jdk)
    started: list[Jvm] = []
    try:
        async with jvmdebug.listen() as listener, asyncio.timeout(3 * TIMEOUT_S):
            agent = process.agent_argument(
                agent_kind, f"transport=dt_socket,server=n,address=127.0.0.1:{listener.port}"
            )
            started += [await Jvm.start(jdk, program, agent=agent) for _ in range(3)]
            sessions: list[jvmdebug.Session] = []
            async for session in listener.sessions():
                sessions.append(session)
                if len(sessions) == len(started):
                    break
            assert {each.name for each in sessions} == {
                f"Spin (process {each.pid})" for each in started
            }
            for session in sessions:
                await session.break_at("Spin#round")
            stops = await asyncio.gather(*(each.next_stop(TIMEOUT_S) for each in sessions))
            assert all(stop is not None for stop in stops)
            await sessions[0].close()
            await sessions[1].resume()
            assert await sessions[1].next_stop(TIMEOUT_S) is not None
    finally:
        for each in started:
            await each.end()


async def test_a_wrong_token_is_refused_and_told_once(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        return  # it has no tokens: test_token.py
    files = [tmp_path / name for name in ("ours", "theirs")]
    for number, file in enumerate(files):
        file.write_text(f"{number}" * 40)
        file.chmod(0o600)
    program = compiled("script", "Spin", jdk)
    refused: list[str] = []
    started: list[Jvm] = []
    try:
        async with jvmdebug.listen(token_file=files[0]) as listener, asyncio.timeout(3 * TIMEOUT_S):
            address = f"transport=dt_socket,server=n,address=127.0.0.1:{listener.port}"
            for file in (files[1], files[1], files[0]):
                agent = process.agent_argument(agent_kind, f"{address},token-file={file}")
                started.append(await Jvm.start(jdk, program, agent=agent))
                if file == files[1]:
                    waiting = asyncio.create_task(started[-1].wait())
                    sessions = listener.sessions(refused.append)
                    coming = asyncio.ensure_future(anext(sessions))
                    await asyncio.wait((waiting, coming), return_when=asyncio.FIRST_COMPLETED)
                    assert not coming.done()
                    assert waiting.result() != 0
                    assert "no debugger with this token" in started[-1].stderr
                    coming.cancel()
                    await asyncio.gather(coming, return_exceptions=True)
            async for session in listener.sessions(refused.append):
                assert session.name == f"Spin (process {started[-1].pid})"
                break
            assert len(refused) == 1
            assert "token" in refused[0]
    finally:
        for each in started:
            await each.end()
