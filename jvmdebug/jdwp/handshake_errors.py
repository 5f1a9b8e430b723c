# SPDX-License-Identifier: Apache-2.0
"""What to say when the JDWP handshake with a peer is not done, or the peer ends the connection.

Owns the messages only; connection.py finds out what happened and is the only caller.
"""

from __future__ import annotations

from jvmdebug.errors import AgentBusy, ConnectionLost, HandshakeFailed, TokenError
from jvmdebug.jdwp.tokens import needed


def no_answer(peer: str, timeout_s: float | None, *, has_greeted: bool) -> HandshakeFailed:
    """The peer says nothing (more) within the time."""
    if has_greeted:
        return HandshakeFailed(
            f"{peer} answered the JDWP handshake, and then not even the first command"
            f" within {timeout_s:.1f} s: the VM may be hanging"
        )
    return HandshakeFailed(
        f"{peer} accepted the connection but did not answer the JDWP handshake within"
        f" {timeout_s:.1f} s: another debugger may be connected, or it is no JDWP agent"
    )


def _closed_early(peer: str, error: Exception) -> HandshakeFailed:
    """The peer closes the connection instead."""
    return HandshakeFailed(
        f"{peer} closed the connection before the JDWP handshake was done: another"
        f" debugger may be connected, or it is no JDWP agent ({error})"
    )


def failed(peer: str, error: Exception) -> HandshakeFailed:
    """The error of the handshake, with the peer's name."""
    if isinstance(error, AgentBusy):
        return error
    if isinstance(error, TokenError):
        return needed(peer)
    if isinstance(error, ConnectionLost):
        return _closed_early(peer, error)
    return HandshakeFailed(f"{peer}: {error}")


def why_closed(peer: str, error: Exception | None) -> str:
    """What to say of a stream that the peer has ended."""
    reason = f": {error}" if error is not None else ""
    return f"the debuggee at {peer} closed the connection{reason}"
