# SPDX-License-Identifier: Apache-2.0
"""Attaching to what is no JVM that can be attached to, and what a VM answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug.attaching import LocalJvm, attach_protocol, load_agent, reaching
from jvmdebug.attaching.agent_loading import forbids_code
from jvmdebug.attaching.attach_protocol import AttachReply, AttachTarget, ask, property_of
from jvmdebug.attaching.debug_agent import DebugAgent
from jvmdebug.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = Path("libjvmdebug.so")


def library(_platform: str) -> Path:
    """The agent of any platform; nothing here loads it."""
    return LIBRARY


def test_a_property() -> None:
    text = "#written\nsun.jdwp.listenerAddress=dt_socket\\:127.0.0.1\\:40\nreason=\\u0061\\\\b\\n\n"
    reply = AttachReply(0, text)
    assert property_of(reply, "sun.jdwp.listenerAddress") == "dt_socket:127.0.0.1:40"
    assert property_of(reply, "reason") == "a\\b\n"
    assert property_of(reply, "other") is None
    assert property_of(AttachReply(1, text), "reason") is None


def test_where_no_library_can_be_loaded_from() -> None:
    mounts = (
        "overlay / overlay rw,relatime 0 0\n"
        "tmpfs /tmp tmpfs rw,nosuid,noexec,relatime 0 0\n"
        "tmpfs /dev/shm tmpfs rw,noexec 0 0\n"
        "tmpfs /dev/shm tmpfs rw 0 0\n"
        "/dev/a /tmp\\040mine ext4 rw,noexec 0 0\n"
    )
    assert forbids_code("/tmp", mounts)
    assert forbids_code("/tmp/deeper", mounts)
    assert not forbids_code("/tmpfile", mounts)
    assert not forbids_code("/var/tmp", mounts)
    assert not forbids_code("/dev/shm", mounts), "the later mount covers the earlier one"
    assert forbids_code("/tmp mine", mounts)


def test_the_file_that_wakes_a_vm_is_removed_when_the_vm_dies(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], cwd=tmp_path) as process:
        target = AttachTarget(process.pid, process.pid, os.getuid(), Path("/"))
        with attach_protocol._wake_file(target):
            assert list(tmp_path.iterdir())
            process.kill()
            process.wait()
    assert not list(tmp_path.iterdir())


def test_what_is_no_process() -> None:
    with pytest.raises(LaunchError, match="there is no process 999999999"):
        load_agent(999_999_999, library)


def test_what_is_no_jvm() -> None:
    with pytest.raises(LaunchError, match="it is no Java program on HotSpot"):
        load_agent(os.getpid(), library)


@pytest.fixture
def ended() -> Iterator[int]:
    """A process that has ended, and for which nobody has waited yet."""
    with subprocess.Popen([sys.executable, "-c", "pass"]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        yield process.pid


def test_what_has_ended_and_is_not_reaped(ended: int) -> None:
    told = f"process {ended} has ended: .* process {os.getpid()}, "
    with pytest.raises(LaunchError, match=told):
        load_agent(ended, library)
    with pytest.raises(LaunchError, match=told):
        reaching.address_of_process(ended, library, timeout_s=20)


def test_what_ends_while_it_is_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        target = AttachTarget(process.pid, process.pid, os.geteuid(), tmp_path)

        def end(pid: int) -> bool:
            os.kill(pid, signal.SIGKILL)
            return False

        monkeypatch.setattr(attach_protocol, "_takes_signal", end)
        monkeypatch.setattr(attach_protocol, "_has_started", lambda _pid: True)
        begun = time.monotonic()
        with pytest.raises(LaunchError, match=f"process {process.pid} has ended"):
            ask(target, "load", timeout_s=20)
        assert time.monotonic() - begun < 5


def test_a_vm_that_has_lost_its_socket_is_woken_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wakings: list[AttachTarget] = []
    monkeypatch.setattr(attach_protocol, "_AGAIN_S", 0.02)
    monkeypatch.setattr(attach_protocol, "_takes_signal", lambda _pid: True)
    monkeypatch.setattr(attach_protocol, "_wake", wakings.append)
    (tmp_path / "tmp").mkdir()
    target = AttachTarget(os.getpid(), os.getpid(), os.geteuid(), tmp_path)
    with pytest.raises(LaunchError, match=r"opens no attach socket .* may be suspended or busy"):
        ask(target, "load", timeout_s=0.2)
    assert wakings == [target, target]


@pytest.mark.skipif(os.geteuid() != 0, reason="takes another user, which root alone can be")
def test_the_wrong_user() -> None:
    code = (
        "import os; from pathlib import Path; import jvmdebug\n"
        "from jvmdebug.attaching import load_agent\n"
        "os.seteuid(65534)\n"
        "try: load_agent(os.getppid(), Path)\n"
        "except jvmdebug.LaunchError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "belongs to user root and this is user nobody: a JVM lets only" in told.stdout


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (DebugAgent("jvmdebug", "127.0.0.1:5005", is_listening=True), "127.0.0.1:5005"),
        (DebugAgent("stock", "[::1]:80", is_listening=True), "[::1]:80"),
        (DebugAgent("jvmdebug", "unix:/run/app", is_listening=True), "unix:/run/app"),
        (DebugAgent("jvmdebug", is_late=True), "loaded"),
        (None, "loaded"),
        (DebugAgent("jvmdebug", "127.0.0.1:5005"), "another debugger is attached"),
        (DebugAgent("stock", "x:1", connects=True), "never listens"),
    ],
)
def test_the_address_of_a_process(
    monkeypatch: pytest.MonkeyPatch, agent: DebugAgent | None, expected: str
) -> None:
    jvm = LocalJvm(7, "shop.Main", "25", "me", None, agent)
    monkeypatch.setattr(reaching, "local_jvm", lambda pid: jvm if pid == 7 else None)
    monkeypatch.setattr(reaching, "load_agent", lambda *_arguments, **_options: "loaded")
    if " " in expected:
        with pytest.raises(LaunchError, match=expected):
            reaching.address_of_process(7, library, timeout_s=1)
    else:
        assert reaching.address_of_process(7, library, timeout_s=1) == expected
    with pytest.raises(LaunchError, match="no Java program with the process id 8"):
        reaching.address_of_process(8, library, timeout_s=1)
