# SPDX-License-Identifier: Apache-2.0
"""What the processes of this machine listen on, and whether they are there, from /proc; ports that
are free.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

_LISTEN = "0A"
_WAIT_S = 20.0


def free_port() -> int:
    """A port of the loopback interface that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_running(pid: int) -> bool:
    """Whether the process is there (a zombie is not)."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


async def ended(pid: int) -> None:
    """Wait for the end of a process that is not a child; TimeoutError if it goes on."""
    async with asyncio.timeout(_WAIT_S):
        while is_running(pid):  # noqa: ASYNC110 - nothing reports the end of another's child
            await asyncio.sleep(0.02)


def listening_sockets(pid: int) -> list[str]:
    """The TCP addresses and the socket files that the process listens on."""
    inodes = {
        str(each.readlink()).removeprefix("socket:[").removesuffix("]")
        for each in Path(f"/proc/{pid}/fd").iterdir()
        if each.is_symlink()
    }
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTEN and fields[9] in inodes:
                found.append(fields[1])
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        fields = line.split()
        is_listening = int(fields[3], 16) & 0x10000  # __SO_ACCEPTCON
        if is_listening and fields[6] in inodes:
            found.append(fields[7] if len(fields) > 7 else "unnamed")
    return found
