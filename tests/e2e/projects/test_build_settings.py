# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test` runs tests with what `mvn test` would: a build with settings of all kinds."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from jvmdebug import projects
from jvmdebug_cli.main import main
from tests.e2e.projects.test_maven import HEAD
from tests.support.jdks import discover
from tests.support.libraries import maven
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(500),
    pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine"),
]

JUPITER = (
    "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
    "<version>5.11.4</version><scope>test</scope></dependency>"
)
GSON = (
    "<dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId>"
    "<version>2.11.0</version></dependency>"
)
SUREFIRE = "<plugin><artifactId>maven-surefire-plugin</artifactId>"
POM = f"""{HEAD}
<groupId>pier</groupId><artifactId>pier</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release><boats>7</boats>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
<argLine>-Dof.property=yes</argLine></properties>
<dependencies>{JUPITER}{GSON}</dependencies>
<profiles><profile><id>tide</id><activation><file><exists>tide.txt</exists></file></activation>
<build><plugins>{SUREFIRE}<configuration><systemPropertyVariables><of.profile>yes</of.profile>
</systemPropertyVariables></configuration></plugin></plugins></build></profile></profiles>
<build><pluginManagement><plugins>{SUREFIRE}<version>3.2.5</version><configuration>
<systemPropertyVariables><managed>yes</managed></systemPropertyVariables>
<classpathDependencyExcludes>com.google.code.gson:gson</classpathDependencyExcludes>
<additionalClasspathElements>extra</additionalClasspathElements>
<workingDirectory>work</workingDirectory><excludedGroups>slow</excludedGroups>
<rerunFailingTestsCount>2</rerunFailingTestsCount>
<environmentVariables><HARBOUR>north</HARBOUR></environmentVariables>
</configuration></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
</plugins></pluginManagement>
<plugins>{SUREFIRE}
<configuration><argLine>@{{argLine}} -Dof.line=${{boats}}
--add-opens java.base/java.lang=ALL-UNNAMED -Xmx200m @{{noSuch}}</argLine>
<systemPropertyVariables><here>${{project.build.directory}}</here>
<jdk.util.jar.version>10</jdk.util.jar.version></systemPropertyVariables>
</configuration><executions><execution><id>default-test</id><configuration><excludes>
<exclude>**/Alone*</exclude></excludes></configuration></execution>
<execution><id>alone</id><goals><goal>test</goal></goals><configuration>
<includes><include>**/Alone*</include></includes><reuseForks>false</reuseForks>
<systemPropertyVariables><is.alone>yes</is.alone></systemPropertyVariables>
</configuration></execution></executions></plugin>
</plugins></build></project>"""
TEST = """\
package pier;

import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
import org.junit.jupiter.api.*;

class SettingsTest {
    String of(String name) { return System.getProperty(name, ""); }
    @Test void line() { assertEquals("yes 7", of("of.property") + " " + of("of.line")); }
    @Test void heap() { assertTrue(Runtime.getRuntime().maxMemory() < 250L << 20); }
    @Test void opens() throws Exception {
        String.class.getDeclaredField("hash").setAccessible(true);
    }
    @Test void properties() { assertTrue(of("here").endsWith("target")); }
    @Test void tooLateForTheJvm() {
        assertEquals("10", of("jdk.util.jar.version"));
        assertEquals(Runtime.version().feature(), java.util.jar.JarFile.runtimeVersion().feature());
    }
    @Test void management() { assertEquals("yes", of("managed")); }
    @Test void profile() { assertEquals("yes", of("of.profile")); }
    @Test void environment() { assertEquals("north", System.getenv("HARBOUR")); }
    @Test void directory() { assertTrue(Files.exists(Path.of("here.txt"))); }
    @Test void added() { assertNotNull(getClass().getResource("/extra.txt")); }
    @Test void leftOut() {
        String name = "com.google.gson.Gson";
        assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
    }
    @Test void always() { assertNotNull(of("basedir") + of("localRepository")); }
    @Test @Tag("slow") void slow() { fail(); }
}
"""
ALONE = """\
package pier;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

class Alone%sTest {
    @Test void isAlone() {
        assertEquals("yes", System.getProperty("is.alone"));
        assertNull(System.setProperty("ran", "yes"), "each class has a JVM of its own");
    }
}
"""
STRANGE = """\
package pier;
class Strange { @org.junit.jupiter.api.Test void runs() {} }
"""


