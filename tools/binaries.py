# SPDX-License-Identifier: Apache-2.0
"""What an agent for any system exports, and which system it needs: ELF, Mach-O and PE files.

ELF files are read with readelf (`tools.symbols`), the other two here, as far as their headers tell:
`python -m tools.binaries FILE...` prints it. An agent needs only what every system of its kind has.
"""

from __future__ import annotations

import argparse
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools import symbols
from tools.symbols import OLDEST_GLIBC

__all__ = ["OLDEST_GLIBC", "OLDEST_MACOS", "OLDEST_WINDOWS", "FormatError", "needs", "problems"]

OLDEST_MACOS: Final = (13, 0)
OLDEST_WINDOWS: Final = (10, 0)
"""The newest version that the header of a DLL may ask for."""

_MACOS_LIBRARIES: Final = frozenset({"/usr/lib/libSystem.B.dylib"})
_WINDOWS_LIBRARIES: Final = frozenset({"advapi32.dll", "kernel32.dll", "ntdll.dll", "ws2_32.dll"})
_WINDOWS_C: Final = "api-ms-win-crt-"
"""The C library that Windows 10 brings, in parts."""

_MACH_O: Final = 0xFEEDFACF
_LOAD_DYLIB: Final = frozenset({0xC, 0x80000018, 0x8000001F})
_EXPORTS_AT: Final = {0x22: 40, 0x80000022: 40, 0x80000033: 8}
"""Commands of a Mach-O file that tell of its exports, and where in them; the last is the newer."""
_OF_LINKER: Final = frozenset({"__dso_handle", "_mh_dylib_header"})
"""The places where a Mach-O file begins; every library has them, and finds its own."""
_BUILD_VERSION: Final = 0x32
_PE64: Final = 0x20B
_PROCESSORS: Final = {
    0x3E: "x86_64",
    0xB7: "aarch64",
    0x01000007: "x86_64",
    0x0100000C: "arm64",
    0x8664: "x86_64",
    0xAA64: "arm64",
}


class FormatError(Exception):
    """A file is none of the three kinds, or ends too early."""


@dataclass(frozen=True, slots=True)
class Binary:
    """`oldest`: the system that it needs at least, such as `(13, 0)`; empty if it names none."""

    kind: str
    processor: str
    exports: frozenset[str]
    libraries: frozenset[str]
    oldest: tuple[int, ...]


def read(path: Path) -> Binary:
    """What the headers of that library say. Raises FormatError, CalledProcessError of readelf."""
    data = path.read_bytes()
    try:
        if data.startswith(b"\x7fELF"):
            return _elf(path, data)
        if data.startswith(b"MZ"):
            return _pe(data)
        if struct.unpack_from("<I", data)[0] == _MACH_O:
            return _mach_o(data)
    except (struct.error, ValueError, IndexError) as error:
        raise FormatError(f"{path}: {error}") from error
    raise FormatError(f"{path} is no ELF, Mach-O or PE file")


def _elf(path: Path, data: bytes) -> Binary:
    found = symbols.read(path)
    versions = [symbols.glibc_version(version) for version in found.imports.values()]
    return Binary(
        "ELF",
        _PROCESSORS[struct.unpack_from("<H", data, 18)[0]],
        found.exports,
        found.needed,
        max(filter(None, versions), default=()),
    )


def _mach_o(data: bytes) -> Binary:
    _, processor, _, _, count = struct.unpack_from("<5I", data)
    at = 32
    libraries, exports = set(), frozenset[str]()
    oldest: tuple[int, ...] = ()
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if command in _LOAD_DYLIB:
            libraries.add(_text(data, at + struct.unpack_from("<I", data, at + 8)[0]))
        elif command == _BUILD_VERSION:
            version = struct.unpack_from("<I", data, at + 12)[0]
            oldest = (version >> 16, version >> 8 & 0xFF)
        elif command in _EXPORTS_AT:
            first, length = struct.unpack_from("<2I", data, at + _EXPORTS_AT[command])
            exports = _mach_o_exports(data[first : first + length]) - _OF_LINKER
        at += size
    return Binary("Mach-O", _PROCESSORS[processor], exports, frozenset(libraries), oldest)


