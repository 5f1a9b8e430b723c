# SPDX-License-Identifier: Apache-2.0
"""A class without a class path is found in the folder of a project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.launch.command_line import ProgramRequest
from jvmdebug.launch.project_command import ProjectCommand, program_command
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

_MAIN = "package shop; class Main { public static void main(String[] args) {} }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CLASSPATH", raising=False)
    write(tmp_path / "plain/src/shop/Main.java", _MAIN)
    write(tmp_path / "plain/.classpath")
    return tmp_path / "plain"


@pytest.mark.parametrize("name", ["shop.Main", "Main"])
async def test_a_class_whose_source_is_there_is_compiled(folder: Path, name: str) -> None:
    command = await program_command(ProgramRequest(main_class=name, cwd=folder))
    assert isinstance(command, ProjectCommand)
    command.remove_temporary_files()
    assert command.main_class == "shop.Main"


@pytest.mark.parametrize("name", ["shop.Other", "Other"])
async def test_any_other_class_is_on_the_class_path(folder: Path, name: str) -> None:
    request = ProgramRequest(main_class=name, cwd=folder)
    with pytest.raises(LaunchError, match=f"there is no class {name} on the class path"):
        await program_command(request)
    write(folder / f"{name.replace('.', '/')}.class", "")
    command = await program_command(request)
    assert not isinstance(command, ProjectCommand)
    assert command.main_class == name


async def test_a_class_with_its_module_is_found_in_the_project(folder: Path) -> None:
    write(folder / "src/module-info.java", "module shop { }")
    request = ProgramRequest(module="shop/shop.Main", cwd=folder)
    for each in (request, replace(request, project=".")):
        command = await program_command(each)
        assert isinstance(command, ProjectCommand)
        command.remove_temporary_files()
        arguments = list(command.arguments)
        assert arguments[arguments.index("--module") + 1] == "shop/shop.Main"
        assert "--module-path" in arguments


async def test_a_module_of_the_jdk_needs_no_project(folder: Path) -> None:
    request = ProgramRequest(module="jdk.compiler/com.sun.tools.javac.Main", cwd=folder)
    assert not isinstance(await program_command(request), ProjectCommand)
