# SPDX-License-Identifier: Apache-2.0
"""What is no JDWP, or JDWP that no debugger would send: the program goes on, and the next debugger
is served.
"""

from __future__ import annotations

import random
import resource
import socket
import struct
import time
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.conversation import ConnectionLostError
from tests.conformance.jdwp.stage import BREAKPOINT, SetConversation
from tests.conformance.robust.mill import Mill, milling
from tests.conformance.robust.pit import GRAMMAR
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

HANDSHAKE = b"JDWP-Handshake"
NOT_IMPLEMENTED = GRAMMAR.errors["NOT_IMPLEMENTED"]
VERSION = struct.pack(">IIBBB", 11, 1, 0, 1, 1)


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def mill(request: pytest.FixtureRequest) -> Iterator[Mill]:
    """One VM for all of it; in the end it must end by itself."""
    with milling(request.param) as running:
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
def test_who_does_not_greet_is_let_go(mill: Mill, greeting: bytes) -> None:
    with mill.peer() as end:
        try:
            end.sendall(greeting)
            end.shutdown(socket.SHUT_WR)
            assert has_hung_up(end)
        except OSError:
            pass  # it did not even wait for the rest
    mill.check()


def test_half_a_handshake_and_silence(mill: Mill) -> None:
    """A peer that says nothing more keeps the next one out for some seconds only."""
    with mill.peer() as end:
        end.sendall(HANDSHAKE[:13])
        before = time.monotonic()
        with mill.debugged() as stage:
            assert stage.vm.ask("VirtualMachine.Version")
            assert time.monotonic() - before < 15
    mill.check()


def test_a_handshake_letter_by_letter(mill: Mill) -> None:
    with mill.peer() as end:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for letter in HANDSHAKE:
            end.sendall(bytes([letter]))
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
    mill.check()


def test_requests_in_one_piece_with_the_handshake(mill: Mill) -> None:
    with mill.peer() as end:
        end.sendall(HANDSHAKE + VERSION * 3)
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        for _ in range(3):
            size, number, flags, error = struct.unpack(">IIBH", end.recv(11, socket.MSG_WAITALL))
            end.recv(size - 11, socket.MSG_WAITALL)
            assert (number, flags, error) == (1, 0x80, 0)
    mill.check()


def test_a_program_that_has_no_descriptor_left(jdk: Jdk) -> None:
    """A debugger that comes then is not served; the program goes on, and so does the listening."""
    with milling(jdk) as mill:
        mill.check()
        with mill.peer():
            pass  # it listens again, for which it needs a descriptor itself, and goes on doing so
        limits = resource.prlimit(mill.jvm.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(mill.jvm.pid, resource.RLIMIT_NOFILE, (1, limits[1]))
        with mill.peer() as end:
            end.sendall(HANDSHAKE)
            end.settimeout(0.5)
            with pytest.raises(TimeoutError):
                end.recv(14)
            resource.prlimit(mill.jvm.pid, resource.RLIMIT_NOFILE, limits)
            end.settimeout(20)
            assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        mill.check()
        assert mill.end().endswith("stopped\n")


# --- packets --------------------------------------------------------------------------------------


@pytest.mark.agent
@pytest.mark.parametrize("length", [*range(11), -1, -11, -(2**31)])
def test_lengths_that_no_packet_has(mill: Mill, length: int) -> None:
    with mill.debugged() as stage:
        stage.vm.ask("VirtualMachine.Suspend")
        header = struct.pack(">i", length) + struct.pack(">IBBB", 5, 0, 1, 1)
        stage.vm.send_bytes(header)
        with pytest.raises((ConnectionLostError, ConnectionResetError)):
            stage.vm.ask("VirtualMachine.Version")
    mill.check()


def test_a_long_packet_that_does_not_come(mill: Mill) -> None:
    """Memory is taken for what has come, not for what was announced."""
    before = mill.resident_kib()
    for _ in range(10):
        with mill.debugged() as stage:
            stage.vm.send_bytes(struct.pack(">IIBBB", 60_000_000, 5, 0, 1, 11) + b"x" * 1000)
            assert mill.resident_kib() < before + 20_000
    mill.check()


@pytest.mark.agent
def test_replies_are_nothing_to_answer(mill: Mill) -> None:
    with mill.debugged() as stage:
        for error in (0, 1, 65535):
            stage.vm.send_bytes(struct.pack(">IIBH", 11, 77, 0x80, error))
            stage.vm.send_bytes(struct.pack(">IIBH", 15, 1, 0xFF, error) + b"\0" * 4)
        assert stage.vm.ask("VirtualMachine.AllThreads")["threads"]
    mill.check()


@pytest.mark.agent
def test_commands_that_do_not_exist(mill: Mill) -> None:
    with mill.debugged() as stage:
        for command_set in (*range(20), 63, 65, 100, 127, 200, 255):
            for number in (*range(30), 99, 101, 128, 255):
                if (command_set, number) not in GRAMMAR.commands:
                    code, _ = stage.vm.ask_raw(command_set, number, b"")
                    assert code == NOT_IMPLEMENTED, (command_set, number)
        assert stage.vm.refusal("VirtualMachine.Version") == "NONE"
    mill.check()


def test_the_same_id_again_and_again(mill: Mill) -> None:
    with mill.debugged() as stage:
        stage.vm.send_bytes(VERSION * 1000)
        answered = [stage.vm.next_reply() for _ in range(1000)]
        assert answered == [(1, 0)] * 1000
    mill.check()


def test_a_second_debugger_is_refused_and_the_first_goes_on(mill: Mill) -> None:
    with mill.debugged() as stage:
        stage.break_at("turn")
        stage.next_event(BREAKPOINT)
        for _ in range(5):
            with pytest.raises((ConnectionRefusedError, ConnectionLostError, ConnectionResetError)):
                SetConversation(mill.port)
        thread = stage.threads()["grinder"]
        assert stage.suspend_count(thread) == 1
        assert stage.frames(thread)
    mill.check()
