# SPDX-License-Identifier: Apache-2.0
"""Who is at the other end of a connection on this machine: the user, and the process.

Linux only; elsewhere, and of a peer on another machine, nothing is known. Called when an agent has
connected to us.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CREDENTIALS = struct.Struct("3i")
"""struct ucred: process, user, group."""


def user_of(connected: socket.socket) -> int | None:
    """The user id of the process that has connected; None if that cannot be found out."""
    if connected.family == socket.AF_UNIX:
        return _credentials(connected)[1]
    row = _row_of(connected)
    return None if row is None else row.user


def process_of(connected: socket.socket) -> int | None:
    """The process id of the peer; None if that cannot be found out. Of a TCP connection only one
    of this user is found, by looking through its open files.
    """
    if connected.family == socket.AF_UNIX:
        return _credentials(connected)[0]
    row = _row_of(connected)
    if row is None:
        return None
    for pid in _processes():
        with contextlib.suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                if str(descriptor.readlink()) == f"socket:[{row.inode}]":
                    return pid
    return None


@dataclass(frozen=True, slots=True)
class _Row:
    """What /proc/net/tcp says of one end of a connection."""

    user: int
    inode: int


def _credentials(connected: socket.socket) -> tuple[int | None, int | None]:
    if not sys.platform.startswith("linux"):
        return None, None
    got = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, user, _ = _CREDENTIALS.unpack(got)
    return pid or None, user


def _row_of(connected: socket.socket) -> _Row | None:
    """The other end, in the table of this machine's TCP sockets."""
    try:
        theirs, ours = connected.getpeername()[:2], connected.getsockname()[:2]
    except OSError:
        return None
    wanted = [_forms(*theirs), _forms(*ours)]
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[1] in wanted[0] and fields[2] in wanted[1]:
                return _Row(user=int(fields[7]), inode=int(fields[9]))
    return None


def _forms(host: str, port: int) -> set[str]:
    """How the tables write an address: words of four bytes in the byte order of the machine. An
    IPv4 address may stand in the table of IPv6 as well.
    """
    host = host.partition("%")[0]
    if ":" in host:
        return {_hex(socket.inet_pton(socket.AF_INET6, host), port)}
    packed = socket.inet_pton(socket.AF_INET, host)
    return {_hex(packed, port), _hex(bytes(10) + b"\xff\xff" + packed, port)}


def _hex(packed: bytes, port: int) -> str:
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


def _processes() -> Iterator[int]:
    """Newest first: the VM has just been started."""
    found = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
    yield from sorted(found, reverse=True)
