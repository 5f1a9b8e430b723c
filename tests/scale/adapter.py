# SPDX-License-Identifier: Apache-2.0
"""A DAP adapter in a process of its own, and what it costs: processor time and memory.

Used by the tests that ask for many of something through the whole path, from the client to the VM.
"""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.support import process
from tests.support.dap_client import stdio_adapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


class Adapter:
    """A running adapter with a client."""

    def __init__(self, pid: int, client: DapClient) -> None:
        self.client = client
        self._proc = Path(f"/proc/{pid}")

    def cpu_s(self) -> float:
        """Processor time so far."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S

    def most_memory_mib(self) -> float:
        """The most memory that it had so far."""
        status = (self._proc / "status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024


@asynccontextmanager
async def adapter() -> AsyncIterator[Adapter]:
    """Starts one, and ends it."""
    async with stdio_adapter() as (client, running):
        client.is_judged = False
        yield Adapter(running.pid, client)


def launch_attributes(program: Debuggee, jdk: Jdk, agent: AgentKind, *args: str) -> dict[str, Any]:
    """`launch` of this debuggee with these arguments."""
    return {
        "mainClass": program.main_class,
        "classPaths": [str(path) for path in program.class_path],
        "sourcePaths": [str(program.source_dir)],
        "javaExec": str(jdk.java),
        "args": list(args),
        **process.launch_options(agent),
    }
