# SPDX-License-Identifier: Apache-2.0
"""Projects as people have them: Spring Boot, Kotlin beside Java, and the Mavens that build them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import projects
from tests.e2e.projects.test_maven import CART, CORE, GSON, HEAD, MAIN, MODULE, ROOT
from tests.e2e.testing.test_frameworks import Heard
from tests.support.jdks import discover, newest_compiler
from tests.support.libraries import maven, maven_distribution
from tests.support.sessions import next_stop, texts
from tests.unit.projects.test_detection import write
from tests.unit.projects.test_plain import edit, names

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine"),
]

BOOT = f"""{HEAD}
<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>
<version>3.3.5</version><relativePath/></parent>
<groupId>shop</groupId><artifactId>boot</artifactId><version>1</version>
<properties><java.version>17</java.version></properties>
<dependencies><dependency><groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-starter</artifactId></dependency></dependencies>
<build><plugins><plugin><groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>"""
BOOT_MAIN = """\
package shop;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

@SpringBootApplication
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }

    @Component
    static class Greeter implements CommandLineRunner {
        private final String greeting;

        Greeter(@Value("${shop.greeting}") String greeting) {
            this.greeting = greeting;
        }

        @Override
        public void run(String... args) {
            System.out.println(greeting + " to the shop");
        }
    }
}
"""
AUTO_VALUE = f"""{HEAD}
<groupId>shop</groupId><artifactId>proc</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release></properties>
<dependencies><dependency><groupId>com.google.auto.value</groupId>
<artifactId>auto-value-annotations</artifactId><version>1.11.0</version></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version>
<configuration><annotationProcessorPaths><path><groupId>com.google.auto.value</groupId>
<artifactId>auto-value</artifactId><version>1.11.0</version></path></annotationProcessorPaths>
</configuration></plugin></plugins></build></project>"""
ITEM = """\
package shop;

@com.google.auto.value.AutoValue
abstract class Item {
    abstract String name();

    abstract int cents();

    static Item of(String name, int cents) {
        return new AutoValue_Item(name, cents);
    }
}
"""
ITEM_MAIN = """\
package shop;

public class Main {
    public static void main(String[] args) {
        System.out.println(Item.of("cup", 3).hashCode());
    }
}
"""
KOTLIN = f"""{HEAD}
<groupId>shop</groupId><artifactId>mixed</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release></properties>
<dependencies><dependency><groupId>org.jetbrains.kotlin</groupId>
<artifactId>kotlin-stdlib</artifactId><version>2.0.21</version></dependency>
<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.11.4</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><groupId>org.jetbrains.kotlin</groupId>
<artifactId>kotlin-maven-plugin</artifactId><version>2.0.21</version>
<executions><execution><id>compile</id><phase>process-sources</phase><goals><goal>compile</goal></goals>
<configuration><jvmTarget>11</jvmTarget><sourceDirs><sourceDir>src/main/kotlin</sourceDir>
<sourceDir>src/main/java</sourceDir></sourceDirs></configuration></execution>
<execution><id>tests</id><phase>process-test-sources</phase><goals><goal>test-compile</goal></goals>
<configuration><jvmTarget>11</jvmTarget><sourceDirs><sourceDir>src/test/kotlin</sourceDir></sourceDirs>
</configuration></execution></executions></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
</plugins></build></project>"""
KOTLIN_MAIN = """\
package shop

fun main() {
    val cart = Cart()
    println("total ${cart.total()}")
}
"""

KOTLIN_CART = CART.replace(
    """    public String json() { return new com.google.gson.Gson()\
.toJson(java.util.List.of(total())); }\n""",
    "",
)
KOTLIN_TEST = """\
package shop

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

class CartTest {
    @Test
    fun `it's 3 (in cents)`() {
        val total = Cart().total()
        assertEquals(3, total)
    }

    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun odd(cents: Int) {
        assertEquals(1, cents % 2)
    }

