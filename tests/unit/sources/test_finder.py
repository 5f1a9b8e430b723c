# SPDX-License-Identifier: Apache-2.0
"""Finding sources on disk, in jars, beside jars, in a JDK."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import SourceError
from jvmdebug.sources import SourceFile, SourceFinder

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, text: str = "class Any {}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def archive(path: Path, entries: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as made:
        for name, text in entries.items():
            made.writestr(name, text)
    return path


def test_a_directory_by_package(tmp_path: Path) -> None:
    source = write(tmp_path / "src/shop/Cart.java", "package shop;\r\nclass Cart {}\r\n")
    found = SourceFinder([tmp_path / "src"]).find("shop.Cart$Item", "Cart.java")
    assert found == SourceFile(source)
    assert found is not None
    assert found.as_text() == "package shop;\nclass Cart {}\n"
    assert (found.name, found.is_on_disk, str(found)) == ("Cart.java", True, str(source))


def test_the_first_source_path_wins(tmp_path: Path) -> None:
    write(tmp_path / "b/shop/Cart.java")
    first = write(tmp_path / "a/shop/Cart.java")
    finder = SourceFinder([tmp_path / "a", tmp_path / "b"])
    assert finder.find_path("shop/Cart.java") == SourceFile(first)


def test_the_root_of_a_project_is_searched(tmp_path: Path) -> None:
    source = write(tmp_path / "module/src/main/java/shop/Cart.java", "package shop;")
    write(tmp_path / "module/src/main/java/other/Cart.java", "package other;")
    write(tmp_path / "build/shop/Cart.java")
    assert SourceFinder([tmp_path]).find("shop.Cart", "Cart.java") == SourceFile(source)


def test_kotlin_may_leave_the_common_package_out(tmp_path: Path) -> None:
    write(tmp_path / "a/Cart.kt", "package com.other")
    source = write(tmp_path / "Cart.kt", "package com.shop")
    assert SourceFinder([tmp_path]).find("com.shop.Cart", "Cart.kt") == SourceFile(source)


def test_a_jar_of_sources(tmp_path: Path) -> None:
    jar = archive(tmp_path / "shop.zip", {"shop/Cart.java": "class Cart {}"})
    found = SourceFinder([jar]).find("shop.Cart", "Cart.java")
    assert found == SourceFile(jar, "shop/Cart.java")
    assert found is not None
    assert found.as_text() == "class Cart {}"
    assert not found.is_on_disk
    assert str(found) == f"{jar}!/shop/Cart.java"


def test_a_sources_jar_beside_a_jar_of_the_class_path(tmp_path: Path) -> None:
    jar = archive(tmp_path / "lib/shop-1.2.jar", {"shop/Cart.class": ""})
    sources = archive(tmp_path / "lib/shop-1.2-sources.jar", {"shop/Cart.java": "x"})
    for class_path in (jar, tmp_path / "lib" / "*"):
        finder = SourceFinder([], [class_path])
        assert finder.find("shop.Cart", "Cart.java") == SourceFile(sources, "shop/Cart.java")


def test_a_sources_jar_where_gradle_keeps_it(tmp_path: Path) -> None:
    version = tmp_path / "caches/modules-2/files-2.1/org.shop/shop/1.2"
    jar = archive(version / "aaaa/shop-1.2.jar", {"shop/Cart.class": ""})
    sources = archive(version / "bbbb/shop-1.2-sources.jar", {"shop/Cart.java": "x"})
    finder = SourceFinder([], [jar])
    assert finder.find_path("shop/Cart.java") == SourceFile(sources, "shop/Cart.java")


def test_the_source_path_goes_before_the_class_path(tmp_path: Path) -> None:
    jar = archive(tmp_path / "shop.jar", {"shop/Cart.java": "in the jar"})
    write(tmp_path / "src/shop/Cart.java", "on the source path")
    found = SourceFinder([tmp_path / "src"], [jar]).find_path("shop/Cart.java")
    assert found is not None
    assert found.as_text() == "on the source path"


def test_the_platform_has_its_sources_by_module(tmp_path: Path) -> None:
    archive(
        tmp_path / "jdk/lib/src.zip",
        {"java.base/java/lang/String.java": "x", "java.sql/java/sql/Driver.java": "y"},
    )
    finder = SourceFinder(java_home=tmp_path / "jdk")
    found = finder.find("java.sql.Driver", "Driver.java")
    assert found is not None
    assert found.entry == "java.sql/java/sql/Driver.java"
    assert SourceFinder().find("java.sql.Driver", "Driver.java") is None
    later = SourceFinder()
    later.set_java_home(tmp_path / "jdk")
    assert later.find("java.lang.String", "String.java") is not None


def multi_release(path: Path, suffix: str) -> Path:
    """An archive of `shop/Cart` for all releases, for 17, and for 21."""
    names = ("shop/Cart", "META-INF/versions/17/shop/Cart", "META-INF/versions/21/shop/Cart")
    entries = {f"{name}{suffix}": f"// {name}" for name in names}
    entries["META-INF/MANIFEST.MF"] = "Manifest-Version: 1.0\r\nMulti-Release: true\r\n"
    return archive(path, entries)


RELEASES = [(11, "shop"), (17, "META-INF/versions/17/shop"), (25, "META-INF/versions/21/shop")]


@pytest.mark.parametrize(("release", "folder"), RELEASES)
def test_a_multi_release_sources_jar(tmp_path: Path, release: int, folder: str) -> None:
    sources = multi_release(tmp_path / "shop-sources.jar", ".java")
    jar = multi_release(tmp_path / "shop.jar", ".class")
    for finder in (
        SourceFinder([], [jar], release=release),
        SourceFinder([sources], release=release),
    ):
        found = finder.find("shop.Cart$Item", "Cart.java")
        assert found == SourceFile(sources, f"{folder}/Cart.java")


def test_a_source_that_ends_before_the_line_is_left_out(tmp_path: Path) -> None:
    shorter = archive(tmp_path / "shop-sources.jar", {"shop/Cart.java": "a\nb\r\nc"})
    archive(tmp_path / "shop.jar", {"shop/Cart.class": ""})
    finder = SourceFinder([tmp_path / "src"], [tmp_path / "shop.jar"])
    in_jar = SourceFile(shorter, "shop/Cart.java")
    assert finder.find_path("shop/Cart.java", 3) == in_jar
    assert finder.find_path("shop/Cart.java", 4) is None
    longer = write(tmp_path / "src/shop/Cart.java")
    longer.write_text("a\nb\nc\nd\n")
    finder = SourceFinder([shorter, tmp_path / "src"])
    assert finder.find_path("shop/Cart.java") == in_jar
    assert finder.find_path("shop/Cart.java", 4) == SourceFile(longer), "another one fits"
    assert finder.find_path("shop/Cart.java", 5) is None
    longer.write_text("a\nb\nc\nd\n\n")
    assert finder.find_path("shop/Cart.java", 5) == SourceFile(longer), "it was changed"


@pytest.mark.parametrize("by_root", [False, True])
def test_a_project_with_sources_for_newer_releases(tmp_path: Path, *, by_root: bool) -> None:
    base = write(tmp_path / "project/src/main/java/shop/Cart.java")
    newer = write(tmp_path / "project/src/main/java17/shop/Cart.java")
    jar = multi_release(tmp_path / "shop.jar", ".class")
    classes = tmp_path / "classes"
    write(classes / "shop/Cart.class")
    main = tmp_path / "project/src/main"
    roots = [main / "java17", main / "java"] if by_root else [tmp_path / "project"]

    def found(class_path: Path, release: int) -> SourceFile | None:
        return SourceFinder(roots, [class_path], release=release).find_path("shop/Cart.java")

    assert found(jar, 17) == SourceFile(newer)
    assert found(jar, 11) == SourceFile(base)
    assert found(classes, 17) == SourceFile(base), "directories have one version only"
    base.unlink()
    assert found(classes, 17) == SourceFile(newer), "there is no other"


def test_a_directory_whose_name_has_a_release_by_chance(tmp_path: Path) -> None:
    source = write(tmp_path / "java17/src/shop/Cart.java")
    assert SourceFinder([tmp_path / "java17"]).find_path("shop/Cart.java") == SourceFile(source)
    root = tmp_path / "java17" / "src"
    assert SourceFinder([root]).find_path("shop/Cart.java") == SourceFile(source)


def test_a_missing_source_is_not_found(tmp_path: Path) -> None:
    write(tmp_path / "broken.jar", "this is no zip")
    finder = SourceFinder([tmp_path, tmp_path / "absent"], [tmp_path / "broken.jar"])
    assert finder.find("shop.Cart", "Cart.java") is None


def test_a_path_cannot_climb_out(tmp_path: Path) -> None:
    write(tmp_path / "secret.java")
    write(tmp_path / "src/shop/Cart.java")
    assert SourceFinder([tmp_path / "src"]).find_path("../secret.java") is None


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("ä".encode("latin-1"), "latin-1"),
        ("ä".encode(), "utf-8"),
        (b"\xef\xbb\xbf" + "ä".encode(), "ascii"),
        ("ä".encode("utf-16"), "utf-8"),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, encoding: str) -> None:
    (tmp_path / "A.java").write_bytes(content)
    found = SourceFinder([tmp_path], encoding=encoding).find("A", "A.java")
    assert found is not None
    assert found.as_text() == "ä"


def test_bytes_outside_the_encoding_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_bytes(b"// \xe4")
    found = SourceFinder([tmp_path]).find("A", "A.java")
    assert found is not None
    assert found.as_text() == "// �"


def test_a_source_that_went_away_is_an_error(tmp_path: Path) -> None:
    source = write(tmp_path / "A.java")
    found = SourceFinder([tmp_path]).find("A", "A.java")
    assert found is not None
    source.unlink()
    with pytest.raises(SourceError, match="cannot read the source"):
        found.as_text()
    with pytest.raises(SourceError, match="no encoding"):
        SourceFile(write(tmp_path / "B.java"), encoding="nonsense").as_text()


def test_the_jdk_is_not_indexed_for_what_it_cannot_have(tmp_path: Path) -> None:
    library = tmp_path / "jdk/lib"
    library.mkdir(parents=True)
    (library / "src.zip").write_bytes(b"not an archive: reading it would give no sources")
    finder = SourceFinder(java_home=tmp_path / "jdk")
    assert finder.find("shop.Cart") is None
    with zipfile.ZipFile(library / "src.zip", "w") as archive:
        archive.writestr("java.base/java/util/List.java", "package java.util;")
    assert finder.find("java.util.List") is not None


def test_the_original_of_a_relocated_class(tmp_path: Path) -> None:
    """The package is looked for without its first ones, of which two are left."""
    original = tmp_path / "org" / "text" / "Words.java"
    original.parent.mkdir(parents=True)
    original.touch()
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "Other.java").touch()
    finder = SourceFinder([tmp_path])
    for path in ("shaded/org/text/Words.java", "my/own/org/text/Words.java"):
        found = finder.find_original(path)
        assert found is not None
        assert found.path == original
    assert finder.find_original("org/text/Words.java") is None, "that is no other class"
    assert finder.find_original("shaded/org/text/Gone.java") is None
    assert finder.find_original("org/text/Other.java") is None
