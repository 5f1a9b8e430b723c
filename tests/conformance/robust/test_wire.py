# SPDX-License-Identifier: Apache-2.0
"""Bytes that are no JDWP, or unusual JDWP: the program goes on, and the next debugger
is served.
"""

from __future__ import annotations

import contextlib
import random
import resource
import socket
import struct
import time
from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.running_target import RunningTarget, running_target
from tests.conformance.robust.stopped_target import GRAMMAR
from tests.support.jdks import jdks_to_test
from tests.support.jdwp_client import ConnectionLostError, EventSetClient
from tests.support.jdwp_session import BREAKPOINT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

HANDSHAKE = b"JDWP-Handshake"
NOT_IMPLEMENTED = GRAMMAR.errors["NOT_IMPLEMENTED"]
VERSION = struct.pack(">IIBBB", 11, 1, 0, 1, 1)


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def running(request: pytest.FixtureRequest) -> Iterator[RunningTarget]:
    """One VM for all of it; in the end it must end by itself."""
    with running_target(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


def has_hung_up(end: socket.socket) -> bool:
    """Whether the agent ends the connection."""
    try:
        while end.recv(65536):
            pass
    except ConnectionResetError:
        pass
    return True


# --- the handshake --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "greeting",
    [
        b"",
        b"J",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"JDWP-Handshakf",
        b"jdwp-handshake",
        b"\0" * 14,
        b"JDWP-",
        b"JDWP JDWP-Handshake",
        random.Random(1).randbytes(100_000),
    ],
    ids=lambda greeting: repr(greeting[:12]),
)
def test_a_client_without_a_valid_handshake_is_disconnected(
    running: RunningTarget, greeting: bytes
) -> None:
    with running.peer() as end:
        try:
            end.sendall(greeting)
            end.shutdown(socket.SHUT_WR)
            assert has_hung_up(end)
        except OSError:
            pass  # it did not even wait for the rest
    running.check()


def test_half_a_handshake_and_silence(running: RunningTarget) -> None:
    """A peer that says nothing more keeps the next one out for some seconds only."""
    with running.peer() as end:
        end.sendall(HANDSHAKE[:13])
        before = time.monotonic()
        with running.debugged() as session:
            assert session.vm.ask("VirtualMachine.Version")
            assert time.monotonic() - before < 15
    running.check()


def test_a_handshake_letter_by_letter(running: RunningTarget) -> None:
    with running.peer() as end:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for letter in HANDSHAKE:
            end.sendall(bytes([letter]))
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
    running.check()


def test_requests_in_one_piece_with_the_handshake(running: RunningTarget) -> None:
    with running.peer() as end:
        end.sendall(HANDSHAKE + VERSION * 3)
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        for _ in range(3):
            size, number, flags, error = struct.unpack(">IIBH", end.recv(11, socket.MSG_WAITALL))
            end.recv(size - 11, socket.MSG_WAITALL)
            assert (number, flags, error) == (1, 0x80, 0)
    running.check()


