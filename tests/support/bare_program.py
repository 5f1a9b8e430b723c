# SPDX-License-Identifier: Apache-2.0
"""A Java program that was started without a debug agent. Called by the tests of late attaching."""

from __future__ import annotations

import asyncio
import subprocess
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


class BareProgram:
    """It runs."""

    def __init__(self, running: asyncio.subprocess.Process) -> None:
        self.pid = running.pid
        self.running = running

    def threads(self) -> int:
        """How many it has, the VM's own too."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))


@asynccontextmanager
async def bare_program(
    jdk: Jdk,
    *options: str,
    program: Debuggee | None = None,
    args: Sequence[str] = (),
    is_awaited: bool = True,
) -> AsyncIterator[BareProgram]:
    """A program, `script.Spin` if none is given, which is killed at the end.

    Awaited: it has printed a line, so it is in its own code, when this returns.
    """
    program = program or debuggee("script", "Spin")
    running = await asyncio.create_subprocess_exec(
        str(jdk.java),
        *options,
        "-cp",
        str(program.class_path[0]),
        program.main_class,
        *args,
        stdout=asyncio.subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert running.stdout is not None
        if is_awaited:
            assert await asyncio.wait_for(running.stdout.readline(), 30)
        yield BareProgram(running)
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
