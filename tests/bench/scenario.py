# SPDX-License-Identifier: Apache-2.0
"""The debuggee of the benchmarks, and what a run of a client gives.

Owns starting one VM with an agent, so that both clients debug the same program under the same
agent, and the proxy that counts their packets. Does not know either client.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.launch.agent_library import stock_agent_option
from tests.bench.proxy import Traffic, counting_proxy
from tests.support.jdks import Jdk, newest_compiler

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

JAVA_SOURCES = Path(__file__).parent / "java"
STOCK_AGENT = stock_agent_option()
PHASES = ("first_stop", "show", "step_over", "condition")
_LISTENING = re.compile(rb"Listening for transport dt_socket at address: (\d+)")


@dataclass(frozen=True, slots=True)
class Work:
    """How much a run does."""

    steps: int = 200
    hits: int = 2000


@dataclass(slots=True)
class Measured:
    """One run of one client: per phase the nanoseconds it took and the packets it cost."""

    nanoseconds: dict[str, int] = field(default_factory=dict)
    traffic: dict[str, Traffic] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Program:
    """The compiled debuggee (and baseline client), and its marked lines."""

    classes: Path
    jdk: Jdk

    def source(self, main_class: str) -> Path:
        """The file of that class."""
        return JAVA_SOURCES / f"{main_class}.java"

    def line(self, marker: str, main_class: str = "BenchTarget") -> int:
        """The line of that class's file with the comment `// @marker`."""
        text = (JAVA_SOURCES / f"{main_class}.java").read_text(encoding="utf-8")
        return next(
            number
            for number, line in enumerate(text.splitlines(), 1)
            if line.rstrip().endswith(f"// @{marker}")
        )


@contextlib.contextmanager
def compiled(jdk: Jdk, only: str = "*.java") -> Iterator[Program]:
    """Compile the Java side into a directory that goes again."""
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-bench-"))
    try:
        javac = newest_compiler().javac
        sources = sorted(map(str, JAVA_SOURCES.glob(only)))
        command = [
            str(javac),
            "-nowarn",
            "-g",
            "-sourcepath",
            str(JAVA_SOURCES),
            "-d",
            str(directory),
        ]
        command += sources
        # The client is built for the JDK that runs it; `--release` would hide com.sun.jdi.
        if newest_compiler().version != jdk.version:
            command[1:1] = [
                "-source",
                str(jdk.version),
                "-target",
                str(jdk.version),
                "-Xlint:-options",
            ]
        subprocess.run(command, check=True, capture_output=True)
        yield Program(directory, jdk)
    finally:
        shutil.rmtree(directory)


@dataclass(slots=True)
class Target:
    """A debuggee that waits for its debugger."""

    port: int
    """Where the client connects: the agent, or the proxy in front of it."""
    started_ns: int
    """Monotonic clock when the process was started."""
    traffic: Traffic
    """Counters of the proxy; stay at 0 without one."""


@contextlib.asynccontextmanager
async def target(
    program: Program,
    work: Work,
    *,
    counted: bool,
    agent: str = STOCK_AGENT,
    main_class: str = "BenchTarget",
) -> AsyncIterator[Target]:
    """Start the debuggee, suspended, with the agent of this option."""
    started_ns = time.monotonic_ns()
    process = await asyncio.create_subprocess_exec(
        str(program.jdk.java),
        agent,
        *("-cp", str(program.classes), main_class, str(work.steps), str(work.hits)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        announced = _LISTENING.search(await asyncio.wait_for(process.stdout.readline(), 30))
        assert announced is not None
        port = int(announced[1])
        if counted:
            async with counting_proxy(port) as (proxied, traffic):
                yield Target(proxied, started_ns, traffic)
        else:
            yield Target(port, started_ns, Traffic())
        await asyncio.wait_for(process.wait(), 30)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
