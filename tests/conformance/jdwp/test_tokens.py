# SPDX-License-Identifier: Apache-2.0
"""Agents that ask for a token: who is let in, by the wire and by our own client."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import socket
import stat
import time
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.conformance.jdwp.test_options import run
from tests.support import process
from tests.support.jdwp_session import OPTIONS, TIMEOUT_S, launched, listening_port

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_TOKEN = "zX8-a token of some length"
_RUNNING = OPTIONS.replace("suspend=y", "suspend=n")


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.write_text(f"{_TOKEN}\n")
    file.chmod(stat.S_IRUSR | stat.S_IWUSR)
    return file


@contextlib.contextmanager
def _guarded(jdk: Jdk, token_file: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A program that runs until it is let go, whose agent asks for the token; and its port."""
    options = f"{_RUNNING},token-file={token_file}"
    with launched(jdk, process.agent_argument("jvmdebug", options), "wait") as jvm:
        yield jvm, listening_port(jvm)


def _received(peer: socket.socket, size: int) -> bytes:
    """Read so many bytes; fewer if the agent closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while len(found) < size and (piece := peer.recv(size - len(found))):
            found += piece
    return found


def _answered(port: int, token: str, *, twist: bytes = b"") -> tuple[socket.socket, bytes]:
    """A connection whose peer has shown that token, and what the agent answers."""
    peer = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
    peer.sendall(b"JDWP-Token-001")
    theirs = _received(peer, 32)
    assert len(theirs) == 32
    ours = os.urandom(32)
    made = hmac.digest(token.encode(), b"jvmdebug debugger\0" + theirs + ours, "sha256")
    peer.sendall(ours + (twist or made))
    answer = _received(peer, 32)
    right = hmac.new(token.encode(), b"jvmdebug agent\0" + theirs + ours, hashlib.sha256).digest()
    return peer, b"" if answer == right else answer or b"closed"


def test_who_has_the_token_is_let_in(jdk: Jdk, token_file: Path) -> None:
    with _guarded(jdk, token_file) as (_, port):
        peer, wrong = _answered(port, _TOKEN)
        with peer:
            assert wrong == b""
            peer.sendall(b"JDWP-Handshake")
            assert _received(peer, 14) == b"JDWP-Handshake"


@pytest.mark.parametrize(
    "sent",
    [
        b"JDWP-Handshake",
        b"JDWP-Take-Over",
        b"JDWP-Token-001" + b"\0" * 64,
        b"GET / HTTP/1.1\r\n\r\n",
        b"",
    ],
    ids=["handshake", "take-over", "wrong", "web", "silent"],
)
def test_nobody_else_gets_a_byte_of_jdwp(jdk: Jdk, token_file: Path, sent: bytes) -> None:
    """Such peers are closed within seconds, and the debugger that comes next is let in."""
    with _guarded(jdk, token_file) as (_, port):
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as peer:
            begun = time.monotonic()
            peer.sendall(sent)
            answer = _received(peer, 1000)
            assert time.monotonic() - begun < 8
        assert b"JDWP-Handshake" not in answer
        peer, wrong = _answered(port, _TOKEN)
        peer.close()
        assert wrong == b""


def test_guessing_becomes_slower_and_is_told_once(jdk: Jdk, token_file: Path) -> None:
    with _guarded(jdk, token_file) as (jvm, port):
        times = []
        for _ in range(5):
            begun = time.monotonic()
            peer, wrong = _answered(port, "guess")
            peer.close()
            times.append(time.monotonic() - begun)
            assert wrong == b"closed"
        assert times[-1] > times[0]
        assert times[-1] > 1.0
        jvm.kill()
        _, printed = jvm.communicate(timeout=TIMEOUT_S)
    assert printed.count("was not let in: wrong token") == 1, printed


def test_a_new_token_holds_at_once(jdk: Jdk, token_file: Path) -> None:
    with _guarded(jdk, token_file) as (_, port):
        token_file.write_text("another")
        peer, wrong = _answered(port, "another")
        peer.close()
        assert wrong == b""
        peer, wrong = _answered(port, _TOKEN)
        peer.close()
        assert wrong == b"closed"


_PLACES = (("*:0", 1), ("0.0.0.0:0", 1), ("[::]:0", 1), ("127.0.0.1:0", 0), ("localhost:0", 0),
           ("[::1]:0", 0), ("127.0.0.9:0", 0), ("0", 0))  # fmt: skip


def test_a_network_needs_a_token_or_says_so(jdk: Jdk, token_file: Path) -> None:
    listen = "transport=dt_socket,server=y,suspend=n,address="
    for address, code in _PLACES:
        if "::" in address and not socket.has_dualstack_ipv6():
            continue
        agent = process.agent_argument("jvmdebug", f"{listen}{address}")
        got, printed = run(jdk, agent)
        assert got == code, f"{address}: {printed}"
        if code:
            assert "token-file=PATH" in printed
            assert "insecure=y" in printed
            assert "Listening" not in printed
    agent = process.agent_argument("jvmdebug", f"{listen}*:0,insecure=y")
    got, printed = run(jdk, agent)
    assert (got, "insecure=y: whoever reaches" in printed) == (0, True), printed
    agent = process.agent_argument("jvmdebug", f"{listen}*:0,token-file={token_file}")
    got, printed = run(jdk, agent)
    assert (got, "insecure" in printed) == (0, False), printed
    agent = process.agent_argument("jvmdebug", f"{listen}*:0")
    got, printed = run(jdk, agent, env={"JVMDEBUG_TOKEN_FILE": str(token_file)})
    assert got == 0, printed


@pytest.mark.parametrize("what", ["missing", "empty", "folder", "pipe"])
def test_a_start_without_a_token_in_the_file_fails(jdk: Jdk, tmp_path: Path, what: str) -> None:
    file = tmp_path / "token"
    if what == "empty":
        file.write_text("\n")
    elif what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    agent = process.agent_argument("jvmdebug", f"{_RUNNING},token-file={file}")
    code, printed = run(jdk, agent)
    assert code == 1
    assert f"option token-file={file}: there is no token in it" in printed


async def test_our_client(jdk: Jdk, token_file: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong")
    missing = tmp_path / "missing"
    with _guarded(jdk, token_file) as (_, port):
        for file, why in (
            (None, "asks for a token: give the file with it, `--token-file FILE`"),
            (wrong, f"has another token than {wrong}"),
            (missing, f"cannot read the token in {missing}: no such file or directory"),
        ):
            with pytest.raises(jvmdebug.LaunchError) as refused:
                async with jvmdebug.attach(port=port, token_file=file):
                    pass
            assert why in str(refused.value)
        async with jvmdebug.attach(port=port, token_file=token_file) as session:
            assert await session.threads()
            with pytest.raises(jvmdebug.LaunchError, match="is being debugged by"):
                async with jvmdebug.attach(port=port, token_file=token_file):
                    pass


async def test_our_client_refuses_an_agent_that_does_not_have_the_token(
    jdk: Jdk, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be somebody else's; only a token that is there for all agents may be left out."""
    with launched(jdk, process.agent_argument("jvmdebug", _RUNNING), "wait") as jvm:
        port = listening_port(jvm)
        with pytest.raises(jvmdebug.LaunchError, match="asks for no token"):
            async with jvmdebug.attach(port=port, token_file=token_file):
                pass
        monkeypatch.setenv("JVMDEBUG_TOKEN_FILE", str(token_file))
        async with jvmdebug.attach(port=port) as session:
            assert await session.threads()


async def test_an_agent_that_connects_shows_its_token_too(
    jdk: Jdk, token_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_text("other")
    async with jvmdebug.listen(token_file=token_file, timeout_s=TIMEOUT_S) as listener:
        connecting = f"transport=dt_socket,server=n,address=127.0.0.1:{listener.port}"
        for refused in (connecting, f"{connecting},token-file={other}"):
            assert run(jdk, process.agent_argument("jvmdebug", refused))[0] == 2
        agent = process.agent_argument("jvmdebug", f"{connecting},token-file={token_file}")
        with launched(jdk, agent, "none"):
            session = await listener.session()
            assert session.state is jvmdebug.SessionState.HELD
            await session.start()
            await session.wait()
