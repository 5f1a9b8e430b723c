# SPDX-License-Identifier: Apache-2.0
"""Tells which platform a program or a library is built for by its bytes: ELF, Mach-O or PE.

A platform is a name that the agent's builds have too: `linux-x86_64`, `linux-musl-aarch64`,
`macos-arm64`, `windows-x86_64`. Whether an ELF file is for glibc or for musl is read from the C
library that it asks for: a library of one kind does not load into a process of the other. Reads a
few hundred bytes of a file and runs nothing. Used by the choice of the agent.
"""

from __future__ import annotations

import platform
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from jvmdebug.regular_file import open_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

PLATFORMS: Final = (
    "linux-x86_64",
    "linux-aarch64",
    "linux-musl-x86_64",
    "linux-musl-aarch64",
    "macos-arm64",
    "macos-x86_64",
    "windows-x86_64",
)
"""Those that the agent is built for."""

MUSL_LOADER: Final = "ld-musl-"
"""Begins the name of musl's program loader, which every process with musl has mapped."""

_ELF_MACHINES: Final = {3: "x86", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
_ELF_64: Final = 2
_ELF_LITTLE: Final = 1
_LOADED: Final = 1
_DYNAMIC: Final = 2
_INTERPRETER: Final = 3
_NEEDED: Final = 1
_STRINGS: Final = 5
_MACH_MACHINES: Final = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}
_MACH_64: Final = b"\xcf\xfa\xed\xfe"
_PE_MACHINES: Final = {0x014C: "x86", 0x8664: "x86_64", 0xAA64: "arm64"}
_PE_AT: Final = 0x3C
_MOST_HEADERS: Final = 1024
_LONGEST_NAME: Final = 4096
_ALIKE: Final = {"amd64": "x86_64", "x64": "x86_64"}
_SYSTEMS: Final = {"darwin": "macos", "win32": "windows", "cygwin": "windows"}


def platform_of(path: str | PathLike[str]) -> str | None:
    """The platform that this program or library is built for, such as `linux-musl-x86_64`.

    It need not be one that the agent is built for (`linux-riscv64`). None for a file that is no
    64-bit program of a known system. Raises OSError if it cannot be read.
    """
    with open_file(path) as file:
        head = file.read(64)
        try:
            if head[:4] == b"\x7fELF":
                return _of_elf(file, head)
            if head[:4] == _MACH_64:
                machine = _MACH_MACHINES.get(struct.unpack_from("<I", head, 4)[0])
                return None if machine is None else f"macos-{machine}"
            if head[:2] == b"MZ":
                return _of_pe(file, head)
        except (struct.error, ValueError, IndexError, OverflowError):
            return None
    return None


def this_platform() -> str:
    """The platform of the process that asks."""
    return name_of(sys.platform, platform.machine(), is_musl=_is_musl())


def name_of(system: str, machine: str, *, is_musl: bool = False) -> str:
    """The name of a platform from what Python calls its parts: `linux`, `AMD64`."""
    machine = machine.lower()
    machine = _ALIKE.get(machine, machine)
    kind = _SYSTEMS.get(system, system)
    if kind == "linux":
        machine = {"arm64": "aarch64"}.get(machine, machine)
        return f"linux-musl-{machine}" if is_musl else f"linux-{machine}"
    return f"{kind}-{ {'aarch64': 'arm64'}.get(machine, machine) }"


def with_musl(name: str) -> str:
    """The platform of the same system and processor that has musl."""
    system, _, machine = name.partition("-")
    return name if machine.startswith("musl-") else f"{system}-musl-{machine}"


def _is_musl() -> bool:
    """Whether this process has musl: the loader of its program says so."""
    if sys.platform != "linux":
        return False
    try:
        own = platform_of(sys.executable)
    except OSError:
        return False
    return own is not None and own.startswith("linux-musl-")


@dataclass(frozen=True, slots=True)
class _Part:
    """A program header of an ELF file: where in the file and in memory a part of it lies."""

    kind: int
    offset: int
    address: int
    size: int


def _of_elf(file: BinaryIO, head: bytes) -> str | None:
    if head[4] != _ELF_64 or head[5] != _ELF_LITTLE:
        return None
    number = struct.unpack_from("<H", head, 18)[0]
    machine = _ELF_MACHINES.get(number, f"machine-{number}")
    parts = list(_parts(file, head))
    is_musl = any(_names_musl(name) for name in [*_interpreter(file, parts), *_needed(file, parts)])
    return name_of("linux", machine, is_musl=is_musl)


def _names_musl(name: bytes) -> bool:
    """Whether this is a name of musl's C library, which is its loader as well."""
    last = name.rpartition(b"/")[2]
    return last.startswith((MUSL_LOADER.encode(), b"libc.musl-")) or last == b"libc.so"


def _parts(file: BinaryIO, head: bytes) -> Iterator[_Part]:
    at = struct.unpack_from("<Q", head, 32)[0]
    size, count = struct.unpack_from("<HH", head, 54)
    file.seek(at)
    table = file.read(size * min(count, _MOST_HEADERS))
    for index in range(len(table) // size if size else 0):
        kind, _, offset, address, _, in_file = struct.unpack_from("<IIQQQQ", table, index * size)
        yield _Part(kind, offset, address, in_file)


def _interpreter(file: BinaryIO, parts: list[_Part]) -> Iterator[bytes]:
    """The loader that a program asks for; a library names none."""
    for part in parts:
        if part.kind == _INTERPRETER:
            file.seek(part.offset)
            yield file.read(min(part.size, _LONGEST_NAME)).rstrip(b"\0")


def _needed(file: BinaryIO, parts: list[_Part]) -> Iterator[bytes]:
    """The names of the libraries that it asks for."""
    for part in parts:
        if part.kind != _DYNAMIC:
            continue
        file.seek(part.offset)
        table = file.read(min(part.size, 16 * _MOST_HEADERS))
        entries = list(struct.iter_unpack("<qQ", table[: len(table) // 16 * 16]))
        strings = next((value for tag, value in entries if tag == _STRINGS), None)
        base = None if strings is None else _in_file(parts, strings)
        if base is None:
            return
        for tag, value in entries:
            if tag == _NEEDED:
                file.seek(base + value)
                yield file.read(_LONGEST_NAME).partition(b"\0")[0]


def _in_file(parts: list[_Part], address: int) -> int | None:
    """The place in the file of the byte at an address of memory."""
    for part in parts:
        if part.kind == _LOADED and part.address <= address < part.address + part.size:
            return part.offset + address - part.address
    return None


def _of_pe(file: BinaryIO, head: bytes) -> str | None:
    file.seek(struct.unpack_from("<I", head, _PE_AT)[0])
    header = file.read(6)
    if header[:4] != b"PE\0\0":
        return None
    machine = _PE_MACHINES.get(struct.unpack_from("<H", header, 4)[0])
    return None if machine is None else f"windows-{machine}"
