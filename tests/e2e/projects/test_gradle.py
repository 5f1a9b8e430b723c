# SPDX-License-Identifier: Apache-2.0
"""A Gradle build of two projects, through whatever Gradle this machine has."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from jvmdebug import projects
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import CART, MAIN, edit, names

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(500),
    pytest.mark.skipif(shutil.which("gradle") is None, reason="there is no Gradle on this machine"),
]

BUILD = "subprojects { apply plugin: 'java'; sourceCompatibility = 11; targetCompatibility = 11 }"


def test_two_projects_of_a_build(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(root / "settings.gradle", "include 'core', 'app'")
    write(root / "gradle.properties", "org.gradle.daemon=false\n")  # it would outlive the test
    write(root / "build.gradle", BUILD)
    write(root / "core/src/main/java/shop/Cart.java", CART)
    cart = root / "core/src/main/java/shop/Cart.java"
    main = write(root / "app/src/main/java/shop/Main.java", MAIN)
    keyword = "dependencies { compile project(':core') }"
    write(root / "app/build.gradle", keyword)
    told: list[str] = []
    work = projects.Work(told.append)
    with projects.find(main) as project:
        program = project.program(work=work)
        assert program.main_class == "shop.Main"
        assert root / "core/build/classes/java/main" in program.class_path
        assert project.compile(program.source_set, work=work).by == "Gradle"
        assert told[:1] == ["Gradle: reading shop"]
        assert project.compile(program.source_set).by == "nothing"
        program = project.program()
        edit(cart, "return 3", "return 4")
        done = project.compile(program.source_set)
        assert (done.by, names(done)) == ("javac", {"Cart"})
        write(root / "app/build.gradle", "dependencies { nonsense }")
        with pytest.raises(projects.BuildError, match=r"(?s)build\.gradle' line: 1.*nonsense"):
            project.layout()
