# SPDX-License-Identifier: Apache-2.0
"""Tokens and their proofs: what both sides of the exchange in docs/reference/tokens.md compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from jvmdebug.token_file import read_token

if TYPE_CHECKING:
    import os

Role = Literal["debug", "observe", "read-only"]
"""What a debugger may do, the widest first; each may do all that those behind it may."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""The index is the number on the wire."""

GREETING: Final = b"JDWP-Token-001"
NONCE_SIZE: Final = 32
PROOF_SIZE: Final = 32
BINDING_SIZE: Final = 32
CHALLENGE_SIZE: Final = 1 + NONCE_SIZE
DEBUGGER: Final = b"jvmdebug debugger\0"
AGENT: Final = b"jvmdebug agent\0"
BOUND_VERSION: Final = 2
"""Of the exchange behind TLS."""
LONGEST_NAME: Final = 255
"""Bytes of the name of a program."""
ADMITTED: Final = 0
WRONG_TOKEN, NO_TOKEN, OTHER_VERSION, OTHER_ROLE, OTHER_BINDING, EXPLAINED = range(1, 7)
"""The reasons of a refusal; a text follows the last one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and whether an agent that asks for none is refused."""

    secret: bytes
    source: str
    """Where it comes from, for messages."""
    is_required: bool = True

    def __repr__(self) -> str:
        return f"Token({self.source})"

    def proof(self, who: bytes, challenge: bytes, claims: bytes) -> bytes:
        """HMAC-SHA-256 of what both sides have said, 32 bytes."""
        import hmac  # noqa: PLC0415 - loads a library of the system, and few agents ask for it

        return hmac.digest(self.secret, who + challenge + claims, "sha256")


def read(file: str | os.PathLike[str]) -> Token:
    """The token in a file. Raises TokenError."""
    return Token(read_token(file), str(file))


def is_same(shown: bytes, expected: bytes) -> bool:
    """Compare in a time that tells nothing of what is expected."""
    import hmac  # noqa: PLC0415 - see above

    return hmac.compare_digest(shown, expected)


def narrower(one: Role, other: Role) -> Role:
    """The role that may do less."""
    return max(one, other, key=ROLES.index)
