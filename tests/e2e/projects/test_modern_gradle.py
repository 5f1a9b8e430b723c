# SPDX-License-Identifier: Apache-2.0
"""What the init script reports inside a newer Gradle: 8.10, which runs here as a library.

No package registry has distributions of Gradle newer than Debian's 4, so the command is not tried.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import jvmdebug.projects
from jvmdebug.projects.gradle_report import read_report
from tests.support.jdks import discover
from tests.support.libraries import gradle_library, maven
from tests.unit.projects.test_detection import write

SCRIPT = Path(jvmdebug.projects.__file__).with_name("report.gradle")
PROGRAM = Path(__file__).with_name("ModernGradle.java")

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(maven() is None, reason="Gradle is fetched by Maven; no mvn here"),
]


BUILD = """
test {
    useJUnitPlatform { excludeTags 'slow'; includeEngines 'junit-jupiter' }
    jvmArgs '--add-opens', 'java.base/java.lang=ALL-UNNAMED'
    systemProperty 'boats', 7
    environment 'HARBOUR', 'north'
    workingDir 'work'
    classpath += files('extra')
    exclude '**/Alone*'
    filter { includeTestsMatching '*Test' }
    forkEvery = 1
    enableAssertions = false
}
tasks.register('alone', Test) {
    testClassesDirs = sourceSets.test.output.classesDirs
    classpath = sourceSets.test.runtimeClasspath
    include '**/Alone*'
    useTestNG { includeGroups 'all'; listeners << 'a.Listener' }
    maxHeapSize = '200m'
    doFirst { systemProperty 'late', 'yes' }
}
"""


def test_the_report_of_a_project(tmp_path: Path) -> None:
    write(tmp_path / "src/main/java/shop/Main.java", "package shop; class Main {}")
    write(tmp_path / "src/test/java/shop/MainTest.java", "package shop; class MainTest {}")
    # One project stands for all of the build: there is no build that runs.
    script = SCRIPT.read_text().replace("gradle.allprojects {", "[project].each {")
    write(tmp_path / "report.gradle", script)
    write(tmp_path / "own.gradle", BUILD)
    (tmp_path / "report").mkdir()
    jdk = next(each for each in discover() if each.version >= 17)
    ran = subprocess.run(
        [
            *(str(jdk.java), "--add-opens=java.base/java.lang=ALL-UNNAMED"),
            f"-Djvmdebug.report={tmp_path / 'report'}",
            *("-cp", os.pathsep.join(map(str, gradle_library())), str(PROGRAM)),
            *(str(tmp_path), str(tmp_path / "own.gradle"), str(tmp_path / "report.gradle")),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    (report,) = (tmp_path / "report").iterdir()
    layout = read_report(report.read_text(), tmp_path, is_built=True)
    main, test = layout.sets
    assert main.source_folders == (tmp_path / "src/main/java",)
    assert main.output == tmp_path / "build/classes/java/main"
    assert main.class_path == (main.output, tmp_path / "build/resources/main")
    assert main.build_tool_because is None
    assert (test.is_test, test.class_path[:1]) == (True, (tmp_path / "build/classes/java/test",))
    assert main.output in test.class_path
    assert layout.java_home == jdk.home.resolve()
    usual, alone = test.test_settings
    assert (usual.name, usual.is_usual, usual.folder) == (":test", True, tmp_path / "work")
    assert [each for each in usual.vm_args if not each.startswith(("-Dfile.", "-Duser."))] == [
        *("-Dboats=7", "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
        *("-Dorg.gradle.test.worker=1", "-Xmx512m"),
    ]
    assert dict(usual.environment)["HARBOUR"] == "north"
    assert usual.class_path is not None
    assert usual.class_path[-1] == tmp_path / "extra"
    assert usual.runner_options == ("--exclude-group=slow", "--include-engine=junit-jupiter")
    assert usual.is_forked_each
    assert [usual.has(f"p.{each}") for each in ("ATest", "AloneTest", "B")] == [True, False, False]
    assert usual.java == jdk.home.resolve()
    assert (alone.name, alone.is_usual, alone.has("p.AloneTest")) == (":alone", False, True)
    assert {"-ea", "-Xmx200m"} <= set(alone.vm_args)
    assert alone.runner_options == ("--include-group=all",)
    assert alone.not_applied == (
        "listeners (a.Listener): they are not told of these tests",
        (
            "action (Execute doFirst {} action): code that the build runs before or after its "
            "tests; what it sets is not known"
        ),
    )
