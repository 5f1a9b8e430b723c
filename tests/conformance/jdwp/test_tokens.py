# SPDX-License-Identifier: Apache-2.0
"""The token of an agent (`token-file=`): who comes in, by bytes of the wire and by our client."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import sync
from tests.conformance.jdwp.test_options import Launched, run
from tests.e2e.dropin.jdb import Jdb
from tests.support import process
from tests.support.bare_program import bare_program
from tests.support.jdwp_session import OPTIONS, TIMEOUT_S, launched, listening_port, wait_until
from tests.support.token_peer import (
    ADMITTED,
    GREETING,
    HANDSHAKE,
    NO_TOKEN,
    OTHER_BINDING,
    OTHER_ROLE,
    OTHER_VERSION,
    WRONG_TOKEN,
    TokenPeer,
    verdict_on,
    written_token,
)

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_TOKEN = "zX8-a token of some length"
_RUNNING = OPTIONS.replace("suspend=y", "suspend=n")
_ID_SIZES = (11).to_bytes(4) + (1).to_bytes(4) + bytes((0, 1, 7))
"""The command VirtualMachine.IDSizes."""
_LONGEST_S = 8.0
"""A peer is closed after 2 s of silence, or at most 3 s after a wrong token."""


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    return written_token(tmp_path / "token", _TOKEN)


@contextlib.contextmanager
def _guarded(jdk: Jdk, token_file: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A program that runs until it is let go, whose agent asks for the token; and its port."""
    options = f"{_RUNNING},token-file={token_file}"
    with launched(jdk, process.agent_argument("jvmdebug", options), "wait") as jvm:
        yield jvm, listening_port(jvm)


def _log_of(jvm: subprocess.Popen[str]) -> str:
    """What the agent has told; ends the program."""
    jvm.kill()
    return jvm.communicate(timeout=TIMEOUT_S)[1]


def test_who_has_the_token_is_let_in(jdk: Jdk, token_file: Path) -> None:
    """Sent byte by byte, too, and after another debugger."""
    with _guarded(jdk, token_file) as (_, port):
        for piece in (1, 98):
            with TokenPeer(port) as peer:
                *pieces, last = _cut(peer.answer(_TOKEN), piece)
                for each in pieces:
                    peer.socket.sendall(each)
                assert peer.verdict(_TOKEN, last, claims=b"".join([*pieces, last])[:66]) == ADMITTED
                for each in _cut(HANDSHAKE, piece):
                    peer.socket.sendall(each)
                assert peer.received(14) == HANDSHAKE


def _cut(whole: bytes, size: int) -> list[bytes]:
    return [whole[at : at + size] for at in range(0, len(whole), size)]


_STRANGERS = {
    "handshake": HANDSHAKE,
    "take-over": b"JDWP-Take-Over",
    "wrong": GREETING + bytes((1,)) + bytes(97),
    "web": b"GET / HTTP/1.1\r\n\r\n",
    "noise": os.urandom(4096),
    "silent": b"",
    "half": GREETING + b"\1" * 97,
}


def test_nobody_else_gets_a_byte_of_jdwp(jdk: Jdk, token_file: Path) -> None:
    """Such peers are closed within seconds, and told once; the next debugger is let in at once."""
    with _guarded(jdk, token_file) as (jvm, port), contextlib.ExitStack() as peers:
        begun = time.monotonic()
        strangers = {
            name: peers.enter_context(socket.create_connection(("127.0.0.1", port), TIMEOUT_S))
            for name in _STRANGERS
        }
        for name, peer in strangers.items():
            peer.sendall(_STRANGERS[name])
        # Somebody who sends a byte now and then has no more time than others.
        slow = peers.enter_context(socket.create_connection(("127.0.0.1", port), TIMEOUT_S))
        dribbling = threading.Thread(target=_dribble, args=(slow,))
        dribbling.start()
        assert verdict_on(port, _TOKEN) == ADMITTED
        assert time.monotonic() - begun < 2
        answers = {name: _all_of(peer) for name, peer in strangers.items()}
        assert HANDSHAKE not in _all_of(slow)
        assert time.monotonic() - begun < _LONGEST_S
        dribbling.join(TIMEOUT_S)
        assert not any(HANDSHAKE in answer for answer in answers.values())
        assert answers["handshake"] == answers["take-over"] == b"JDWP-Token-needed\n"
        assert len(answers["wrong"]) == 34, "the challenge, and that the token is wrong"
        assert answers["wrong"][-1] == WRONG_TOKEN
        assert (answers["web"], answers["noise"], answers["silent"]) == (b"", b"", b"")
        assert jvm.poll() is None
        assert _log_of(jvm).count("127.0.0.1 was not let in: ") <= 2  # again after who was let in


