# SPDX-License-Identifier: Apache-2.0
"""A debugger that comes while another is connected: it is told so, or takes over (our agent)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.jdwp_client import ConnectionLostError, EventSetClient
from tests.support.jdwp_session import OPTIONS, TIMEOUT_S, launched, listening_port

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

RUNNING = OPTIONS.replace("suspend=y", "suspend=n")
HANDSHAKE = b"JDWP-Handshake"
TAKE_OVER = b"JDWP-Take-Over"


@contextlib.contextmanager
def running(jdk: Jdk) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A program that runs until it is let go, and its port."""
    with launched(jdk, process.agent_argument("jvmdebug", RUNNING), "wait") as jvm:
        yield jvm, listening_port(jvm)


def greeted(port: int, greeting: bytes = HANDSHAKE) -> tuple[socket.socket, bytes]:
    """A connection, and what the agent answers."""
    peer = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
    peer.sendall(greeting)
    return peer, peer.recv(200)


def name_of(peer: socket.socket) -> bytes:
    host, port = peer.getsockname()
    return f"{host}:{port}".encode()


class TakingOver(EventSetClient):
    """A client that ends the session of another one."""

    GREETING = TAKE_OVER


def asks(port: int, kind: type[EventSetClient] = EventSetClient) -> bool:
    """Whether a debugger that connects now is served."""
    with contextlib.closing(kind(port)) as vm:
        return is_open(vm)


def is_open(vm: EventSetClient) -> bool:
    try:
        vm.ask("VirtualMachine.Version")
    except (ConnectionLostError, OSError):
        return False
    return True


def thread_count(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_second_debugger_is_told_who_is_connected(jdk: Jdk) -> None:
    with running(jdk) as (_, port):
        first, answer = greeted(port)
        with first:
            assert answer == HANDSHAKE
            for _ in range(3):
                second, answer = greeted(port)
                with second:
                    assert answer.startswith(b"JDWP-Busy: " + name_of(first) + b" ")
                    assert answer.endswith(b"\n")
                    assert second.recv(1) == b"", "a refusal is quick"
        # Who is told that it is over may come at once.
        assert asks(port)


def test_who_disposes_keeps_nobody_out(jdk: Jdk) -> None:
    with running(jdk) as (_, port), contextlib.ExitStack() as stack:
        for _ in range(20):
            vm = EventSetClient(port)
            stack.callback(vm.close)  # only at the end
            vm.ask("VirtualMachine.Dispose")


def test_what_the_first_one_held_runs_when_another_takes_over(jdk: Jdk) -> None:
    with running(jdk) as (_, port), contextlib.ExitStack() as stack:
        first = stack.enter_context(contextlib.closing(EventSetClient(port)))
        first.ask("VirtualMachine.Suspend")
        second = stack.enter_context(contextlib.closing(TakingOver(port)))
        threads = second.ask("VirtualMachine.AllThreads")["threads"]
        counts = [
            second.ask("ThreadReference.SuspendCount", thread=each)["suspend_count"]
            for each in threads
        ]
        assert not any(counts)
        assert not is_open(first)
        assert is_open(second)


@pytest.mark.parametrize("reads", [True, False])
def test_one_that_hangs_is_ended(jdk: Jdk, *, reads: bool) -> None:
    with running(jdk) as (_, port):
        first, answer = greeted(port)
        with first:
            assert answer == HANDSHAKE
            if not reads:  # replies pile up, and the agent waits for room
                list_all = struct.pack(">IIBBB", 11, 1, 0, 1, 3)
                first.settimeout(1)
                with contextlib.suppress(TimeoutError):
                    first.sendall(list_all * 100_000)
            begun = time.monotonic()
            assert asks(port, TakingOver)
            assert time.monotonic() - begun < 10


def test_to_take_over_where_nobody_is_connected_is_to_connect(jdk: Jdk) -> None:
    with running(jdk) as (_, port):
        assert asks(port, TakingOver)


def test_the_last_of_many_that_take_over_stays(jdk: Jdk) -> None:
    with running(jdk) as (_, port), contextlib.ExitStack() as stack:
        peers = []
        for _ in range(10):
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            peer.sendall(TAKE_OVER)
            peers.append(peer)
        for peer in peers[:-1]:
            peer.settimeout(TIMEOUT_S)
            with contextlib.suppress(ConnectionResetError):
                while peer.recv(1000):
                    pass
        second, answer = greeted(port)
        with second:
            assert b"JDWP-Busy: " + name_of(peers[-1]) in answer


def test_only_the_session_that_was_there_ends(jdk: Jdk) -> None:
    """The agent is held up between accepting the second debugger and ending the first's session,
    which ends by itself meanwhile: it waits to report the take-over on a full standard error.
    """
    read_end, write_end = os.pipe()
    agent = process.agent_argument("jvmdebug", RUNNING)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, read_end)
        jvm = stack.enter_context(launched(jdk, agent, "wait", stderr=write_end))
        os.close(write_end)
        port = listening_port(jvm)
        with contextlib.closing(EventSetClient(port)) as first:
            assert is_open(first)
            fill(read_end)
            second, answer = greeted(port, TAKE_OVER)
        stack.enter_context(second)
        assert answer == HANDSHAKE
        assert is_served(second)
        drain(read_end, until=b"takes over from")
        third, answer = greeted(port)  # it accepts others again
        third.close()
        assert answer.startswith(b"JDWP-Busy: ")
        assert is_served(second)


def is_served(peer: socket.socket) -> bool:
    """Whether the agent answers VirtualMachine.Version."""
    peer.sendall(struct.pack(">IIBBB", 11, 1, 0, 1, 1))
    return len(peer.recv(4096)) > 11


def fill(read_end: int) -> None:
    """Leave no room in a pipe."""
    fcntl.fcntl(read_end, fcntl.F_SETPIPE_SZ, 4096)
    writer = os.open(f"/proc/self/fd/{read_end}", os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b".")
    os.close(writer)


def drain(read_end: int, until: bytes) -> None:
    """Read a pipe until the text comes."""
    found = b""
    while until not in found:
        found += os.read(read_end, 4096)


def test_many_that_come_cost_the_first_one_nothing(jdk: Jdk) -> None:
    with running(jdk) as (jvm, port), contextlib.closing(EventSetClient(port)) as vm:
        threads, memory = thread_count(jvm.pid), resident_kib(jvm.pid)
        with contextlib.ExitStack() as stack:
            for number in range(300):
                peer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                peer.sendall((b"", b"JDWP-", HANDSHAKE, b"GET / HTTP/1.1\r\n")[number % 4])
            assert is_open(vm)
            assert thread_count(jvm.pid) <= threads + 20  # the VM starts some of its own
            assert resident_kib(jvm.pid) < memory + 60_000
        assert is_open(vm)