    @Nested
    inner class WhenEmpty {
        @Test
        fun isEmpty() {
        }
    }
}
"""


async def test_a_spring_boot_application_is_started_from_its_main(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    write(tmp_path / "pom.xml", BOOT)
    main = write(tmp_path / "src/main/java/shop/ShopApplication.java", BOOT_MAIN)
    write(tmp_path / "src/main/resources/application.properties", "shop.greeting=welcome")
    output: list[str] = []
    async with jvmdebug.launch(
        program=main, on_output=lambda each: output.append(each.text)
    ) as session:
        await session.break_at(f"{main}:25")
        stop = await next_stop(session)
        assert stop.frame.location == "shop.ShopApplication$Greeter.run(ShopApplication.java:25)"
        assert await (await stop.frame.evaluate("greeting")).as_text() == '"welcome"'
        await stop.resume()
        assert await session.wait() == 0
    assert "welcome to the shop" in "".join(output)
    with projects.find(main) as project:
        edit(main, "to the shop", "to our shop")
        done = project.compile_changed([main])
        assert (done.by, names(done)) == ("javac", {"ShopApplication$Greeter"})


async def test_sources_that_an_annotation_processor_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start knows them, although the build has made their folder meanwhile; the second
    one runs Maven no more.
    """
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    write(tmp_path / "pom.xml", AUTO_VALUE)
    item = write(tmp_path / "src/main/java/shop/Item.java", ITEM)
    main = write(tmp_path / "src/main/java/shop/Main.java", ITEM_MAIN)
    told: list[str] = []
    for built in (True, False):
        told.clear()
        async with jvmdebug.launch(program=main, on_progress=told.append) as session:
            await session.break_at("shop.AutoValue_Item#hashCode")
            stop = await next_stop(session)
            found = await stop.frame.source()
            assert found is not None
            generated = tmp_path / "target/generated-sources/annotations/shop/AutoValue_Item.java"
            assert found.path == generated
            await stop.resume()
            assert await session.wait() == 0
        assert any("compile in proc" in each for each in told) == built, told
    with projects.find(main) as project:
        edit(item, "int cents();", "int cents(); boolean isFree() { return cents() == 0; }")
        done = project.compile_changed([item])
        assert done.by == "Maven"
        assert "Item" in names(done)
        assert project.compile().by == "nothing"


async def test_kotlin_beside_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Kotlin's compiler knows no JDK that is newer than itself.
    jdk = next(each for each in discover() if each.version >= 17 and each.has_javac)
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    write(tmp_path / "pom.xml", KOTLIN)
    main = write(tmp_path / "src/main/kotlin/shop/Main.kt", KOTLIN_MAIN)
    write(tmp_path / "src/main/java/shop/Cart.java", KOTLIN_CART)
    async with jvmdebug.launch(program=main) as session:
        await session.break_at(f"{main}:5")
        stop = await next_stop(session)
        assert "cart" in await texts(stop.frame)
        await session.break_at(f"{tmp_path}/src/main/java/shop/Cart.java:3")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.location == "shop.Cart.total(Cart.java:3)"
    with projects.find(main) as project:
        assert [each.name for each in project.main_classes()] == ["shop.MainKt"]
        program = project.program()
        edit(main, "total $", "sum $")
        assert project.compile(program.source_set).by == "Maven"


async def test_tests_written_in_kotlin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jdk = next(each for each in discover() if each.version >= 17 and each.has_javac)
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    write(tmp_path / "pom.xml", KOTLIN)
    write(tmp_path / "src/main/kotlin/shop/Main.kt", KOTLIN_MAIN)
    write(tmp_path / "src/main/java/shop/Cart.java", KOTLIN_CART)
    # Neither is the file named as the class is, nor is its folder as the package.
    source = write(tmp_path / "src/test/kotlin/Tests.kt", KOTLIN_TEST)
    tests = ["CartTest#it's 3 (in cents)", "CartTest#odd"]
    async with jvmdebug.launch(project=tmp_path, tests=tests) as session:
        heard = Heard(session)
        await session.break_at(f"{source}:13")
        stop = await next_stop(session)
        assert stop.frame.location == "shop.CartTest.it's 3 (in cents)(Tests.kt:13)"
        assert await (await stop.frame.evaluate("total")).as_text() == "3"
        await stop.resume()
        await session.wait()
    assert [name for name, status in heard.leaves.items() if status == "failed"] == [
        "shop.CartTest#odd[2]"
    ]
    failure = heard.finished("shop.CartTest#odd[2]").failure
    assert failure is not None
    assert (failure.file, failure.line) == (source, 19)


@pytest.mark.parametrize("version", ["3.9.9", "4.0.0-rc-3"])
async def test_a_newer_maven_as_the_wrapper(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    write(tmp_path / "pom.xml", ROOT)
    write(tmp_path / "core/pom.xml", MODULE % ("core", GSON))
    write(tmp_path / "app/pom.xml", MODULE % ("app", CORE))
    write(tmp_path / "core/src/main/java/shop/Cart.java", CART)
    write(tmp_path / "app/src/main/java/shop/app/Main.java", MAIN)
    wrapper = write(tmp_path / "mvnw", f'#!/bin/sh\nexec {maven_distribution(version)} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    async with jvmdebug.launch(project=tmp_path) as session:
        await session.break_at("shop.Cart#total")
        stop = await next_stop(session)
        assert stop.frame.location == "shop.Cart.total(Cart.java:3)"
