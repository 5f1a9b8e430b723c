# SPDX-License-Identifier: Apache-2.0
"""Whether a main class is certainly not on the class path, which is said before a start."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.launch.main_class_check import release_of_main_class, why_no_main_class

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class path: `classes` has shop.Main, `lib/one.jar` shop.Other, `lib/two.jar` names more."""
    (tmp_path / "classes" / "shop").mkdir(parents=True)
    (tmp_path / "classes" / "shop" / "Main.class").touch()
    (tmp_path / "lib").mkdir()
    with zipfile.ZipFile(tmp_path / "lib" / "one.jar", "w") as jar:
        jar.writestr("shop/Other.class", b"")
        jar.writestr("META-INF/versions/21/shop/New.class", b"")
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
    with zipfile.ZipFile(tmp_path / "two.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nClass-Path: three.jar\n")
    (tmp_path / "wrong.jar").write_text("no archive")
    return tmp_path


def found(
    folder: Path, name: str, *path: str, args: tuple[str, ...] = (), **env: str
) -> str | None:
    """Asks about a class with this class path."""
    return why_no_main_class(name, path, args, env, folder)


def test_a_class_that_is_there(folder: Path) -> None:
    assert found(folder, "shop.Main", "classes") is None
    assert found(folder, "shop.Other", "classes", "lib/*") is None
    assert found(folder, "shop.New", "lib/one.jar") is None
    assert found(folder / "classes", "shop.Main") is None, "the working directory"
    assert found(folder, "shop.Main", CLASSPATH="lib:classes") is None


def test_a_class_that_is_certainly_not_there(folder: Path) -> None:
    wanted = "there is no class Main on the class path, which is classes:lib/*"
    assert found(folder, "Main", "classes", "lib/*") == wanted
    assert found(folder, "shop.main", "classes", "gone", "x" * 5000, "a\0b") is not None
    assert found(folder, "shop.Main", args=("-Xmx1g",), CLASSPATH="lib") is not None


def test_the_release_of_a_class(folder: Path) -> None:
    def release(*path: str, args: tuple[str, ...] = ()) -> int | None:
        return release_of_main_class("shop.Main", path, args, {}, folder)

    file = folder / "classes" / "shop" / "Main.class"
    assert release("classes") is None, "it is empty"
    file.write_bytes(b"\xca\xfe\xba\xbe\0\0\0\x3d")
    assert release("classes") == release("none", "classes") == 17
    assert release("lib/one.jar", "classes") is None, "the archive comes first"
    assert release("classes", args=("@options",)) is None
    file.write_bytes(b"\xca\xfe\xba\xbf\0\0\0\x3d")
    assert release("classes") is None, "it is no class"


def test_what_is_not_known(folder: Path) -> None:
    assert found(folder, "Main", "two.jar") is None, "its manifest names another archive"
    assert found(folder, "Main", "wrong.jar") is None
    assert found(folder, "com.sun.tools.javac.Main", "classes") is None
    for option in ("-javaagent:a.jar", "@options", "-Djava.system.class.loader=A", "-cp"):
        assert found(folder, "Main", "classes", args=(option,)) is None
    assert found(folder, "Main", "classes", JDK_JAVA_OPTIONS="-Xint -cp other") is None
