# SPDX-License-Identifier: Apache-2.0
"""The roles of tokens (`observe-token-file=`, `read-only-token-file=`), which the agent enforces
itself: each command and each kind of event, as bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug.jdwp.generated.catalog import COMMAND_ROLES
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.relay.permits import EVENT_ROLES
from jvmdebug.tls.proofs import ROLES
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.token_peer import ADMITTED, HANDSHAKE, TokenPeer, written_token

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_DENIED: Final = 111
_SET: Final = (15, 1)
_SOON_S: Final = 20.0
_LONGEST_MS: Final = 300


@dataclass(frozen=True, slots=True)
class Guarded:
    """A program whose agent asks for a token, and its port."""

    jvm: process.Jvm
    port: int


class RoleClient(EventSetClient):
    """A JDWP client with the token of a role; it sends whatever a test wants."""

    def __init__(self, port: int, role: str, asked: int = 0) -> None:
        self._role, self._asked = role, asked
        super().__init__(port)

    def _connect(self, port: int) -> socket.socket:
        peer = TokenPeer(port)
        token = f"a token for {self._role}"
        assert peer.verdict(token, peer.answer(token, version=2, role=self._asked)) == ADMITTED
        expected = max(self._asked, [*map(str, ROLES)].index(self._role))
        assert peer.role == expected
        return peer.socket


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, Path]:
    """The files with the tokens, by role."""
    return {each: written_token(tmp_path / each, f"a token for {each}") for each in ROLES}


@pytest.fixture
async def program(jdk: Jdk, tokens: dict[str, Path]) -> AsyncIterator[Guarded]:
    """`Spin`, whose agent asks for one of the tokens."""
    options = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
    options += f",token-file={tokens['debug']},observe-token-file={tokens['observe']}"
    options += f",read-only-token-file={tokens['read-only']},longest-stop={_LONGEST_MS}"
    agent = process.agent_argument("jvmdebug", options)
    jvm = await process.Jvm.start(jdk, debuggee("script", "Spin"), agent=agent)
    try:
        yield Guarded(jvm, await jvm.port())
    finally:
        await jvm.end()


async def test_the_agent_refuses_what_a_role_has_not(program: Guarded) -> None:
    """Each command and each kind of event that it has not is denied, whatever client sends it."""

    def asked(role: str, wanted: int) -> None:
        client = RoleClient(program.port, role, wanted)
        may = ROLES[max(ROLES.index(role), wanted) :]
        try:
            forbidden = [each for each, needed in COMMAND_ROLES.items() if needed not in may]
            assert len(forbidden) > 20
            for numbers in forbidden:
                assert client.ask_raw(*numbers, bytes(4)) == (_DENIED, b""), numbers
            for kind in EventKind:
                if EVENT_ROLES[kind] not in may:
                    assert client.ask_raw(*_SET, bytes((kind, 0)) + bytes(4)) == (_DENIED, b""), (
                        kind
                    )
            prepare = bytes((EventKind.CLASS_PREPARE, 0)) + bytes(4)
            assert client.ask_raw(*_SET, prepare)[0] == 0
            assert client.ask("VirtualMachine.Version")["vm_version"]
        finally:
            client.close()

    for role, wanted in (("observe", 0), ("read-only", 0), ("debug", 2)):
        await asyncio.to_thread(asked, role, wanted)
    assert program.jvm.exit_code is None, "VirtualMachine.Exit would have ended it"


async def test_who_may_only_look_ends_no_session_of_others(
    program: Guarded, tokens: dict[str, Path]
) -> None:
    async with jvmdebug.attach(port=program.port, token_file=tokens["debug"]) as session:

        def take_over() -> bytes:
            with TokenPeer(program.port) as peer:
                token = "a token for read-only"
                assert peer.verdict(token, peer.answer(token, version=2)) == ADMITTED
                peer.socket.sendall(b"JDWP-Take-Over")
                return peer.received(len(HANDSHAKE))

        assert await asyncio.to_thread(take_over) == b""
        assert (await session.evaluate("Spin.rounds")).text


async def test_our_client_knows_its_role(program: Guarded, tokens: dict[str, Path]) -> None:
    for role in ("observe", "read-only"):
        async with jvmdebug.attach(port=program.port, token_file=tokens[role]) as session:
            assert (await session.evaluate("Spin.rounds")).text
            with pytest.raises(jvmdebug.ReadOnlyError):
                await session.evaluate("Spin.round()")
            events: list[object] = []
            session.subscribe(events.append)
            with contextlib.suppress(jvmdebug.ConnectionLost):  # on a slow machine
                await session.suspend()
            async with asyncio.timeout(_SOON_S):
                await session.wait()
            ended = [each for each in events if isinstance(each, jvmdebug.Ended)]
            assert f"longer than {_LONGEST_MS} ms, which the role {role} may not" in str(ended)
    async with jvmdebug.attach(port=program.port, token_file=tokens["debug"]) as session:
        first = (await session.evaluate("Spin.rounds")).text
        async with asyncio.timeout(_SOON_S):
            while (await session.evaluate("Spin.rounds")).text == first:
                pass  # it runs again
