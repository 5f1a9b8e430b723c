# SPDX-License-Identifier: Apache-2.0
"""Archives that stay open while entries of them are read."""

from __future__ import annotations

import gc
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug.regular_file import open_archive
from jvmdebug.sources import SourceFinder, open_archives
from jvmdebug.sources.open_archives import OpenArchives

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


def _archive(path: Path, files: int, text: str = "a\nb\n") -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for number in range(files):
            made.writestr(f"shop/C{number}.java", text)
    return path


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("files", [5, 20])
def test_an_archive_is_opened_once_for_all_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    finder = SourceFinder([_archive(tmp_path / "shop-sources.jar", files)])
    finder.find_path("shop/C0.java")
    opened: list[Path] = []

    def counting(path: Path) -> AbstractContextManager[zipfile.ZipFile]:
        opened.append(path)
        return open_archive(path)

    monkeypatch.setattr(open_archives, "open_archive", counting)
    for number in range(files):
        assert finder.find_path(f"shop/C{number}.java", 2) is not None
        assert finder.find_path(f"shop/C{number}.java", 3) is None
    assert len(opened) == 1


def test_what_is_read_is_what_the_archive_is_now(tmp_path: Path) -> None:
    archives = OpenArchives()
    path = _archive(tmp_path / "shop-sources.jar", 1)
    assert archives.read(path, "shop/C0.java") == b"a\nb\n"
    _archive(path, 1, "another\n")
    assert archives.read(path, "shop/C0.java") == b"another\n"
    with pytest.raises(KeyError):
        archives.read(path, "shop/C1.java")
    path.unlink()
    with pytest.raises(FileNotFoundError):
        archives.read(path, "shop/C0.java")


def test_few_stay_open_and_none_when_nothing_reads_them(tmp_path: Path) -> None:
    before = _open_files()
    archives = OpenArchives()
    for number in range(30):
        archives.read(_archive(tmp_path / f"{number}.jar", 1), "shop/C0.java")
    assert _open_files() <= before + 4
    del archives
    gc.collect()
    assert _open_files() == before
