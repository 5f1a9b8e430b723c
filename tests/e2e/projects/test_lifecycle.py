# SPDX-License-Identifier: Apache-2.0
"""A test lens runs of a build what makes its classes: no checks, and no tests of other modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import projects
from tests.e2e.projects.test_maven import CORE, MODULE, ROOT
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

JUNIT = (
    "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>"
    "<scope>test</scope></dependency>"
)
ENFORCER = """<plugins><plugin><artifactId>maven-enforcer-plugin</artifactId>
<version>3.4.1</version><executions><execution><goals><goal>enforce</goal></goals><configuration>
<rules><alwaysFail/></rules></configuration></execution></executions></plugin>
<plugin><artifactId>maven-checkstyle-plugin</artifactId><version>3.3.1</version><executions>
<execution><phase>validate</phase><goals><goal>check</goal></goals></execution></executions></plugin>
</plugins></build>"""
PART = "package shop;\npublic class Part { public static int count() { return 3; } }\n"
SUPPORT = "package shop;\npublic class Support { public static int two() { return 2; } }\n"
TEST = """\
package shop.app;
public class AppTest {
    @org.junit.Test public void counts() {
        org.junit.Assert.assertEquals(%s, shop.Part.count());
    }
}
"""
OF_TESTS = CORE.replace("</dependency>", "<type>test-jar</type><scope>test</scope></dependency>")


def shop(root: Path, *dependencies: str) -> Path:
    write(root / "pom.xml", ROOT.replace("</build>", ENFORCER))
    write(root / "core/pom.xml", MODULE % ("core", JUNIT))
    write(root / "app/pom.xml", MODULE % ("app", "".join((CORE, JUNIT, *dependencies))))
    write(root / "core/src/main/java/shop/Part.java", PART)
    write(root / "core/src/test/java/shop/Support.java", SUPPORT)
    return root


def test_only_what_makes_the_classes_is_run(tmp_path: Path) -> None:
    root = shop(tmp_path / "shop")
    write(root / "core/src/test/java/shop/BrokenTest.java", "package shop; class BrokenTest { no }")
    write(root / "app/src/test/java/shop/app/AppTest.java", TEST % "3")
    told: list[str] = []
    with projects.find(root / "app") as project:
        (found,) = projects.programs_of_tests(
            project, ["AppTest#counts"], work=projects.Work(told.append)
        )
        assert found.selectors == ("shop.app.AppTest#counts",)
    goals = [each for each in told if " in " in each and not each.startswith("Maven: down")]
    assert not [each for each in goals if "enforce" in each or "check" in each]
    assert [each for each in goals if "testCompile" in each] == ["Maven: testCompile in app"]
    assert (root / "app/target/test-classes/shop/app/AppTest.class").is_file()


def test_tests_of_a_module_that_others_use_are_compiled(tmp_path: Path) -> None:
    root = shop(tmp_path / "shop", OF_TESTS)
    test = (TEST % "3").replace("shop.Part.count()", "shop.Part.count() + shop.Support.two() - 2")
    write(root / "app/src/test/java/shop/app/AppTest.java", test)
    with projects.find(root / "app") as project:
        (found,) = projects.programs_of_tests(project, ["AppTest"])
        assert root / "core/target/test-classes" in found.class_path
    assert (root / "core/target/test-classes/shop/Support.class").is_file()