def _mach_o_exports(trie: bytes) -> frozenset[str]:
    """The symbols that others see: a tree, in which each node has the letters that follow."""
    found = set()
    nodes = [(0, b"")] if trie else []
    seen = set()
    while nodes:
        at, name = nodes.pop()
        if at in seen:
            raise ValueError("its exports have a circle")
        seen.add(at)
        length, at = _uleb128(trie, at)
        if length:
            found.add(name.decode().removeprefix("_"))
        at += length
        count, at = trie[at], at + 1
        for _ in range(count):
            end = trie.index(b"\0", at)
            child, after = _uleb128(trie, end + 1)
            nodes.append((child, name + trie[at:end]))
            at = after
    return frozenset(found)


def _uleb128(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _pe(data: bytes) -> Binary:
    header = struct.unpack_from("<I", data, 0x3C)[0] + 4
    processor, section_count, _, _, _, optional_size = struct.unpack_from("<2H3IH", data, header)
    optional = header + 20
    if struct.unpack_from("<H", data, optional)[0] != _PE64:
        raise ValueError("it is no 64-bit PE file")
    sections = [
        struct.unpack_from("<4I", data, optional + optional_size + 40 * number + 8)
        for number in range(section_count)
    ]

    def place(address: int) -> int:
        for size, begin, _, offset in sections:
            if begin <= address < begin + size:
                return int(address - begin + offset)
        raise ValueError(f"no section has the address {address:#x}")

    tables = [struct.unpack_from("<2I", data, optional + 112 + 8 * index) for index in range(2)]
    exports = set()
    if tables[0][0]:
        count, _, names = struct.unpack_from("<3I", data, place(tables[0][0]) + 24)
        for at in range(place(names), place(names) + 4 * count, 4):
            exports.add(_text(data, place(struct.unpack_from("<I", data, at)[0])))
    libraries = set()
    at = place(tables[1][0])
    while name := struct.unpack_from("<I", data, at + 12)[0]:
        libraries.add(_text(data, place(name)).lower())
        at += 20
    oldest = struct.unpack_from("<2H", data, optional + 48)
    return Binary(
        "PE", _PROCESSORS[processor], frozenset(exports), frozenset(libraries), tuple(oldest)
    )


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def problems(path: Path, name: str) -> list[str]:
    """Why the agent of that name (`macos-arm64`) is not what it should be; empty when it is."""
    system, _, processor = name.rpartition("-")
    is_glibc = system == "linux"
    said = symbols.problems(path, portable=True) if is_glibc else _problems(path, system)
    if (found := read(path)).processor != processor:
        said.append(f"it is for {found.processor}")
    return said


def _problems(path: Path, system: str) -> list[str]:
    found = read(path)
    kind, oldest, libraries = {
        "linux-musl": ("ELF", (), frozenset({"libc.so"})),
        "macos": ("Mach-O", OLDEST_MACOS, _MACOS_LIBRARIES),
        "windows": ("PE", OLDEST_WINDOWS, _WINDOWS_LIBRARIES),
    }[system]
    said = []
    if found.kind != kind:
        said.append(f"it is a file of the kind {found.kind}")
    if others := sorted(found.exports ^ symbols.agent_exports()):
        said.append(f"its exports are not those of exports.map: {', '.join(others)}")
    more = [each for each in found.libraries - libraries if not each.startswith(_WINDOWS_C)]
    if more:
        said.append(f"it needs {', '.join(sorted(more))} beside the system's libraries")
    if found.oldest > oldest:
        said.append(f"it needs {system} {'.'.join(map(str, found.oldest))}")
    return said


def needs(path: Path) -> str:
    """What a library needs, for people: `glibc 2.17`, `macOS 13.0`."""
    found = read(path)
    version = ".".join(map(str, found.oldest))
    if found.kind == "ELF":
        return f"glibc {version}" if version else "musl"
    if found.kind == "Mach-O":
        return f"macOS {version}"
    return f"Windows 10 (its header names {version})"


def main() -> None:
    """Print what these files are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    for path in parser.parse_args().files:
        found = read(path)
        print(f"{path}: {found.kind}, {found.processor}, {needs(path)}")
        print(f"  needs: {' '.join(sorted(found.libraries))}")
        print(f"  exports: {' '.join(sorted(found.exports))}")


if __name__ == "__main__":
    main()
