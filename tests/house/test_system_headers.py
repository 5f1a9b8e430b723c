# SPDX-License-Identifier: Apache-2.0
"""Only native/agent/platform includes headers of the system, and includes no other room."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.house.tracked import text_of, tracked_files

PLATFORM: Final = Path("native/agent/platform")
ROOMS: Final = (Path("native/agent"), Path("native/codec"), Path("native/classfile"))
SYSTEM_HEADER: Final = re.compile(
    r"(arpa|linux|mach|mach-o|net|netinet|sys)/.+"
    r"|(aclapi|dirent|dlfcn|elf|fcntl|grp|ifaddrs|iphlpapi|libproc|link|mstcpip|netdb|ntsecapi|poll"
    r"|psapi|pthread|pwd|sched|signal|spawn|syscall|termios|tlhelp32|ucontext|unistd|windows"
    r"|winsock2|ws2tcpip)\.h"
    r"|csignal|ctime|time\.h"
)
"""Those of POSIX, Linux, macOS and Windows, and those of C++ that stand for them."""
SYSTEMS: Final = ("posix", "linux", "macos", "windows")

_INCLUDE: Final = re.compile(r"^#\s*include ([<\"])([^>\"]+)[>\"]", re.MULTILINE)
_MACRO: Final = re.compile(r"\b(__linux__|__APPLE__|_WIN32|_WIN64|__unix__|__GLIBC__)\b")


def system_headers(text: str) -> list[str]:
    """The headers of the system that a file includes."""
    found = _INCLUDE.findall(text)
    return [name for _, name in found if SYSTEM_HEADER.fullmatch(name)]


def _sources() -> list[Path]:
    return [
        path
        for path in tracked_files()
        if path.suffix in {".h", ".cpp"} and any(path.is_relative_to(room) for room in ROOMS)
    ]


def test_only_the_platform_layer_includes_headers_of_the_system() -> None:
    found = {
        path.as_posix(): headers
        for path in _sources()
        if not path.is_relative_to(PLATFORM) and (headers := system_headers(text_of(path)))
    }
    assert found == {}, "declare what you need in native/agent/platform, with all systems beside"


def test_only_the_platform_layer_asks_which_system_it_is_built_for() -> None:
    found = {
        path.as_posix(): names
        for path in _sources()
        if not path.is_relative_to(PLATFORM) and (names := _MACRO.findall(text_of(path)))
    }
    assert found == {}


def test_the_platform_layer_is_below_everything() -> None:
    found = {
        path.as_posix(): name
        for path in _sources()
        if path.is_relative_to(PLATFORM)
        for mark, name in _INCLUDE.findall(text_of(path))
        if mark == '"' and not name.startswith("agent/platform/")
    }
    assert found == {}


def test_its_headers_show_nothing_of_the_system() -> None:
    """One of a system's folder, and the address of a socket, are for implementations only."""
    shown = [path for path in _sources() if path.parent == PLATFORM and path.suffix == ".h"]
    found = {path.name: system_headers(text_of(path)) for path in shown}
    assert {name for name, headers in found.items() if headers} == {"socket_address.h"}
    assert len(shown) > 5


def test_each_folder_is_one_of_a_system() -> None:
    folders = {
        path.parent.name
        for path in _sources()
        if path.is_relative_to(PLATFORM) and path.parent != PLATFORM
    }
    assert folders - {"jni"} == set(SYSTEMS)


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("#include <unistd.h>", True),
        ("#include <sys/socket.h>", True),
        ("# include <windows.h>", True),
        ("#include <string>", False),
        ('#include "agent/platform/net.h"', False),
    ],
)
def test_the_rule_tells_headers_apart(line: str, *, is_found: bool) -> None:
    assert bool(system_headers(line)) is is_found
