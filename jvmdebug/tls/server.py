# SPDX-License-Identifier: Apache-2.0
"""A server behind TLS: takes connections, and gives those to its owner whose token was proved.

Owns how long a stranger may take, and how many there may be at once. Used by the relay and by
servers of front ends.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections import Counter
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionFailed
from jvmdebug.os_errors import reason
from jvmdebug.printable import host_and_port, one_line
from jvmdebug.tls.admission import EXCHANGE_TIMEOUT_S, Admission, NotAdmittedError
from jvmdebug.tls.byte_stream import ByteStream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.tls.admission import Claims
    from jvmdebug.tls.certificate import ServerCertificate

_LOG = logging.getLogger(__name__)
_MOST_STRANGERS: Final = 64
_SHUTDOWN_TIMEOUT_S: Final = 2.0
_BACKLOG: Final = 128
_PAUSE_S: Final = 0.1


class TlsServer:
    """One server. `listen` until it is cancelled."""

    def __init__(
        self,
        certificate: ServerCertificate,
        admission: Admission,
        *,
        serve: Callable[[ByteStream, str, Claims], Awaitable[None]],
        refused: Callable[[str, str], None],
    ) -> None:
        """`serve` gets a connection, the address of its peer and what that has proved, and answers
        the claims. `refused` is told the address of a peer and why it was not let in.
        """
        self._context = certificate.context
        self._admission = admission
        self._serve_admitted = serve
        self._refused = refused
        self._strangers: dict[asyncio.Task[None], str] = {}
        """With their hosts, in the order in which they came."""
        self._serving: set[asyncio.Task[None]] = set()

    async def listen(
        self, host: str, port: int, on_listening: Callable[[str, int], None] | None = None
    ) -> None:
        """Serve at an address; port 0 takes a free one, which `on_listening` is told. Raises
        ConnectionFailed.
        """
        listening = _listening(host, port)
        try:
            if on_listening is not None:
                on_listening(*listening.getsockname()[:2])
            await self._accept(listening)
        finally:
            listening.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(listening)
            except OSError as error:  # no descriptor is left, for example
                _LOG.warning("cannot accept a connection: %s", reason(error))
                await asyncio.sleep(_PAUSE_S)
                continue
            if len(self._strangers) >= _MOST_STRANGERS:
                self._end_one()
            task = loop.create_task(self._serve(accepted, peer[0], peer[1]), name="TLS peer")
            self._strangers[task] = peer[0]
            self._serving.add(task)
            task.add_done_callback(self._done)

    def _end_one(self) -> None:
        """End the oldest stranger of the host that has most."""
        most, _ = Counter(self._strangers.values()).most_common(1)[0]
        oldest = next(task for task, host in self._strangers.items() if host == most)
        oldest.cancel()
        del self._strangers[oldest]
        self._refused(most, "it had proved no token when too many others came")

    def _done(self, task: asyncio.Task[None]) -> None:
        self._strangers.pop(task, None)
        self._serving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("a connection has failed: %r", error)

    async def _serve(self, accepted: socket.socket, host: str, port: int) -> None:
        peer = host_and_port(host, port)
        try:
            stream = await self._in_tls(accepted)
            try:
                claims = await self._admission.admit(stream, host)
                self._no_stranger(asyncio.current_task())
                await self._serve_admitted(stream, peer, claims)
            finally:
                stream.close()
        except NotAdmittedError as error:
            self._refused(peer, str(error))

    def _no_stranger(self, task: asyncio.Task[None] | None) -> None:
        if task is not None:
            self._strangers.pop(task, None)

    async def _in_tls(self, accepted: socket.socket) -> ByteStream:
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _, stream = await asyncio.get_running_loop().connect_accepted_socket(
                ByteStream,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=EXCHANGE_TIMEOUT_S,
                ssl_shutdown_timeout=_SHUTDOWN_TIMEOUT_S,
            )
        except OSError as error:
            accepted.close()
            raise NotAdmittedError(f"it does not speak TLS 1.3: {_why(error)}") from error
        except BaseException:
            accepted.close()
            raise
        return stream


def _why(error: OSError) -> str:
    if isinstance(error, ssl.SSLError) and error.reason:
        return one_line(error.reason).lower().replace("_", " ")
    return "it ended the connection" if isinstance(error, ConnectionError) else reason(error)


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, where = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(where)
            listening.listen(_BACKLOG)
            listening.setblocking(False)  # noqa: FBT003 - the socket module's way
        except BaseException:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        raise ConnectionFailed(f"cannot listen at {host}:{port}: {reason(error)}") from error
    return listening
