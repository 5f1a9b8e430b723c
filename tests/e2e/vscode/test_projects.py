# SPDX-License-Identifier: Apache-2.0
"""Builds as people have them, in a real VS Code window: F5 and the Test Explorer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.projects.test_real_projects import BOOT, BOOT_MAIN
from tests.e2e.vscode.conftest import line_of
from tests.support.gradle_wrapper import write_wrapper
from tests.support.jdks import newest_compiler
from tests.support.libraries import maven
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

OWN_SERVER = True
pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.network,
    pytest.mark.variant,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]
_VIRTUAL_THREADS = 21
"""The first Java release that has them."""
NEEDS_MAVEN = pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine")
_HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
_MODULE = f"""{_HEAD}
<parent><groupId>shop</groupId><artifactId>parent</artifactId><version>1</version></parent>
<artifactId>%s</artifactId><dependencies>
<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.11.4</version><scope>test</scope></dependency>
%s</dependencies></project>
"""
_CORE = (
    "<dependency><groupId>shop</groupId><artifactId>core</artifactId><version>1</version>"
    "</dependency>"
)
_TEST = """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class %s {
    @Test
    void %s() {
        assertEquals(%d, new Cart().total()); // @asserts
    }
}
"""
MAVEN = {
    "pom.xml": f"""{_HEAD}
<groupId>shop</groupId><artifactId>parent</artifactId><version>1</version>
<packaging>pom</packaging><modules><module>core</module><module>app</module></modules>
<properties><maven.compiler.release>11</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
</plugins></pluginManagement></build></project>
""",
    "core/pom.xml": _MODULE % ("core", ""),
    "app/pom.xml": _MODULE % ("app", _CORE),
    "core/src/main/java/shop/Cart.java": """\
package shop;

public class Cart {
    public int total() {
        return 3; // @total
    }
}
""",
    "core/src/test/java/shop/CartTest.java": _TEST % ("CartTest", "counts", 3),
    "app/src/main/java/shop/app/Main.java": """\
package shop.app;

public class Main {
    public static void main(String[] args) {
        System.out.println(new shop.Cart().total());
    }
}
""",
    "app/src/test/java/shop/OrderTest.java": _TEST % ("OrderTest", "fails", 4),
}

# The newest plugin that the Gradle of Debian 12 can use.
KOTLIN_BUILD = """\
buildscript {
  repositories { mavenCentral() }
  dependencies { classpath 'org.jetbrains.kotlin:kotlin-gradle-plugin:1.2.71' }
}
apply plugin: 'java'
apply plugin: 'kotlin'
repositories { mavenCentral() }
dependencies {
  compile 'org.jetbrains.kotlin:kotlin-stdlib-jdk8:1.2.71'
  testCompile 'junit:junit:4.13.2'
}
compileKotlin { kotlinOptions { jvmTarget = '1.8' } }
compileTestKotlin { kotlinOptions { jvmTarget = '1.8' } }
"""
KOTLIN = {
    "settings.gradle": "rootProject.name = 'shop'\n",
    "build.gradle": KOTLIN_BUILD,
    # No JVM of theirs goes on after the build.
    "gradle.properties": (
        "org.gradle.daemon=false\nkotlin.compiler.execution.strategy=in-process\n"
    ),
    "src/main/kotlin/shop/Cart.kt": """\
package shop

class Cart(val items: List<Int>) {
    fun total(): Int {
        val sum = items.sum()
        return sum // @total
    }
}
""",
    "src/main/kotlin/shop/Hello.kt": """\
package shop

fun main(args: Array<String>) {
    println("Kotlin counts ${Cart(listOf(4, 5)).total()}")
}
""",
    "src/test/kotlin/shop/Tests.kt": """\
package shop

import org.junit.Assert.assertEquals
import org.junit.Test

class CartTest {
    @Test
    fun `it's 9 in all`() {
        assertEquals(9, Cart(listOf(4, 5)).total())
    }

    @Test
    fun fails() {
        assertEquals(8, Cart(listOf(4, 5)).total()) // @fails
    }
}
""",
    "src/main/java/shop/Main.java": """\
package shop;