@pytest.fixture
def pier(tmp_path: Path) -> Path:
    root = tmp_path / "pier"
    write(root / "pom.xml", POM.replace(" @{noSuch}", ""))
    write(root / "tide.txt", "")
    write(root / "work/here.txt", "")
    write(root / "extra/extra.txt", "")
    write(root / "src/test/java/pier/SettingsTest.java", TEST)
    write(root / "src/test/java/pier/Strange.java", STRANGE)
    for each in ("A", "B"):
        write(root / f"src/test/java/pier/Alone{each}Test.java", ALONE % each)
    return root


def by_maven(root: Path) -> dict[str, str]:
    """What `mvn test` says of each test."""
    subprocess.run(
        ["mvn", "-B", "-q", "test", "-Dmaven.test.failure.ignore"],
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=True,
    )
    found = {}
    for file in (root / "target/surefire-reports").glob("TEST-*.xml"):
        for case in ET.parse(file).iter("testcase"):
            failed = case.find("failure") is not None or case.find("error") is not None
            status = "failed" if failed else "passed"
            found[f"{case.get('classname')}#{case.get('name')}"] = status
    return found


def test_tests_run_as_the_build_runs_them(
    pier: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(pier)

    def ours(*arguments: str) -> tuple[dict[str, str], str]:
        main(["test", "--json", *arguments])
        said = capsys.readouterr()
        events = [json.loads(each) for each in said.out.splitlines()]
        return {
            each["selector"]: each["status"]
            for each in events
            if each["event"] == "finished" and each["kind"] == "method"
        }, said.err

    found, said = ours()
    expected = by_maven(pier)
    assert found == expected
    assert len(found) == 14
    assert set(found.values()) == {"passed"}
    assert "left out, as the build does not run them with its tests: pier.Strange" in said
    assert "rerunFailingTestsCount (2): a test that fails is not run again" in said
    assert ours("Strange", "SettingsTest#slow")[0] == {
        "pier.Strange#runs": "passed",
        "pier.SettingsTest#slow": "failed",
    }
    with projects.find(pier) as project:
        (alone,) = projects.programs_of_tests(project, ["AloneATest", "AloneBTest"])
        assert (
            "forks: the build starts a JVM for each class, and these are in one"
            in alone.not_applied
        )
    # What the build decides by a file that is there, and what has no value.
    (pier / "tide.txt").unlink()
    found, said = ours("SettingsTest#profile")
    assert found == {"pier.SettingsTest#profile": "failed"}
    write(pier / "pom.xml", POM)
    found, said = ours("SettingsTest#line")
    assert found == {"pier.SettingsTest#line": "passed"}
    assert re.search(r"argLine: @\{noSuch\} is left out, as @\{noSuch\} has no value", said)


TOOLCHAINS = """<toolchains><toolchain><type>jdk</type><provides><version>7</version></provides>
<configuration><jdkHome>%s</jdkHome></configuration></toolchain></toolchains>"""
CHOSEN = "<version>7</version>"
PLUGIN = f"""<build><plugins><plugin><artifactId>maven-toolchains-plugin</artifactId>
<version>3.2.0</version><executions><execution><goals><goal>toolchain</goal></goals></execution>
</executions><configuration><toolchains><jdk>{CHOSEN}</jdk></toolchains></configuration></plugin>"""


@pytest.mark.parametrize("by", ["plugin", "surefire"])
def test_the_jdk_of_a_toolchain_runs_the_tests(by: str, tmp_path: Path) -> None:
    pom = POM[: POM.index("<profiles>")] + "<build><plugins>"
    of_surefire = "<version>3.2.5</version>"
    if by == "plugin":
        pom = pom.replace("<build><plugins>", PLUGIN)
    else:
        of_surefire += f"<configuration><jdkToolchain>{CHOSEN}</jdkToolchain></configuration>"
    pom += f"{SUREFIRE}{of_surefire}</plugin></plugins></build></project>"
    write(tmp_path / "pom.xml", pom)
    write(tmp_path / ".mvn/maven.config", "-t\ntoolchains.xml\n")
    write(tmp_path / "src/test/java/pier/Strange.java", STRANGE)
    for jdk in discover()[-2:]:
        write(tmp_path / "toolchains.xml", TOOLCHAINS % jdk.home)
        with projects.find(tmp_path) as project:
            (test_set,) = (each for each in project.layout().sets if each.is_test)
            (found,) = test_set.test_settings
            assert found.java is not None
            assert found.java.resolve() == jdk.java.resolve()
