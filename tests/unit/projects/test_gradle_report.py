# SPDX-License-Identifier: Apache-2.0
"""What `report.gradle` writes (here as Gradle 4.4.1 did), as source sets."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from jvmdebug.projects.errors import BuildError
from jvmdebug.projects.gradle_report import read_report
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path


def report(root: Path) -> str:
    lines = [
        ("java", "/jdk"),
        ("project", ":", root, root / "build.gradle"),
        ("project", ":app", root / "app", root / "app/build.gradle"),
        ("set", "main"),
        ("sources", root / "app/src/main/java"),
        ("resources", root / "app/src/main/resources"),
        ("classes", root / "app/build/classes/java/main"),
        ("runtime", root / "app/build/resources/main"),
        ("output", root / "app/build/classes/java/main"),
        ("release", "", "11", "11"),
        ("encoding", "UTF-8"),
        ("compile", root / "core/build/libs/core.jar"),
        ("compile", "/cache/gson.jar"),
        ("runtime", root / "core/build/libs/core.jar"),
        ("runtime", "/cache/gson.jar"),
        ("project", ":core", root / "core", root / "core/build.gradle"),
        ("set", "main"),
        ("sources", root / "core/src/main/java"),
        ("classes", root / "core/build/classes/java/main"),
        ("runtime", root / "core/build/resources/main"),
        ("output", root / "core/build/classes/java/main"),
        ("release", "17", "17", "17"),
        ("jar", root / "core/build/libs/core.jar", "jar"),
    ]
    return "".join("\t".join(map(str, fields)) + "\n" for fields in lines)


def test_jars_of_other_projects_are_their_classes(tmp_path: Path) -> None:
    layout = read_report(report(tmp_path), tmp_path, is_built=True)
    app, core = layout.sets
    assert [str(each).removeprefix(str(tmp_path)) for each in app.class_path] == [
        "/app/build/classes/java/main",
        "/app/build/resources/main",
        "/core/build/classes/java/main",
        "/core/build/resources/main",
        "/cache/gson.jar",
    ]
    assert layout.needed_by(app) == (core, app)
    assert app.javac_options == ("-encoding", "UTF-8", "-source", "11", "-target", "11")
    assert core.javac_options == ("--release", "17")
    assert (layout.release, app.build_tool_because) == (17, None)
    of_root = dataclasses.replace(app, module=":")
    assert [each.title for each in (app, of_root)] == [":app main", "main"]
    assert tmp_path / "gradle/libs.versions.toml" in layout.build_files
    assert tmp_path / "app/build.gradle" in layout.build_files


def test_kotlin_and_what_was_not_built_are_gradle_s(tmp_path: Path) -> None:
    (app, _) = read_report(report(tmp_path), tmp_path, is_built=False).sets
    assert app.build_tool_because == "it has not been built yet"
    write(tmp_path / "app/src/main/java/App.kt", "fun main() { }")
    (app, _) = read_report(report(tmp_path), tmp_path, is_built=True).sets
    assert app.build_tool_because == "it has sources of another language than Java"


def test_missing_dependencies_are_named(tmp_path: Path) -> None:
    text = report(tmp_path) + "unresolved\tCould not find gson:gson:1\n"
    with pytest.raises(BuildError, match=r":core main: Could not find gson:gson:1"):
        read_report(text, tmp_path, is_built=True)
