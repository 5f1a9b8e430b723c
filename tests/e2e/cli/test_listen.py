# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug listen`: programs that connect, each with the commands of a prompt."""

from __future__ import annotations

import asyncio
import re
import sys
from typing import TYPE_CHECKING

from tests.support import process
from tests.support.process import Jvm
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S = 60.0


async def test_listen_serves_each_program(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("script", "Spin", jdk)
    serving = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "jvmdebug_cli", "listen", "0", "--count", "2", "--batch"),
        *("-c", "break Spin#round", "-c", "run", "-c", "where"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    started: list[Jvm] = []
    assert serving.stdout is not None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            first = (await serving.stdout.readline()).decode()
            found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", first)
            assert found is not None, first
            options = f"transport=dt_socket,server=n,address=127.0.0.1:{found[1]}"
            agent = process.agent_argument(agent_kind, options)
            started += [await Jvm.start(jdk, program, agent=agent) for _ in range(2)]
            shown = (await serving.stdout.read()).decode()
            assert await serving.wait() == 0, shown
        for each in started:
            assert f"Spin (process {each.pid}) has connected" in shown
        assert shown.count("Breakpoint 1, Spin.round") == 2
    finally:
        if serving.returncode is None:
            serving.kill()
            await serving.wait()
        for each in started:
            await each.end()
