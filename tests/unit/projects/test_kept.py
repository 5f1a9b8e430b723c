# SPDX-License-Identifier: Apache-2.0
"""Tells when the build tool is asked again, and when its kept answer still holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from jvmdebug.projects.gradle import Gradle
from jvmdebug.projects.kept import Kept
from jvmdebug.projects.layout import Layout, SourceSet
from jvmdebug.projects.maven import Maven

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "core").mkdir(parents=True)
    for name in ("pom.xml", "core/pom.xml", "gson.jar"):
        (folder / name).write_text(name)
    return folder


@pytest.fixture
def kept(root: Path) -> Kept:
    files = tuple(root / name for name in ("pom.xml", "core/pom.xml", "gradle.lockfile"))
    jars = SourceSet(
        "main", "core", root / "core", class_path=(root / "classes", root / "gson.jar")
    )
    made = Kept(root, "maven")
    made.keep_layout(Layout((jars,), files), "mvn 3.9")
    return made


def touch(root: Path) -> None:
    os.utime(root / "core/pom.xml", (1, 1))


def test_an_answer_holds_while_nothing_changed(kept: Kept, root: Path) -> None:
    found = kept.layout("mvn 3.9")
    assert found is not None
    assert found.sets[0].class_path == (root / "classes", root / "gson.jar")
    touch(root)  # saved without a change, or checked out again
    assert kept.layout("mvn 3.9") == found
    assert Kept(root, "maven").layout("mvn 3.9") == found  # in another process


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda root: (root / "pom.xml").write_text("other"), id="build file"),
        pytest.param(lambda root: (root / "core/pom.xml").write_text("new"), id="of a module"),
        pytest.param(lambda root: (root / "core/pom.xml").unlink(), id="module gone"),
        pytest.param(
            lambda root: (root / "gradle.lockfile").write_text(""), id="lock file appears"
        ),
        pytest.param(lambda root: (root / "gson.jar").unlink(), id="jar gone"),
    ],
)
def test_an_answer_is_void_after_a_change(
    kept: Kept, root: Path, change: Callable[[Path], object]
) -> None:
    change(root)
    assert kept.layout("mvn 3.9") is None


def test_an_answer_is_void_for_another_build_tool(kept: Kept) -> None:
    assert kept.layout("mvn 4.0") is None


@pytest.mark.parametrize(("tool", "program"), [(Maven, "mvn"), (Gradle, "gradle")])
def test_an_editor_has_another_path_than_a_terminal_and_the_same_answers(
    tool: type[Maven | Gradle], program: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = root / "bin" / program
    command.parent.mkdir()
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent))
    for name in ("jdk", "other"):
        (root / name / "bin").mkdir(parents=True)
        (root / name / "bin/java").touch(mode=0o755)
    monkeypatch.setenv("JAVA_HOME", str(root / "jdk"))
    in_terminal = tool(root).environment()
    monkeypatch.setenv("PATH", f"{root}{os.pathsep}{command.parent}")
    assert tool(root).environment() == in_terminal
    monkeypatch.setenv("JAVA_HOME", str(root / "other"))
    assert tool(root).environment() != in_terminal
