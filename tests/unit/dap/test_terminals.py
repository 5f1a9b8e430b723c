# SPDX-License-Identifier: Apache-2.0
"""Waiting for the shell of a terminal."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from jvmdebug_dap.terminals import Terminal


@pytest.mark.parametrize("shell", [None, "12", True, -1, 2**31 - 1])
async def test_a_shell_that_is_not_known_is_not_waited_for(shell: object) -> None:
    terminal = Terminal()
    terminal.started(shell)
    async with asyncio.timeout(1):
        await terminal.until_idle()


async def test_a_shell_that_runs_a_program_is_waited_for() -> None:
    runs = "import subprocess; subprocess.run(['sh', '-c', 'read x'])"
    script = f"{runs}\nprint('idle', flush=True)\ninput()"
    with subprocess.Popen(  # noqa: ASYNC220 - it returns at once
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        terminal = Terminal()
        terminal.started(shell.pid)
        waiting = asyncio.create_task(terminal.until_idle())
        try:
            await asyncio.sleep(0)
            assert not waiting.done()
            shell.stdin.write("ended\n")
            shell.stdin.flush()
            assert await asyncio.to_thread(shell.stdout.readline) == "idle\n"
            async with asyncio.timeout(1):
                await waiting
        finally:
            waiting.cancel()
            shell.kill()
