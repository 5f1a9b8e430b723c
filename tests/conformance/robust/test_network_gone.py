# SPDX-License-Identifier: Apache-2.0
"""The debugger's network is gone, silently, while something for it is on its way: the program that
it has stopped runs on within the two minutes after which a silent debugger is given up.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import JdwpSession, listening_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

PROMISED_S: Final = 120.0
LATE_S: Final = 30.0
NAMESPACE: Final = f"jvmdebug{os.getpid()}"
OURS: Final = f"jd{os.getpid()}a"
ITS: Final = f"jd{os.getpid()}b"
OUR_ADDRESS: Final = "198.18.77.1"
ITS_ADDRESS: Final = "198.18.77.2"
NOBODY: Final = "02:00:00:00:00:99"
"""Frames for this address are dropped without a word."""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


@contextmanager
def network() -> Iterator[None]:
    """A network of two: this process, and whoever runs in the namespace."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("needs the command ip, and root to make a network namespace")
    try:
        ip("netns", "add", NAMESPACE)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network namespace can be made here: {error.stderr.strip()}")
    try:
        ip("link", "add", OURS, "type", "veth", "peer", "name", ITS, "netns", NAMESPACE)
        ip("addr", "add", f"{OUR_ADDRESS}/24", "dev", OURS)
        ip("link", "set", OURS, "up")
        ip("-n", NAMESPACE, "addr", "add", f"{ITS_ADDRESS}/24", "dev", ITS)
        ip("-n", NAMESPACE, "link", "set", ITS, "up")
        yield
    finally:
        # First: the namespace lives on for as long as a connection of it is not closed.
        subprocess.run(["ip", "link", "del", OURS], check=False, capture_output=True)
        ip("netns", "del", NAMESPACE)


def lose_the_network() -> None:
    """Has neither side reach the other any more, and no system is told."""
    ip("neigh", "replace", ITS_ADDRESS, "lladdr", NOBODY, "dev", OURS, "nud", "permanent")
    ip("-n", NAMESPACE, "neigh", "replace", OUR_ADDRESS, "lladdr", NOBODY, "dev", ITS, "nud",
       "permanent")  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.agent
def test_the_program_runs_on(jdk: Jdk, monkeypatch: pytest.MonkeyPatch) -> None:
    program = debuggee("ends", "Ends")
    agent = process.agent_argument(
        "jvmdebug", "transport=dt_socket,server=y,suspend=n,address=*:0,insecure=y"
    )
    command = [str(jdk.java), agent, "-cp", str(program.class_path[0]), "Ends", "exit"]
    connect = socket.create_connection

    def connect_there(address: tuple[str, int], **options: Any) -> socket.socket:
        return connect((ITS_ADDRESS, address[1]), **options)

    monkeypatch.setattr(socket, "create_connection", connect_there)
    with (
        network(),
        subprocess.Popen(
            ["ip", "netns", "exec", NAMESPACE, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as jvm,
    ):
        session = None
        try:
            session = JdwpSession(EventSetClient(listening_port(jvm)), jvm, program)
            assert jvm.stdout is not None
            assert jvm.stdin is not None
            assert jvm.stdout.readline() == "ready\n"
            session.break_at("ends")
            lose_the_network()
            began = time.monotonic()
            jvm.stdin.write("\n")  # the program comes to the breakpoint, and stops
            jvm.stdin.flush()
            assert jvm.wait(PROMISED_S + LATE_S) == 7
            assert time.monotonic() - began > PROMISED_S / 2, "it was not the network"
        finally:
            jvm.kill()
            if session is not None:
                session.vm.close()
