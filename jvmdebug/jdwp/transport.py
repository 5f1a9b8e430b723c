# SPDX-License-Identifier: Apache-2.0
"""Opening connections: by connecting to an agent, or by an agent connecting to us.

Owns addresses, retries and their messages; the protocol is in connection.py. Called by
launch and session.
"""

from __future__ import annotations

import asyncio
import errno
import functools
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmdebug._native import HANDSHAKE, TAKE_OVER
from jvmdebug.errors import (
    AgentBusy,
    ConnectionFailed,
    HandshakeFailed,
    JvmDebugError,
    TokenError,
)
from jvmdebug.jdwp import networks, tokens
from jvmdebug.jdwp.accepting import Accepting
from jvmdebug.jdwp.connection import Connection
from jvmdebug.jdwp.peer import debugger_at, named_debugger
from jvmdebug.os_errors import reason
from jvmdebug.printable import host_and_port, one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from types import TracebackType
    from typing import Self

    from jvmdebug.jdwp.trace import Trace
    from jvmdebug.tls.client import TlsAddress
    from jvmdebug.tls.proofs import Role, Token

UNIX_PREFIX: Final = "unix:"
"""A host that begins with it is the path of a UNIX-domain socket; the port means nothing then."""

TLS_PREFIX: Final = "tls://"
"""A host that begins with it is the address of a relay, `tls://HOST:PORT[/NAME]`, with its port."""

_HANDSHAKE_TIMEOUT_S: Final = 10.0
"""For a peer that has connected to us."""
_LONGEST_NAME: Final = 200
"""Characters of what an agent calls another debugger."""
_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 0.5


async def connect(  # noqa: PLR0913 - how an agent can be reached
    host: str,
    port: int,
    *,
    timeout_s: float = 30.0,
    retry: bool = True,
    take_over: bool = False,
    token: Token | None = None,
    role: Role = "debug",
    fingerprint: str | None = None,
    on_wait: Callable[[str], None] | None = None,
    request_timeout_s: float | None = 30.0,
    trace: Trace | None = None,
) -> Connection:
    """Connects to an agent that listens (`server=y`) and does the handshake.

    `host` may be `unix:PATH`, for an agent with `transport=unix`, or `tls://HOST:PORT[/NAME]`, for
    a relay, whose certificate has this `fingerprint`, or the one that was met before, and which
    grants `role` or less; `port` is not used then. With `retry`, a refused connection is tried
    again until `timeout_s` is over: the VM may still be starting; `on_wait` is told when that
    begins. With `take_over` the session of another debugger
    is ended if our agent serves one, and `on_wait` is told whose. `request_timeout_s` is the
    default of each later request. `token` is for an agent that asks for one. Raises
    ConnectionFailed when nothing listens there, HandshakeFailed when the peer is no agent,
    TokenError (one) for a token that is missing or wrong, CertificateError, AgentBusy when the
    agent serves another debugger.
    """
    deadline = asyncio.get_running_loop().time() + timeout_s
    address = Address(host, port)

    def made(greeting: bytes = HANDSHAKE) -> Connection:
        return Connection(str(address), timeout_s=request_timeout_s, trace=trace, greeting=greeting)

    reached = functools.partial(
        _reached, address, token=token, role=role, fingerprint=fingerprint, tell=on_wait
    )
    connection = await _connected(
        address, reached, made, timeout_s=timeout_s, retry=retry, on_wait=on_wait
    )
    try:
        await _open_or_name_holder(connection, address, _left(deadline))
    except AgentBusy as error:
        busy = await _described(error, address)
        if not take_over:
            raise busy from None
        if connection.role != "debug":
            raise HandshakeFailed(
                f"{busy}, and this token is for the role {connection.role}, which cannot"
            ) from None
    else:
        return connection
    if on_wait is not None:
        on_wait(f"the debug session of {busy.holder} at {address} ends: you take over")
    connection = await _connected(
        address, reached, lambda: made(TAKE_OVER), timeout_s=timeout_s, retry=False
    )
    await _open(connection, _left(deadline))
    return connection


