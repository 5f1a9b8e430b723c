# SPDX-License-Identifier: Apache-2.0
"""`transport=unix` of our agent: the socket file, who may connect, and both directions."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.jdwp_session import TIMEOUT_S, launched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

HANDSHAKE = b"JDWP-Handshake"


def agent(path: Path, *, server: str = "y", suspend: str = "n") -> str:
    options = f"transport=unix,server={server},suspend={suspend},address={path}"
    return process.agent_argument("jvmdebug", options)


@contextmanager
def listening(jdk: Jdk, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A VM that has said that it listens there."""
    with launched(jdk, agent(path), "wait") as jvm:
        assert jvm.stdout is not None
        line = jvm.stdout.readline()
        assert line == f"Listening for transport unix at address: {path}\n"
        yield jvm


def greeted(path: Path) -> socket.socket:
    """A connection to the agent there, hands shaken, once no other debugger is connected."""
    while True:
        peer, answer = answered(path)
        if answer == HANDSHAKE:
            return peer
        assert answer.startswith(b"JDWP-Busy: ")
        peer.close()


def answered(path: Path) -> tuple[socket.socket, bytes]:
    """A connection to the agent there, and its answer."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(TIMEOUT_S)
    peer.connect(str(path))
    peer.sendall(HANDSHAKE)
    return peer, peer.recv(200)


def refused(jdk: Jdk, path: Path) -> str:
    """What a VM says that cannot listen there."""
    with launched(jdk, agent(path), "none") as jvm:
        _, errors = jvm.communicate(timeout=TIMEOUT_S)
        assert jvm.returncode != 0
        return errors


def test_the_file_is_the_users_own_and_goes_with_the_vm(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "jdwp"
    before = os.umask(0)
    try:
        with listening(jdk, path) as jvm:
            assert stat.filemode(path.stat().st_mode) == "srw-------"
            with greeted(path):
                peer, answer = answered(path)
                peer.close()
                assert answer.startswith(b"JDWP-Busy: "), "a second debugger is told"
            with greeted(path):
                pass
            assert path.exists()
            jvm.send_signal(signal.SIGTERM)
            jvm.wait(TIMEOUT_S)
    finally:
        os.umask(before)
    assert not path.exists()


def test_a_stale_file_is_replaced_and_a_live_one_is_not(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "jdwp"
    with listening(jdk, path) as jvm:
        assert "another process listens there" in refused(jdk, path)
        jvm.kill()
        jvm.wait(TIMEOUT_S)
    assert path.exists()
    with listening(jdk, path), greeted(path):
        pass


def test_a_file_that_is_no_socket_is_not_replaced(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("content")
    assert "a file that is no socket" in refused(jdk, path)
    assert path.read_text() == "content"
    assert "at most 107 bytes" in refused(jdk, tmp_path / ("x" * 108))
    assert "No such file" in refused(jdk, tmp_path / "nowhere" / "jdwp")


def test_another_user_is_refused(jdk: Jdk) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be another user")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to others
        Path(folder).chmod(0o711)
        path = Path(folder) / "jdwp"
        knock = (
            "import os, socket, sys; os.setuid(65534); s = socket.socket(socket.AF_UNIX);"
            f"s.connect({str(path)!r}); s.sendall({HANDSHAKE!r}); sys.exit(len(s.recv(14)))"
        )
        with listening(jdk, path):
            path.chmod(0o666)  # the mode is not all that protects it
            ran = subprocess.run(
                [sys.executable, "-c", knock], capture_output=True, timeout=TIMEOUT_S, check=False
            )
            # Hung up on: nothing to read, or already nothing to write to.
            hung_up = (b"ConnectionReset", b"BrokenPipe")
            assert ran.returncode == 0 or any(word in ran.stderr for word in hung_up), ran.stderr
            with greeted(path):
                pass


def test_the_agent_connects_out(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "debugger"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        server.settimeout(TIMEOUT_S)
        with launched(jdk, agent(path, server="n", suspend="y"), "none") as jvm:
            peer, _ = server.accept()
            with peer:
                peer.settimeout(TIMEOUT_S)
                peer.sendall(HANDSHAKE)
                assert peer.recv(14) == HANDSHAKE
                assert peer.recv(11)[9:11] == bytes([64, 100])  # an event set: the VM's start
            output, _ = jvm.communicate(timeout=TIMEOUT_S)
    assert output == "done 0\n"
    path.unlink()
    assert "cannot connect to" in refused_out(jdk, path)


def refused_out(jdk: Jdk, path: Path) -> str:
    """What a VM says that cannot connect there."""
    with launched(jdk, agent(path, server="n"), "none") as jvm:
        _, errors = jvm.communicate(timeout=TIMEOUT_S)
        assert jvm.returncode == 2
        return errors
