# SPDX-License-Identifier: Apache-2.0
"""Reaching what listens behind TLS: its certificate is checked, then token and role are proved.

The certificate is known by its fingerprint: the one that the user gives, or the one that was met at
the first time, when the proof of the token shows that it is the right one. Called by the JDWP
transport and by front ends with servers of their own.
"""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import CertificateError, HandshakeFailed, TokenError
from jvmdebug.os_errors import reason
from jvmdebug.printable import host_and_port, one_line
from jvmdebug.tls import fingerprints, known_certificates, proofs
from jvmdebug.tls.byte_stream import ByteStream

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.tls.proofs import Role, Token

PREFIX: Final = "tls://"
_ADDRESS: Final = re.compile(
    r"tls://(?P<host>[^:\[\]/\s]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})(?:/(?P<name>[^\s]*))?",
    re.ASCII,
)
_LAST_PORT: Final = 65535
_TLS_TIMEOUT_S: Final = 10.0
_LONGEST_TEXT: Final = 2000
_REFUSALS: Final = {
    proofs.WRONG_TOKEN: "does not know the token in {source}",
    proofs.NO_TOKEN: "cannot use its own token file (its standard error says why)",
    proofs.OTHER_VERSION: "proves tokens in another version: it is older or newer than this one",
    proofs.OTHER_ROLE: "does not know the role that was asked for",
    proofs.OTHER_BINDING: "has another certificate than it shows here: somebody is in between",
}


@dataclass(frozen=True, slots=True)
class TlsAddress:
    """What listens behind TLS, and the program that is meant; without a name the only one."""

    host: str
    port: int
    name: str = ""

    @property
    def server(self) -> str:
        """The address without the program: `HOST:PORT`."""
        return host_and_port(self.host, self.port)

    def __str__(self) -> str:
        return f"{PREFIX}{self.server}{'/' if self.name else ''}{self.name}"


def parsed(text: str) -> TlsAddress | None:
    """The address `tls://HOST:PORT[/NAME]`; None if the text is none."""
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found["port"]) <= _LAST_PORT:
        return None
    return TlsAddress(found["host"].strip("[]"), int(found["port"]), found["name"] or "")


async def reach(
    address: TlsAddress,
    token: Token | None,
    *,
    role: Role = "debug",
    fingerprint: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[ByteStream, Role]:
    """A connection on which the token was proved, and the role that was granted: `role` or less.

    `tell` gets a sentence about a certificate that is met for the first time. Raises OSError if
    nothing listens, HandshakeFailed for what speaks no TLS 1.3, CertificateError, TokenError.
    """
    if token is None:
        raise TokenError(
            f"what listens at {address.server} asks for a token: give the file with it,"
            " `--token-file FILE` (`tokenFile` in a launch configuration, `token_file=` in a"
            " script)"
        )
    expected = None if fingerprint is None else fingerprints.checked(fingerprint)
    stream = await _connected(address)
    try:
        der = _certificate(stream, address)
        shown = fingerprints.fingerprint_of(der)
        known = await asyncio.to_thread(known_certificates.known_fingerprint, address.server)
        _check(address, shown, expected, known)
        binding = fingerprints.binding_of(der)
        granted = await _prove(stream, address, token, role, binding)
        if known != shown:
            await asyncio.to_thread(known_certificates.remember, address.server, shown)
            if expected is None and tell is not None:
                tell(
                    f"the certificate of {address.server} is met for the first time: {shown}; it"
                    f" is kept in {known_certificates.known_file()}"
                )
    except BaseException:
        await stream.abort()
        raise
    return stream, granted


async def _connected(address: TlsAddress) -> ByteStream:
    import ssl  # noqa: PLC0415 - slow to import, and few sessions are behind TLS

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the fingerprint is checked instead
    try:
        _, stream = await asyncio.get_running_loop().create_connection(
            ByteStream,
            address.host,
            address.port,
            ssl=context,
            ssl_handshake_timeout=_TLS_TIMEOUT_S,
        )
    except (ssl.SSLError, ConnectionResetError, ConnectionAbortedError) as error:
        why = error.reason if isinstance(error, ssl.SSLError) else None
        raise HandshakeFailed(
            f"{address.server} does not speak TLS 1.3 ({one_line(why or reason(error))}): it is no"
            " relay, or something in between ends the connection"
        ) from error
    return stream


def _certificate(stream: ByteStream, address: TlsAddress) -> bytes:
    der = None if stream.tls is None else stream.tls.getpeercert(binary_form=True)
    if der is None:
        raise CertificateError(f"{address.server} shows no certificate")
    return der


def _check(address: TlsAddress, shown: str, expected: str | None, known: str | None) -> None:
    """Raises CertificateError for a certificate that is not the expected one."""
    if expected is not None and shown != expected:
        raise CertificateError(
            f"the certificate of {address.server} has the fingerprint {shown}, and not the one that"
            f" was given, {expected}: compare it with what the relay prints at its start"
        )
    if expected is None and known is not None and shown != known:
        raise CertificateError(
            f"the certificate of {address.server} has changed to {shown}, so somebody may be in"
            f" between: if the relay prints this fingerprint, give it (--fingerprint {shown}), or"
            f" remove the line of {address.server} in {known_certificates.known_file()}"
        )


async def _prove(
    stream: ByteStream, address: TlsAddress, token: Token, role: Role, binding: bytes
) -> Role:
    stream.write(proofs.GREETING)
    challenge = await stream.read(proofs.CHALLENGE_SIZE)
    if len(challenge) < proofs.CHALLENGE_SIZE:
        raise HandshakeFailed(f"{address.server} closed the connection before it asked for a token")
    if challenge[0] < proofs.BOUND_VERSION:
        raise HandshakeFailed(f"{address.server} is an older relay: it binds no certificate")
    name = address.name.encode()
    if len(name) > proofs.LONGEST_NAME:
        raise HandshakeFailed(f"the name of the program is longer than {proofs.LONGEST_NAME} bytes")
    claims = bytes((proofs.BOUND_VERSION, proofs.ROLES.index(role))) + binding
    claims += os.urandom(proofs.NONCE_SIZE) + bytes((len(name),)) + name
    stream.write(claims + token.proof(proofs.DEBUGGER, challenge, claims))
    verdict = await stream.read(2)
    if len(verdict) == 2 and verdict[0] == proofs.ADMITTED and verdict[1] < len(proofs.ROLES):
        answer = await stream.read(proofs.PROOF_SIZE)
        if proofs.is_same(answer, token.proof(proofs.AGENT, challenge, claims + verdict[1:])):
            return proofs.ROLES[verdict[1]]
        raise TokenError(f"what listens at {address.server} does not know the token")
    if verdict[:1] == bytes((proofs.EXPLAINED,)):
        raise HandshakeFailed(await _explained(stream, verdict[1:]))
    why = _REFUSALS.get(verdict[0]) if verdict else None
    why = why or "closed the connection before the token was proved"
    raise TokenError(f"the relay at {address.server} {why.format(source=token.source)}")


async def _explained(stream: ByteStream, first: bytes) -> str:
    """The text behind a refusal, as one line."""
    size = int.from_bytes(first + await stream.read(1))
    said = await stream.read(min(size, _LONGEST_TEXT))
    return one_line(said.decode(errors="replace"), _LONGEST_TEXT)
