# SPDX-License-Identifier: Apache-2.0
"""Tests which type of a file or jar is started."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.launch.main_type import find_main_type, jar_main_class

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("class A {} class B { public static void main(String[] a) {} }", "B"),
        ("package p.q; public class A { static void main() {} }", "p.q.A"),
        ("class A {} class B {}", "A"),
        ("enum E { X; public static void main(String... a) {} }", "E"),
        ("record R(int x) { public static void main(String[] a) {} }", "R"),
        ("interface I { static void main(String[] a) {} }", "I"),
        ("class Outer { class main {} } class B { static void main(String[] a) {} }", "B"),
        ("void main() { }", "Stem"),
        ('int n; String greet() { return ""; } void main() { }', "Stem"),
        ("", "Stem"),
    ],
)
def test_the_type_to_start(source: str, name: str) -> None:
    assert find_main_type(source.encode(), "Stem").name == name


def test_the_main_class_of_a_jar(tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    long = "com.example." + "x" * 80
    folded = f"Main-Class: {long[:58]}\r\n {long[58:]}\r\n"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{folded}\r\n")
    assert jar_main_class(jar) == long


def test_a_jar_without_one(tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("x", "y")
    assert jar_main_class(jar) is None
    jar.write_bytes(b"no jar")
    with pytest.raises(LaunchError, match="cannot read the jar"):
        jar_main_class(jar)
