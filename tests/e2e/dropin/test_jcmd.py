# SPDX-License-Identifier: Apache-2.0
"""`jcmd PID VM.start_java_debugging`, which looks for an agent of the name jdwp (`onjcmd=y`)."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.e2e.dropin.conftest import DropIn
    from tests.support.jdks import Jdk

_TIMEOUT_S = 60.0
_HANDSHAKE = b"JDWP-Handshake"
_FIRST, _LAST = 12, 23
"""The JDKs whose jcmd has the command."""


def start(jdk: Jdk, options: str) -> subprocess.Popen[str]:
    """A program that runs for ever, under that JDK's `-agentlib:jdwp`."""
    program = debuggee("scenarios", "scenarios.Scenarios")
    class_path = os.pathsep.join(map(str, program.class_path))
    agent = f"-agentlib:jdwp=transport=dt_socket,server=y,address=127.0.0.1:0,{options}"
    command = [str(jdk.java), agent, "-cp", class_path, program.main_class, "wait"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start_debugging(jdk: Jdk, pid: int) -> str:
    """What jcmd prints."""
    return subprocess.run(
        [str(jdk.home / "bin" / "jcmd"), str(pid), "VM.start_java_debugging"],
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    ).stdout


def test_debugging_begins_at_the_command(dropin: DropIn) -> None:
    jdk = dropin.ours
    with start(jdk, "onjcmd=y") as vm:
        try:
            if not _FIRST <= jdk.version <= _LAST:
                _, output = vm.communicate(timeout=_TIMEOUT_S)
                assert vm.returncode == 1
                assert "in JDK 12 to 23 only" in output
                return
            output = start_debugging(jdk, vm.pid)
            assert "Debugging has been started." in output
            assert "Transport : dt_socket" in output
            found = re.search(r"Address : (\d+)", output)
            assert found, output
            assert "Debugging is already active." in start_debugging(jdk, vm.pid)
            address = ("127.0.0.1", int(found.group(1)))
            with socket.create_connection(address, timeout=_TIMEOUT_S) as peer:
                peer.sendall(_HANDSHAKE)
                assert peer.recv(14) == _HANDSHAKE
        finally:
            vm.kill()


def test_without_the_option_the_reason_is_printed(dropin: DropIn) -> None:
    jdk = dropin.ours
    if not _FIRST <= jdk.version <= _LAST:
        pytest.skip(f"jcmd of {jdk.label} has no VM.start_java_debugging")
    with start(jdk, "suspend=n") as vm:
        try:
            output = start_debugging(jdk, vm.pid)
            assert "Debugging has not been started: it was not enabled" in output
            assert "onjcmd=y" in output
        finally:
            vm.kill()
