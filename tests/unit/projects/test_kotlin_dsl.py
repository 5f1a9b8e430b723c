# SPDX-License-Identifier: Apache-2.0
"""Gradle builds whose scripts are in Kotlin, around Gradle: none was found that runs them here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import projects
from tests.support.gradle_wrapper import calls, write_wrapper
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import CART, MAIN, edit, names

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPTS = {
    "settings.gradle.kts": 'rootProject.name = "shop"\n',
    "build.gradle.kts": "plugins { java }\n",
    "gradle/libs.versions.toml": '[versions]\njunit = "5.11.4"\n',
    "gradle/tools.versions.toml": '[versions]\nlint = "1"\n',
    "buildSrc/src/main/kotlin/conventions.gradle.kts": "plugins { java }\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    for name, text in _SCRIPTS.items():
        write(folder / name, text)
    write(folder / "src/main/java/shop/Cart.java", CART)
    write(folder / "src/main/java/shop/Main.java", MAIN)
    write_wrapper(folder, build_file="build.gradle.kts")
    return folder


@pytest.mark.parametrize("named", ["", "build.gradle.kts", "src/main/java/shop/Main.java"])
def test_it_is_found_asked_once_and_compiled(root: Path, named: str) -> None:
    with projects.find(root / named) as project:
        assert (project.kind, project.root) == ("gradle", root)
        program = project.program()
        assert program.main_class == "shop.Main"
        assert program.class_path == (root / "build/classes/java/main",)
        assert project.compile(program.source_set).by == "Gradle"
        assert project.compile().by == "nothing"
        edit(root / "src/main/java/shop/Cart.java", "return 3", "return 4")
        done = project.compile()
        assert (done.by, names(done)) == ("javac", {"Cart"})
    asked, built = calls(root)
    # An init script is in its own language, whatever that of the build.
    assert all("-I " in each and "report.gradle " in each for each in (asked, built))
    assert asked.endswith(" jvmdebugReport")
    assert built.endswith(" :classes jvmdebugReport")


@pytest.mark.parametrize(
    "file",
    [
        *_SCRIPTS,
        "gradle.lockfile",
        "gradle.properties",
        "gradle/wrapper/gradle-wrapper.properties",
        "buildSrc/build.gradle.kts",
    ],
)
def test_it_is_asked_again_when_its_files_change(root: Path, file: str) -> None:
    with projects.find(root) as project:
        first = project.layout()
        assert project.layout() == first
        assert len(calls(root)) == 1
        path = root / file
        write(path, (path.read_text() if path.exists() else "") + "\n// changed\n")
        assert project.layout().sets == first.sets
        assert len(calls(root)) == 2
        project.layout()
        assert len(calls(root)) == 2


def test_a_mistake_in_a_script_is_told_with_its_line(root: Path) -> None:
    said = f"e: file://{root}/build.gradle.kts:1:11: Unresolved reference: jawa"
    write_wrapper(root, build_file="build.gradle.kts", first=f"echo '{said}'; exit 1")
    with projects.find(root) as project, pytest.raises(projects.BuildError) as failure:
        project.layout()
    assert "Unresolved reference: jawa" in str(failure.value)
    assert f"{root}/build.gradle.kts:1" in str(failure.value)
    (problem,) = failure.value.problems
    assert (problem.file, problem.line) == (root / "build.gradle.kts", 1)
