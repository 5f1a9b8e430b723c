# SPDX-License-Identifier: Apache-2.0
"""What the headers of libraries say, read from small files that are made here."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from tools import binaries, symbols

if TYPE_CHECKING:
    from pathlib import Path


def mach_o(*names: str, version: tuple[int, int] = (13, 0), library: str = "") -> bytes:
    """A dynamic library of macOS for arm64 that exports these names."""
    path = (library or "/usr/lib/libSystem.B.dylib").encode() + b"\0"
    path += bytes(-len(path) % 8)
    commands = struct.pack("<6I", 0xC, 24 + len(path), 24, 0, 0, 0) + path
    commands += struct.pack("<6I", 0x32, 24, 1, version[0] << 16 | version[1] << 8, 0, 0)
    trie = _exports(names)
    at = 32 + len(commands) + 16
    commands += struct.pack("<4I", 0x80000033, 16, at, len(trie))
    header = struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 5, 3, len(commands), 0, 0)
    return header + commands + trie


def _exports(names: tuple[str, ...]) -> bytes:
    """The tree of exported names: `_`, and below it each name with an address."""

    def offset(at: int) -> bytes:  # in two bytes, however small it is
        return bytes([at & 0x7F | 0x80, at >> 7])

    edges = [name.encode() + b"\0" for name in names]
    leaves_at = 6 + 2 + sum(len(edge) + 2 for edge in edges)
    inner = bytes([0, len(names)])
    for number, edge in enumerate(edges):
        inner += edge + offset(leaves_at + 5 * number)
    leaf = b"\3\0" + offset(0x1000) + b"\0"
    return b"\0\1_\0" + offset(6) + inner + leaf * len(names)


def pe(*names: str, libraries: tuple[str, ...] = ("KERNEL32.dll",), oldest: int = 6) -> bytes:
    """A DLL for x86-64 that exports these names; its one section is at 0x1000."""
    section = 0x1000
    head = 0x200
    content = bytearray(40)
    names_at = len(content)
    content += bytes(4 * len(names))
    for number, name in enumerate(names):
        struct.pack_into("<I", content, names_at + 4 * number, section + len(content))
        content += name.encode() + b"\0"
    struct.pack_into("<3I", content, 24, len(names), 0, section + names_at)
    imports_at = len(content)
    content += bytes(20 * (len(libraries) + 1))
    for number, library in enumerate(libraries):
        struct.pack_into("<I", content, imports_at + 20 * number + 12, section + len(content))
        content += library.encode() + b"\0"
    optional = bytearray(240)
    struct.pack_into("<H", optional, 0, 0x20B)
    struct.pack_into("<2H", optional, 48, oldest, 0)
    struct.pack_into("<2I", optional, 112, section if names else 0, 40)
    struct.pack_into("<2I", optional, 120, section + imports_at, 40)
    coff = struct.pack("<2H3I2H", 0x8664, 1, 0, 0, 0, len(optional), 0x2022)
    table = struct.pack("<8s4I", b".rdata", len(content), section, len(content), head)
    start = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + coff + optional + table
    return start + bytes(head - len(start)) + bytes(content)


def stored(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "library"
    path.write_bytes(content)
    return path


def test_a_library_of_macos(tmp_path: Path) -> None:
    path = stored(tmp_path, mach_o("Agent_OnLoad", "Agent_OnAttach", "__dso_handle"))
    found = binaries.read(path)
    assert (found.kind, found.processor, found.oldest) == ("Mach-O", "arm64", (13, 0))
    assert found.exports == {"Agent_OnLoad", "Agent_OnAttach"}
    assert found.libraries == {"/usr/lib/libSystem.B.dylib"}
    assert binaries.needs(path) == "macOS 13.0"


def test_a_library_of_windows(tmp_path: Path) -> None:
    path = stored(tmp_path, pe("Agent_OnLoad", libraries=("KERNEL32.dll", "WS2_32.dll")))
    found = binaries.read(path)
    assert (found.kind, found.processor, found.oldest) == ("PE", "x86_64", (6, 0))
    assert found.exports == {"Agent_OnLoad"}
    assert found.libraries == {"kernel32.dll", "ws2_32.dll"}


def test_a_library_that_exports_nothing(tmp_path: Path) -> None:
    assert binaries.read(stored(tmp_path, pe())).exports == frozenset()


@pytest.mark.parametrize(
    ("name", "make"), [("macos-arm64", mach_o), ("windows-x86_64", pe)], ids=["macos", "windows"]
)
def test_an_agent_that_is_as_it_should_be(tmp_path: Path, name: str, make: object) -> None:
    assert callable(make)
    assert binaries.problems(stored(tmp_path, make(*symbols.agent_exports())), name) == []


def test_what_is_wrong_with_an_agent_is_said(tmp_path: Path) -> None:
    exports = symbols.agent_exports() | {"stray"}
    newer = stored(tmp_path, mach_o(*exports, version=(14, 2), library="/opt/lib/libc++.dylib"))
    assert binaries.problems(newer, "macos-arm64") == [
        "its exports are not those of exports.map: stray",
        "it needs /opt/lib/libc++.dylib beside the system's libraries",
        "it needs macos 14.2",
    ]
    assert binaries.problems(newer, "macos-x86_64")[-1] == "it is for arm64"
    dll = stored(tmp_path, pe(*symbols.agent_exports(), libraries=("libstdc++-6.dll",), oldest=11))
    assert binaries.problems(dll, "windows-x86_64") == [
        "it needs libstdc++-6.dll beside the system's libraries",
        "it needs windows 11.0",
    ]


@pytest.mark.parametrize("content", [b"", b"text", b"MZ", struct.pack("<I", 0xFEEDFACF)])
def test_what_is_no_library_is_an_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(binaries.FormatError):
        binaries.read(stored(tmp_path, content))
