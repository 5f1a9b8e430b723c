# SPDX-License-Identifier: Apache-2.0
"""Tests that entry points are found as `importlib.metadata` finds them, and cheaply if none are."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from jvmdebug import entry_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

GROUP = "jvmdebug.tried"
LISTING = f"[console_scripts]\nx = y:z\n\n[{GROUP}]\nmoney = shown:Money\n"
METADATA = "Metadata-Version: 2.1\nName: shown\nVersion: 1.0\n"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    entry_points.of_group.cache_clear()
    yield
    entry_points.of_group.cache_clear()


def install(folder: Path, kind: str = "shown-1.0.dist-info") -> None:
    """A distribution with an entry point of the group."""
    (folder / kind).mkdir(parents=True)
    name = "METADATA" if kind.endswith(".dist-info") else "PKG-INFO"
    (folder / kind / name).write_text(METADATA)
    (folder / kind / "entry_points.txt").write_text(LISTING)


@pytest.mark.parametrize("kind", ["shown-1.0.dist-info", "shown.egg-info"])
def test_those_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    install(tmp_path, kind)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [each.value for each in entry_points.of_group(GROUP)] == ["shown:Money"]
    assert entry_points.of_group(GROUP) == tuple(metadata.entry_points(group=GROUP))


def test_those_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "shown.egg"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("EGG-INFO/PKG-INFO", METADATA)
        written.writestr("EGG-INFO/entry_points.txt", LISTING)
    monkeypatch.syspath_prepend(str(archive))
    assert entry_points.of_group(GROUP) == tuple(metadata.entry_points(group=GROUP))


def test_those_that_an_importer_of_others_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path)

    class Finder(metadata.DistributionFinder):
        def find_spec(self, *_: object) -> None:
            """None of the modules."""

        def find_distributions(
            self, context: metadata.DistributionFinder.Context | None = None
        ) -> Sequence[metadata.Distribution]:
            """The one, for everybody."""
            del context
            return [metadata.PathDistribution(tmp_path / "shown-1.0.dist-info")]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert [each.name for each in entry_points.of_group(GROUP)] == ["money"]


def test_none_needs_no_metadata() -> None:
    script = (
        "import sys; from jvmdebug import entry_points; "
        f"assert entry_points.of_group({GROUP!r}) == (); "
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_folders_that_cannot_be_read_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken-1.0.dist-info").write_text("a file")
    (tmp_path / "empty-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "nowhere"))
    assert entry_points.of_group(GROUP) == ()