public class Main {
    public static void main(String[] args) {
        System.out.println("Java counts " + new Cart(java.util.Arrays.asList(1, 2, 3)).total());
    }
}
""",
}


MAIN = """\
public class Main {
    public static void main(String[] args) {
        System.out.println("built"); // @prints
    }
}
"""


@NEEDS_MAVEN
def test_a_maven_project_that_was_never_built(newcomer: Person) -> None:
    for name, text in MAVEN.items():
        write(newcomer.folder / name, text)
    cart = line_of(MAVEN["core/src/main/java/shop/Cart.java"], "total")
    of_test = line_of(MAVEN["core/src/test/java/shop/CartTest.java"], "asserts")
    seen = newcomer.does("maven", line=cart, ofTest=of_test)
    assert any(each.startswith("counts (Passed)") for each in seen["tests"]), seen["tests"]


@pytest.mark.skipif(shutil.which("gradle") is None, reason="there is no Gradle on this machine")
def test_a_gradle_build_with_kotlin(newcomer: Person) -> None:
    for name, text in KOTLIN.items():
        write(newcomer.folder / name, text)
    total = line_of(KOTLIN["src/main/kotlin/shop/Cart.kt"], "total")
    seen = newcomer.does("kotlin", line=total)
    assert any("Main.main" in row for row in seen["ofJava"])
    assert any("Hello.kt" in row for row in seen["ofKotlin"])
    assert any(each.startswith("it's 9 in all (Passed)") for each in seen["tests"]), seen["tests"]


def test_a_build_that_takes_long_is_stopped_and_the_next_one_runs(newcomer: Person) -> None:
    write(newcomer.folder / "build.gradle.kts", "plugins { java }\n")
    first = "echo $$ >> builds; [ $(wc -l < builds) -gt 1 ] || exec sleep 500"
    write_wrapper(newcomer.folder, build_file="build.gradle.kts", first=first)
    write(newcomer.folder / "src/main/java/Main.java", MAIN)
    newcomer.does("stop-build", line=line_of(MAIN, "prints"))
    stopped, *others = map(int, (newcomer.folder / "builds").read_text().split())
    assert len(others) == 2  # asked, and built
    assert not Path("/proc", str(stopped)).exists()


@NEEDS_MAVEN
def test_a_spring_boot_application_that_is_changed_while_it_runs(newcomer: Person) -> None:
    write(newcomer.folder / "pom.xml", BOOT)
    write(newcomer.folder / "src/main/java/shop/ShopApplication.java", BOOT_MAIN)
    write(newcomer.folder / "src/main/resources/application.properties", "shop.greeting=Welcome\n")
    lines = BOOT_MAIN.splitlines()
    line = next(number for number, each in enumerate(lines, 1) if "to the shop" in each)
    seen = newcomer.does("boot", line=line)
    assert any("Welcome" in row for row in seen["variables"])


LENDING = {
    **{name: KOTLIN[name] for name in ("build.gradle", "gradle.properties")},
    "settings.gradle": "rootProject.name = 'lending'\n",
    "src/main/kotlin/lending/Library.kt": """\
package lending

data class Member(val name: String, val limit: Int)

data class Book(val title: String, var left: Int)

class Library(private val books: MutableMap<String, Book> = linkedMapOf()) {
    fun add(book: Book) {
        books[book.title] = book
    }

    fun lend(member: Member, title: String): Book? {
        val book = books[title]
        if (book == null || book.left == 0) {
            return null
        }
        book.left--
        return book // @lent
    }
}
""",
    "src/main/java/lending/Main.java": """\
package lending;

public class Main {
    public static void main(String[] args) throws Exception {
        Library library = new Library();
        library.add(new Book("Dune", 3));
        System.out.println("who?");
        String name = new java.util.Scanner(System.in).nextLine();
        Member member = new Member(name, 2);
        Thread lending = virtual(() -> {
            library.lend(member, "Dune");
        });
        lending.join();
        System.out.println("lent to " + member); // @done
    }

    /** What Java 21 has, compiled by an older one. */
    static Thread virtual(Runnable task) throws Exception {
        var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        return (Thread) start.invoke(null, task);
    }
}
""",
}


@pytest.mark.skipif(shutil.which("gradle") is None, reason="there is no Gradle on this machine")
def test_a_day_in_a_gradle_project_with_virtual_threads(newcomer: Person) -> None:
    jdk = newest_compiler()
    if jdk.version < _VIRTUAL_THREADS:
        pytest.skip("there is no JDK with virtual threads")
    for name, text in LENDING.items():
        write(newcomer.folder / name, text)
    newcomer.configure(
        mainClass="lending.Main", project="${workspaceFolder}", javaExec=str(jdk.java)
    )
    settings = newcomer.workspace / ".vscode" / "settings.json"
    settings.write_text(json.dumps({"jvmdebug.hotCodeReplace": "never"}))
    seen = newcomer.does(
        "day",
        lent=line_of(LENDING["src/main/kotlin/lending/Library.kt"], "lent"),
        done=line_of(LENDING["src/main/java/lending/Main.java"], "done"),
    )
    assert any("Member(name=Ada, limit=2)" in row for row in seen["variables"])
    assert not any('""' in row for row in seen["after"])