def _dribble(peer: socket.socket) -> None:
    with contextlib.suppress(OSError):
        for each in _cut(GREETING, 1):
            peer.sendall(each)
            time.sleep(0.4)


def _all_of(peer: socket.socket) -> bytes:
    """Read until the agent closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := peer.recv(4096):
            found += piece
    return found


def test_guessing_becomes_slower_and_is_told_once(jdk: Jdk, token_file: Path) -> None:
    with _guarded(jdk, token_file) as (jvm, port):
        times = []
        for _ in range(4):
            begun = time.monotonic()
            assert verdict_on(port, "guess") == WRONG_TOKEN
            times.append(time.monotonic() - begun)
        assert times[-1] > times[0]
        assert times[-1] > 1.0
        begun = time.monotonic()
        assert verdict_on(port, _TOKEN) == ADMITTED
        assert time.monotonic() - begun < 1, "who has the token does not wait"
        assert _log_of(jvm).count("was not let in: wrong token") == 1


def test_a_flood_keeps_nobody_out(jdk: Jdk, token_file: Path) -> None:
    """Peers of the same address connect without end: with wrong tokens, without one, silent."""
    with _guarded(jdk, token_file) as (jvm, port):
        flood = _Flood(port)
        with flood:
            wait_until(lambda: flood.count > 500, "the flood")
            for _ in range(3):
                begun = time.monotonic()
                with TokenPeer(port) as peer:
                    assert peer.verdict(_TOKEN, peer.answer(_TOKEN)) == ADMITTED
                    peer.socket.sendall(HANDSHAKE)
                    assert peer.received(14) == HANDSHAKE
                assert time.monotonic() - begun < 3
        assert jvm.poll() is None
        assert _log_of(jvm).count("was not let in") <= 4  # again after each who was let in


class _Flood:
    """Threads that connect again and again, and leave their connections open for a while."""

    def __init__(self, port: int) -> None:
        self.count = 0
        self._port = port
        self._ends = threading.Event()
        sent = (GREETING + bytes(98), HANDSHAKE, GREETING)
        self._threads = [threading.Thread(target=self._run, args=(each,)) for each in sent]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join(TIMEOUT_S)

    def _run(self, sent: bytes) -> None:
        peers: list[socket.socket] = []
        while not self._ends.is_set():
            with contextlib.suppress(OSError):
                peers.append(socket.create_connection(("127.0.0.1", self._port), TIMEOUT_S))
                peers[-1].sendall(sent)
            self.count += 1
            if len(peers) > 50:
                peers.pop(0).close()
        for peer in peers:
            peer.close()


def test_what_the_agent_does_not_know_has_a_number(jdk: Jdk, token_file: Path) -> None:
    with _guarded(jdk, token_file) as (_, port):
        for claims, verdict in (
            ({"version": 3}, OTHER_VERSION),
            ({"role": 1}, OTHER_ROLE),
            ({"version": 2, "role": 3}, OTHER_ROLE),
            ({"binding": b"certificate".ljust(32)}, OTHER_BINDING),
        ):
            with TokenPeer(port) as peer:
                assert peer.verdict(_TOKEN, peer.answer(_TOKEN, **claims)) == verdict
        # Who does not have the token does not learn what is known.
        with TokenPeer(port) as peer:
            assert peer.verdict("guess", peer.answer("guess", role=1)) == WRONG_TOKEN


def test_an_old_proof_is_no_proof(jdk: Jdk, token_file: Path) -> None:
    """What was seen on one connection is of no use on the next one."""
    with _guarded(jdk, token_file) as (_, port):
        with TokenPeer(port) as peer:
            seen = peer.answer(_TOKEN)
            assert peer.verdict(_TOKEN, seen) == ADMITTED
        with TokenPeer(port) as peer:
            peer.answer(_TOKEN)
            assert peer.verdict(_TOKEN, seen) == WRONG_TOKEN


def test_the_file_is_read_for_each_debugger(jdk: Jdk, token_file: Path) -> None:
    mine = written_token(token_file.with_name("mine"), "another")
    with _guarded(jdk, token_file) as (jvm, port), TokenPeer(port) as connected:
        assert connected.verdict(_TOKEN, connected.answer(_TOKEN)) == ADMITTED
        connected.socket.sendall(HANDSHAKE)
        written_token(token_file, "another")
        assert verdict_on(port, "another") == ADMITTED
        assert verdict_on(port, _TOKEN) == WRONG_TOKEN
        token_file.chmod(0o644)
        assert verdict_on(port, "another") == NO_TOKEN
        with (
            pytest.raises(jvmdebug.LaunchError, match="cannot use its own token file"),
            sync.attach(port=port, token_file=mine),
        ):
            pass
        token_file.unlink()
        assert verdict_on(port, "another") == NO_TOKEN
        written_token(token_file, "a third one")
        assert verdict_on(port, "a third one") == ADMITTED
        connected.socket.sendall(_ID_SIZES)
        assert len(connected.received(14 + 11)) == 14 + 11, "who is connected stays"
        log = _log_of(jvm)
    path = f"jvmdebug: token-file={token_file}: "
    assert log.count(f"{path}others can read it; chmod 600 {token_file}; no debugger") == 1
    assert log.count(f"{path}it cannot be read: No such file or directory; no debugger") == 1


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


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("missing", "it cannot be read: No such file or directory"),
        ("empty", "there is no token in it"),
        ("folder", "it is no regular file"),
        ("pipe", "it is no regular file"),
        ("open", "others can read it; chmod 600 "),
    ],
)
def test_a_start_without_a_token_in_the_file_fails(
    jdk: Jdk, tmp_path: Path, what: str, why: str
) -> None:
    file = tmp_path / "token"
    if what == "empty":
        written_token(file, "")
    elif what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    elif what == "open":
        written_token(file, _TOKEN, 0o640)
    agent = process.agent_argument("jvmdebug", f"{_RUNNING},token-file={file}")
    code, printed = run(jdk, agent)
    assert code == 1
    assert f"option token-file={file}: {why}" in printed


async def test_our_client(jdk: Jdk, token_file: Path, tmp_path: Path) -> None:
    wrong = written_token(tmp_path / "wrong", "wrong")
    missing = tmp_path / "missing"
    shared = written_token(tmp_path / "shared", _TOKEN, 0o644)
    with _guarded(jdk, token_file) as (jvm, port):
        for file, why in (
            (None, "asks for a token: give the file with it, `--token-file FILE`"),
            (wrong, f"has another token than {wrong}"),
            (missing, f"cannot read the token in {missing}: no such file or directory"),
            (shared, f"others can read the token in {shared}: `chmod 600 {shared}` forbids it"),
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
            with pytest.raises(jvmdebug.LaunchError, match="asks for a token"):
                async with jvmdebug.attach(port=port, take_over=True):
                    pass
            assert await session.threads()
            async with jvmdebug.attach(port=port, token_file=token_file, take_over=True) as next_:
                assert await next_.threads()
        # By its process too, as it listens.
        with pytest.raises(jvmdebug.LaunchError, match="asks for a token"):
            async with jvmdebug.attach(pid=jvm.pid):
                pass
        async with jvmdebug.attach(pid=jvm.pid, token_file=token_file) as session:
            assert await session.threads()


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


async def test_our_client_refuses_what_only_pretends_to_know_the_token(token_file: Path) -> None:
    """It has no JVM: a server that lets everybody in, whose proof is the debugger's own."""
    received: list[bytes] = []

    def pretend() -> None:
        peer, _ = server.accept()
        with peer:
            assert peer.recv(len(GREETING), socket.MSG_WAITALL) == GREETING
            peer.sendall(b"\1" + bytes(32))
            answer = peer.recv(98, socket.MSG_WAITALL)
            peer.sendall(b"\0" + answer[66:])
            received.append(_all_of(peer))

    with socket.create_server(("127.0.0.1", 0)) as server:
        pretending = asyncio.create_task(asyncio.to_thread(pretend))
        with pytest.raises(jvmdebug.LaunchError, match="does not know the token in"):
            async with jvmdebug.attach(port=server.getsockname()[1], token_file=token_file):
                pass
        await pretending
    assert received == [b""], "a byte of JDWP was sent to it"


