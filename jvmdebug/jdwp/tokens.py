# SPDX-License-Identifier: Apache-2.0
"""The token that an agent with `token-file=` asks for, before a byte of JDWP.

Both sides prove that they have it and neither sends it; the steps are in
`native/agent/transport/token_gate.h`. Called by transport.py with a socket that is connected.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug._native import TOKEN_GREETING
from jvmdebug.errors import TokenError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    import socket

VARIABLE: Final = "JVMDEBUG_TOKEN_FILE"
"""The environment variable with the path of a token file, for the agent and for debuggers."""

_NONCE_SIZE: Final = 32
_PROOF_SIZE: Final = 32
_LONGEST_TOKEN: Final = 4096
_BLANK: Final = b" \t\r\n"
_DEBUGGER: Final = b"jvmdebug debugger\0"
_AGENT: Final = b"jvmdebug agent\0"


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and whether an agent that asks for none is refused."""

    secret: bytes
    source: str
    """Where it comes from, for messages."""
    is_required: bool = True

    def __repr__(self) -> str:
        return f"Token({self.source})"

    def proof(self, who: bytes, theirs: bytes, ours: bytes) -> bytes:
        """HMAC-SHA-256 of what both sides have made up, 32 bytes."""
        import hmac  # noqa: PLC0415 - loads a library of the system, and few agents ask for it

        return hmac.digest(self.secret, who + theirs + ours, "sha256")


def read_token(file: str | os.PathLike[str]) -> Token:
    """The token in a file, without the line end behind it. Raises TokenError."""
    try:
        content = read_bytes(file, _LONGEST_TOKEN)
    except (OSError, ValueError) as error:
        raise TokenError(f"cannot read the token in {file}: {reason(error)}") from error
    secret = content.rstrip(_BLANK)
    if not secret:
        raise TokenError(f"there is no token in {file}: it is empty")
    return Token(secret, str(file))


async def token_of(file: str | os.PathLike[str] | None) -> Token | None:
    """The token of that file; without one that of JVMDEBUG_TOKEN_FILE, which agents that ask for
    none need not have. Raises TokenError.
    """
    if file is not None:
        return await asyncio.to_thread(read_token, file)
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    found = await asyncio.to_thread(read_token, named)
    return Token(found.secret, f"{named} ({VARIABLE})", is_required=False)


def needed(peer: str) -> TokenError:
    """The error for an agent that asks for a token, where none was given."""
    return TokenError(
        f"the agent at {peer} asks for a token: give the file with it, `--token-file FILE`"
        " (`tokenFile` in a launch configuration, `token_file=` in a script)"
    )


async def prove(connected: socket.socket, token: Token, peer: str) -> bool:
    """Exchange proofs with the agent. False if it asks for no token, and none is required.

    Raises TokenError for a wrong token, and for an agent that does not have it; OSError.
    """
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connected, TOKEN_GREETING)
    theirs = await _read(connected, _NONCE_SIZE)
    if len(theirs) < _NONCE_SIZE:
        if token.is_required:
            raise TokenError(
                f"the agent at {peer} asks for no token, so it may be another one than the one that"
                f" is meant: leave out the token ({token.source}), or start the program with"
                " token-file="
            )
        return False
    ours = os.urandom(_NONCE_SIZE)
    await loop.sock_sendall(connected, ours + token.proof(_DEBUGGER, theirs, ours))
    answer = await _read(connected, _PROOF_SIZE)
    if len(answer) < _PROOF_SIZE:
        raise TokenError(f"the agent at {peer} has another token than {token.source}")
    import hmac  # noqa: PLC0415 - see above

    if not hmac.compare_digest(answer, token.proof(_AGENT, theirs, ours)):
        raise TokenError(f"what listens at {peer} does not know the token in {token.source}")
    return True


async def _read(connected: socket.socket, size: int) -> bytes:
    """Read so many bytes; fewer if the peer closes the connection."""
    loop = asyncio.get_running_loop()
    found = b""
    try:
        while len(found) < size:
            piece = await loop.sock_recv(connected, size - len(found))
            if not piece:
                break
            found += piece
    except ConnectionError:
        pass  # as if it had been closed in order
    return found
