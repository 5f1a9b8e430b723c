# SPDX-License-Identifier: Apache-2.0
"""Tests which tests are meant, what their class path lacks, and what the runner's lines mean."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug import projects
from jvmdebug.errors import LaunchError
from jvmdebug.projects.declared_tests import classes_in
from jvmdebug.projects.testing import Results, select_tests, selector_of
from jvmdebug.projects.testing.frameworks import frameworks
from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from jvmdebug.projects import Project

SOURCE = """package shop;
class CartTest {
  @Test
  void adds() {}
  class Empty {
    @Test void has() {}
  }
}
"""
PLATFORM = "junit-platform"


SAMPLES = json.loads((REPOSITORY / "tests/support/declared_tests.json").read_text("utf-8"))
"""The VS Code extension reads the same: vscode-extension/test/testClasses.test.ts."""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each["title"])
def test_what_a_source_declares(tmp_path: Path, sample: dict[str, Any]) -> None:
    file = tmp_path / ("File.kt" if sample.get("language") == "kotlin" else "File.java")
    file.write_text(sample["source"])
    found = {}
    for each in classes_in(file):
        lines: dict[str, int] = {}
        for method in each.methods:  # a name may be overloaded
            lines.setdefault(method.name, method.line)
        found[f"{each.name}:{each.line}"] = [f"{name}:{line}" for name, line in lines.items()]
    assert found == sample["tests"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for folder, package in (("shop", "shop"), ("shop/tax", "shop.tax"), ("other", "other")):
        path = tmp_path / "p" / "src" / folder
        path.mkdir(parents=True)
        path.joinpath("CartTest.java").write_text(
            SOURCE.replace("package shop", f"package {package}")
        )
    other = tmp_path / "p" / "src" / "other"
    other.joinpath("OnlyTest.java").write_text(
        "package other; class OnlyTest { @Test void is() {} }"
    )
    other.joinpath("MoreTest.java").write_text("package other; class MoreTest extends OnlyTest {}")
    return projects.find(tmp_path / "p")


def selected(project: Project, *texts: str) -> list[str]:
    found = select_tests(project, texts, projects.Work(), how="never")
    assert len(found) <= 1
    return [each for _, selectors in found for each in selectors]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("shop.CartTest", ["shop.CartTest"]),
        ("shop.CartTest#adds", ["shop.CartTest#adds"]),
        ("shop.CartTest#adds[12]", ["shop.CartTest#adds[12]"]),
        ("shop.CartTest$Empty#has", ["shop.CartTest$Empty#has"]),
        ("shop.CartTest.Empty", ["shop.CartTest$Empty"]),
        ("OnlyTest", ["other.OnlyTest"]),
        ("tax.CartTest", ["shop.tax.CartTest"]),
        ("other.MoreTest", ["other.MoreTest"]),
        (
            "shop.*",
            [
                "shop.CartTest",
                "shop.CartTest$Empty",
                "shop.tax.CartTest",
                "shop.tax.CartTest$Empty",
            ],
        ),
        ("shop.tax.*", ["shop.tax.CartTest", "shop.tax.CartTest$Empty"]),
    ],
)
def test_what_a_text_means(project: Project, text: str, meant: list[str]) -> None:
    assert sorted(selected(project, text)) == sorted(meant)


def test_all_tests_and_each_once(project: Project) -> None:
    found = selected(project, "*", "OnlyTest", "other.*")
    assert len(found) == len(set(found)) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "CartTest",
            r"CartTest may be any of other\.CartTest, shop\.CartTest, shop\.tax\.CartTest",
        ),
        ("Nope", r"the project in .*/p has no Nope; it has tests in \w"),
        ("nope.*", r"the package nope in .*/p has no tests; it has tests in \w"),
        ("sho.*", "the package sho in"),
        ("a b", "'a b' names no test: write CLASS, "),
        ("A#b[x]", "names no test"),
        ("#b", "names no test"),
        ("", "names no test"),
    ],
)
def test_what_means_nothing_is_refused(project: Project, text: str, said: str) -> None:
    with pytest.raises(LaunchError, match=said):
        selected(project, text)


def test_a_selector() -> None:
    assert selector_of("a.B") == "a.B"
    assert selector_of("a.B", "c") == "a.B#c"
    assert selector_of("a.B", "c", 2) == "a.B#c[2]"


# --- frameworks ----------------------------------------------------------------------------------


def jar(path: Path, *classes: str, version: str | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in classes:
            archive.writestr(f"{name}.class", b"")
        if version is not None:
            archive.writestr("META-INF/MANIFEST.MF", f"Implementation-Version: {version}\r\n")
    return path


COMMONS = "org/junit/platform/commons/JUnitException"
ENGINE = "org/junit/platform/engine/TestEngine"
LAUNCHER = "org/junit/platform/launcher/Launcher"
API = "org/junit/jupiter/api/Test"
JUPITER = "org/junit/jupiter/engine/JupiterTestEngine"
ALL_OF_JUNIT_5 = (COMMONS, ENGINE, LAUNCHER, API, JUPITER)


@pytest.mark.parametrize(
    ("classes", "runners"),
    [
        (ALL_OF_JUNIT_5, ("Platform",)),
        (("org/junit/runner/JUnitCore",), ("JUnit4",)),
        (("org/testng/TestNG",), ("TestNg",)),
        ((*ALL_OF_JUNIT_5, "org/junit/runner/JUnitCore"), ("Platform", "JUnit4")),
    ],
)
@pytest.mark.parametrize("name", ["junit-testng.jar", "of-its-own.jar"])
def test_which_runners_there_are(
    project: Project, tmp_path: Path, classes: tuple[str, ...], runners: tuple[str, ...], name: str
) -> None:
    path = jar(tmp_path / name, *classes)
    found = frameworks((path,), project, projects.Work())
    assert (found.extra, found.runners, found.jars) == ((), runners, (path,))


def test_no_framework_is_told(project: Project, tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="has no JUnit and no TestNG: add one to the build"):
        frameworks((jar(tmp_path / "a.jar", "a/B"),), project, projects.Work())


def maven_jar(repository: Path, group: str, artifact: str, version: str, *classes: str) -> Path:
    folder = repository / group.replace(".", "/") / artifact / version
    return jar(folder / f"{artifact}-{version}.jar", *classes)


def test_what_junit_lacks_comes_from_the_repository_of_its_jars(
    project: Project, tmp_path: Path
) -> None:
    there = tmp_path / "repository"
    commons = maven_jar(there, "org.junit.platform", f"{PLATFORM}-commons", "1.9.3", COMMONS)
    api = maven_jar(there, "org.junit.jupiter", "junit-jupiter-api", "5.9.3", API)
    engine = maven_jar(there, "org.junit.jupiter", "junit-jupiter-engine", "5.9.3", JUPITER)
    platform = maven_jar(there, "org.junit.platform", f"{PLATFORM}-engine", "1.9.3", ENGINE)
    launcher = maven_jar(there, "org.junit.platform", f"{PLATFORM}-launcher", "1.9.3", LAUNCHER)
    found = frameworks((commons, api), project, projects.Work())
    assert set(found.extra) == {launcher, platform, engine}
    assert found.runners == ("Platform",)


def test_a_jar_from_the_cache_of_gradle(project: Project, tmp_path: Path) -> None:
    cache = tmp_path / "files-2.1"
    group = cache / "org.junit.platform"
    commons = jar(
        group / f"{PLATFORM}-commons/1.9.3/a1/{PLATFORM}-commons-1.9.3.jar", COMMONS, ENGINE
    )
    launcher = jar(group / f"{PLATFORM}-launcher/1.9.3/b2/{PLATFORM}-launcher-1.9.3.jar", LAUNCHER)
    assert frameworks((commons,), project, projects.Work()).extra == (launcher,)


def test_what_cannot_be_had_is_named_with_its_version(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GRADLE_USER_HOME", raising=False)
    path = jar(tmp_path / "junit.jar", COMMONS, ENGINE, version="1.10.0")
    with pytest.raises(
        LaunchError, match=rf"{PLATFORM}-launcher:1\.10\.0 is needed to run"
    ) as raised:
        frameworks((path,), project, projects.Work())
    assert f'testRuntimeOnly("org.junit.platform:{PLATFORM}-launcher")' in str(raised.value)
    assert str(tmp_path / "home" / ".m2" / "repository") in str(raised.value)


# --- lines of the runner -------------------------------------------------------------------------


def line(**told: Any) -> bytes:
    return json.dumps(told).encode()


def test_lines_become_events_with_places(project: Project) -> None:
    source = Path(project.root) / "src"
    results = Results([source])
    of_class = {"id": "c", "kind": "class", "name": "CartTest", "class": "shop.CartTest"}
    of_method = {"id": "m", "parent": "c", "kind": "method", "name": "adds()"}
    of_method |= {"class": "shop.CartTest", "method": "adds"}
    frames = [
        {"class": "org.junit.Assert", "method": "fail", "file": "Assert.java", "line": 1},
        {"class": "shop.CartTest$Empty", "method": "x", "file": "CartTest.java", "line": 6},
    ]
    failure = {"type": "java.lang.Error", "message": "no", "trace": "…", "frames": frames}
    lines = [
        line(event="begin"),
        line(event="started", **of_class),
        line(event="started", **of_method),
        line(event="finished", id="m", status="failed", seconds=0.5, failure=failure),
        line(event="finished", id="c", status="passed", seconds=0.6),
        line(event="end", tests=1),
    ]
    begin, _, started, failed, passed, end = [results.event(each) for each in lines]
    assert begin is not None
    assert started is not None
    assert (started.file, started.line) == (source / "shop" / "CartTest.java", 4)
    assert started.selector == "shop.CartTest#adds"
    assert failed is not None
    assert (failed.event, failed.name, failed.status) == ("finished", "adds()", "failed")
    assert failed.failure is not None
    assert (failed.failure.file, failed.failure.line) == (source / "shop" / "CartTest.java", 6)
    assert passed is not None
    assert passed.line == 2
    assert end is not None
    assert end.counts == {"failed": 1}, "a class that passes is not counted"


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"null", b'{"event":"other"}', b'{"event":"finished","id":"x"}', b"\xff"],
)
def test_a_line_that_is_not_of_the_runner_is_nothing(text: bytes) -> None:
    assert Results(()).event(text) is None
