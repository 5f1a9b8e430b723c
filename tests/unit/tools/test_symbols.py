# SPDX-License-Identifier: Apache-2.0
"""What libraries need of the system: those that were built here, and some that need too much."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from jvmdebug.launch.agent_library import find_agent_library
from tools import symbols

COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler `cc` here")


def native_module() -> Path:
    found = importlib.util.find_spec("jvmdebug._native")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin)


def compiled(folder: Path, text: str, *options: str, name: str = "libsome.so") -> Path:
    assert COMPILER is not None
    (folder / "some.c").write_text(text, encoding="utf-8")
    made = folder / name
    command = [COMPILER, "-w", "-shared", "-fPIC", str(folder / "some.c"), "-o", str(made)]
    subprocess.run([*command, *options], check=True)
    return made


def test_what_is_built_here_calls_nothing_newer_than_the_oldest_glibc() -> None:
    agent = find_agent_library()
    assert agent is not None
    assert symbols.problems(agent, portable=False) == []
    assert symbols.problems(native_module(), portable=False) == []


def test_the_agent_needs_libc_alone_and_shows_the_names_that_a_vm_looks_up() -> None:
    agent = find_agent_library()
    assert agent is not None
    found = symbols.read(agent)
    assert "libc.so.6" in found.needed
    assert "libstdc++.so.6" not in found.needed
    assert found.exports == symbols.agent_exports()
    assert {"Agent_OnLoad", "Agent_OnAttach"} <= found.exports
    assert "memcpy" in found.imports


@needs_compiler
def test_a_newer_function_is_told(tmp_path: Path) -> None:
    text = "int getentropy(void*, unsigned long); int ask(void* p) { return getentropy(p, 1); }"
    library = compiled(tmp_path, text)
    expected = ["glibc 2.17 has no getentropy (GLIBC_2.25)"]
    assert symbols.problems(library, portable=True) == expected
    assert symbols.problems(library, portable=False) == expected


@needs_compiler
def test_another_library_and_more_exports_are_told_of_the_agent(tmp_path: Path) -> None:
    names = " ".join(f"void {name}(void) {{}}" for name in sorted(symbols.agent_exports()))
    right = compiled(tmp_path, names, "-nostdlib", name="libjvmdebug.so")
    assert symbols.problems(right, portable=True) == []

    more = compiled(tmp_path, f"{names} void more(void) {{}}", "-nostdlib", name="libjvmdebug.so")
    (problem,) = symbols.problems(more, portable=True)
    assert problem == "its exports are not those of exports.map: more"

    options = ("-nostdlib", "-Wl,--no-as-needed", "-lgcc_s")
    other = compiled(tmp_path, names, *options, name="libjvmdebug.so")
    for portable in (True, False):
        (problem,) = symbols.problems(other, portable=portable)
        assert problem == "it needs libgcc_s.so.1 beside libc"
