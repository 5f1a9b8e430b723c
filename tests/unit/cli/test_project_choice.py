# SPDX-License-Identifier: Apache-2.0
"""Tests which words of `jvmdebug launch` mean a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug_cli.project_choice import is_project_folder
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

_MAIN = "class Main { public static void main(String[] args) {} }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "maven/pom.xml", "<project><modules><module>app</module></modules></project>")
    write(tmp_path / "maven/app/pom.xml", "<project/>")
    write(tmp_path / "plain/src/shop/Main.java", _MAIN)
    write(tmp_path / "plain/lib/gson.jar")
    write(tmp_path / "files/Main.java", _MAIN)
    write(tmp_path / "classes/shop/Main.class")
    write(tmp_path / "classes/shop.class")
    return tmp_path


@pytest.mark.parametrize(
    ("cwd", "program"),
    [
        (".", "maven"),
        ("maven", "."),
        ("maven", "app"),
        ("maven/app", ".."),
        ("plain", "."),
        ("plain", "src"),
        ("files", "."),
    ],
)
def test_folders_of_projects(folder: Path, cwd: str, program: str) -> None:
    assert is_project_folder(program, str(folder / cwd))


@pytest.mark.parametrize(
    ("cwd", "program"), [("classes", "shop"), ("plain", "lib"), ("plain", "Main"), (".", "classes")]
)
def test_classes_and_other_folders(folder: Path, cwd: str, program: str) -> None:
    assert not is_project_folder(program, str(folder / cwd))
