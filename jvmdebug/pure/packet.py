# SPDX-License-Identifier: Apache-2.0
"""One packet and its header of 11 bytes, as `Framer` cuts it out of the stream."""

from __future__ import annotations

import struct
from typing import Final

HEADER: Final = struct.Struct(">IIBBB")
HEADER_SIZE: Final = 11
REPLY: Final = 0x80
"""The flag of a reply."""


class Packet:
    """One packet. A reply has an error, a command numbers."""

    __slots__ = ("command", "command_set", "error", "flags", "id", "is_cut", "length", "payload")

    def __init__(self, header: bytes, payload: bytes, *, is_cut: bool = False) -> None:
        self.length, self.id, self.flags, first, second = HEADER.unpack(header)
        self.command_set, self.command, self.error = first, second, 0
        if self.is_reply:
            self.command_set, self.command, self.error = 0, 0, (first << 8) | second
        self.payload = payload
        self.is_cut = is_cut

    @property
    def is_reply(self) -> bool:
        return bool(self.flags & REPLY)

    def __repr__(self) -> str:
        what = f"command_set={self.command_set}, command={self.command}"
        if self.is_reply:
            what = f"error={self.error}"
        return f"Packet(id={self.id}, {what}, {self.length - HEADER_SIZE} bytes)"
