# SPDX-License-Identifier: Apache-2.0
"""The relay as a server: takes connections, admits debuggers, and connects each with its agent.

Owns that both ends of a connection end together, and that a debugger with a role that may only look
does not hold the program too long. When the connection to an agent ends, the agent resumes what the
debugger had suspended, and clears its requests.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionFailed, JvmDebugError
from jvmdebug.jdwp.silence import keep_alive
from jvmdebug.os_errors import reason
from jvmdebug.printable import one_line
from jvmdebug.relay.link import Link
from jvmdebug.relay.permits import Permits
from jvmdebug.relay.targets import RelayTarget, chosen, connected
from jvmdebug.tls.admission import EXCHANGE_TIMEOUT_S, Admission, NotAdmittedError, TokenFile
from jvmdebug.tls.byte_stream import ByteStream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.audit_log import AuditLog
    from jvmdebug.tls.admission import Claims
    from jvmdebug.tls.certificate import ServerCertificate
    from jvmdebug.tls.proofs import Token

_LOG = logging.getLogger(__name__)
_MOST_UNADMITTED: Final = 64
_SHUTDOWN_TIMEOUT_S: Final = 2.0
_BACKLOG: Final = 128
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """What a relay serves, and to whom."""

    targets: Sequence[RelayTarget]
    tokens: Sequence[TokenFile]
    certificate: ServerCertificate
    longest_stop_s: float = 2.0
    """How long a debugger that may not `debug` holds the program at once."""
    agent_token: Token | None = None
    """For agents that ask for a token themselves."""
    audit: AuditLog | None = None


class Relay:
    """One server. `serve` until it is cancelled."""

    def __init__(self, options: RelayOptions) -> None:
        self._options = options
        self._admission = Admission(options.tokens, options.certificate.binding)
        self._unadmitted: dict[asyncio.Task[None], None] = {}
        """In the order in which they came."""
        self._serving: set[asyncio.Task[None]] = set()

    async def serve(
        self, host: str, port: int, on_listening: Callable[[str, int], None] | None = None
    ) -> None:
        """Listen at an address; port 0 takes a free one, which `on_listening` is told. Raises
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
                await asyncio.sleep(0.1)
                continue
            if len(self._unadmitted) >= _MOST_UNADMITTED:
                next(iter(self._unadmitted)).cancel()
            task = loop.create_task(self._serve(accepted, peer[0], peer[1]), name="relay")
            self._unadmitted[task] = None
            self._serving.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._unadmitted.pop(task, None)
        self._serving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("a connection of the relay has failed: %r", error)

    def _note(self, peer: str, event: str, **details: str | int | None) -> None:
        if self._options.audit is not None:
            self._options.audit.write(peer, event, **details)

    async def _serve(self, accepted: socket.socket, host: str, port: int) -> None:
        peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            stream = await self._in_tls(accepted)
            try:
                claims = await self._admission.admit(stream, host)
                await self._serve_admitted(stream, peer, claims)
            finally:
                stream.close()
        except NotAdmittedError as error:
            self._note(peer, "refused", reason=str(error))

    async def _in_tls(self, accepted: socket.socket) -> ByteStream:
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            keep_alive(accepted)
            _, stream = await asyncio.get_running_loop().connect_accepted_socket(
                ByteStream,
                accepted,
                ssl=self._options.certificate.context,
                ssl_handshake_timeout=EXCHANGE_TIMEOUT_S,
                ssl_shutdown_timeout=_SHUTDOWN_TIMEOUT_S,
            )
        except (OSError, ssl.SSLError) as error:
            accepted.close()
            why = error.reason if isinstance(error, ssl.SSLError) else None
            text = one_line(why or reason(error)).lower().replace("_", " ")
            raise NotAdmittedError(f"it does not speak TLS 1.3: {text}") from error
        except BaseException:
            accepted.close()
            raise
        return stream

    async def _serve_admitted(self, stream: ByteStream, peer: str, claims: Claims) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._unadmitted.pop(task, None)
        who = {"role": claims.role, "token": claims.token.source}
        try:
            target = chosen(self._options.targets, claims.name)
            agent = await connected(target, self._options.agent_token)
        except JvmDebugError as error:
            claims.explain(stream, str(error))
            self._note(
                peer,
                "refused",
                reason=str(error),
                target=one_line(claims.name, _LONGEST_NAME),
                **who,
            )
            return
        who["target"] = target.name
        link = Link(
            Permits(claims.role),
            longest_s=None if claims.role == "debug" else self._options.longest_stop_s,
            note=lambda event, command: self._note(peer, event, command=command, **who),
        )
        self._note(peer, "connected", **who)
        try:
            await link.pass_on(stream, agent, lambda: claims.accept(stream))
        finally:
            link.close()
            self._note(peer, "ended", reason=link.why, **who)


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
