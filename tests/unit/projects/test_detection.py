# SPDX-License-Identifier: Apache-2.0
"""Tests which project a path belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.projects.detection import detect
from jvmdebug.projects.errors import ProjectError

if TYPE_CHECKING:
    from pathlib import Path

MAIN = "package shop; class Main { public static void main(String[] a) { } }"


def write(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def module(name: str) -> str:
    return f"<project><modules><module>{name}</module></modules></project>"


def test_a_file_in_a_module_belongs_to_the_whole_maven_build(tmp_path: Path) -> None:
    write(tmp_path / "pom.xml", module("libs/core"))
    write(tmp_path / "libs/core/pom.xml", "<project/>")
    main = write(tmp_path / "libs/core/src/main/java/shop/Main.java", MAIN)
    found = detect(main)
    assert (found.kind, found.root, found.focus) == ("maven", tmp_path, main)


def test_a_pom_above_that_does_not_know_the_module_is_another_build(tmp_path: Path) -> None:
    write(tmp_path / "pom.xml", module("other"))
    write(tmp_path / "core/pom.xml", "<project/>")
    found = detect(tmp_path / "core")
    assert (found.kind, found.root) == ("maven", tmp_path / "core")


@pytest.mark.parametrize("settings", ["settings.gradle", "settings.gradle.kts"])
def test_a_gradle_build_begins_at_its_settings(tmp_path: Path, settings: str) -> None:
    write(tmp_path / settings)
    write(tmp_path / "app/build.gradle.kts")
    found = detect(write(tmp_path / "app/src/main/kotlin/Main.kt"))
    assert (found.kind, found.root) == ("gradle", tmp_path)


def test_a_gradle_build_without_settings_is_where_its_build_file_is(tmp_path: Path) -> None:
    write(tmp_path / "build.gradle")
    assert detect(tmp_path / "build.gradle").root == tmp_path


@pytest.mark.parametrize(("used", "kind"), [("build", "gradle"), ("target", "maven")])
def test_of_two_builds_the_used_one_is_taken(tmp_path: Path, used: str, kind: str) -> None:
    write(tmp_path / "pom.xml", "<project/>")
    write(tmp_path / "build.gradle")
    (tmp_path / used).mkdir()
    assert detect(tmp_path).kind == kind


def test_a_named_build_file_decides(tmp_path: Path) -> None:
    write(tmp_path / "pom.xml", "<project/>")
    assert detect(write(tmp_path / "build.gradle")).kind == "gradle"


def test_sources_with_libraries_beside_them_are_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "lib/gson.jar")
    found = detect(write(tmp_path / "src/shop/Main.java", MAIN))
    assert (found.kind, found.root) == ("folder", tmp_path)


def test_a_folder_named_src_alone_is_no_project(tmp_path: Path) -> None:
    """People keep everything in `~/src`: none of it is compiled for a file that lies there."""
    main = write(tmp_path / "src/Main.java", "class Main { }")
    assert detect(main).kind == "file"


def test_a_folder_named_test_is_no_project(tmp_path: Path) -> None:
    assert detect(write(tmp_path / "test/Main.java", "class Main { }")).kind == "file"


def test_a_single_file_and_a_jar_are_projects_of_their_own(tmp_path: Path) -> None:
    main = write(tmp_path / "shop/Main.java", MAIN)
    assert detect(main).root == main
    jar = write(tmp_path / "app.jar")
    assert (detect(jar).kind, detect(jar).root) == ("jar", jar)


def test_builds_outside_the_repository_are_not_looked_for(tmp_path: Path) -> None:
    write(tmp_path / "pom.xml", "<project/>")
    (tmp_path / "work/.git").mkdir(parents=True)
    assert detect(write(tmp_path / "work/Main.java", MAIN)).kind == "file"


def test_what_is_no_project_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"no such file"):
        detect(tmp_path / "nowhere")
    with pytest.raises(ProjectError, match=r"name a folder, a build file"):
        detect(write(tmp_path / "notes.txt"))