async def _connected(
    address: Address,
    reached: Callable[[Callable[[], Connection]], Awaitable[Connection]],
    made: Callable[[], Connection],
    *,
    timeout_s: float,
    retry: bool,
    on_wait: Callable[[str], None] | None = None,
) -> Connection:
    """A connection, hands not yet shaken."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    tried = f" (tried for {timeout_s:g} s)" if retry else ""
    pause_s = _FIRST_PAUSE_S
    was_refused = False
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                return await reached(made)
        except TimeoutError:
            if was_refused:
                raise await _nobody_listens(address, tried) from None
            raise ConnectionFailed(
                f"no answer from {address} within {timeout_s:g} s; check host, port and firewall"
            ) from None
        except (OSError, ValueError) as error:  # of a text that can be no host, or no path
            if not isinstance(error, OSError) or not _is_refused(error):
                raise ConnectionFailed(f"cannot connect to {address}: {reason(error)}") from error
            # A socket file that is not there refuses at once, and the deadline above never comes.
            if not retry or loop.time() >= deadline:
                raise await _nobody_listens(address, tried) from error
            if on_wait is not None and not was_refused:
                on_wait(f"{await _why_refused(address)}; it is tried for {timeout_s:g} s")
            was_refused = True
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


def _left(deadline: float) -> float:
    return max(deadline - asyncio.get_running_loop().time(), 0.1)


async def _described(busy: AgentBusy, address: Address) -> AgentBusy:
    """The error with all that is known of the other debugger."""
    holder = busy.holder
    if address.socket_path is None and address.behind_tls is None:
        holder = await asyncio.to_thread(named_debugger, holder, address.port)
    holder = one_line(holder, _LONGEST_NAME)
    return AgentBusy(
        f"the program at {address} is being debugged by {holder} since"
        f" {_moment(time.time() - busy.seconds)}; --take-over ends that session (`takeOver` in a"
        " launch configuration, `take_over=True` in a script)",
        holder,
        busy.seconds,
    )


def _moment(seconds: float) -> str:
    moment = time.localtime(seconds)
    is_today = moment[:3] == time.localtime()[:3]
    return time.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S", moment)


async def _open_or_name_holder(connection: Connection, address: Address, timeout_s: float) -> None:
    try:
        await _open(connection, timeout_s)
    except (AgentBusy, TokenError):
        raise
    except HandshakeFailed as error:  # the agent was just about to stop listening, perhaps
        if (holder := await _debugger_at(address)) is None:
            raise
        raise HandshakeFailed(f"{_held(holder, address)} ({error})") from error


def reaching(
    host: str, port: int, token: Token | None = None
) -> Callable[[], Awaitable[socket.socket]]:
    """A function that connects to the agent once more, whose name is resolved anew, and proves the
    token. OSError, and TokenError.
    """
    return functools.partial(proved_socket, Address(host, port), token)


async def proved_socket(address: Address, token: Token | None) -> socket.socket:
    """A connected socket on which the token, if there is one, was proved to an agent that asks for
    it; a new one if it asks for none. Raises as `connected_socket`, and TokenError.
    """
    return (await _admitted_socket(address, token, "debug"))[0]


async def _admitted_socket(
    address: Address, token: Token | None, role: Role
) -> tuple[socket.socket, Role]:
    """The same, and the role that the agent has granted."""
    connected = await connected_socket(address)
    if token is None:
        return connected, "debug"
    try:
        granted = await tokens.prove(connected, token, str(address), role)
    except BaseException:
        connected.close()
        raise
    if granted is not None:
        return connected, granted
    connected.close()  # an agent that asks for none has closed its side
    return await connected_socket(address), "debug"


async def _reached(
    address: Address,
    made: Callable[[], Connection],
    *,
    token: Token | None,
    role: Role,
    fingerprint: str | None,
    tell: Callable[[str], None] | None,
) -> Connection:
    if (relay := address.behind_tls) is not None:
        from jvmdebug.tls import client  # noqa: PLC0415 - few agents are behind TLS

        stream, granted = await client.reach(
            relay, token, role=role, fingerprint=fingerprint, tell=tell
        )
        connection = made()
        connection.role = granted
        stream.hand_over(connection)
        return connection
    loop = asyncio.get_running_loop()
    # The file of a socket lets in this user only: a token that is there for all is not for it.
    if token is not None and (token.is_required or address.socket_path is None):
        connected, granted = await _admitted_socket(address, token, role)
        try:
            _, connection = await loop.create_connection(made, sock=connected)
        except BaseException:
            connected.close()
            raise
        connection.role = granted
        return connection
    if (path := address.socket_path) is not None:
        _, connection = await loop.create_unix_connection(made, path)
    elif address.network is not None:
        inside = await connected_socket(address)
        _, connection = await loop.create_connection(made, sock=inside)
    else:
        _, connection = await loop.create_connection(made, address.host, address.port)
    return connection


async def connected_socket(address: Address) -> socket.socket:
    """A connected socket that does not block. Raises OSError, and UnicodeError for no host."""
    loop = asyncio.get_running_loop()
    if (path := address.socket_path) is not None:
        return await _connected_to(socket.socket(socket.AF_UNIX), path)
    if (network := address.network) is not None:
        family = socket.AF_INET6 if ":" in network.host else socket.AF_INET
        inside = await asyncio.to_thread(networks.socket_in_network_of, network.process, family)
        return _without_delay(await _connected_to(inside, (network.host, address.port)))
    found = await loop.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    for number, (family, _, _, _, where) in enumerate(found, start=1):
        try:
            connected = await _connected_to(socket.socket(family), where)
        except OSError:
            if number == len(found):
                raise
        else:
            return _without_delay(connected)
    raise OSError(errno.EHOSTUNREACH, os.strerror(errno.EHOSTUNREACH))


def _without_delay(connected: socket.socket) -> socket.socket:
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected


async def _connected_to(connected: socket.socket, where: Any) -> socket.socket:  # noqa: ANN401 - of the family
    try:
        connected.setblocking(False)  # noqa: FBT003 - the socket module's way
        await asyncio.get_running_loop().sock_connect(connected, where)
    except BaseException:
        connected.close()
        raise
    return connected


@dataclass(frozen=True, slots=True)
class Address:
    """The address at which an agent, or a Listener, listens."""

    host: str
    port: int

    @property
    def socket_path(self) -> str | None:
        """The path of a UNIX-domain socket; None for TCP."""
        return self.host.removeprefix(UNIX_PREFIX) if self.host.startswith(UNIX_PREFIX) else None

    @property
    def network(self) -> networks.OtherNetwork | None:
        """The network of a container, and the host in it; None for the network of this process."""
        return networks.parsed(self.host)

    @property
    def behind_tls(self) -> TlsAddress | None:
        """The address of a relay; None for an agent itself."""
        if not self.host.startswith(TLS_PREFIX):
            return None
        from jvmdebug.tls.client import parsed  # noqa: PLC0415 - few agents are behind TLS

        if (found := parsed(self.host)) is None:
            raise ConnectionFailed(f"{self.host} is no address: write {TLS_PREFIX}HOST:PORT[/NAME]")
        return found

    def __str__(self) -> str:
        if self.host.startswith((UNIX_PREFIX, TLS_PREFIX)):
            return self.host
        if (network := self.network) is not None:
            inside = host_and_port(network.host, self.port)
            return f"{inside} in the network of process {network.process}"
        return host_and_port(self.host, self.port)


class Listener:
    """Waits for agents that connect to us (`server=n`). Use as a context manager."""

    def __init__(
        self,
        listening: socket.socket,
        address: Address,
        *,
        request_timeout_s: float | None,
        trace: Trace | None,
        token: Token | None = None,
    ) -> None:
        self._socket = listening
        self._token = token
        self._request_timeout_s = request_timeout_s
        self._trace = trace
        self.address = address

    async def accept(
        self, timeout_s: float | None = 30.0, *, of_this_user: bool = False
    ) -> Connection:
        """The next agent that connects, after the handshake. Raises ConnectionFailed when none
        comes.

        A peer that is no agent, or a silent one, does not keep others out; with `of_this_user`
        neither is a process of another user taken for one.
        """
        waiting = Accepting(self, of_this_user=of_this_user)
        try:
            async with asyncio.timeout(timeout_s):
                return await waiting.first()
        except TimeoutError:
            refused = f" ({waiting.refused})" if waiting.refused else ""
            raise ConnectionFailed(
                f"no VM connected to {self.address} within {timeout_s:g} s{refused}; start it with"
                f" {_agent_that_connects(self.address)}"
            ) from None
        except OSError as error:
            raise ConnectionFailed(
                f"cannot wait for a VM at {self.address}: {reason(error)}"
            ) from error
        finally:
            await waiting.close()

    async def accept_all(
        self, on_refusal: Callable[[str], object] | None = None
    ) -> AsyncIterator[Connection]:
        """All agents that connect, each after its handshake; several may be shaking hands at the
        same time. `on_refusal` is told why a peer is not let in. Raises ConnectionFailed.
        """
        waiting = Accepting(self, of_this_user=False, on_refusal=on_refusal)
        try:
            while True:
                yield await waiting.first()
        except OSError as error:
            raise ConnectionFailed(
                f"cannot wait for a VM at {self.address}: {reason(error)}"
            ) from error
        finally:
            await waiting.close()

    async def next_peer(self) -> tuple[socket.socket, str]:
        """Whoever connects next, and its name; no handshake yet."""
        accepted, peer = await asyncio.get_running_loop().sock_accept(self._socket)
        if self.address.socket_path is not None:
            return accepted, str(self.address)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return accepted, f"{peer[0]}:{peer[1]}"

    async def shake_hands(self, accepted: socket.socket, name: str) -> Connection:
        """Open the connection; raises HandshakeFailed for a peer that is no agent, or lacks the
        token.
        """
        granted: Role | None = None
        if self._token is not None:
            try:
                async with asyncio.timeout(_HANDSHAKE_TIMEOUT_S):
                    granted = await tokens.prove(accepted, self._token, name)
            except BaseException:
                accepted.close()
                raise
        _, connection = await asyncio.get_running_loop().create_connection(
            lambda: Connection(name, timeout_s=self._request_timeout_s, trace=self._trace),
            sock=accepted,
        )
        connection.role = granted or "debug"
        await _open(connection, _HANDSHAKE_TIMEOUT_S)
        return connection

    def close(self) -> None:
        """Stops listening; accepted connections stay open."""
        if (path := self.address.socket_path) is not None and self._socket.fileno() >= 0:
            Path(path).unlink(missing_ok=True)
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
    token: Token | None = None,
) -> Listener:
    """Listens for agents; port 0 takes a free one, see `Listener.address`. `host` may be
    `unix:PATH`: a socket file of mode 0600 that must not exist yet. With a `token` only agents that
    have it are let in. Raises ConnectionFailed.
    """
    address = Address(host, port)
    made = functools.partial(
        Listener, request_timeout_s=request_timeout_s, trace=trace, token=token
    )
    if (path := address.socket_path) is not None:
        listening = _listen_on_file(path)
        return made(listening, address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
        listening.setblocking(False)  # noqa: FBT003 - the socket module's way
    except OSError as error:
        listening.close()
        raise ConnectionFailed(f"cannot listen at {host}:{port}: {reason(error)}") from error
    bound = Address(*listening.getsockname()[:2])
    return made(listening, bound)


def _listen_on_file(path: str) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # Linux gives the file the mode of the socket: it is never wider, not even for a moment.
        os.fchmod(listening.fileno(), 0o600)
        listening.bind(path)
        listening.listen()
        listening.setblocking(False)  # noqa: FBT003 - the socket module's way
    except OSError as error:
        listening.close()
        raise ConnectionFailed(f"cannot listen at {UNIX_PREFIX}{path}: {reason(error)}") from error
    return listening


async def _nobody_listens(address: Address, tried: str) -> ConnectionFailed:
    if (holder := await _debugger_at(address)) is not None:
        return ConnectionFailed(f"{_held(holder, address)}{tried}")
    return ConnectionFailed(
        f"nothing listens at {address}{tried}; start the program with a debug agent, such as"
        f" {_agent_that_listens(address)}"
    )


async def _why_refused(address: Address) -> str:
    holder = await _debugger_at(address)
    return f"nothing listens at {address} yet" if holder is None else _held(holder, address)


def _held(holder: str, address: Address) -> str:
    return (
        f"{holder} is debugging the program at {address}, and the JDK's agent lets nobody take"
        " over: disconnect that one first"
    )


async def _debugger_at(address: Address) -> str | None:
    """The debugger that keeps an agent of this machine from listening, in words."""
    is_here = address.host in ("localhost", "::1") or address.host.startswith("127.")
    return await asyncio.to_thread(debugger_at, address.port) if is_here else None


def _agent_that_listens(address: Address) -> str:
    if (relay := address.behind_tls) is not None:
        return f"-agentlib:jdwp, and `jvmdebug relay --listen {relay.server}` in front of it"
    if (path := address.socket_path) is not None:
        return f"-agentpath:.../libjvmdebug.so=transport=unix,server=y,suspend=n,address={path}"
    return f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address={address.port}"


def _agent_that_connects(address: Address) -> str:
    if (path := address.socket_path) is not None:
        return f"-agentpath:.../libjvmdebug.so=transport=unix,server=n,address={path}"
    return f"-agentlib:jdwp=transport=dt_socket,server=n,address={address}"


def _is_refused(error: OSError) -> bool:
    if isinstance(error, FileNotFoundError):  # the socket file of a VM that is still starting
        return True
    # A name with several addresses gives one OSError that only quotes the others.
    return error.errno == errno.ECONNREFUSED or f"[Errno {errno.ECONNREFUSED}]" in str(error)


async def _open(connection: Connection, timeout_s: float | None) -> None:
    try:
        await connection.open(timeout_s)
    except (JvmDebugError, asyncio.CancelledError):
        await connection.close()
        raise
