# SPDX-License-Identifier: Apache-2.0
"""Tells who is at the other end of a connection on this machine: the user, and the process.

Linux only; elsewhere, and of a peer on another machine, nothing is known. Called when an agent has
connected to us, and when one serves another debugger.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.platform.system import has_unix_sockets, is_linux

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ESTABLISHED = "01"
_LISTENING = "0A"
_MAPPED = bytes(10) + b"\xff\xff"
_LONGEST_COMMAND = 100
_FORWARDERS = frozenset(
    ("ssh", "sshd", "kubectl", "docker-proxy", "rootlessport", "gvproxy", "socat", "slirp4netns")
)
"""Names of commands."""
_PIECE_SIZE = 65_536
_MOMENT_S = 0.01
_CREDENTIALS = struct.Struct("3i")
"""struct ucred: process, user, group."""


def user_of(connected: socket.socket) -> int | None:
    """The user id of the process that has connected; None if that cannot be found out."""
    if has_unix_sockets() and connected.family == socket.AF_UNIX:
        return _credentials(connected)[1]
    row = _row_of(connected)
    return None if row is None else row.user


def process_of(connected: socket.socket) -> int | None:
    """The process id of the peer; None if that cannot be found out. Of a TCP connection only one
    of this user is found, by looking through its open files.
    """
    if has_unix_sockets() and connected.family == socket.AF_UNIX:
        return _credentials(connected)[0]
    row = _row_of(connected)
    owner = None if row is None else _owner(row)
    return None if owner is None or _forwards(owner) else owner


def _forwards(process: int) -> bool:
    """Whether a process passes on what comes to its port, and is not who answers."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip() in _FORWARDERS
    except OSError:
        return False


async def ends(process: int, within_s: float) -> bool:
    """Whether that process of this machine has ended, or does so soon."""
    deadline = time.monotonic() + within_s
    while _runs(process):
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(_MOMENT_S)
    return True


def _runs(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def unread(stream: socket.socket) -> Iterator[bytes]:
    """What the peer has sent before it closed. Once a write has failed asyncio reads no more, and
    what says that the VM has died would be missed.
    """
    with contextlib.suppress(OSError):
        while rest := os.read(stream.fileno(), _PIECE_SIZE):
            yield rest


def debugger_at(port: int) -> str | None:
    """Tells who is connected to that port of this machine, in words; None if nobody is, or it
    cannot be found out. The JDK's agent does not listen while it has a debugger.
    """
    rows = list(tcp_sockets())
    for agent in rows:
        if agent.is_established and agent.local.endswith(f":{port:04X}"):
            for debugger in rows:
                if (debugger.local, debugger.remote) == (agent.remote, agent.local):
                    return _described(debugger)
    return None


def named_debugger(peer: str, port: int) -> str:
    """The debugger that our agent calls `peer` (`127.0.0.1:40000`, `process 4242`), in words: with
    its process and command if it runs on this machine.
    """
    host, _, their_port = peer.rpartition(":")
    try:
        forms = _forms(host.strip("[]"), int(their_port))
    except (ValueError, OSError):
        return peer
    for row in tcp_sockets():
        if row.local in forms and row.remote.endswith(f":{port:04X}"):
            return _described(row)
    return peer


@dataclass(frozen=True, slots=True)
class TcpSocket:
    """What /proc/net/tcp says of a socket: one end of a connection, or one that listens."""

    local: str
    """Address and port in hexadecimal, `0100007F:138D`."""
    remote: str
    state: str
    user: int
    inode: int

    @property
    def is_established(self) -> bool:
        return self.state == _ESTABLISHED

    @property
    def is_listening(self) -> bool:
        return self.state == _LISTENING

    @property
    def local_address(self) -> tuple[str, int]:
        """Host and port as people write them; an IPv4 address within IPv6 as IPv4."""
        words, _, port = self.local.partition(":")
        packed = b"".join(
            struct.pack("=I", int(words[at : at + 8], 16)) for at in range(0, len(words), 8)
        )
        if len(packed) > 4 and packed[:12] == _MAPPED:
            packed = packed[12:]
        family = socket.AF_INET if len(packed) == 4 else socket.AF_INET6
        return socket.inet_ntop(family, packed), int(port, 16)


def _credentials(connected: socket.socket) -> tuple[int | None, int | None]:
    if not is_linux():
        return None, None
    got = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, user, _ = _CREDENTIALS.unpack(got)
    return pid or None, user


def _row_of(connected: socket.socket) -> TcpSocket | None:
    """The other end, in the table of this machine's TCP sockets."""
    try:
        theirs, ours = connected.getpeername()[:2], connected.getsockname()[:2]
    except OSError:
        return None
    wanted = [_forms(*theirs), _forms(*ours)]
    return next(
        (row for row in tcp_sockets() if row.local in wanted[0] and row.remote in wanted[1]), None
    )


def tcp_sockets(process: int | str = "self") -> Iterator[TcpSocket]:
    """The TCP sockets of this machine; of a container if the process is in one."""
    for table in (f"/proc/{process}/net/tcp", f"/proc/{process}/net/tcp6"):
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        yield from rows_of(lines)


def rows_of(lines: Iterable[str]) -> Iterator[TcpSocket]:
    """The sockets in lines of /proc/PID/net/tcp, without the first one."""
    for _, local, remote, state, _, _, _, user, _, inode, *_rest in map(str.split, lines):
        yield TcpSocket(local, remote, state, int(user), int(inode))


def _owner(row: TcpSocket) -> int | None:
    """The process that has this end open; one of another user is not found."""
    for pid in _processes():
        with contextlib.suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                if str(descriptor.readlink()) == f"socket:[{row.inode}]":
                    return pid
    return None


def _described(row: TcpSocket) -> str:
    pid = _owner(row)
    if pid is None:
        return f"a process of user {row.user}"
    words = Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")
    shown = " ".join(word for word in words if word)[:_LONGEST_COMMAND]
    return f"process {pid} ({shown})"


def _forms(host: str, port: int) -> set[str]:
    """How the tables write an address: words of four bytes in the byte order of the machine. An
    IPv4 address may stand in the table of IPv6 as well.
    """
    host = host.partition("%")[0]
    if ":" in host:
        return {_hex(socket.inet_pton(socket.AF_INET6, host), port)}
    packed = socket.inet_pton(socket.AF_INET, host)
    return {_hex(packed, port), _hex(_MAPPED + packed, port)}


def _hex(packed: bytes, port: int) -> str:
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


def _processes() -> Iterator[int]:
    """Newest first: the VM has just been started."""
    found = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
    yield from sorted(found, reverse=True)
