# SPDX-License-Identifier: Apache-2.0
"""A relay as a process, and a debugger's side of the exchange behind TLS, from its specification.

The peer knows nothing of our client, so that tests can be wrong in any way they like.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import os
import socket
import ssl
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from tests.support.jdwp_client import EventSetClient
from tests.support.token_peer import GREETING, written_token

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROLES: Final = ("debug", "observe", "read-only")
_OPTIONS: Final = ("--token-file", "--observe-token-file", "--read-only-token-file")
_TIMEOUT_S: Final = 20.0
_LONG_MS: Final = "20000"
"""How long a role may hold a program where a test names no time: the machine may be busy."""


@dataclass
class RunningRelay:
    """A relay that listens on loopback."""

    process: asyncio.subprocess.Process
    port: int
    fingerprint: str
    tokens: dict[str, Path]
    """Role → the file with its token."""
    audit_log: Path

    def address(self, name: str = "") -> str:
        return f"tls://127.0.0.1:{self.port}{'/' if name else ''}{name}"

    def audit(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.audit_log.read_text().splitlines()]

    def token(self, role: str) -> str:
        return self.tokens[role].read_text().strip()


@contextlib.asynccontextmanager
async def running_relay(
    folder: Path, *words: str, settings: Path | None = None
) -> AsyncIterator[RunningRelay]:
    """A relay with those targets and options, and a token for each role; what it keeps is in a
    folder of its own.
    """
    tokens = _written(folder)
    named = [
        word
        for role, option in zip(ROLES, _OPTIONS, strict=True)
        for word in (option, str(tokens[role]))
    ]
    audit_log = folder / "audit"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "jvmdebug_cli", "relay", "--listen", "127.0.0.1:0"),
        *(*named, "--audit-log", str(audit_log), "--longest-stop", _LONG_MS, *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "XDG_CONFIG_HOME": str(settings or folder)},
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(_TIMEOUT_S):
            listening = (await process.stdout.readline()).decode().strip()
            fingerprint = (await process.stdout.readline()).decode().strip()
        assert listening.startswith("listening on 127.0.0.1:"), listening
        port = int(listening.rpartition(":")[2])
        yield RunningRelay(process, port, fingerprint, tokens, audit_log)
    finally:
        if process.returncode is None:
            process.terminate()
        _, told = await process.communicate()
        assert told == b"", told.decode()
        assert process.returncode == 0


def descriptors_of(pid: int) -> list[str]:
    """What a process of this machine has open."""
    return [each.name for each in Path(f"/proc/{pid}/fd").iterdir()]


def _written(folder: Path) -> dict[str, Path]:
    folder.mkdir(exist_ok=True)
    return {role: written_token(folder / f"{role}.token", f"a token for {role}") for role in ROLES}


class RelayPeer:
    """A connection to a relay, with TLS; use as a context manager."""

    def __init__(self, port: int, *, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = version
        plain = socket.create_connection(("127.0.0.1", port), _TIMEOUT_S)
        try:
            self.socket = context.wrap_socket(plain)
        except OSError:
            plain.close()
            raise
        der = self.socket.getpeercert(binary_form=True)
        assert der is not None
        self.binding = hashlib.sha256(der).digest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def received(self, size: int) -> bytes:
        """Read so many bytes; fewer if the relay closes the connection."""
        found = b""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while len(found) < size and (piece := self.socket.recv(size - len(found))):
                found += piece
        return found

    def verdict(
        self,
        token: str,
        *,
        name: str = "",
        role: int = 0,
        version: int = 2,
        binding: bytes | None = None,
    ) -> tuple[int, ...]:
        """Prove the token: `0` and the role; else the reason, or nothing."""
        self.socket.sendall(GREETING)
        challenge = self.received(33)
        assert (len(challenge), challenge[:1]) == (33, b"\2")
        claims = bytes((version, role)) + (self.binding if binding is None else binding)
        claims += os.urandom(32) + bytes((len(name),)) + name.encode()
        self.socket.sendall(claims + _proof(token, b"jvmdebug debugger", challenge + claims))
        told = self.received(1)
        if told != b"\0":
            return tuple(told)
        granted = self.received(1)
        expected = _proof(token, b"jvmdebug agent", challenge + claims + granted)
        assert self.received(32) == expected
        return (0, granted[0])


def _proof(token: str, who: bytes, said: bytes) -> bytes:
    return hmac.new(token.encode(), who + b"\0" + said, hashlib.sha256).digest()


class RelayedClient(EventSetClient):
    """A JDWP client behind a relay: it sends whatever a test wants."""

    def __init__(self, relay: RunningRelay, role: str, name: str = "") -> None:
        self._relay, self._role, self._name = relay, role, name
        super().__init__(relay.port)

    def _connect(self, port: int) -> socket.socket:
        peer = RelayPeer(port)
        assert peer.verdict(self._relay.token(self._role), name=self._name)[0] == 0
        return peer.socket