def test_a_program_that_has_no_descriptor_left(jdk: Jdk) -> None:
    """A debugger that comes then is not served; the program goes on, and so does the listening."""
    with running_target(jdk) as running:
        running.check()
        with running.peer():
            pass  # it listens again, for which it needs a descriptor itself, and goes on doing so
        limits = resource.prlimit(running.jvm.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(running.jvm.pid, resource.RLIMIT_NOFILE, (1, limits[1]))
        with running.peer() as end:
            end.sendall(HANDSHAKE)
            end.settimeout(0.5)
            with pytest.raises(TimeoutError):
                end.recv(14)
            resource.prlimit(running.jvm.pid, resource.RLIMIT_NOFILE, limits)
            end.settimeout(20)
            assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        running.check()
        assert running.end().endswith("stopped\n")


# --- packets --------------------------------------------------------------------------------------


@pytest.mark.agent
@pytest.mark.parametrize("length", [*range(11), -1, -11, -(2**31)])
def test_lengths_that_no_packet_has(running: RunningTarget, length: int) -> None:
    with running.debugged() as session:
        session.vm.ask("VirtualMachine.Suspend")
        header = struct.pack(">i", length) + struct.pack(">IBBB", 5, 0, 1, 1)
        session.vm.send_bytes(header)
        with pytest.raises((ConnectionLostError, ConnectionResetError)):
            session.vm.ask("VirtualMachine.Version")
    running.check()


def test_a_long_packet_that_never_arrives(running: RunningTarget) -> None:
    """Memory is taken for what has come, not for what was announced."""
    before = running.resident_kib()
    for _ in range(10):
        with running.debugged() as session:
            session.vm.send_bytes(struct.pack(">IIBBB", 60_000_000, 5, 0, 1, 11) + b"x" * 1000)
            assert running.resident_kib() < before + 20_000
    running.check()


@pytest.mark.agent
def test_a_long_packet_before_the_first_command(running: RunningTarget) -> None:
    """Whoever has only shaken hands cannot make the agent keep what it sends."""
    before = running.resident_kib()
    with running.peer() as end:
        end.sendall(HANDSHAKE)
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        with contextlib.suppress(ConnectionError):
            end.sendall(struct.pack(">IIBBB", 200_000_000, 5, 0, 1, 11))
            end.sendall(b"x" * 20_000_000)
        assert has_hung_up(end)
    assert running.resident_kib() < before + 10_000
    running.check()


@pytest.mark.agent
def test_a_longer_packet_than_any_command_needs(running: RunningTarget) -> None:
    with running.debugged() as session:
        session.vm.send_bytes(struct.pack(">IIBBB", 300_000_000, 5, 0, 1, 11))
        with pytest.raises((ConnectionLostError, ConnectionError)):
            session.vm.ask("VirtualMachine.Version")
    running.check()


@pytest.mark.agent
def test_replies_are_nothing_to_answer(running: RunningTarget) -> None:
    with running.debugged() as session:
        for error in (0, 1, 65535):
            session.vm.send_bytes(struct.pack(">IIBH", 11, 77, 0x80, error))
            session.vm.send_bytes(struct.pack(">IIBH", 15, 1, 0x80, error) + b"\0" * 4)
        assert session.vm.ask("VirtualMachine.AllThreads")["threads"]
    running.check()


@pytest.mark.agent
@pytest.mark.parametrize("flags", [1, 0x20, 0x7F, 0x81, 0xC0, 0xFF])
def test_flags_that_no_packet_has(running: RunningTarget, flags: int) -> None:
    """No command: what a browser sends, which has no byte 0 there, must not become one."""
    with running.debugged() as session:
        session.vm.send_bytes(struct.pack(">IIBBB", 11, 5, flags, 1, 8))
        with pytest.raises((ConnectionLostError, ConnectionResetError, BrokenPipeError)):
            session.vm.ask("VirtualMachine.Version")
    running.check()


@pytest.mark.agent
def test_commands_that_do_not_exist(running: RunningTarget) -> None:
    with running.debugged() as session:
        for command_set in (*range(20), 63, 65, 100, 127, 200, 255):
            for number in (*range(30), 99, 101, 128, 255):
                if (command_set, number) not in GRAMMAR.commands:
                    code, _ = session.vm.ask_raw(command_set, number, b"")
                    assert code == NOT_IMPLEMENTED, (command_set, number)
        assert session.vm.refusal("VirtualMachine.Version") == "NONE"
    running.check()


def test_the_same_id_again_and_again(running: RunningTarget) -> None:
    with running.debugged() as session:
        session.vm.send_bytes(VERSION * 1000)
        answered = [session.vm.next_reply() for _ in range(1000)]
        assert answered == [(1, 0)] * 1000
    running.check()


def test_a_second_debugger_is_refused_and_the_first_goes_on(running: RunningTarget) -> None:
    with running.debugged() as session:
        session.break_at("turn")
        session.next_event(BREAKPOINT)
        for _ in range(5):
            with pytest.raises((ConnectionRefusedError, ConnectionLostError, ConnectionResetError)):
                EventSetClient(running.port)
        thread = session.threads()["caller"]
        assert session.suspend_count(thread) == 1
        assert session.frames(thread)
    running.check()
