# SPDX-License-Identifier: Apache-2.0
"""Sockets in the network of another process: that of a container, whose loopback is not ours.

A socket belongs for good to the network of the thread that has made it. Linux only. Called by
transport.py.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import threading
from dataclasses import dataclass
from typing import Final

PREFIX: Final = "network-of:"
"""A host that begins with it, `network-of:PID/HOST`, is one in the network of that process."""

_NETWORK: Final = 0x4000_0000
"""CLONE_NEWNET."""


@dataclass(frozen=True, slots=True)
class OtherNetwork:
    """A host in the network of a process; `host` is an address of IPv4 or IPv6."""

    process: int
    host: str


def parsed(host: str) -> OtherNetwork | None:
    """What such a host says; None for any other."""
    if not host.startswith(PREFIX):
        return None
    process, _, inside = host.removeprefix(PREFIX).partition("/")
    return OtherNetwork(int(process), inside) if process.isdecimal() and inside else None


def has_own_network(process: int) -> bool:
    """Whether a process has another network than this one, as far as that can be seen."""
    try:
        theirs, ours = (os.readlink(f"/proc/{each}/ns/net") for each in (process, "self"))  # noqa: PTH115
    except OSError:
        return False
    return theirs != ours


def socket_in_network_of(process: int, family: int) -> socket.socket:
    """A new TCP socket in the network of that process. Blocks. Raises OSError, with words, where
    this user may not enter it.
    """
    found: list[socket.socket | OSError] = []

    def make() -> None:
        try:
            _enter_network_of(process)
            found.append(socket.socket(family, socket.SOCK_STREAM))
        except OSError as error:
            found.append(error)

    entering = threading.Thread(target=make, name="enters a network")  # it stays there, and ends
    entering.start()
    entering.join()
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


def _enter_network_of(process: int) -> None:
    """Has this thread be in the network of that process."""
    descriptor = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    try:
        system = ctypes.CDLL(None, use_errno=True)
        if system.setns(descriptor, _NETWORK) == 0:
            return
        code = ctypes.get_errno()
    finally:
        os.close(descriptor)
    if code == errno.EPERM:
        raise PermissionError(  # without a number, which would be shown in place of the words
            f"process {process} has a network of its own, which only root can enter: run this as"
            " root, or publish the port of the agent",
        )
    raise OSError(code, os.strerror(code))
