# SPDX-License-Identifier: Apache-2.0
"""Runs the baseline: the plain JDI client of `java/JdiClient.java`, in a VM of its own.

Owns that VM, which serves several runs, so that JDI's own classes are warm as ours are.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from tests.bench.scenario import Measured, Program, Target, Work, target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_RUN_TIMEOUT_S = 120.0


class JdiClient:
    """The client's VM."""

    def __init__(self, process: asyncio.subprocess.Process, program: Program) -> None:
        self._process = process
        self._program = program

    async def line(self) -> list[str]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), _RUN_TIMEOUT_S)
        if not line:
            raise RuntimeError("the JDI client ended; see its error above")
        return line.decode().split()

    def _say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())

    async def run(self, work: Work, *, counted: bool) -> Measured:
        """One debugging session; with `counted`, through the proxy."""
        async with target(self._program, work, counted=counted) as debuggee:
            lines = [self._program.line(name) for name in ("show", "step", "hot")]
            self._say(" ".join(map(str, (debuggee.port, work.steps, work.hits, *lines))))
            return await self._phases(debuggee)

    async def _phases(self, debuggee: Target) -> Measured:
        measured = Measured()
        before = debuggee.traffic.copy()
        while (words := await self.line())[0] == "phase":
            name, nanoseconds = words[1], int(words[2])
            if name == "first_stop":
                nanoseconds -= debuggee.started_ns
            measured.nanoseconds[name] = nanoseconds
            measured.traffic[name] = debuggee.traffic - before
            before = debuggee.traffic.copy()
            self._say("")
        return measured


@contextlib.asynccontextmanager
async def jdi_client(program: Program) -> AsyncIterator[JdiClient]:
    """Start the client's VM; it ends with the context."""
    process = await asyncio.create_subprocess_exec(
        *(str(program.jdk.java), "-cp", str(program.classes)),
        *("--add-modules", "jdk.jdi", "JdiClient"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        client = JdiClient(process, program)
        assert (await client.line()) == ["ready"]
        yield client
    finally:
        process.kill()
        await process.wait()
