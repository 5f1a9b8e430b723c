# SPDX-License-Identifier: Apache-2.0
"""A Maven build of two modules that was never built: from a folder or a file to a stop."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import projects
from tests.support.jdks import newest_compiler
from tests.support.libraries import maven
from tests.support.sessions import next_stop
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import edit, names

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine"),
]

HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
ROOT = f"""{HEAD}
<groupId>shop</groupId><artifactId>parent</artifactId><version>1-SNAPSHOT</version>
<packaging>pom</packaging><modules><module>core</module><module>app</module></modules>
<properties><maven.compiler.release>11</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
</plugins></pluginManagement></build></project>"""
MODULE = f"""{HEAD}
<parent><groupId>shop</groupId><artifactId>parent</artifactId><version>1-SNAPSHOT</version></parent>
<artifactId>%s</artifactId><dependencies>%s</dependencies></project>"""
GSON = (
    "<dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId>"
    "<version>2.11.0</version></dependency>"
)
CORE = (
    "<dependency><groupId>shop</groupId><artifactId>core</artifactId>"
    "<version>1-SNAPSHOT</version></dependency>"
)
CART = """\
package shop;
public class Cart {
    public int total() { return 3; }
    public String json() { return new com.google.gson.Gson().toJson(java.util.List.of(total())); }
}
"""
MAIN = """\
package shop.app;
public class Main {
    public static void main(String[] args) {
        shop.Cart cart = new shop.Cart();
        int total = cart.total();
        System.out.println(total + cart.json());
    }
}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("maven") / "shop"
    write(root / "pom.xml", ROOT)
    write(root / "core/pom.xml", MODULE % ("core", GSON))
    write(root / "app/pom.xml", MODULE % ("app", CORE))
    write(root / "core/src/main/java/shop/Cart.java", CART)
    write(root / "app/src/main/java/shop/app/Main.java", MAIN)
    return root


@pytest.mark.timeout(300)
async def test_a_build_that_was_never_built_is_debugged(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    told: list[str] = []
    async with jvmdebug.launch(project=shop, on_progress=told.append) as session:
        await session.break_at(f"{shop}/core/src/main/java/shop/Cart.java:3")
        stop = await next_stop(session)
        assert stop.frame.location == "shop.Cart.total(Cart.java:3)"
        found = await stop.frame.source()
        assert found is not None
    assert any("Maven: compiling shop:app main" in line for line in told)

    with projects.find(shop / "app/src/main/java/shop/app/Main.java") as project:
        assert project.root == shop
        assert shop / "core/target/classes" in project.class_path
        begun = time.monotonic()
        program = project.program()
        assert project.compile(program.source_set).by == "nothing"
        assert time.monotonic() - begun < 2  # some ten milliseconds when nobody else works
        edit(shop / "core/src/main/java/shop/Cart.java", "int total()", "long total()")
        with pytest.raises(projects.BuildError, match=r"Main\.java:5: incompatible types"):
            project.compile(program.source_set)
        edit(shop / "app/src/main/java/shop/app/Main.java", "int total", "long total")
        done = project.compile(program.source_set)
        assert (done.by, names(done)) == ("javac", {"Main"})


async def test_a_wrong_pom_shows_maven_s_own_error(tmp_path: Path) -> None:
    write(tmp_path / "pom.xml", f"{HEAD}<groupId>a</groupId><artifactId>b</artifactId></project>")
    with pytest.raises(projects.BuildError, match=r"'version' is missing"):
        projects.find(tmp_path).layout()
