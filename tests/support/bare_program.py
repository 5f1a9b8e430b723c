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
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk


class BareProgram:
    """`script.Spin`, which runs."""

    def __init__(self, running: asyncio.subprocess.Process) -> None:
        self.pid = running.pid
        self.running = running

    def threads(self) -> int:
        """How many it has, the VM's own too."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))


@asynccontextmanager
async def bare_program(
    jdk: Jdk, *options: str, is_awaited: bool = True
) -> AsyncIterator[BareProgram]:
    """It is killed at the end. Awaited: it is in its own code when this returns."""
    program = debuggee("script", "Spin")
    running = await asyncio.create_subprocess_exec(
        str(jdk.java),
        *options,
        "-cp",
        str(program.class_path[0]),
        program.main_class,
        stdout=asyncio.subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert running.stdout is not None
        if is_awaited:
            line = await asyncio.wait_for(running.stdout.readline(), 30)
            assert line == b"spinning\n"
        yield BareProgram(running)
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
