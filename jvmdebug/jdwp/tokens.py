# SPDX-License-Identifier: Apache-2.0
"""The token that an agent with `token-file=` asks for, before a byte of JDWP.

Both sides prove that they have it and neither sends it; the steps are in
`native/agent/transport/token_gate.h`. Called by transport.py with a socket that is connected.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

from jvmdebug._native import TOKEN_GREETING
from jvmdebug.errors import TokenError
from jvmdebug.tls.proofs import (
    AGENT,
    CHALLENGE_SIZE,
    DEBUGGER,
    NONCE_SIZE,
    PROOF_SIZE,
    ROLES,
    Role,
    Token,
    is_same,
    read,
)

if TYPE_CHECKING:
    import socket

VARIABLE: Final = "JVMDEBUG_TOKEN_FILE"
"""The environment variable with the path of a token file, for the agent and for debuggers."""

_FIRST_VERSION: Final = 1
"""Of agents that know no roles."""
_VERSION: Final = 2
_NO_NAME: Final = b"\0"
"""The length of the name of a program; only a relay has several."""
_UNBOUND: Final = bytes(32)
"""The hash of the certificate, where TLS is in front of the agent."""
_ADMITTED: Final = 0
_REFUSALS: Final = {
    1: "has another token than {source}",
    2: "cannot use its own token file (the program's log says why)",
    3: "proves tokens in another version: it is older or newer than this debugger",
    4: "does not know the role that was asked for",
    5: "was reached without the certificate that was expected",
}


async def token_of(file: str | os.PathLike[str] | None) -> Token | None:
    """The token of that file; without one that of JVMDEBUG_TOKEN_FILE, which agents that ask for
    none need not have. Raises TokenError.
    """
    if file is not None:
        return await asyncio.to_thread(read, file)
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    found = await asyncio.to_thread(read, named)
    return Token(found.secret, f"{named} ({VARIABLE})", is_required=False)


def needed(peer: str) -> TokenError:
    """The error for an agent that asks for a token, where none was given."""
    return TokenError(
        f"the agent at {peer} asks for a token: give the file with it, `--token-file FILE`"
        " (`tokenFile` in a launch configuration, `token_file=` in a script)"
    )


async def prove(
    connected: socket.socket, token: Token, peer: str, role: Role = "debug"
) -> Role | None:
    """Exchange proofs with the agent, which grants `role` or less. None if it asks for no token,
    and none is required.

    Raises TokenError for a wrong token, which takes the agent up to 3 s to tell, and for an agent
    that does not have it; OSError.
    """
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connected, TOKEN_GREETING)
    challenge = await _read(connected, CHALLENGE_SIZE)
    if len(challenge) < CHALLENGE_SIZE:
        if token.is_required:
            raise TokenError(
                f"the agent at {peer} asks for no token, so it may be another one than the one that"
                f" is meant: leave out the token ({token.source}), or start the program with"
                " token-file="
            )
        return None
    knows_roles = challenge[0] >= _VERSION
    head = (_VERSION, ROLES.index(role)) if knows_roles else (_FIRST_VERSION, 0)
    claims = bytes(head) + _UNBOUND + os.urandom(NONCE_SIZE) + _NO_NAME * knows_roles
    await loop.sock_sendall(connected, claims + token.proof(DEBUGGER, challenge, claims))
    verdict = await _read(connected, 1)
    if verdict != bytes((_ADMITTED,)):
        why = _REFUSALS.get(verdict[0]) if verdict else None
        why = why or "closed the connection before the token was proved"
        raise TokenError(f"the agent at {peer} {why.format(source=token.source)}")
    granted = await _read(connected, 1) if knows_roles else b""
    answer = await _read(connected, PROOF_SIZE)
    if not is_same(answer, token.proof(AGENT, challenge, claims + granted)):
        raise TokenError(f"what listens at {peer} does not know the token in {token.source}")
    return ROLES[min(granted[0], len(ROLES) - 1)] if granted else "debug"


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
