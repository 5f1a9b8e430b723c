# SPDX-License-Identifier: Apache-2.0
"""The link on the wire: beats for a debugger that has asked, the end of one that is silent, and the
return to a session.
"""

from __future__ import annotations

import contextlib
import socket
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug._native import HANDSHAKE, NOT_REJOINED, REJOIN
from tests.support.jdwp_client import JdwpClient
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind, Jvm

TIMEOUT_S = 20.0
BEAT = (128, 102)
TERMS: dict[str, Any] = {
    "interval_ms": 20,
    "patience_ms": 200,
    "own_end": "",
    "keep_ms": 60_000,
    "holds": 1,
}


class Client(JdwpClient):
    """A client that gives its socket away."""

    @property
    def socket(self) -> socket.socket:
        return self._socket


async def spinning(start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind) -> Jvm:
    if agent_kind == "stock":
        pytest.skip("a command of our agent")
    return await start_jvm(compiled("script", "Spin", jdk), suspend=False)


def read(connected: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size and (piece := connected.recv(size - len(found))):
        found += piece
    return found


def rejoin(port: int, session: bytes, received: int) -> tuple[bytes, socket.socket]:
    """The first 14 bytes of the answer, and the socket."""
    connected = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)
    connected.sendall(REJOIN + session + received.to_bytes(8, "big"))
    return read(connected, len(HANDSHAKE)), connected


async def test_a_silent_debugger_is_lost_and_may_come_back(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    port = await jvm.port()
    with contextlib.closing(Client(port)) as client:
        session = lost_link(client, jvm.pid)
    await jvm.wait_for("held until the debugger comes back", stream="stderr")
    wrong, refused = rejoin(port, bytes(16), 0)
    with refused:
        assert wrong == NOT_REJOINED
        assert read(refused, 1) == b""
    # IDSizes, Suspend, three times Link.
    answer, connected = rejoin(port, session, 5)
    with connected:
        assert answer == HANDSHAKE
        assert read(connected, 9) == bytes(1) + (5).to_bytes(8, "big")


def lost_link(client: Client, pid: int) -> bytes:
    """Ask for beats, and do not answer them until the agent has enough; the session."""
    client.ask("VirtualMachine.Suspend")
    assert client.refusal("Agent.Link", **{**TERMS, "interval_ms": 5}) == "ILLEGAL_ARGUMENT"
    assert client.refusal("Agent.Link", **{**TERMS, "patience_ms": 10}) == "ILLEGAL_ARGUMENT"
    reply = client.ask("Agent.Link", **TERMS)
    session = bytes(reply["session"])
    assert (len(session), reply["keep_ms"], reply["process"]) == (16, 60_000, pid)
    assert reply["program"] == "Spin"
    beats = 0
    while header := read(client.socket, 11):
        assert tuple(header[9:11]) == BEAT
        read(client.socket, int.from_bytes(header[:4]) - 11)
        beats += 1
    assert beats >= 2
    return session


async def test_another_debugger_ends_what_is_kept(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    jvm = await spinning(start_jvm, jdk, agent_kind)
    port = await jvm.port()
    with contextlib.closing(Client(port)) as client:
        reply = client.ask("Agent.Link", **{**TERMS, "holds": 0})
    await jvm.wait_for("goes on without the debugger", stream="stderr")
    with contextlib.closing(Client(port)) as other:
        assert other.ask("VirtualMachine.Version")["jdwp_major"] >= 11
        answer, refused = rejoin(port, bytes(reply["session"]), 1)
        refused.close()
        assert answer == NOT_REJOINED


async def test_a_debugger_of_this_machine_that_has_gone_does_not_come_back(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    """No link is lost within a machine: its requests would stay for as long as they are kept."""
    jvm = await spinning(start_jvm, jdk, agent_kind)
    port = await jvm.port()
    with contextlib.closing(Client(port)) as client:
        host, number = client.socket.getsockname()
        reply = client.ask("Agent.Link", **{**TERMS, "own_end": f"{host}:{number}"})
        client.ask("VirtualMachine.Suspend")
    await jvm.wait_for("(?s)Listening.*Listening")
    answer, refused = rejoin(port, bytes(reply["session"]), 2)
    refused.close()
    assert answer == NOT_REJOINED
