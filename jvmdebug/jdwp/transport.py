# SPDX-License-Identifier: Apache-2.0
"""How a connection comes about: by connecting to an agent, or by an agent connecting to us.

Owns addresses, retries and their messages; what is said afterwards is connection.py's. Called by
launch and session.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionFailed, JvmDebugError
from jvmdebug.jdwp.connection import Connection

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from jvmdebug.jdwp.trace import Trace

_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 0.5


async def connect(
    host: str,
    port: int,
    *,
    timeout_s: float = 30.0,
    retry: bool = True,
    request_timeout_s: float | None = 30.0,
    trace: Trace | None = None,
) -> Connection:
    """Connects to an agent that listens (`server=y`) and shakes hands.

    With `retry`, a refused connection is tried again until `timeout_s` is over: the VM may still be
    starting. `request_timeout_s` is the default of each later request. Raises ConnectionFailed when
    nobody listens there, HandshakeFailed when whoever listens is no (free) agent.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    pause_s = _FIRST_PAUSE_S
    peer = f"{host}:{port}"
    connection: Connection | None = None
    while connection is None:
        try:
            async with asyncio.timeout_at(deadline):
                _, connection = await loop.create_connection(
                    lambda: Connection(peer, timeout_s=request_timeout_s, trace=trace), host, port
                )
        except TimeoutError:
            raise ConnectionFailed(
                f"no answer from {peer} within {timeout_s} s; check host, port and firewall"
            ) from None
        except OSError as error:
            if not _is_refused(error):
                raise ConnectionFailed(f"cannot connect to {peer}: {error}") from error
            if not retry or loop.time() + pause_s >= deadline:
                tried = f" (tried for {timeout_s} s)" if retry else ""
                raise ConnectionFailed(
                    f"nothing listens at {peer}{tried}; start the program with a debug agent,"
                    f" such as -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address={port}"
                ) from error
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
    await _open(connection, max(deadline - loop.time(), 0.1))
    return connection


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Listener listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Listener:
    """Waits for agents that connect to us (`server=n`). Use as a context manager."""

    def __init__(
        self, listening: socket.socket, *, request_timeout_s: float | None, trace: Trace | None
    ) -> None:
        self._socket = listening
        self._request_timeout_s = request_timeout_s
        self._trace = trace
        host, port = listening.getsockname()[:2]
        self.address = Address(str(host), int(port))

    async def accept(self, timeout_s: float | None = 30.0) -> Connection:
        """The next agent that connects, hands shaken. Raises ConnectionFailed when none comes."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout_s):
                accepted, peer = await loop.sock_accept(self._socket)
        except TimeoutError:
            raise ConnectionFailed(
                f"no VM connected to {self.address} within {timeout_s} s; start it with"
                f" -agentlib:jdwp=transport=dt_socket,server=n,address={self.address}"
            ) from None
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"{peer[0]}:{peer[1]}"
        _, connection = await loop.create_connection(
            lambda: Connection(name, timeout_s=self._request_timeout_s, trace=self._trace),
            sock=accepted,
        )
        await _open(connection, timeout_s)
        return connection

    def close(self) -> None:
        """Listens no more; accepted connections stay."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def listen(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    request_timeout_s: float | None = 30.0,
    trace: Trace | None = None,
) -> Listener:
    """Listens for agents; port 0 takes a free one, see `Listener.address`. Raises
    ConnectionFailed.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
        listening.setblocking(False)  # noqa: FBT003 - the socket module's way
    except OSError as error:
        listening.close()
        raise ConnectionFailed(f"cannot listen at {host}:{port}: {error}") from error
    return Listener(listening, request_timeout_s=request_timeout_s, trace=trace)


def _is_refused(error: OSError) -> bool:
    # A name with several addresses gives one OSError that only quotes the others.
    return error.errno == errno.ECONNREFUSED or f"[Errno {errno.ECONNREFUSED}]" in str(error)


async def _open(connection: Connection, timeout_s: float | None) -> None:
    try:
        await connection.open(timeout_s)
    except (JvmDebugError, asyncio.CancelledError):
        await connection.close()
        raise
