# SPDX-License-Identifier: Apache-2.0
"""Tests that a class inherits, or has by annotations that stand for others, are found and run."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_cli.main import main
from tests.e2e.testing.conftest import SOURCES, made_project
from tests.e2e.testing.test_frameworks import Heard, results_of
from tests.support.libraries import frameworks, maven
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

OF_CRATE = {
    "depot.CrateTest#countsPieces": "passed",
    "depot.CrateTest#isNeverWhole": "failed",
    "depot.CrateTest#hasWeight": "failed",
}
OF_BARREL = {
    "depot.BarrelTest#countsPieces": "passed",
    "depot.BarrelTest#hasWeight": "failed",
}
NESTED_IN = "[engine:junit-jupiter]/[class:depot.%s]/[nested-class:WhenEmpty]/[method:hasNone()]"
NESTED = {NESTED_IN % each: "failed" for each in ("BarrelTest", "CrateTest")}
"""JUnit tells the class that declares it, whichever inherits it: the id has that."""
IN_SUITE = "[engine:junit4]/[class:depot.OlderSuite]/[test:testAge(depot.OlderCrateTest)]"
ALL = {
    **OF_CRATE,
    **OF_BARREL,
    **NESTED,
    "depot.RuledTest#isRuled": "passed",
    "depot.OldCrateTest#isOld": "failed",
    "depot.OlderCrateTest#testAge": "failed",
    IN_SUITE: "failed",
    "depot.NgCrateTest#isNew": "passed",
}

OF_ANOTHER_ENGINE = """package shop;
import org.junit.platform.commons.annotation.Testable;
class OtherTest {
  @Testable
  void isOther() {}
}
"""


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose classes inherit their tests from a jar, as from another module."""
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    folder = tmp_path_factory.mktemp("inherited")
    jars = frameworks()
    classes = folder / "classes"
    sources = sorted((SOURCES / "yard").glob("*.java"))
    javac(sources, classes, "--release", "11", class_path=jars)
    project = made_project(folder / "depot", jars, package="depot")
    with zipfile.ZipFile(project / "lib" / "yard.jar", "w") as jar:
        for each in sorted(classes.rglob("*.class")):
            jar.write(each, each.relative_to(classes))
    return project


async def run(project: Path, jdk: Jdk, agent_kind: AgentKind, *tests: str) -> tuple[Heard, int]:
    heard, exit_code = await results_of(
        jvmdebug.launch(project=project, tests=tests, java=jdk.home, agent=agent_kind)
    )
    return heard, exit_code


async def test_all_inherited_tests_run(depot: Path, jdk: Jdk, agent_kind: AgentKind) -> None:
    heard, exit_code = await run(depot, jdk, agent_kind, "*")
    assert heard.leaves == ALL
    assert exit_code == 1


async def test_classes_and_methods_are_named(depot: Path, jdk: Jdk, agent_kind: AgentKind) -> None:
    named = ("BarrelTest", "depot.CrateTest#hasWeight", "CrateTest#countsPieces", "OlderSuite")
    heard, _ = await run(depot, jdk, agent_kind, *named)
    assert heard.leaves == {
        **OF_BARREL,
        NESTED_IN % "BarrelTest": "failed",
        "depot.CrateTest#countsPieces": "passed",
        "depot.CrateTest#hasWeight": "failed",
        IN_SUITE: "failed",
    }


def test_the_exit_code_tells_a_class_that_is_left_out(
    tmp_path: Path, jdk: Jdk, agent_kind: AgentKind, capsys: pytest.CaptureFixture[str]
) -> None:
    """One whose class file is damaged, and one that no engine on the class path takes."""
    del agent_kind
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    jars = [each for each in frameworks() if not each.name.startswith("testng")]
    project = made_project(tmp_path / "p", tuple(jars), "CartTest", "OddsTest")
    source = project / "src" / "shop" / "CartTest.java"
    source.write_text(_passing(source.read_text("utf-8")), "utf-8")
    arguments = ["test", "--java", str(jdk.home), "--project", str(project)]
    assert main(arguments) == 0, capsys.readouterr().out
    with jvmdebug.projects.find(project) as found:
        output = found.source_set.output
    assert output is not None
    compiled = output / "shop" / "CartTest.class"
    content = compiled.read_bytes()
    compiled.write_bytes(content[:200])
    assert main([*arguments, "--build", "never"]) == 1
    assert re.search(r"FAILED +shop\.CartTest", capsys.readouterr().out)
    compiled.write_bytes(content)
    source.with_name("OtherTest.java").write_text(OF_ANOTHER_ENGINE)
    assert main(arguments) == 1
    said = capsys.readouterr().out
    assert re.search(r"FAILED +shop\.OtherTest", said)
    assert "no engine of JUnit's platform on the class path finds a test in shop.OtherTest" in said


def _passing(text: str) -> str:
    begin = text.index("{", text.index("class CartTest"))
    return text[: begin + 1] + "\n  @org.junit.jupiter.api.Test\n  void adds() {}\n}\n"
