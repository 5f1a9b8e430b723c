# SPDX-License-Identifier: Apache-2.0
"""The names in an archive, as zipfile reads them, and archives that are none."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug.sources.archive_names import entry_names
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["shop/Cart.java", "Größe.java", "a/", "empty.kt"]


def archive(path: Path, comment: bytes = b"") -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in NAMES:
            made.writestr(name, f"// {name}")
        made.comment = comment
    return path


@pytest.mark.parametrize("comment", [b"", b"PK a comment" * 100])
def test_names_as_zipfile_reads_them(tmp_path: Path, comment: bytes) -> None:
    assert entry_names(archive(tmp_path / "a.zip", comment)) == NAMES


def test_an_archive_behind_something_else(tmp_path: Path) -> None:
    inner = archive(tmp_path / "a.zip").read_bytes()
    path = tmp_path / "program.jar"
    path.write_bytes(b"#!/bin/sh\nexec java -jar $0\n" + inner)
    assert entry_names(path) == NAMES


def test_the_sources_of_a_jdk() -> None:
    path = jdks_to_test()[-1].home / "lib" / "src.zip"
    if not path.is_file():
        pytest.skip(f"this JDK comes without sources: {path}")
    with zipfile.ZipFile(path) as opened:
        assert entry_names(path) == opened.namelist()


def test_what_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    for content in (b"", b"no archive", archive(tmp_path / "b.zip").read_bytes()[:-30]):
        path.write_bytes(content)
        with pytest.raises(zipfile.BadZipFile):
            entry_names(path)
    whole = archive(tmp_path / "b.zip").read_bytes()
    path.write_bytes(whole.replace(b"PK\x01\x02", b"PK\x01\x03"))
    with pytest.raises(zipfile.BadZipFile, match="damaged"):
        entry_names(path)
    with pytest.raises(OSError, match="nowhere"):
        entry_names(tmp_path / "nowhere.zip")
