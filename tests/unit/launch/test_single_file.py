# SPDX-License-Identifier: Apache-2.0
"""A single file is compiled once, and again when something that went into it has changed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.javac import Turn
from jvmdebug.jdk import Jdk, jdk_to_compile
from jvmdebug.launch.single_file import CompiledFile, compile_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def jdk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Jdk:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = jdk_to_compile(11)
    assert found is not None
    return found


def write(file: Path, text: str) -> None:
    """Writes a file as if saved a while ago."""
    file.write_text(text)
    saved = time.time() - 60
    os.utime(file, (saved, saved + len(text) / 1000))


async def test_an_unchanged_file_is_not_compiled_again(
    jdk: Jdk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    times = 0
    compile_files = Turn.compile_files

    def counted(*arguments: Any) -> Any:
        nonlocal times
        times += 1
        return compile_files(*arguments)

    monkeypatch.setattr(Turn, "compile_files", counted)
    main, cart = tmp_path / "Main.java", tmp_path / "Cart.java"
    write(main, "class Main { public static void main(String[] a) { new Cart(); } }")
    write(cart, "class Cart { }")

    async def compiled() -> tuple[CompiledFile, int]:
        before = times
        return await compile_file(main, jdk), times - before

    first, compiles = await compiled()
    assert compiles == 1
    second, compiles = await compiled()
    assert compiles == 0
    assert first.directory != second.directory
    for each in (first, second):
        assert each.directory is not None
        assert {file.name for file in each.directory.iterdir()} == {"Main.class", "Cart.class"}
        each.remove()
    write(cart, "class Cart { int size; }")
    assert (await compiled())[1] == 1
    cart.write_text("class Cart { long size; }")
    os.utime(cart, (time.time() + 60, time.time() + 60))  # as saved while it is compiled
    assert [(await compiled())[1] for _ in range(2)] == [1, 1]
    write(cart, "class Cart { int size }")
    for _ in range(2):
        with pytest.raises(LaunchError, match=r"(?s)Main.java does not compile:\n.*\^"):
            await compile_file(main, jdk)
