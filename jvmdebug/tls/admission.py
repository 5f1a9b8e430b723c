# SPDX-License-Identifier: Apache-2.0
"""The server's side of the exchange: which token a peer has, what it asks for, and who has failed.

The token files are read for each peer, so a new token is one write. A peer that fails is answered
later each time; nobody else waits for it. Used by the relay and by servers of front ends.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import TokenError
from jvmdebug.tls import proofs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.tls.byte_stream import ByteStream
    from jvmdebug.tls.proofs import Role, Token

EXCHANGE_TIMEOUT_S: Final = 5.0
"""For TLS and the exchange together."""
_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 3.0
_MOST_DOUBLINGS: Final = 8
_FORGOTTEN_AFTER_S: Final = 600.0
_MOST_HOSTS: Final = 256
_IPV6_NETWORK_BITS: Final = 64


class NotAdmittedError(Exception):
    """The peer is not let in; the message says why, and names no token."""

    def __init__(self, why: str, verdict: int | None = None) -> None:
        super().__init__(why)
        self.verdict = verdict


@dataclass(frozen=True, slots=True)
class TokenFile:
    """A file with a token, and the most that a peer with that token may do."""

    path: str | os.PathLike[str]
    role: Role = "debug"


@dataclass(frozen=True, slots=True)
class Claims:
    """What an admitted peer has asked for. It has got no answer yet: see `accept` and `explain`."""

    name: str
    """Of the program that it wants; empty for the only one."""
    role: Role
    """What it may do: the narrower of what it asked for and what its token is for."""
    token: Token
    challenge: bytes
    said: bytes

    def accept(self, stream: ByteStream) -> None:
        """Tell the peer that it is let in, and its role."""
        role = bytes((proofs.ROLES.index(self.role),))
        proof = self.token.proof(proofs.AGENT, self.challenge, self.said + role)
        stream.write(bytes((proofs.ADMITTED,)) + role + proof)

    def explain(self, stream: ByteStream, why: str) -> None:
        """Refuse the peer, which has a right token, with a text for its user."""
        text = why.encode()[:1500]
        stream.write(bytes((proofs.EXPLAINED,)) + len(text).to_bytes(2) + text)
        stream.close()


class Admission:
    """Decides about the peers of one server."""

    def __init__(
        self, files: Sequence[TokenFile], binding: bytes, *, made: Token | None = None
    ) -> None:
        """`binding`: the SHA-256 of the server's certificate; `made`: a token that is in no file,
        for peers that may do everything.
        """
        self._files = tuple(files)
        self._made = made
        self._binding = binding
        self._failures: dict[str, tuple[int, float]] = {}

    async def admit(self, stream: ByteStream, host: str) -> Claims:
        """What the peer claims, if it has proved a token. Raises NotAdmittedError when it has not;
        the connection is closed then.
        """
        try:
            async with asyncio.timeout(EXCHANGE_TIMEOUT_S):
                claims = await self._claims(stream)
        except TimeoutError:
            stream.close()
            raise NotAdmittedError(
                f"it did not prove a token within {EXCHANGE_TIMEOUT_S:g} s"
            ) from None
        except NotAdmittedError as error:
            if error.verdict is not None:
                await asyncio.sleep(self._pause_s(host))
                stream.write(bytes((error.verdict,)))
            stream.close()
            raise
        self._failures.pop(_network_of(host), None)
        return claims

    async def _claims(self, stream: ByteStream) -> Claims:
        if await stream.read(len(proofs.GREETING)) != proofs.GREETING:
            raise NotAdmittedError("it did not begin with the exchange of tokens")
        challenge = bytes((proofs.BOUND_VERSION,)) + os.urandom(proofs.NONCE_SIZE)
        stream.write(challenge)
        head = await stream.read(1)
        if head and head[0] != proofs.BOUND_VERSION:
            raise NotAdmittedError("it asked for another version", proofs.OTHER_VERSION)
        said = head + await stream.read(1 + proofs.BINDING_SIZE + proofs.NONCE_SIZE + 1)
        name = await stream.read(said[-1]) if said else b""
        proof = await stream.read(proofs.PROOF_SIZE)
        if len(proof) < proofs.PROOF_SIZE:
            raise NotAdmittedError("it ended the connection before it proved a token")
        said += name
        return await self._judged(challenge, said, name, proof)

    async def _judged(self, challenge: bytes, said: bytes, name: bytes, proof: bytes) -> Claims:
        known = await asyncio.to_thread(self._tokens)
        fitting = [
            (token, role)
            for token, role in known
            if proofs.is_same(proof, token.proof(proofs.DEBUGGER, challenge, said))
        ]
        if not fitting:
            raise NotAdmittedError("it has another token", proofs.WRONG_TOKEN)
        if not proofs.is_same(said[2 : 2 + proofs.BINDING_SIZE], self._binding):
            raise NotAdmittedError(
                "it was shown another certificate: somebody is in between", proofs.OTHER_BINDING
            )
        if said[1] >= len(proofs.ROLES):
            raise NotAdmittedError("it asked for an unknown role", proofs.OTHER_ROLE)
        token, role = max(fitting, key=lambda each: proofs.ROLES.index(each[1]))
        granted = proofs.narrower(role, proofs.ROLES[said[1]])
        return Claims(name.decode(errors="replace"), granted, token, challenge, said)

    def _tokens(self) -> list[tuple[Token, Role]]:
        """The tokens of the files that can be read now. Raises NotAdmittedError for none."""
        found: list[tuple[Token, Role]] = [] if self._made is None else [(self._made, "debug")]
        why = ""
        for each in self._files:
            try:
                found.append((proofs.read(each.path), each.role))
            except TokenError as error:
                why = str(error)
        if not found:
            raise NotAdmittedError(why, proofs.NO_TOKEN)
        return found

    def _pause_s(self, host: str) -> float:
        """How long a peer of this host waits for its refusal; one more is counted."""
        now = time.monotonic()
        network = _network_of(host)
        count, last = self._failures.pop(network, (0, now))
        if last + _FORGOTTEN_AFTER_S < now:
            count = 0
        if len(self._failures) >= _MOST_HOSTS:
            del self._failures[next(iter(self._failures))]  # the oldest
        self._failures[network] = (count + 1, now)
        return float(min(_FIRST_PAUSE_S * 2 ** min(count, _MOST_DOUBLINGS), _LONGEST_PAUSE_S))


def _network_of(host: str) -> str:
    """The peers whose failures count together: a host, and the 64 bits of an IPv6 network."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.is_loopback:
        return str(address)
    return str(ipaddress.ip_network((address, _IPV6_NETWORK_BITS), strict=False))
