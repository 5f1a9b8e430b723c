# SPDX-License-Identifier: Apache-2.0
"""The platform that a file is built for, and the agent that is chosen by it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from jvmdebug.attaching import agent_loading
from jvmdebug.attaching.attach_protocol import AttachTarget
from jvmdebug.errors import LaunchError
from jvmdebug.jdk import find_jdk
from jvmdebug.launch import agent_library as agents
from jvmdebug.platform.binaries import PLATFORMS, name_of, platform_of, this_platform
from tests.support.elf import AARCH64, GLIBC, MUSL, X86_64, elf, mach_o, pe
from tests.support.process import agent_library

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.jdk import Jdk


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (elf(X86_64, "libm.so.6", GLIBC), "linux-x86_64"),
        (elf(AARCH64, GLIBC), "linux-aarch64"),
        (elf(X86_64, MUSL), "linux-musl-x86_64"),
        (elf(AARCH64, "libstdc++.so.6", "libc.so"), "linux-musl-aarch64"),
        (elf(X86_64, interpreter="/lib/ld-musl-x86_64.so.1"), "linux-musl-x86_64"),
        (elf(X86_64, interpreter="/lib64/ld-linux-x86-64.so.2"), "linux-x86_64"),
        (elf(243, GLIBC), "linux-riscv64"),
        (elf(9999), "linux-machine-9999"),
        (mach_o(0x0100000C), "macos-arm64"),
        (mach_o(0x01000007), "macos-x86_64"),
        (mach_o(12), None),
        (pe(0x8664), "windows-x86_64"),
        (pe(0xAA64), "windows-arm64"),
        (pe(1), None),
        (b"\x7fELF\x01\x01" + bytes(58), None),
        (elf()[:40], None),
        (b"\x7fELF\x02\x01", None),
        (b"MZ", None),
        (b"#!/bin/sh\n", None),
        (b"", None),
    ],
)
def test_the_platform_of_a_file(content: bytes, expected: str | None, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert platform_of(file) == expected


def test_a_file_that_is_cut_anywhere_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    whole = elf(X86_64, GLIBC, interpreter="/lib/ld-linux-x86-64.so.2")
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert platform_of(file) in (None, "linux-x86_64")


def test_what_runs_here() -> None:
    assert platform_of(sys.executable) == this_platform() == platform_of(agent_library())
    assert this_platform() in PLATFORMS


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux", "x86_64", "linux-x86_64"),
        ("linux", "arm64", "linux-aarch64"),
        ("darwin", "arm64", "macos-arm64"),
        ("win32", "AMD64", "windows-x86_64"),
        ("win32", "ARM64", "windows-arm64"),
    ],
)
def test_the_names_that_python_has(system: str, machine: str, expected: str) -> None:
    assert name_of(system, machine) == expected


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with agents for three platforms."""
    contents = {
        "linux-x86_64": ("libjvmdebug.so", elf(X86_64, GLIBC)),
        "linux-musl-x86_64": ("libjvmdebug.so", elf(X86_64, MUSL)),
        "windows-x86_64": ("jvmdebug.dll", pe(0x8664)),
    }
    made = tmp_path / "package" / "agents"
    for name, (library, content) in contents.items():
        (made / name).mkdir(parents=True)
        (made / name / library).write_bytes(content)
    monkeypatch.delenv(agents.AGENT_ENVIRONMENT_NAME, raising=False)
    monkeypatch.setattr(agents, "_installed", lambda name: made.parent / name)
    monkeypatch.setattr(agents, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    return made


def test_the_agent_of_a_platform(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert agents.launch_agent_path("linux-musl-x86_64").parent.name == "linux-musl-x86_64"
    assert agents.launch_agent_path("windows-x86_64").name == "jvmdebug.dll"
    with pytest.raises(
        LaunchError, match=r"none for macos-arm64, but for linux-musl-x86_64, linux-x86_64, windows"
    ):
        agents.launch_agent_path("macos-arm64")
    built = folder.parent / "_agent" / "libjvmdebug.so"
    built.parent.mkdir()
    built.write_bytes(elf(X86_64, GLIBC))
    assert agents.launch_agent_path("linux-x86_64") == built, "what was built here comes first"
    assert agents.launch_agent_path("linux-musl-x86_64") != built
    monkeypatch.setenv(agents.AGENT_ENVIRONMENT_NAME, str(folder))
    assert agents.launch_agent_path("linux-x86_64").parent.parent == folder
    with pytest.raises(LaunchError, match=f"{folder} has none for macos-arm64"):
        agents.launch_agent_path("macos-arm64")


def test_an_installation_without_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(agents.AGENT_ENVIRONMENT_NAME, raising=False)
    monkeypatch.setattr(agents, "_installed", lambda name: tmp_path / name)
    monkeypatch.setattr(agents, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    with pytest.raises(LaunchError, match=r"libjvmdebug\.dylib is not part of this installation"):
        agents.launch_agent_path("macos-arm64")


def musl_runtime(home: Path) -> Jdk:
    """A folder that looks like a Java runtime of Alpine Linux."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").touch(mode=0o755)
    (home / "lib" / "server").mkdir(parents=True)
    (home / "lib" / "server" / "libjvm.so").write_bytes(elf(X86_64, MUSL))
    (home / "release").write_text('JAVA_VERSION="21.0.2"\n')
    return find_jdk(home)


def test_the_runtime_decides_which_agent_a_program_gets(folder: Path, tmp_path: Path) -> None:
    jdk = musl_runtime(tmp_path / "jdk")
    assert agents.platform_of_runtime(jdk) == "linux-musl-x86_64"
    assert agents.choose_agent("jvmdebug", jdk) == "jvmdebug"
    shutil.rmtree(folder / "linux-musl-x86_64")
    with pytest.raises(LaunchError, match="this installation has none for linux-musl-x86_64, but"):
        agents.choose_agent("jvmdebug", jdk)


def test_an_agent_of_another_platform_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "libjvmdebug.so"
    library.write_bytes(elf(X86_64, GLIBC))
    monkeypatch.setenv(agents.AGENT_ENVIRONMENT_NAME, str(library))
    with pytest.raises(
        LaunchError, match="is built for linux-x86_64, and the Java runtime for linux-musl-x86_64"
    ):
        agents.choose_agent("jvmdebug", musl_runtime(tmp_path / "jdk"))


@pytest.mark.parametrize(
    ("library", "mapped", "expected"),
    [
        (elf(AARCH64, GLIBC), "", "linux-aarch64"),
        (elf(X86_64, MUSL), "", "linux-musl-x86_64"),
        (elf(X86_64, GLIBC), "/lib/ld-musl-x86_64.so.1", "linux-musl-x86_64"),
        (b"cut", "", this_platform()),
    ],
)
def test_the_platform_of_a_process(
    library: bytes, mapped: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process in a container: its library is looked up below its own root."""
    vm = tmp_path / "usr" / "lib" / "libjvm.so"
    vm.parent.mkdir(parents=True)
    vm.write_bytes(library)
    maps = "7f00-7f01 r-xp 00000000 08:01 77 /usr/bin/java\n"
    maps += "7f02-7f03 r-xp 00000000 08:01 78                         /usr/lib/libjvm.so\n"
    maps += f"7f04-7f05 r-xp 00000000 08:01 79                         {mapped}\n"
    monkeypatch.setattr(agent_loading, "_read_text", lambda _path: maps)
    target = AttachTarget(os.getpid(), 1, os.getuid(), tmp_path)
    assert agent_loading.platform_of_process(target) == expected


def test_this_machine_has_a_name_that_agents_have() -> None:
    assert platform.machine() in this_platform()
