# SPDX-License-Identifier: Apache-2.0
"""A JDWP client with many requests in flight and little work of its own.

Payloads are bytes; `encode` makes them by name. Requests are kept in flight in windows that fit
into the sockets' buffers, so that neither side waits for the other. Both agents on all VMs use ids
of eight bytes, which `connect` checks. Does not start VMs (`vm.py`) and measures nothing.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from typing import TYPE_CHECKING, Any, Final

from tests.support.wire_reading import COMPOSITE, Message, WireReading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HANDSHAKE: Final = b"JDWP-Handshake"
_HEADER: Final = struct.Struct(">IIBBB")
_REPLY: Final = 0x80
_WINDOW: Final = 200
"""Requests under way at once: some ten KB in each direction."""
_TIMEOUT_S: Final = 120.0

Reply = tuple[int, bytes]
"""Error code and payload."""


class Wire:
    """A connected debugger."""

    _reading: Final = WireReading()
    _numbers: Final = {
        f"{command.set_name}.{command.name}": number
        for number, command in _reading.grammar.commands.items()
    }

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._input = self._socket.makefile("rb", buffering=1 << 20)
        self._next_id = 1
        self.events: list[Message] = []
        """Event sets that have arrived and were not read."""
        self._socket.sendall(_HANDSHAKE)
        assert self._read(len(_HANDSHAKE)) == _HANDSHAKE
        sizes = self.ask("VirtualMachine.IDSizes")
        assert set(sizes.values()) == {8}, sizes

    @staticmethod
    def connect_when_possible(port: int) -> Wire:
        """Connect as soon as the agent listens (again)."""
        deadline = time.monotonic() + _TIMEOUT_S
        while True:
            try:
                return Wire(port)
            except (ConnectionError, AssertionError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.005)

    def encode(self, name: str, **fields: Any) -> bytes:
        """The payload of a request."""
        return self._reading.encode_request(*self._numbers[name], fields)

    def ask(self, name: str, **fields: Any) -> Message:
        """One reply, decoded; an error fails the test."""
        code, payload = self.all(name, [self.encode(name, **fields)])[0]
        assert code == 0, f"{name}: error {code}"
        return self._reading.decode_reply(*self._numbers[name], payload)

    def all(self, name: str, payloads: Sequence[bytes]) -> list[Reply]:
        """The replies to many requests of one kind, in their order."""
        number = self._numbers[name]
        replies: list[Reply] = []
        for start in range(0, len(payloads), _WINDOW):
            ids = [self.send(number, payload) for payload in payloads[start : start + _WINDOW]]
            answered = dict(self._answers(len(ids)))
            replies += [answered[each] for each in ids]
        return replies

    def send(self, number: tuple[int, int] | str, payload: bytes = b"") -> int:
        """Send a request and do not wait for its reply."""
        command = self._numbers[number] if isinstance(number, str) else number
        request_id = self._next_id
        self._next_id += 1
        header = _HEADER.pack(_HEADER.size + len(payload), request_id, 0, *command)
        self._socket.sendall(header + payload)
        return request_id

    def wait_event(self, kind: int) -> Message:
        """Take the next event set that has an event of this kind."""
        while True:
            for index, event_set in enumerate(self.events):
                if any(event["kind"] == kind for event in event_set["events"]):
                    return self.events.pop(index)
            self._receive()

    def hang_up(self) -> None:
        """Leave without a word."""
        self._input.close()
        self._socket.close()

    def abort(self) -> None:
        """Reset the connection, as when the client's machine dies."""
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.hang_up()

    def _answers(self, count: int) -> Iterator[tuple[int, Reply]]:
        while count:
            if (answer := self._receive()) is not None:
                yield answer
                count -= 1

    def _receive(self) -> tuple[int, Reply] | None:
        """One packet: a reply with its request's id, or None for events, which are kept."""
        size, packet_id, flags, first, second = _HEADER.unpack(self._read(_HEADER.size))
        payload = self._read(size - _HEADER.size)
        if flags & _REPLY:
            return packet_id, (first << 8 | second, payload)
        if (first, second) == COMPOSITE:
            self.events.append(self._reading.decode_event_set(payload))
        return None

    def _read(self, size: int) -> bytes:
        data: bytes = self._input.read(size)
        if len(data) < size:
            raise ConnectionError("the agent hung up")
        return data
