# SPDX-License-Identifier: Apache-2.0
"""Error lines of build tools."""

from __future__ import annotations

from pathlib import Path

from jvmdebug.projects.build_output import gradle_failure, maven_failure, problems_in

ROOT = Path("/shop")
MAVEN = """\
[INFO] Scanning for projects...
[ERROR] COMPILATION ERROR :
[ERROR] /shop/src/main/java/shop/Cart.java:[7,12] cannot find symbol
[ERROR]   symbol:   class Missing
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile
[ERROR] /shop/src/main/java/shop/Cart.java:[7,12] cannot find symbol
[ERROR] -> [Help 1]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
"""
GRADLE = """\
> Task :compileJava FAILED

FAILURE: Build failed with an exception.

* Where:
Build file '/shop/build.gradle' line: 3

* What went wrong:
A problem occurred evaluating root project 'shop'.
> Could not find method implementatio() for arguments [x]

* Try:
> Run with --stacktrace option to get the stack trace.
"""


def test_places_of_a_compiler_are_named_once() -> None:
    error = maven_failure(ROOT, MAVEN.splitlines())
    (problem,) = error.problems
    assert (problem.line, problem.column, problem.message) == (7, 12, "cannot find symbol")
    assert str(error) == (
        "the project does not compile (Maven in /shop):\n"
        "/shop/src/main/java/shop/Cart.java:7: cannot find symbol"
    )


def test_other_failures_have_the_tool_s_error_lines_without_advice() -> None:
    lines = [
        "[INFO] x",
        "[ERROR] Unknown lifecycle phase",
        "[ERROR] ",
        "[ERROR] Re-run Maven using",
    ]
    assert str(maven_failure(ROOT, lines)) == (
        "the build failed (Maven in /shop):\nUnknown lifecycle phase"
    )
    assert str(gradle_failure(ROOT, GRADLE.splitlines())) == (
        "the build failed (Gradle in /shop):\n"
        "Build file '/shop/build.gradle' line: 3\n"
        "A problem occurred evaluating root project 'shop'.\n"
        "> Could not find method implementatio() for arguments [x]"
    )


def test_a_tool_that_says_nothing_of_use_is_shown_as_it_is() -> None:
    assert str(maven_failure(ROOT, ["killed"])).endswith("\nkilled")


def test_places_in_kotlin_and_of_javac() -> None:
    lines = [
        "e: file:///shop/src/main/kotlin/App.kt:3:5 Unresolved reference: foo",
        "e: /shop/src/main/kotlin/Old.kt: (4, 6): Unresolved reference: bar",
        "/shop/src/main/java/A.java:9: error: ';' expected",
        ":core:compileJava/shop/core/B.java:7: error: ';' expected",  # Gradle 4, plain console
    ]
    found = [(str(each.file)[-6:], each.line, each.column) for each in problems_in(lines)]
    assert found == [("App.kt", 3, 5), ("Old.kt", 4, 6), ("A.java", 9, 0), ("B.java", 7, 0)]


def test_the_column_behind_tabs_is_that_of_characters(tmp_path: Path) -> None:
    """The javac of Maven counts a tab as up to eight."""
    source = tmp_path / "Cart.java"
    source.write_text("class Cart {\n\t\tint x = y;\n  \tint z = y;\n}\n")
    lines = [f"[ERROR] {source}:[{line},{column}] no y" for line, column in ((2, 25), (3, 17))]
    assert [each.column for each in problems_in(lines)] == [11, 12]
    gone = f"[ERROR] {tmp_path}/Gone.java:[2,25] no y"
    assert [each.column for each in problems_in([gone])] == [25]
