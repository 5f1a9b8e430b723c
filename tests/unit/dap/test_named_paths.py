# SPDX-License-Identifier: Apache-2.0
"""Paths through symbolic links: those that the client has named are the ones that it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_dap.named_paths import NamedPaths

if TYPE_CHECKING:
    from pathlib import Path


def test_files_below_a_link_are_named_through_it(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "src", tmp_path / "link"
    (real / "a" / "b").mkdir(parents=True)
    for name in ("a/One.java", "a/b/Two.java"):
        (real / name).touch()
    link.symlink_to(real)
    paths = NamedPaths()
    assert paths.of(real / "a/One.java") == real / "a/One.java"
    paths.remember(link / "a/One.java")
    assert paths.of(real / "a/One.java") == link / "a/One.java"
    assert paths.of(real / "a/b/Two.java") == link / "a/b/Two.java"
    assert paths.of(tmp_path / "real/Other.java") == tmp_path / "real/Other.java"
    paths.remember(real / "a/b/Two.java")
    assert paths.of(real / "a/b/Two.java") == real / "a/b/Two.java", "now it names them itself"
    assert paths.of(real / "a/One.java") == link / "a/One.java", "which it has named"


def test_a_link_to_one_file_and_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "Real.java"
    file.touch()
    (tmp_path / "Link.java").symlink_to(file)
    paths = NamedPaths()
    paths.remember(tmp_path / "Link.java")
    assert paths.of(file) == tmp_path / "Link.java"
    (tmp_path / "folder").mkdir()
    (tmp_path / "project").symlink_to("folder")
    paths.remember(tmp_path / "project")
    assert paths.of(tmp_path / "folder/pom.xml") == tmp_path / "project/pom.xml"


def test_what_is_not_there_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    paths = NamedPaths()
    for name in ("circle/A.java", "gone/A.java", "\0"):
        paths.remember(tmp_path / name)
    paths.remember(tmp_path.relative_to(tmp_path.anchor))
    assert paths.of(tmp_path / "circle/A.java") == tmp_path / "circle/A.java"
