# SPDX-License-Identifier: Apache-2.0
"""The transports: standard input and output, or streamable HTTP on loopback with a token.

The only user of the SDK's transports. The token is compared before anything of a request is read.
"""

from __future__ import annotations

import hmac
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

import jvmdebug
from jvmdebug.os_errors import reason
from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import make_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Application = Callable[[Scope, Any, Any], Awaitable[None]]


class AddressError(Exception):
    """The address cannot be listened on."""


class WithToken:
    """An ASGI application that answers 401 to what does not bring the token."""

    def __init__(self, application: Application, token: str) -> None:
        self._application = application
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._expected):
                text = b"send `Authorization: Bearer TOKEN`, with the token of --token-file\n"
                headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": text})
                return
        await self._application(scope, receive, send)


async def serve(
    where: tuple[str, int] | None,
    token: str,
    *,
    read_only: bool,
    watchdog_s: float | None,
    join: str | None = None,
) -> None:
    """Serve until the client closes standard input, or until interrupted; with `join` in the
    session of that name, "" for the only one. AddressError, LaunchError.
    """
    async with Investigation(read_only=read_only, watchdog_s=watchdog_s) as investigation:
        if join is not None:
            joined = jvmdebug.join(join or None, kind="assistant", read_only=read_only)
            await investigation.open(joined)
        server = make_server(investigation)
        if where is None:
            await server.run_stdio_async()
            return
        listening = _listen(where)
        host, port = listening.getsockname()[:2]
        application = WithToken(server.streamable_http_app(host=where[0]), token)
        config = uvicorn.Config(application, log_level="error", lifespan="on")
        print(f"listening on http://{host}:{port}/mcp", file=sys.stderr, flush=True)  # noqa: T201
        await uvicorn.Server(config).serve(sockets=[listening])


def _listen(where: tuple[str, int]) -> socket.socket:
    try:
        return socket.create_server(where, family=socket.getaddrinfo(*where)[0][0])
    except OSError as error:
        raise AddressError(f"cannot listen on {where[0]}:{where[1]}: {reason(error)}") from error
