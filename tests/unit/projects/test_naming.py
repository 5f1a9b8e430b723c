# SPDX-License-Identifier: Apache-2.0
"""What projects are called, and a class that several modules have."""

from __future__ import annotations

from pathlib import Path

import pytest

from jvmdebug import projects
from jvmdebug.projects.choosing import one_module
from jvmdebug.projects.errors import ProjectError
from jvmdebug.projects.layout import Layout, SourceSet
from tests.unit.projects.test_detection import write

POM = """<project><parent><artifactId>shop-parent</artifactId></parent>
<artifactId>shop-core</artifactId>
<dependencies><dependency><artifactId>gson</artifactId></dependency></dependencies></project>"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    write(tmp_path / "back/core/pom.xml", POM)
    write(tmp_path / "back/core/src/main/resources/gson/pom.xml", "<project/>")
    write(tmp_path / "front/settings.gradle.kts", 'rootProject.name = "storefront"')
    write(tmp_path / "front/libs/web/build.gradle")
    write(tmp_path / "old/.project", "<projectDescription><name>Legacy</name><comment/>")
    write(tmp_path / "plain/src/Main.java")
    (tmp_path / "empty/gson").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("shop-core", "back/core"),
        ("shop:shop-core", "back/core"),
        ("core", "back/core"),
        ("storefront", "front"),
        ("front", "front"),
        ("web", "front/libs/web"),
        (":libs:web", "front/libs/web"),
        ("Legacy", "old"),
        ("plain", "plain"),
        ("plain_1a2b3c4d", "plain"),
        ("shop-parent", None),
        ("gson", None),
        ("nothing", None),
    ],
)
def test_a_project_by_its_name(workspace: Path, name: str, folder: str | None) -> None:
    wanted = None if folder is None else workspace / folder
    assert projects.folder_called(name, workspace) == wanted


def sets_of(*modules: str) -> list[SourceSet]:
    return [SourceSet("main", each, Path(each)) for each in modules]


def test_a_class_of_several_modules_is_asked_for(tmp_path: Path) -> None:
    first, second = sets_of("a", "b")
    assert one_module("shop.Main", [first], tmp_path) is first
    with pytest.raises(ProjectError, match=r"shop\.Main is in several modules .*\(a, b\): name"):
        one_module("shop.Main", [first, second], tmp_path)


def test_the_class_path_of_another_scope(tmp_path: Path) -> None:
    main = SourceSet("main", "a", tmp_path)
    slow, test = (SourceSet(name, "a", tmp_path, is_test=True) for name in ("slow", "test"))
    other = SourceSet("test", "b", tmp_path, is_test=True)
    layout = Layout((main, other, slow, test))
    assert layout.in_scope(main, "auto") is main
    assert layout.in_scope(main, "test") is test
    assert layout.in_scope(slow, "test") is slow
    assert layout.in_scope(slow, "runtime") is main
    assert layout.in_scope(other, "runtime") is other, "its module has none"
