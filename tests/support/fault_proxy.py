# SPDX-License-Identifier: Apache-2.0
"""A proxy between a debugger and an agent that injects one fault at a chosen packet.

Forwards the handshake and then whole packets, one connection in its life, and counts them for each
direction; the handshake is packet 0. A `Fault` names a packet and what happens to it. Without a
fault it only records, so that a test learns where the boundaries of a conversation are:

    with FaultProxy(port) as proxy:            # a first, undisturbed run
        converse(proxy.port)
    sizes = proxy.sizes[TO_AGENT]
    with FaultProxy(port, Fault(TO_AGENT, 3, "cut", at=5)) as proxy: ...
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from types import TracebackType

Direction = Literal["to agent", "to debugger"]
TO_AGENT: Direction = "to agent"
TO_DEBUGGER: Direction = "to debugger"

_HANDSHAKE_SIZE = 14
_HEADER_SIZE = 11
_LINGER_S = 0.05
_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Fault:
    """What happens to the packet of this number.

    cut: its first `at` bytes are forwarded, then both connections end in order;
    reset: the same, and they end with a reset, as when a process is killed;
    garble: the byte `at` is another one; a moment later both connections are cut;
    dribble: from that packet on bytes are forwarded one by one.
    """

    direction: Direction
    packet: int
    action: Literal["cut", "reset", "garble", "dribble"]
    at: int = 0


class FaultProxy:
    """Listens on a port of its own and connects to the agent when the debugger comes."""

    def __init__(self, agent_port: int, fault: Fault | None = None) -> None:
        self._agent_port = agent_port
        self._fault = fault
        self.sizes: dict[Direction, list[int]] = {TO_AGENT: [], TO_DEBUGGER: []}
        """How long each packet was that has passed."""
        self.has_struck = threading.Event()
        """The fault has happened."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._serve, name="proxy")]

    @property
    def port(self) -> int:
        """The port that the debugger connects to."""
        return int(self._listening.getsockname()[1])

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._end(reset=False)
        for thread in self._threads:
            thread.join(_TIMEOUT_S)

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            debugger, _ = self._listening.accept()
            self._ends.append(debugger)
            agent = self._connect()
            self._ends.append(agent)
            for end in self._ends:
                end.settimeout(None)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(
                target=self._forward, args=(agent, debugger, TO_DEBUGGER), name="proxy back"
            )
            self._threads.append(back)
            back.start()
            self._forward(debugger, agent, TO_AGENT)

    def _connect(self) -> socket.socket:
        deadline = time.monotonic() + _TIMEOUT_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self._agent_port), _TIMEOUT_S)
            except ConnectionRefusedError:
                # The agent has not noticed yet that the debugger before has gone.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.002)

    def _forward(self, source: socket.socket, target: socket.socket, way: Direction) -> None:
        with contextlib.suppress(OSError, EOFError):
            packet = _read(source, _HANDSHAKE_SIZE)
            while self._pass(packet, target, way):
                self.sizes[way].append(len(packet))
                header = _read(source, _HEADER_SIZE)
                packet = header + _read(source, int.from_bytes(header[:4]) - _HEADER_SIZE)
        self._end(reset=False)

    def _pass(self, packet: bytes, target: socket.socket, way: Direction) -> bool:
        """Forward a packet as the fault says; False when nothing more is forwarded."""
        fault, number = self._fault, len(self.sizes[way])
        if fault is None or fault.direction != way or number < fault.packet:
            target.sendall(packet)
            return True
        self.has_struck.set()
        if fault.action == "dribble":
            for byte in packet:
                target.sendall(bytes([byte]))
            return True
        if fault.action == "garble":
            at = fault.at % len(packet)
            target.sendall(packet[:at] + bytes([packet[at] ^ 0xA5]) + packet[at + 1 :])
            time.sleep(_LINGER_S)  # the agent reads it before the connection ends
        else:
            target.sendall(packet[: fault.at])
        self._end(reset=fault.action == "reset")
        return False

    def _end(self, *, reset: bool) -> None:
        for end in self._ends:
            with contextlib.suppress(OSError):
                if reset:
                    # Closing then sends a reset, and what is not read yet is lost. Who reads wakes
                    # up first: as long as it reads, nothing is closed.
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    end.shutdown(socket.SHUT_RD)
                else:
                    end.shutdown(socket.SHUT_RDWR)
            end.close()


def _read(source: socket.socket, size: int) -> bytes:
    chunks = bytearray()
    while len(chunks) < size:
        chunk = source.recv(size - len(chunks))
        if not chunk:
            raise EOFError
        chunks += chunk
    return bytes(chunks)
