# SPDX-License-Identifier: Apache-2.0
"""A client with many requests in flight: replies of invocations arrive at any time.

Keeps late replies, counts outcomes and reads without waiting.
"""

from __future__ import annotations

import select
import socket
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.support.jdwp_client import EventSetClient, RefusedError
from tests.support.wire_reading import ReadingError

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

_MAY_BE_INTERNAL = ("ThreadReference.ForceEarlyReturn", "StackFrame.PopFrames")
"""HotSpot has no other word for a frame that is about to go already."""
_RECEIVE_BUFFER = 65536
_MOST_AT_ONCE = 200
"""The program may make events faster than they are read."""


class Client(EventSetClient):
    """Counts what it sends and what comes back."""

    TIMEOUT_S = 90.0
    """With ThreadSanitizer, and the program's threads on all cores, a reply may take very long."""

    def __init__(self, port: int) -> None:
        self.pending: dict[int, str] = {}
        """Invocations that were not answered yet: packet id → command."""
        self.outcomes: Counter[str] = Counter()
        super().__init__(port)
        # What has come and was not read stands before each reply.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)

    def ask(self, name: str, /, **fields: Any) -> Message:
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
        packet_id = self.send_request(number, self.encode_request(number, fields))
        self.pending[packet_id] = name

    def drain(self, wait_s: float = 0.0) -> None:
        """Take in what has come; wait for the first of it at most so long."""
        for _ in range(_MOST_AT_ONCE):
            if not select.select([self._socket], [], [], wait_s)[0]:
                return
            self._read_packet()
            wait_s = 0.0

    def _read_packet(self) -> tuple[int | None, int, bytes]:
        packet_id, code, payload = super()._read_packet()
        if packet_id is None or packet_id not in self.pending:
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
