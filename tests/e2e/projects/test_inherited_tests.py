# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test` runs what `mvn test` runs, where tests are inherited from another module."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from jvmdebug_cli.main import main
from tests.e2e.projects.test_maven import HEAD, MODULE
from tests.e2e.testing.conftest import SOURCES
from tests.support.jdks import newest_compiler
from tests.support.libraries import maven
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine"),
]

ROOT = f"""{HEAD}
<groupId>shop</groupId><artifactId>parent</artifactId><version>1-SNAPSHOT</version>
<packaging>pom</packaging><modules><module>yard</module><module>depot</module></modules>
<properties><maven.compiler.release>11</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>
</plugins></pluginManagement></build></project>"""
JUPITER = (
    "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
    "<version>5.11.4</version></dependency>"
)
YARD = (
    "<dependency><groupId>shop</groupId><artifactId>yard</artifactId>"
    "<version>1-SNAPSHOT</version></dependency>"
)
OF_JUPITER = ("yard/Stock", "yard/Weighed", "yard/Rule")
TESTS = ("CrateTest", "BarrelTest", "RuledTest", "Plain")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    root = tmp_path / "inherited"
    write(root / "pom.xml", ROOT)
    write(root / "yard/pom.xml", MODULE % ("yard", JUPITER))
    write(root / "depot/pom.xml", MODULE % ("depot", YARD))
    for each in OF_JUPITER:
        text = (SOURCES / f"{each}.java").read_text("utf-8")
        write(root / f"yard/src/main/java/{each}.java", text)
    for each in TESTS:
        text = (SOURCES / f"depot/{each}.java").read_text("utf-8")
        write(root / f"depot/src/test/java/depot/{each}.java", text)
    return root


def test_the_same_tests_as_with_maven(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(build / "cache"))
    code = main(["test", "--project", str(build), "--json"])
    ours = sorted(
        (told["method"], told["status"])
        for line in capsys.readouterr().out.splitlines()
        if (told := json.loads(line))["event"] == "finished" and told["kind"] == "method"
    )
    assert code == 1
    of_maven = _run_by_maven(build)
    assert ours == of_maven
    assert len([status for _, status in ours if status == "failed"]) == 5


def _run_by_maven(build: Path) -> list[tuple[str, str]]:
    shutil.rmtree(build / "depot" / "target", ignore_errors=True)
    command = [maven() or "mvn", "-q", "-B", "-Dmaven.test.failure.ignore=true", "test"]
    subprocess.run(command, cwd=build, check=True, capture_output=True, timeout=300)
    reports = (build / "depot/target/surefire-reports").glob("TEST-*.xml")
    return sorted(
        (str(case.get("name")), "passed" if case.find("failure") is None else "failed")
        for report in reports
        for case in ET.parse(report).getroot().iter("testcase")
    )
