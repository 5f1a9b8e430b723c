# SPDX-License-Identifier: Apache-2.0
"""A class without a class path is found in the folder of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.launch.command_line import ProgramRequest
from jvmdebug.session.project_program import ProjectCommand, program_command
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
async def test_any_other_class_is_the_vm_s_to_find(folder: Path, name: str) -> None:
    command = await program_command(ProgramRequest(main_class=name, cwd=folder))
    assert not isinstance(command, ProjectCommand)
    assert command.main_class == name
