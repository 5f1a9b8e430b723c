# SPDX-License-Identifier: Apache-2.0
"""What is typed is the program's input while it runs, and a command while it is stopped."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import termios
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG, TIMEOUT_S, jvmdebug_command, launch_options

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>])")


class Terminal:
    """A `jvmdebug` that believes that somebody sits at it."""

    def __init__(self, descriptor: int, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._descriptor = descriptor
        self._shown = ""
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(descriptor, self._read)

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    async def see(self, pattern: str) -> None:
        """Wait until that has been shown since the last match."""
        async with asyncio.timeout(TIMEOUT_S):
            while (found := re.search(pattern, self._shown)) is None:
                self._news.clear()
                await self._news.wait()
        self._shown = self._shown[found.end() :]

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:  # the other end is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._descriptor)
        if b"\x1b[6n" in data:  # the line editor asks where the cursor is
            os.write(self._descriptor, b"\x1b[1;1R")
        self._shown += _ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        self._news.set()


@pytest.fixture
async def terminal(jdk: Jdk, agent_kind: AgentKind) -> AsyncIterator[Terminal]:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (40, 120))
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG,
        *map(str, launch_options(jdk, agent_kind, "script", "Reads")),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    typed = Terminal(ours, process)
    try:
        yield typed
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        typed.close()


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
