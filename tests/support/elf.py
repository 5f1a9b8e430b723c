# SPDX-License-Identifier: Apache-2.0
"""The smallest files that say which platform they are for; no system loads them."""

from __future__ import annotations

import struct
from typing import Final

GLIBC: Final = "libc.so.6"
MUSL: Final = "libc.musl-x86_64.so.1"
X86_64: Final = 62
AARCH64: Final = 183
_BASE: Final = 0x10000


def elf(machine: int = X86_64, *needed: str, interpreter: str | None = None) -> bytes:
    """A 64-bit little-endian ELF file that asks for these libraries, and for a loader."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in needed)
    loader = b"" if interpreter is None else interpreter.encode() + b"\0"
    headers = 3
    strings_at = 64 + 56 * headers
    loader_at = strings_at + len(names)
    dynamic_at = loader_at + len(loader)
    entries = [(5, _BASE + strings_at)]
    at = 1
    for name in needed:
        entries.append((1, at))
        at += len(name) + 1
    dynamic = b"".join(struct.pack("<qQ", *each) for each in [*entries, (0, 0)])
    end = dynamic_at + len(dynamic)
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, headers, 64, 0, 0)
    parts = [(1, 0, end), (2, dynamic_at, len(dynamic)), (3, loader_at, len(loader))]
    if not loader:
        parts[2] = (0, 0, 0)
    table = b"".join(
        struct.pack("<IIQQQQQQ", kind, 4, offset, _BASE + offset, 0, size, size, 8)
        for kind, offset, size in parts
    )
    return head + table + names + loader + dynamic


def mach_o(machine: int) -> bytes:
    """The header of a 64-bit Mach-O file."""
    return b"\xcf\xfa\xed\xfe" + struct.pack("<I", machine) + bytes(24)


def pe(machine: int) -> bytes:
    """The headers of a program of Windows."""
    return b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", machine)
