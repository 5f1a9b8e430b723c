# SPDX-License-Identifier: Apache-2.0
"""Paths, command lines and names of programs as other systems have them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from jvmdebug.platform import files, paths, programs, system

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "NAME", "win32")


@pytest.mark.parametrize(
    ("text", "absolute", "last", "slashes"),
    [
        ("/src/shop/Main.java", True, "Main.java", "/src/shop/Main.java"),
        (r"C:\src\shop\Main.java", True, "Main.java", "C:/src/shop/Main.java"),
        ("c:/src/shop/Main.java", True, "Main.java", "c:/src/shop/Main.java"),
        (r"\\server\share\Main.java", True, "Main.java", "//server/share/Main.java"),
        ("shop/Main.java", False, "Main.java", "shop/Main.java"),
        (r"odd\name.java", False, r"odd\name.java", r"odd\name.java"),
        ("C:Main.java", False, "C:Main.java", "C:Main.java"),
    ],
)
def test_paths_of_any_system(text: str, absolute: bool, last: str, slashes: str) -> None:  # noqa: FBT001
    assert paths.is_absolute(text) is absolute
    assert paths.last_part(text) == last
    assert paths.with_slashes(text) == slashes


def test_one_file_has_one_key() -> None:
    assert paths.key(r"C:\Src\Main.java") == paths.key("c:/src/main.JAVA")
    assert paths.key("/Src/Main.java") != paths.key("/src/Main.java")


@pytest.mark.usefixtures("windows")
def test_command_lines() -> None:
    assert paths.words(r'-cp C:\lib\a.jar "C:\Program Files\x.jar" -Dname=it\'s') == [
        *("-cp", r"C:\lib\a.jar", r"C:\Program Files\x.jar", r"-Dname=it\'s")
    ]
    with pytest.raises(ValueError, match="closing"):
        paths.words('"C:\\open')


def test_command_lines_of_a_shell() -> None:
    assert paths.words(r"a\ b 'c d'") == ["a b", "c d"]


def test_a_class_path_has_the_separator_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pathsep", ";")
    assert paths.joined(["C:\\a", "b.jar"]) == "C:\\a;b.jar"


@pytest.mark.usefixtures("windows")
def test_names_of_programs_and_libraries(tmp_path: Path) -> None:
    assert programs.program("java") == "java.exe"
    assert programs.library("jdwp") == "jdwp.dll"
    assert programs.library_folder() == "bin"
    assert programs.script_in(tmp_path, "mvnw") is None
    (tmp_path / "mvnw").touch()
    assert programs.script_in(tmp_path, "mvnw") is None, "it is for a shell"
    script = tmp_path / "mvnw.cmd"
    script.touch()
    assert programs.script_in(tmp_path, "mvnw") == script
    assert programs.command_of_script(script) == [str(script)]


def test_names_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "NAME", "darwin")
    assert programs.library("jdwp") == "libjdwp.dylib"
    assert programs.program("java") == "java"


def test_flags_that_a_system_lacks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_NONBLOCK")
    monkeypatch.setattr(os, "O_BINARY", 0x8000, raising=False)
    assert files.flags("O_WRONLY", "O_NONBLOCK") == os.O_WRONLY | 0x8000
