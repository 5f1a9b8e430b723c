# SPDX-License-Identifier: Apache-2.0
"""Debuggers that read late, or not at all.

The agent then stops reading requests, and threads that make events wait, as with the JDK's own
agent; memory does not grow, nothing is lost when the debugger reads on, everything goes on when it
disconnects, and the VM can end.
"""

from __future__ import annotations

import signal
import socket
import struct
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.running_target import RunningTarget, running_target, set_static
from tests.conformance.robust.test_wire import HANDSHAKE
from tests.support.jdks import jdks_to_test
from tests.support.jdwp_session import FIELD_MODIFICATION, NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.jdwp_session import JdwpSession

_SMALL = 4096
_MORE_KIB = 100_000
"""What a VM may take more while it works: its heap grows, too."""
_MOST_BEFORE_A_REPLY = 20_000
"""What the system keeps for a reader by default would be three times as many."""


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def running(request: pytest.FixtureRequest) -> Iterator[RunningTarget]:
    """One VM for all of it; in the end it must end by itself."""
    with running_target(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


def _send_what_is_taken(end: socket.socket, content: bytes) -> int:
    """Sends until nothing is taken for a while; the bytes that were."""
    end.settimeout(0.5)
    sent = 0
    try:
        while sent < len(content):
            sent += end.send(content[sent : sent + 65536])
    except TimeoutError:
        pass
    end.settimeout(20)
    return sent


def _replies(end: socket.socket) -> Iterator[int]:
    """The ids of the replies that come, until the agent hangs up."""
    rest = b""
    while True:
        while len(rest) >= 11 and len(rest) >= (size := int.from_bytes(rest[:4])):
            if rest[8] & 0x80:
                yield int.from_bytes(rest[4:8])
            rest = rest[size:]
        chunk = end.recv(1 << 20)
        if not chunk:
            assert not rest, "a packet was cut"
            return
        rest += chunk


def _requests(number: int) -> bytes:
    """VirtualMachine.Version so often, each with bytes too many, so that buffers are soon full."""
    trailing = b"\0" * 200
    size = 11 + len(trailing)
    return b"".join(
        struct.pack(">IIBBB", size, 1000 + i, 0, 1, 1) + trailing for i in range(number)
    )


@pytest.mark.agent
@pytest.mark.parametrize("farewell", ["close", "reset"])
def test_requests_whose_replies_are_never_read(running: RunningTarget, farewell: str) -> None:
    before = running.resident_kib()
    with running.peer(receive_buffer=_SMALL) as end:
        suspend = struct.pack(">IIBBB", 11, 2, 0, 1, 8)
        hold = struct.pack(">IIBBB", 11, 3, 0, 1, 15)
        content = HANDSHAKE + suspend * 3 + hold + _requests(100_000)
        assert _send_what_is_taken(end, content) < len(content), "it went on reading"
        assert running.resident_kib() < before + _MORE_KIB
        if farewell == "reset":
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    running.check()


def test_requests_whose_replies_are_read_late(running: RunningTarget) -> None:
    """All requests are answered, and in order."""
    count = 50_000
    content = HANDSHAKE + _requests(count)
    with running.peer(receive_buffer=_SMALL) as end:
        sent = _send_what_is_taken(end, content)
        assert sent < len(content), "it went on reading"

        def send_the_rest() -> None:
            end.sendall(content[sent:])
            end.shutdown(socket.SHUT_WR)

        rest = threading.Thread(target=send_the_rest, name="rest")
        rest.start()
        assert end.recv(14, socket.MSG_WAITALL) == HANDSHAKE
        assert list(_replies(end)) == list(range(1000, 1000 + count))
        rest.join()
    running.check()


# --- events ---------------------------------------------------------------------------------------


def _flood(session: JdwpSession) -> None:
    """Has events come as fast as they can from now on."""
    field = {"kind": 9, "type_id": session.type(), "field_id": session.field("hot")}
    session.request(FIELD_MODIFICATION, field, policy=NONE)
    set_static(session, "writing", b"\x01")


def _wait_until_it_waits(running: RunningTarget) -> None:
    """Returns when the thread that makes the events has not run for a while: it waits for us."""
    deadline = time.monotonic() + 20
    ticks, since = running.ticks("writer"), time.monotonic()
    while time.monotonic() - since < 0.5:
        assert time.monotonic() < deadline, "it goes on sending"
        if (now := running.ticks("writer")) != ticks:
            ticks, since = now, time.monotonic()
        time.sleep(0.01)


def test_events_that_are_read_late(running: RunningTarget) -> None:
    before = running.resident_kib()
    with running.debugged() as session:
        _flood(session)
        _wait_until_it_waits(running)
        assert running.resident_kib() < before + _MORE_KIB
        waited_at = running.ticks("writer")
        deadline = time.monotonic() + 60
        while running.ticks("writer") == waited_at:  # it runs again as we read
            assert time.monotonic() < deadline
            for _ in range(100):
                assert session.vm.next_packet() > 11
    _stop_the_flood(running)


def test_a_reply_does_not_wait_behind_queued_events(running: RunningTarget) -> None:
    """One that reads more slowly than events come can still put an end to them."""
    with running.debugged() as session:
        _flood(session)
        _wait_until_it_waits(running)
        known = len(session.vm.sets)
        assert session.vm.ask("VirtualMachine.Version")
        assert len(session.vm.sets) - known < _MOST_BEFORE_A_REPLY
    _stop_the_flood(running)


def test_events_that_are_never_read(running: RunningTarget) -> None:
    with running.debugged() as session:
        _flood(session)
        _wait_until_it_waits(running)
    _stop_the_flood(running)


def _stop_the_flood(running: RunningTarget) -> None:
    running.check()
    with running.debugged() as session:
        set_static(session, "writing", b"\x00")


def test_the_vm_ends_though_the_debugger_does_not_read(jdk: Jdk) -> None:
    """The JDK's own agent waits for ever then."""
    with running_target(jdk) as running, running.debugged() as session:
        _flood(session)
        _wait_until_it_waits(running)
        running.jvm.send_signal(signal.SIGTERM)
        assert running.jvm.wait(20) == 128 + signal.SIGTERM
