# SPDX-License-Identifier: Apache-2.0
"""The `jvmdebug` command in a process of its own: asked once, or with typed input."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmdebug_cli.main import main
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

JVMDEBUG = str(Path(sys.executable).parent / "jvmdebug")
TIMEOUT_S = 20.0


_HERE = frozenset({"eval", "gc", "heap", "ps", "swap", "threads"})
"""Commands that can run in a thread of this process: without `--for` they wait for no signal."""


async def ask(*arguments: str | Path) -> tuple[int, str, str]:
    """Run it without input: exit code, standard output, standard error.

    Commands that can run here do, as a process takes 0.3 s and more to import them.
    """
    words = [str(each) for each in arguments]
    if words[0] in _HERE and not {"--", "--for"} & set(words):
        return await asyncio.to_thread(_answer, words)
    return await ask_process(*arguments)


def _answer(words: list[str]) -> tuple[int, str, str]:
    """What `main` does in a thread that has no event loop. Nobody else may print meanwhile."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, output.getvalue(), errors.getvalue()


async def ask_process(*arguments: str | Path) -> tuple[int, str, str]:
    """The same in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG,
        *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, output.decode(), errors.decode()


async def ask_json(*arguments: str | Path) -> Any:
    """Run it with --json: the document that it prints. It must succeed."""
    (document,) = await ask_events(*arguments)
    return document


async def ask_events(*arguments: str | Path) -> list[Any]:
    """Run it with --json: the document of each line that it prints. It must succeed."""
    code, output, errors = await ask(*arguments, "--json")
    assert code == 0, errors
    return [json.loads(line) for line in output.splitlines()]


class Typed:
    """A running `jvmdebug` that a test types into and reads from."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.printed = ""

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def see(self, pattern: str) -> re.Match[str]:
        """Wait until what was printed since the last match has the pattern."""
        assert self.process.stdout is not None
        while (found := re.search(pattern, self.printed, re.MULTILINE)) is None:
            chunk = await asyncio.wait_for(self.process.stdout.read(1 << 16), TIMEOUT_S)
            assert chunk, f"jvmdebug ended; no {pattern!r} in:\n{self.printed}"
            self.printed += chunk.decode()
        self.printed = self.printed[found.end() :]
        return found

    async def interrupt(self, pattern: str) -> re.Match[str]:
        """Press Ctrl-C until that has an effect: it does nothing to a command that is just done."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                self.process.send_signal(signal.SIGINT)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        return await self.see(pattern)

    async def end(self) -> int:
        output, _ = await asyncio.wait_for(self.process.communicate(), TIMEOUT_S)
        self.printed += output.decode()
        assert self.process.returncode is not None
        return self.process.returncode


@contextlib.asynccontextmanager
async def jvmdebug_command(*arguments: str | Path) -> AsyncIterator[Typed]:
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG,
        *map(str, arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Typed(process)
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def launch_options(jdk: Jdk, agent_kind: AgentKind, topic: str, main: str) -> list[str | Path]:
    program = debuggee(topic, main)
    class_path = os.pathsep.join(map(str, program.class_path))
    paths = ["--class-path", class_path, "--source-path", str(program.source_dir)]
    return ["launch", main, *paths, "--java", jdk.home, "--agent", agent_kind]
