# SPDX-License-Identifier: Apache-2.0
"""A debugger that has many things under way: replies of invocations come when they come.

Owns the socket; keeps event sets and late replies for whoever asks. Adds to `JdwpClient` what a
test that waits for each answer does not need.
"""

from __future__ import annotations

import select
import socket
from collections import Counter
from typing import Any

from tests.support.jdwp_client import JdwpClient, RefusedError
from tests.support.wire_reading import COMPOSITE, Message, ReadingError

_MAY_BE_INTERNAL = ("ThreadReference.ForceEarlyReturn", "StackFrame.PopFrames")
"""HotSpot has no other word for a frame that is about to go already."""
_RECEIVE_BUFFER = 65536
_MOST_AT_ONCE = 200
"""The program may make events faster than they are read."""


class Client(JdwpClient):
    """Counts what it sends and what comes back."""

    def __init__(self, port: int) -> None:
        self.sets: list[Message] = []
        self.pending: dict[int, str] = {}
        """Invocations that were not answered yet: packet id → command."""
        self.outcomes: Counter[str] = Counter()
        super().__init__(port)
        # What has come and was not read stands before each reply.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)

    def ask(self, name: str, **fields: Any) -> Message:
        """The reply to a command; RefusedError when it is an error. INTERNAL is a defect."""
        try:
            reply = super().ask(name, **fields)
        except RefusedError as refused:
            self.outcomes[f"{name} {refused.name}"] += 1
            if refused.name == "INTERNAL" and name not in _MAY_BE_INTERNAL:
                raise AssertionError(f"{name} {fields}: INTERNAL") from refused
            raise
        self.outcomes[f"{name} NONE"] += 1
        return reply

    def begin(self, name: str, **fields: Any) -> None:
        """Send, and let the reply come when it comes."""
        number = self.number(name)
        payload = self.encode_request(number, fields)
        packet_id = self._next_id
        self._next_id += 1
        header = (11 + len(payload)).to_bytes(4, "big") + packet_id.to_bytes(4, "big")
        self.pending[packet_id] = name
        self._socket.sendall(header + bytes([0, *number]) + payload)

    def drain(self, wait_s: float = 0.0) -> None:
        """Take in what has come; wait for the first of it at most so long."""
        for _ in range(_MOST_AT_ONCE):
            if not select.select([self._socket], [], [], wait_s)[0]:
                return
            self._read_packet()
            wait_s = 0.0

    def _read_packet(self) -> tuple[int | None, int, bytes]:
        header = self._read(11)
        payload = self._read(int.from_bytes(header[:4], "big") - 11)
        packet_id, first, second = int.from_bytes(header[4:8], "big"), header[9], header[10]
        if not header[8]:
            if (first, second) == COMPOSITE:
                self.sets.append(self._wire.decode_event_set(payload))
            return None, 0, b""
        code = first << 8 | second
        if packet_id not in self.pending:
            return packet_id, code, payload
        name = self.pending.pop(packet_id)
        outcome = self.error_name(code)
        self.outcomes[f"{name} {outcome}"] += 1
        if outcome == "INTERNAL":
            raise AssertionError(f"{name}: INTERNAL")
        if not code:
            try:
                self.decode_reply(self.number(name), payload)
            except ReadingError as error:
                raise AssertionError(f"{name}: {error}") from error
        return None, 0, b""
