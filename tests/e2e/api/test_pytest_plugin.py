# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin as its users run it: fixtures, reports of tests that fail, what is left."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jvmdebug_pytest import CompilationError, MakeJavaProject
from tests.support.libraries import maven

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug_pytest import OpenSession
    from tests.support.jdks import Jdk

TESTS = '''
import jvmdebug, pytest

CART = """
package shop;
public class Cart {
    static int total;
    public static void main(String[] args) throws Exception {
        add(3);
        System.out.println("total " + total);
        if (args.length > 0) Thread.sleep(60_000);
    }
    static void add(int price) {
        total += price; // here
    }
}
"""

@pytest.fixture
def cart(java_project):
    return java_project({"shop/Cart.java": CART})

def test_that_passes(cart, jvmdebug_session):
    session = jvmdebug_session("shop.Cart", project=cart)
    session.break_at(f"shop/Cart.java:{cart.line('shop/Cart.java', '// here')}")
    stop = session.next_stop()
    assert stop.frame["price"] == 3
    assert stop.frame.source() is not None
    stop.resume()
    assert session.wait() == 0

def test_that_fails(cart, jvmdebug_session):
    session = jvmdebug_session("shop.Cart", project=cart, args=["sleep"])
    session.sample("Cart.total", at="shop.Cart#add", limit=1).collect()
    while "sleep" not in [each.at.method_name for each in session.snapshot().thread("main").frames]:
        pass
    print(f"PID={session.pid}")
    assert session.pid is None

def test_that_compiles_nothing(java_project):
    java_project({"Broken.java": "class Broken {"})
'''


def test_reports_and_what_is_left(
    tmp_path: Path, jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "test_shop.py"]
    ran = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=50
    )
    shown = ran.stdout
    assert "2 failed, 1 passed" in shown, shown + ran.stderr
    passed, _, failed = shown.partition("test_that_fails")
    assert "Captured output of the Java program" in shown
    assert "total 3" in shown
    assert "Threads of shop.Cart" in failed
    assert "at java.lang.Thread.sleep" in failed
    assert "Broken.java:1: error: reached end of file while parsing" in shown
    assert passed
    pid = shown.partition("PID=")[2].split()[0]
    assert subprocess.run(["kill", "-0", pid], check=False, capture_output=True).returncode != 0


def test_a_project_of_a_folder(tmp_path: Path, jdk: Jdk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    make = MakeJavaProject(tmp_path / "made")
    library = make({"lib/Named.java": "package lib; public interface Named { String name(); }"})
    folder = tmp_path / "source"
    folder.mkdir()
    with pytest.raises(CompilationError, match="there is no Java source in"):
        make(folder)
    with pytest.raises(CompilationError, match="there is no folder"):
        make(tmp_path / "nothing")
    (folder / "Cart.java").write_text("abstract class Cart implements lib.Named {}", "utf-8")
    with pytest.raises(CompilationError, match="package lib does not exist"):
        make(folder)
    project = make(folder, class_path=library.class_path)
    assert (project.classes / "Cart.class").is_file()
    assert project.line("Cart.java", "abstract") == 1
    with pytest.raises(LookupError, match="no line of Cart"):
        project.line("Cart.java", "nothing")
    with pytest.raises(CompilationError, match="is not inside the project"):
        project.write("../Cart.java", "")
    project.write("Cart.java", "class Cart {")
    with pytest.raises(CompilationError, match="does not compile"):
        project.compile()


POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
</plugins></pluginManagement></build></project>
"""
MAIN = """\
package shop;
class Main {
    public static void main(String[] args) {
        System.out.println("sold"); // here
    }
}
"""


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(300)
@pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine")
def test_a_project_with_a_build(
    tmp_path: Path,
    jdk: Jdk,
    jvmdebug_session: OpenSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not jdk.has_javac:
        pytest.skip("Maven compiles with the JDK that runs it: this is a runtime")
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "shop"
    file = folder / "src/main/java/shop/Main.java"
    file.parent.mkdir(parents=True)
    file.write_text(MAIN)
    (folder / "pom.xml").write_text(POM)
    make = MakeJavaProject(tmp_path / "made")
    with pytest.raises(CompilationError, match="class path and options are its own"):
        make(folder, class_path=["lib"])
    project = make(folder)
    assert project.class_path[0] == folder / "target" / "classes"
    assert (project.classes / "shop" / "Main.class").is_file()
    session = jvmdebug_session("shop.Main", project=project)
    session.break_at(f"shop/Main.java:{project.line('shop/Main.java', '// here')}")
    stop = session.next_stop()
    assert stop is not None
    assert stop.frame.location == "shop.Main.main(Main.java:4)"
    project.write("src/main/java/shop/Main.java", MAIN.replace("sold", "sold" + '" + none + "'))
    with pytest.raises(CompilationError, match=r"(?s)does not compile.*cannot find symbol"):
        project.compile()
