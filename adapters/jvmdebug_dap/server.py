# SPDX-License-Identifier: Apache-2.0
"""Connections: one session for each, over TCP or standard input and output (see `stdio`).

Owns their end: however a connection ends, its session is closed and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import TYPE_CHECKING

from jvmdebug.os_errors import reason
from jvmdebug.platform.signals import END, handled
from jvmdebug_dap.access import (
    ADMISSION_TIMEOUT_S,
    MAX_UNADMITTED_BYTES,
    Access,
    Admission,
    NotAdmittedError,
)
from jvmdebug_dap.channel import Channel
from jvmdebug_dap.errors import AddressError
from jvmdebug_dap.framing import MAX_BODY_BYTES, FramingError, MessageDecoder
from jvmdebug_dap.greeting import CHUNK_BYTES, NO_GREETING, Greeting
from jvmdebug_dap.requests import REGISTRY
from jvmdebug_dap.router import Router
from jvmdebug_dap.session import AdapterSession

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = logging.getLogger(__name__)


async def serve_connection(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    access: Access | None = None,
    greeting: Greeting = NO_GREETING,
) -> None:
    """Serve one client until it disconnects, is lost or sends something that is not DAP, or shows
    no token where `access` has one. `greeting`: what has been read and answered already.
    """
    access = access or Access()
    peer = name_of_peer(writer)
    access.note(peer, "connected")
    channel = Channel(writer.write, writer.drain, answered=greeting.answered)
    session = AdapterSession(channel, lambda event, **details: access.note(peer, event, **details))
    router = Router(session, REGISTRY)
    admission = access.connection(peer, router.refuse)
    pumping = asyncio.create_task(session.pump.run(), name="dap events")
    reading = asyncio.create_task(
        read_messages(reader, router, admission, greeting.received), name="dap messages"
    )
    over = asyncio.create_task(session.is_over.wait(), name="dap end")
    try:
        await asyncio.wait({reading, over}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done() and (error := reading.exception()) is not None:
            if admission.is_admitted:
                session.tell(f"the connection is closed: {error}", "important")
            _LOG.error("the connection is closed: %s", error)
    finally:
        for task in (reading, over):
            task.cancel()
        await router.close()
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        channel.close()
        await session.close()
        pumping.cancel()
        await asyncio.gather(reading, over, pumping, return_exceptions=True)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        access.note(peer, "disconnected")


def name_of_peer(writer: asyncio.StreamWriter) -> str:
    peer = writer.get_extra_info("peername")
    return "stdio" if not isinstance(peer, tuple) else f"{peer[0]}:{peer[1]}"


async def read_messages(
    reader: asyncio.StreamReader, router: Router, admission: Admission, received: bytes = b""
) -> None:
    """Pass every message to the router until the stream ends; those in `received` first. Raises
    FramingError, and NotAdmittedError for a client that does not show the token in time.
    """
    decoder = MessageDecoder()
    if not admission.is_admitted:
        decoder.max_body_bytes = MAX_UNADMITTED_BYTES
    try:
        async with asyncio.timeout(ADMISSION_TIMEOUT_S) as patience:
            if admission.is_admitted:
                patience.reschedule(None)
            chunk = received or await reader.read(CHUNK_BYTES)
            while chunk:
                for message in decoder.read(chunk):
                    admission.admit(message, decoder.header)
                    patience.reschedule(None)
                    decoder.max_body_bytes = MAX_BODY_BYTES
                    if (led := admission.led(message)) is not None:
                        router.receive(led)
                chunk = await reader.read(CHUNK_BYTES)
    except TimeoutError:
        text = f"the client showed no token within {ADMISSION_TIMEOUT_S:.0f} s"
        raise NotAdmittedError(text) from None
    if decoder.is_mid_message:
        raise FramingError("the client closed the connection in the middle of a message")


async def serve_tcp(
    host: str,
    port: int,
    on_listening: Callable[[str, int], None] | None = None,
    *,
    access: Access,
) -> None:
    """Serve every client that connects to `host:port` (0: any free port) until cancelled.

    `on_listening` gets the address; `access` says which token clients need. Raises AddressError for
    a host that is not loopback, since anyone who connects can run any program as this user.
    """
    if not is_loopback(host):
        raise AddressError(
            f"will not listen on `{host}` without TLS: whoever connects can run any program as this"
            " user"
        )
    clients: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            clients.add(task)
            task.add_done_callback(clients.discard)
        with contextlib.suppress(asyncio.CancelledError):  # the server is ending
            await serve_connection(reader, writer, access)

    try:
        server = await asyncio.start_server(serve, host, port)
    except OSError as error:
        raise AddressError(f"cannot listen on {host}:{port}: {reason(error)}") from error
    bound_host, bound_port = server.sockets[0].getsockname()[:2]
    if on_listening is not None:
        on_listening(bound_host, bound_port)
    serving = asyncio.create_task(server.serve_forever(), name="dap server")
    try:
        with handled(END, serving.cancel), contextlib.suppress(asyncio.CancelledError):
            await serving
    finally:
        serving.cancel()
        server.close()
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address. Raises AddressError for no host."""
    import ipaddress  # noqa: PLC0415 - slow to import, and not needed on standard input and output

    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(host, None)}
    except OSError as error:
        raise AddressError(f"cannot listen on `{host}`: {reason(error)}") from error
    return all(ipaddress.ip_address(address.partition("%")[0]).is_loopback for address in found)
