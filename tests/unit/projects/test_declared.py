# SPDX-License-Identifier: Apache-2.0
"""Main methods and tests, as sources declare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.projects.declared_tests import classes_in
from jvmdebug.projects.main_classes import main_classes_in
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

CLASSIC = "public static void main(String[] args) { }"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (f"package shop; class Main {{ {CLASSIC} }}", ["shop.Main"]),
        ("class A { static public void main(final String... a) { } }", ["A"]),
        ("class A { public static void main(String a[]) { } }", ["A"]),
        (f"interface A {{ {CLASSIC} }}", ["A"]),
        ("interface A { static void main(String[] a) { } }", ["A"]),
        (f"enum A {{ X; {CLASSIC} }}", ["A"]),
        (f"record A(int x) {{ {CLASSIC} }}", ["A"]),
        (f"class A {{ static class B {{ {CLASSIC} }} }}", ["A$B"]),
        ("class A { public static int main(String[] a) { return 1; } }", []),
        ("class A { public static void main(int[] a) { } }", []),
        ("class A { public static void main(String[][] a) { } }", []),
        ("class A { static void main(String[] a) { } }", []),
        ("class A { void main() { } }", []),
        ("// public static void main(String[] args)\nclass A { }", []),
        ("class A { void caller() { main(); } }", []),
    ],
)
def test_main_methods_of_java(tmp_path: Path, source: str, found: list[str]) -> None:
    file = write(tmp_path / "File.java", source)
    assert [each.name for each in main_classes_in(file, 17)] == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class A { void main() { } }", ["A"]),
        ("class A { static void main(String[] a) { } }", ["A"]),
        ("void main() { }", ["File"]),
        ("class A { private void main() { } }", []),
    ],
)
def test_main_methods_from_java_25_on(tmp_path: Path, source: str, found: list[str]) -> None:
    file = write(tmp_path / "File.java", source)
    assert [each.name for each in main_classes_in(file, 25)] == found
    assert main_classes_in(file, 21) == []


def test_main_methods_of_kotlin(tmp_path: Path) -> None:
    plain = write(tmp_path / "app.kt", "package shop\n\nfun main() {\n}\n")
    (found,) = main_classes_in(plain, 17)
    assert (found.name, found.line) == ("shop.AppKt", 3)
    named = '@file:JvmName("Start")\nfun main(args: Array<String>) {\n}\n'
    (found,) = main_classes_in(write(tmp_path / "B.kt", named), 17)
    assert found.name == "Start"
    assert main_classes_in(write(tmp_path / "C.kt", "class A { fun main() { } }"), 17) == []


TESTS = """\
package shop;
class CartTest {
    @Test void adds() { }
    @org.junit.jupiter.api.Test void qualified() { }
    @ParameterizedTest @ValueSource(ints = {1, 2}) void many(int x) { }
    @BeforeEach void setUp() { }
    void helper() { }
    @Nested class Empty { @Test void is_empty() { } }
}
"""


def test_tests_of_junit_5(tmp_path: Path) -> None:
    found = list(classes_in(write(tmp_path / "CartTest.java", TESTS)))
    assert [(each.name, each.line) for each in found] == [
        ("shop.CartTest", 2),
        ("shop.CartTest$Empty", 8),
    ]
    methods = [(each.name, each.line, each.is_parameterized) for each in found[0].methods]
    assert methods == [("adds", 3, False), ("qualified", 4, False), ("many", 5, True)]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class A extends TestCase { public void testX() { } void testY() { } }", ["testX"]),
        ("@Test public class A { public void x() { } void y() { } }", ["x"]),
        ("abstract class A { @Test void x() { } }", []),
        ("class A { @Testable void x() { } }", []),
    ],
)
def test_other_kinds_of_tests(tmp_path: Path, source: str, found: list[str]) -> None:
    classes = classes_in(write(tmp_path / "A.java", source))
    assert [method.name for each in classes for method in each.methods] == found
