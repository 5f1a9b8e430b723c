# SPDX-License-Identifier: Apache-2.0
"""What is typed is the program's input while it runs, and a command while it is stopped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import TIMEOUT_S, jvmdebug_command, launch_options
from tests.support.pty_terminal import Terminal, at_terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


@pytest.fixture
async def terminal(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> AsyncIterator[Terminal]:
    options = launch_options(jdk, agent_kind, "script", "Reads")
    async with at_terminal(*options, env={"XDG_STATE_HOME": str(tmp_path)}) as typed:
        yield typed


async def test_the_terminal_changes_hands(terminal: Terminal) -> None:
    line = debuggee("script", "Reads").marker("read")
    await terminal.see("held before its first instruction")
    terminal.type(f"break Reads.java:{line}\r")
    await terminal.see("Breakpoint 1: ")
    terminal.type("run\r")
    await terminal.see("ready\n")
    terminal.type("first\n")
    await terminal.see("Breakpoint 1, Reads.main")
    # While it is stopped, the prompt has the terminal: the program does not get this line.
    terminal.type("print line\r")
    await terminal.see('"first"')
    terminal.type("delete all\r")
    terminal.type("continue\r")
    await terminal.see("read first\n")
    terminal.type("second\n")
    await terminal.see("read second\n")
    terminal.type("\x04")  # Ctrl-D at the beginning of a line
    await terminal.see(r"ended with exit code 2\.")
    terminal.type("quit\r")
    assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0


async def test_input_of_a_batch_is_the_program_s(jdk: Jdk, agent_kind: AgentKind) -> None:
    options = launch_options(jdk, agent_kind, "script", "Reads")
    async with jvmdebug_command(*options, "--batch", "--command", "run") as shell:
        shell.type("one")
        shell.type("two\nthree")
        assert shell.process.stdin is not None
        shell.process.stdin.close()
        code = await shell.end()
        assert "read one\nread two\nread three\n" in shell.printed
        assert code == 3


async def test_commands_through_a_pipe_are_not_its_input(jdk: Jdk) -> None:
    options = launch_options(jdk, "jvmdebug", "script", "Reads")
    async with jvmdebug_command(*options) as shell:
        shell.type("run")
        shell.type("help step")
        await shell.see(r"ended with exit code 0\.")
        await shell.see(r"step \[COUNT\]")
        shell.type("quit")
        assert await shell.end() == 0
