# SPDX-License-Identifier: Apache-2.0
"""A Gradle build of two projects, through whatever Gradle this machine has."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from jvmdebug import projects
from jvmdebug_cli.main import main
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


SETTINGS = """
apply plugin: 'java'
repositories { mavenCentral() }
sourceCompatibility = 11
targetCompatibility = 11
dependencies { testCompile 'junit:junit:4.13.2' }
test {
    useJUnit { excludeCategories 'pier.Slow' }
    jvmArgs '--add-opens', 'java.base/java.lang=ALL-UNNAMED', '-Dof.line=a b'
    maxHeapSize = '200m'
    systemProperty 'boats', 7
    environment 'HARBOUR', 'north'
    environment.remove('LEFT_OUT')
    workingDir 'work'
    classpath += files('extra')
    exclude '**/Alone*'
    filter { includeTestsMatching '*Test' }
    enableAssertions = false
}
task alone(type: Test) { include '**/Alone*' }
"""
TEST = """
package pier;

import static org.junit.Assert.*;
import java.nio.file.*;
import org.junit.*;
import org.junit.experimental.categories.Category;

public class SettingsTest {
    static String of(String name) { return System.getProperty(name, ""); }
    @Test public void properties() { assertEquals("7a b", of("boats") + of("of.line")); }
    @Test public void worker() { assertNotEquals("", of("org.gradle.test.worker")); }
    @Test public void heap() { assertTrue(Runtime.getRuntime().maxMemory() < 250L << 20); }
    @Test public void opens() throws Exception {
        String.class.getDeclaredField("hash").setAccessible(true);
    }
    @Test public void environment() { assertEquals("north", System.getenv("HARBOUR")); }
    @Test public void leftOut() { assertNull(System.getenv("LEFT_OUT")); }
    @Test public void directory() { assertTrue(Files.exists(Paths.get("here.txt"))); }
    @Test public void added() { assertNotNull(getClass().getResource("/extra.txt")); }
    @Test public void assertions() { assert false; }
    @Test @Category(Slow.class) public void slow() { fail(); }
    @Test @Ignore public void ignored() { fail(); }
    @Test public void fails() { fail(); }
}
"""


def test_tests_run_as_the_build_runs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "settings.gradle", "rootProject.name = 'pier'")
    write(tmp_path / "gradle.properties", "org.gradle.daemon=false\n")
    write(tmp_path / "build.gradle", SETTINGS)
    write(tmp_path / "work/here.txt", "")
    write(tmp_path / "extra/extra.txt", "")
    tests = tmp_path / "src/test/java/pier"
    write(tests / "Slow.java", "package pier; public interface Slow {}")
    write(tests / "SettingsTest.java", TEST)
    for name in ("Strange", "AloneTest"):
        write(
            tests / f"{name}.java",
            f"package pier; public class {name} {{ @org.junit.Test public void runs() {{}} }}",
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEFT_OUT", "1")
    main(["test", "--json"])
    said = capsys.readouterr()
    events = [json.loads(each) for each in said.out.splitlines()]
    found = {
        each["selector"]: each["status"]
        for each in events
        if each["event"] == "finished" and each["kind"] == "method"
    }
    subprocess.run(
        ["gradle", "--console=plain", "test"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,  # a test fails
    )
    expected = {}
    for file in (tmp_path / "build/test-results/test").glob("TEST-*.xml"):
        for case in ET.parse(file).iter("testcase"):
            kinds = {each.tag for each in case} & {"failure", "skipped"}
            status = {"failure": "failed", "skipped": "skipped"}.get("".join(kinds), "passed")
            expected[f"{case.get('classname')}#{case.get('name')}"] = status
    assert found == expected
    assert len(found) == 11
    assert [name for name, status in found.items() if status == "failed"] == [
        "pier.SettingsTest#fails"
    ]
    assert "the build does not run them with its tests: pier.AloneTest, pier.Strange" in said.err
