# SPDX-License-Identifier: Apache-2.0
"""Tells who may use a server that listens: the token, and the log of what clients did.

A client of the adapter can run any program as this user, and any process or web page on this
machine can reach a loopback port. So the first message of a connection has to be an `initialize`
with the token, in its arguments or in a `Token` field of its header. The server asks `admit`
before any other message reaches the router. Stdio needs none of this: who started us may.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.audit_log import AuditLog
    from jvmdebug_dap.framing import Received
    from jvmdebug_dap.models.base import Json

_TOKEN_BYTES: Final = 24
ADMISSION_TIMEOUT_S: Final = 10.0
"""How long a connection may take to show its token."""
MAX_UNADMITTED_BYTES: Final = 64 * 1024
"""The longest message of a client that has not shown its token."""

_AUDITED: Final = frozenset(
    {
        *("initialize", "launch", "attach", "restart", "evaluate", "setVariable", "setExpression"),
        *("setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints"),
        *("setExceptionBreakpoints", "setInstructionBreakpoints", "writeMemory", "terminate"),
        *("disconnect", "jvmdebug/redefineClasses", "jvmdebug/forceEarlyReturn"),
    }
)
"""The requests that run or change code, or begin or end a session."""


class NotAdmittedError(Exception):
    """The client did not show the token."""


def new_token() -> str:
    return os.urandom(_TOKEN_BYTES).hex()


class Access:
    """What every connection of one server shares: its token and its audit log, if it has them."""

    def __init__(
        self,
        token: str | None = None,
        audit: AuditLog | None = None,
        joins: str | None = None,
    ) -> None:
        """`joins`: the session that each `attach` joins; "" for the only one."""
        self.token = token
        self.audit = audit
        self.joins = joins

    def note(self, peer: str, event: str, **details: Json) -> None:
        if self.audit is not None:
            self.audit.write(peer, event, **details)

    def note_request(self, peer: str, message: Received) -> None:
        """Note a request that runs or changes code, or begins or ends a session."""
        if self.audit is None or not isinstance(message, dict):
            return
        command = message.get("command")
        if message.get("type") == "request" and command in _AUDITED:
            self.audit.write(peer, command, arguments=_without_token(message.get("arguments")))

    def connection(self, peer: str, refuse: Callable[[Received, str], None]) -> Admission:
        """What decides about one connection; `refuse` answers its first message."""
        return Admission(self, peer, refuse)


def _without_token(arguments: Json) -> Json:
    if not isinstance(arguments, dict):
        return arguments
    return {name: value for name, value in arguments.items() if name != "token"}


class Admission:
    """Whether one client has shown the token."""

    def __init__(self, access: Access, peer: str, refuse: Callable[[Received, str], None]) -> None:
        self._access = access
        self._peer = peer
        self._refuse = refuse
        self.is_admitted = access.token is None

    def admit(self, message: Received, header: Mapping[str, str]) -> None:
        """Look at a message before it is served. Raises NotAdmittedError if the first one is not
        an `initialize` with the token; the connection ends then.
        """
        if not self.is_admitted and not self._shows_token(message, header):
            reason = (
                "this server needs its token: send `initialize` with `token` in its arguments, or"
                " with a `Token` header; the server printed it at its start, or has it from a file"
            )
            self._access.note(self._peer, "refused")
            self._refuse(message, reason)
            raise NotAdmittedError(f"{self._peer} did not show the token")
        self.is_admitted = True
        self._access.note_request(self._peer, message)

    def led(self, message: Received) -> Received | None:
        """The message as the router gets it: an `attach` joins the session that this server is for.
        None for a `launch` then, which is refused.
        """
        name = self._access.joins
        if name is None or not isinstance(message, dict) or message.get("type") != "request":
            return message
        if message.get("command") == "launch":
            self._refuse(message, "this adapter joins a session (--join): use the request `attach`")
            return None
        if message.get("command") != "attach":
            return message
        given = message.get("arguments")
        return {
            **message,
            "arguments": {**(given if isinstance(given, dict) else {}), "join": name},
        }

    def _shows_token(self, message: Received, header: Mapping[str, str]) -> bool:
        token = self._access.token
        if token is None:
            return True
        if not isinstance(message, dict) or message.get("command") != "initialize":
            return False
        arguments = message.get("arguments")
        shown = arguments.get("token") if isinstance(arguments, dict) else None
        shown = header.get("token") if shown is None else shown
        return isinstance(shown, str) and _is_same(shown, token)


def _is_same(shown: str, token: str) -> bool:
    """Compares in a time that tells nothing about the token."""
    import hmac  # noqa: PLC0415 - slow to import, and not needed on standard input and output

    return hmac.compare_digest(shown.encode(), token.encode())
