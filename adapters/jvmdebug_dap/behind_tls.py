# SPDX-License-Identifier: Apache-2.0
"""The server and the relay of standard input and output behind TLS: for other machines.

The token is proved in an exchange in front of DAP, and never sent: the exchange in
docs/reference/tokens.md, which is bound to the certificate. Imported where it is asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

from jvmdebug.os_errors import reason
from jvmdebug.platform.signals import END, handled
from jvmdebug.tls import client, proofs
from jvmdebug.tls.admission import Admission, TokenFile
from jvmdebug.tls.certificate import server_certificate
from jvmdebug.tls.server import TlsServer
from jvmdebug_dap.access import Access
from jvmdebug_dap.command import announcing
from jvmdebug_dap.errors import AddressError
from jvmdebug_dap.relay import RelayError, pass_on
from jvmdebug_dap.server import serve_connection

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from jvmdebug.tls.admission import Claims
    from jvmdebug.tls.byte_stream import ByteStream


async def serve_tls(options: argparse.Namespace, access: Access) -> None:
    """Serve every client that proves the token of `access`, until cancelled. Raises AddressError,
    and what is wrong with the certificate.
    """
    host, port = options.listen
    if access.token is None:
        raise AddressError(f"will not listen on `{host}` without a token: leave out --no-token")
    certificate = server_certificate(options.cert, options.key)
    inside = Access(audit=access.audit)  # the token has been proved before
    if options.token_file is None:
        made = proofs.Token(access.token.encode(), "the token that was printed")
        admission = Admission((), certificate.binding, made=made)
    else:
        admission = Admission((TokenFile(options.token_file),), certificate.binding)

    async def serve(stream: ByteStream, _peer: str, claims: Claims) -> None:
        if claims.role != "debug":
            claims.explain(stream, "an adapter has no roles: the client asked for less than debug")
            return
        claims.accept(stream)
        reader, writer = streams(stream)
        await serve_connection(reader, writer, inside)

    def announce(bound: str, number: int) -> None:
        announcing(options, access, certificate.fingerprint)(bound, number)

    def refused(peer: str, why: str) -> None:
        access.note(peer, "refused", reason=why)

    server = TlsServer(certificate, admission, serve=serve, refused=refused)
    serving = asyncio.create_task(server.listen(host, port, announce), name="dap server")
    with handled(END, serving.cancel), contextlib.suppress(asyncio.CancelledError):
        await serving


async def relay_to(
    address: client.TlsAddress, token_file: Path | None, fingerprint: str | None
) -> None:
    """Pass standard input and output to a server behind TLS until either ends. Raises RelayError,
    HandshakeFailed.
    """
    token = None if token_file is None else await asyncio.to_thread(proofs.read, token_file)

    def tell(text: str) -> None:
        sys.stderr.write(f"jvmdebug dap: {text}\n")

    try:
        stream, _ = await client.reach(address, token, fingerprint=fingerprint, tell=tell)
    except OSError as error:
        raise RelayError(f"cannot connect to {address.server}: {reason(error)}") from error
    reader, writer = streams(stream)
    await pass_on(reader, writer)


def streams(stream: ByteStream) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Reader and writer of a connection whose exchange is done. Raises OSError if it has ended."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    transport = stream.transport
    stream.hand_over(protocol)
    assert transport is not None
    return reader, asyncio.StreamWriter(transport, protocol, reader, asyncio.get_running_loop())
