# SPDX-License-Identifier: Apache-2.0
"""The frame around every message: 11 bytes of header and the payload. No I/O.

The greetings are those of native/codec/packet.h; a test compares them.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.pure.packet import HEADER, HEADER_SIZE, REPLY, Packet
from jvmdebug.pure.wire import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator

HANDSHAKE: Final = b"JDWP-Handshake"
REJOIN: Final = b"JDWP-Rejoin-01"
NOT_REJOINED: Final = b"JDWP-No-Rejoin"
TAKE_OVER: Final = b"JDWP-Take-Over"
BUSY: Final = b"JDWP-Busy: "
TOKEN_GREETING: Final = b"JDWP-Token-001"
TOKEN_NEEDED: Final = b"JDWP-Token-needed\n"
MAXIMUM_PACKET_SIZE: Final = 0x7FFF_FFFF

_ERROR: Final = struct.Struct(">IIBH")


class Framer:
    """Cuts a stream into packets; does no I/O. It begins after the handshake."""

    def __init__(self, longest_kept: int = MAXIMUM_PACKET_SIZE) -> None:
        self._longest_kept = longest_kept
        self._rest = bytearray()
        self._start = 0
        self._to_skip = 0
        self._error: str | None = None

    def feed(self, content: bytes | bytearray | memoryview) -> None:
        if self._error is not None:
            return
        if self._start > 0:
            del self._rest[: self._start]
            self._start = 0
        view = memoryview(content)
        skipped = min(self._to_skip, len(view))
        self._to_skip -= skipped
        self._rest += view[skipped:]

    def packets(self) -> Iterator[Packet]:
        while (packet := self.next()) is not None:
            yield packet

    def next(self) -> Packet | None:
        if self._error is not None:
            raise WireError(self._error)
        rest = len(self._rest) - self._start
        if rest < HEADER_SIZE:
            return None
        header = bytes(self._rest[self._start : self._start + HEADER_SIZE])
        length, _, flags, _, _ = HEADER.unpack(header)
        self._check(length, flags)
        if length > self._longest_kept:
            here = min(rest, length)
            self._start += here
            self._to_skip = length - here
            return Packet(header, b"", is_cut=True)
        if rest < length:
            return None
        end = self._start + length
        payload = bytes(self._rest[self._start + HEADER_SIZE : end])
        self._start = end
        return Packet(header, payload)

    def _check(self, length: int, flags: int) -> None:
        if flags not in (0, REPLY):
            self._error = "a packet has flags that are neither those of a command nor of a reply"
        elif length < HEADER_SIZE:
            self._error = "a packet says it is shorter than its own header"
        elif length > MAXIMUM_PACKET_SIZE:
            self._error = "a packet is longer than 2 GiB"
        if self._error is not None:
            self._rest.clear()
            self._start = 0
            raise WireError(self._error)

    @property
    def pending(self) -> int:
        return len(self._rest) - self._start


def pack_command(id: int, command_set: int, command: int, payload: bytes = b"") -> bytes:  # noqa: A002 - as the compiled one
    return HEADER.pack(_length(payload), id, 0, command_set, command) + payload


def pack_reply(id: int, error: int, payload: bytes = b"") -> bytes:  # noqa: A002 - as the compiled one
    return _ERROR.pack(_length(payload), id, REPLY, error) + payload


def _length(payload: bytes) -> int:
    if len(payload) > MAXIMUM_PACKET_SIZE - HEADER_SIZE:
        raise WireError("a packet is longer than 2 GiB")
    return HEADER_SIZE + len(payload)
