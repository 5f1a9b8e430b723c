# SPDX-License-Identifier: Apache-2.0
"""A debugger's side of the exchange of tokens, from its specification in docs/reference/tokens.md.

Knows nothing of our client, so that tests can be wrong in any way they like.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import socket
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

GREETING: Final = b"JDWP-Token-001"
HANDSHAKE: Final = b"JDWP-Handshake"
ADMITTED, WRONG_TOKEN, NO_TOKEN, OTHER_VERSION, OTHER_ROLE, OTHER_BINDING = range(6)
_TIMEOUT_S: Final = 20.0


def written_token(file: Path, token: str, mode: int = 0o600) -> Path:
    """The file, with that token in it."""
    file.touch(mode=0o600)
    file.write_text(f"{token}\n")
    file.chmod(mode)
    return file


class TokenPeer:
    """A connection to an agent that asks for a token; use as a context manager."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), _TIMEOUT_S)
        self.challenge = b""
        self.role = 0
        """What the agent has granted, from version 2 on."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()

    def received(self, size: int) -> bytes:
        """Read so many bytes; fewer if the agent closes the connection."""
        found = b""
        with contextlib.suppress(ConnectionError):
            while len(found) < size and (piece := self.socket.recv(size - len(found))):
                found += piece
        return found

    def answer(
        self, token: str, *, version: int = 1, role: int = 0, binding: bytes = bytes(32)
    ) -> bytes:
        """Greet, and make the answer to the challenge that comes."""
        self.socket.sendall(GREETING)
        self.challenge = self.received(33)
        assert (len(self.challenge), self.challenge[:1]) == (33, b"\2")
        claims = bytes((version, role)) + binding + os.urandom(32) + b"\0" * (version == 2)
        return claims + _proof(token, b"jvmdebug debugger", self.challenge, claims)

    def verdict(self, token: str, answer: bytes, claims: bytes = b"") -> int | None:
        """Send the answer, or the rest of one with those claims; the agent's, whose proof is
        checked. None if it closes without one.
        """
        self.socket.sendall(answer)
        claims = claims or answer[:-32]
        told = self.received(1)
        if told == b"\0":
            granted = self.received(1) if claims[0] == 2 else b""
            self.role = int.from_bytes(granted)
            agents = _proof(token, b"jvmdebug agent", self.challenge, claims + granted)
            assert self.received(32) == agents
        else:
            assert self.received(1) == b"", "it goes on behind a refusal"
        return told[0] if told else None


def _proof(token: str, who: bytes, challenge: bytes, claims: bytes) -> bytes:
    return hmac.new(token.encode(), who + b"\0" + challenge + claims, hashlib.sha256).digest()


def verdict_on(port: int, token: str) -> int | None:
    """The answer of an agent to a debugger with that token."""
    with TokenPeer(port) as peer:
        return peer.verdict(token, peer.answer(token))