async def test_an_agent_that_connects_shows_its_token_too(
    jdk: Jdk, token_file: Path, tmp_path: Path
) -> None:
    other = written_token(tmp_path / "other", "other")
    async with jvmdebug.listen(token_file=token_file, timeout_s=TIMEOUT_S) as listener:
        connecting = f"transport=dt_socket,server=n,address=127.0.0.1:{listener.port}"
        accepting = asyncio.create_task(listener.session())
        for refused in (connecting, f"{connecting},token-file={other}"):
            begun = time.monotonic()
            agent = process.agent_argument("jvmdebug", refused)
            assert (await asyncio.to_thread(run, jdk, agent))[0] == 2
            assert time.monotonic() - begun < 4, "it was not refused, but waited in vain"
        agent = process.agent_argument("jvmdebug", f"{connecting},token-file={token_file}")
        with launched(jdk, agent, "none"):
            session = await accepting
            assert session.state is jvmdebug.SessionState.HELD
            await session.start()
            await session.wait()


def test_an_agent_that_connects_lets_in_only_who_has_the_token(jdk: Jdk, token_file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as debugger:
        address = f"127.0.0.1:{debugger.getsockname()[1]}"
        options = f"transport=dt_socket,server=n,address={address},token-file={token_file}"
        with launched(jdk, process.agent_argument("jvmdebug", options), "none") as jvm:
            agent, _ = debugger.accept()
            with agent:
                agent.settimeout(TIMEOUT_S)
                agent.sendall(HANDSHAKE)
                assert _all_of(agent) == b"JDWP-Token-needed\n"
            _, printed = jvm.communicate(timeout=TIMEOUT_S)
            assert (jvm.returncode, "no debugger with this token" in printed) == (2, True)


def test_a_token_where_debugging_begins_later(jdk: Jdk, token_file: Path, tmp_path: Path) -> None:
    command = Launched(tmp_path)
    options = f"{OPTIONS},onuncaught=y,token-file={token_file},{command.option}"
    with launched(jdk, process.agent_argument("jvmdebug", options), "exceptions"):
        port = command.port()
        assert verdict_on(port, "guess") == WRONG_TOKEN
        with TokenPeer(port) as peer:
            assert peer.verdict(_TOKEN, peer.answer(_TOKEN)) == ADMITTED
            peer.socket.sendall(HANDSHAKE)
            assert peer.received(14) == HANDSHAKE
            assert peer.received(11)[9:] == bytes((64, 100)), "the event of the exception"


async def test_an_agent_that_is_loaded_later_needs_no_token(
    jdk: Jdk, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only this user can connect to its socket, whatever the program's environment says."""
    monkeypatch.setenv("JVMDEBUG_TOKEN_FILE", str(token_file))
    async with bare_program(jdk) as program:
        monkeypatch.delenv("JVMDEBUG_TOKEN_FILE")
        async with jvmdebug.attach(pid=program.pid) as session:
            assert await session.threads()


def test_jdb_is_refused_and_harms_nobody(jdk: Jdk, token_file: Path) -> None:
    """Tests in tests/e2e/dropin show that jdb goes on working where there is no token."""
    with _guarded(jdk, token_file) as (jvm, port):
        begun = time.monotonic()
        with Jdb(jdk, ["-attach", f"127.0.0.1:{port}"]) as jdb:
            said = jdb.until(r"handshake failed[^\n]*\n")
        assert "JDWP-Token-nee" in said or "unrecognized" in said, said
        assert time.monotonic() - begun < TIMEOUT_S
        assert jvm.poll() is None
        assert verdict_on(port, _TOKEN) == ADMITTED
